#!/usr/bin/env bash
# Builds the committed sources in two folders and compares the programs: packaging/reproducible.sh [TARGET]
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)
target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
# Commits made meanwhile are in neither.
commit=$(git -C "$repository" rev-parse HEAD)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for name in one another/folder; do
    git clone --quiet "$repository" "$scratch/$name"
    git -C "$scratch/$name" checkout --quiet "$commit"
    "$scratch/$name/packaging/build.sh" "$target"
    mv "$scratch/$name/target/$target/dist/jsonx" "$scratch/${name//\//-}.jsonx"
    rm -rf "$scratch/$name"
done
sha256sum "$scratch"/*.jsonx
cmp "$scratch"/*.jsonx
echo "the same bytes"
