#!/usr/bin/env bash
# Builds the program for a release, which is also benchmarked: packaging/build.sh TARGET
#
# The same sources give the same bytes in any folder: packaging/reproducible.sh compares two.
set -euo pipefail
cd "$(dirname "$0")/.."
home=${CARGO_HOME:-$HOME/.cargo}
RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=jsonx --remap-path-prefix=$home=cargo --remap-path-prefix=$(rustc --print sysroot)=rust"
export RUSTFLAGS CARGO_INCREMENTAL=0
cargo build --profile dist --locked -p jsonx-tool --target "${1:?usage: packaging/build.sh TARGET}"
