#!/usr/bin/env bash
# Runs a fuzz target for some seconds, with its dictionary and options.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:?the name of a target} seconds=${2:-60}
options=(-max_total_time="$seconds" -max_len=20000)
case $target in
    paths | select | segments) options+=(-dict=fuzz/path.dict) ;;
    # The argument parser is never freed, and each input starts a server. libFuzzer's own option does not cover the exit.
    lsp)
        options+=(-dict=fuzz/json.dict -detect_leaks=0 -rss_limit_mb=9000)
        export ASAN_OPTIONS=detect_leaks=0
        ;;
    *) options+=(-dict=fuzz/json.dict) ;;
esac
mkdir -p "fuzz/corpus/$target"
folders=("fuzz/corpus/$target")
if [ -d "fuzz/seeds/$target" ]; then folders+=("fuzz/seeds/$target"); fi
cargo +nightly fuzz run "$target" "${folders[@]}" -- "${options[@]}"
