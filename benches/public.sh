#!/usr/bin/env bash
# Fetches the public benchmark files and prints the comparison of the engine with other parsers on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."
tests/fetch.py corpora target/corpora
export JSONX_CORPORA=$PWD/target/corpora RUSTFLAGS=-Ctarget-cpu=native
exec cargo bench -p jsonx-benches --bench throughput -- "$@"
