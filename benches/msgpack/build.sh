#!/bin/sh
# Builds the C side of the MessagePack bench into the target folder, where the bench finds it.
# Needs gcc, msgpuck and msgpack-c (Debian: libmsgpuck-dev, libmsgpack-dev); reports which are missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
for header in msgpuck.h msgpack.h; do
    if ! echo "#include <$header>" | gcc -x c -fsyntax-only - 2>/dev/null; then
        echo "build.sh: $header or gcc is not installed; the bench runs without msgpuck and msgpack-c" >&2
        exit 1
    fi
done
mkdir -p "$target"
gcc -std=gnu11 -O3 -march=native -DNDEBUG -Wall -Wextra -o "$target/msgpack-bench" "$here/msgpack-bench.c" -lmsgpuck -lmsgpackc
echo "$target/msgpack-bench"
