#!/bin/sh
# Builds the simdjson side of the throughput bench into the target folder, where the bench finds it.
# Needs g++ and simdjson's header and library (Debian: libsimdjson-dev); reports which are missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/../../target}
if ! command -v g++ >/dev/null; then
    echo "build.sh: g++ is not installed; the bench runs without simdjson" >&2
    exit 1
fi
if ! echo '#include <simdjson.h>' | g++ -std=c++17 -x c++ -fsyntax-only - 2>/dev/null; then
    echo "build.sh: simdjson.h is not installed (Debian: libsimdjson-dev); the bench runs without simdjson" >&2
    exit 1
fi
mkdir -p "$target"
# The library chooses its kernel at run time; -march=native lets the inlined part use the same instructions.
g++ -std=c++17 -O3 -march=native -DNDEBUG -Wall -Wextra -o "$target/simdjson-bench" "$here/simdjson-bench.cpp" -lsimdjson
echo "$target/simdjson-bench"
