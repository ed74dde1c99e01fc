#!/usr/bin/env bash
# Builds a site of the guides with mdBook: packaging/site.sh FOLDER. Its pages and their order are those of docs/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
site=${1:?a folder}
book=$(mktemp -d)
trap 'rm -rf "$book"' EXIT
mkdir "$book/src"
cp docs/*.md docs/*.svg docs/*.json "$book/src"
# Pages outside docs/ that guides link to; links to other files lead to the repository.
files=$(sed -n 's|.*"repository": "\(.*\)".*|\1/blob/main|p' packaging/names.json)
for page in python:crates/python/README.md arrow:crates/arrow/README.md vscode:editors/vscode/README.md changes:CHANGELOG.md; do
    cp "${page#*:}" "$book/src/${page%%:*}.md"
done
sed -i -e 's|(\.\./crates/\([a-z]*\)/README\.md|(\1.md|g' -e 's|(\.\./editors/vscode/README\.md|(vscode.md|g' \
    -e 's|(\.\./\.\./docs/|(|g' -e "s~(\(\.\./\)*\(benches\|packaging\)/~($files/\2/~g" "$book"/src/*.md
{
    echo '[jsonx](README.md)'
    sed -n 's/^| \(\[[^]]*\]([a-z0-9-]*\.md)\) .*/- \1/p' docs/README.md
    printf -- '- [Python](python.md)\n- [Arrow](arrow.md)\n- [VS Code](vscode.md)\n- [Changes](changes.md)\n'
} > "$book/src/SUMMARY.md"
cat > "$book/book.toml" <<'TOML'
[book]
title = "jsonx"
language = "en"
[output.html]
no-section-label = true
TOML
mdbook build "$book" --dest-dir "$(mkdir -p "$site" && cd "$site" && pwd)"
