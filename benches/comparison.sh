#!/usr/bin/env bash
# Fills the cells of docs/comparison.md: runs each tool on the PATH on the same texts.
# JSONX_SUITES names a folder with JSONTestSuite in it. `jq-library` is the library of jq in the PyPI package `jq`,
# for systems whose own jq is old.
set -u
transformers="jsonx jq jq-library jaq qj rq biome jsonxf"
checkers="prettier ajv check-jsonschema jsonlint json.tool"
tools="$transformers $checkers"

# Whether a file is JSON, as the exit code.
verdict() {
    case $1 in
        jsonx) jsonx validate "$2" ;;
        jq | jq-library) "$1" . "$2" ;;
        jaq) jaq . "$2" ;;
        qj) qj . "$2" ;;
        rq) rq '$..*' "$2" ;;
        biome) biome check --formatter-enabled=false --linter-enabled=false "$2" ;;
        jsonxf) jsonxf -i "$2" ;;
        prettier) prettier "$2" ;;
        # Both need a schema: one that every value matches.
        ajv) ajv validate --spec=draft7 -s any.schema.json -d "$2" ;;
        check-jsonschema) check-jsonschema --schemafile any.schema.json "$2" ;;
        jsonlint) jsonlint -q "$2" ;;
        json.tool) json.tool "$2" ;;
    esac
}
# Formats a file, prints all of it, or only reads it.
formatted() {
    case $1 in
        jsonx) jsonx fmt -c "$2" ;;
        jq) jq -c . "$2" ;;
        jq-library) jq-library . "$2" ;;
        jaq) jaq -c . "$2" ;;
        qj) qj -c . "$2" ;;
        rq) rq '$' "$2" ;;
        biome) biome format --stdin-file-path=x.json < "$2" ;;
        jsonxf) jsonxf -m -i "$2" ;;
        prettier) prettier "$2" ;;
        jsonlint) jsonlint "$2" ;;
        json.tool) json.tool --compact "$2" ;;
        *) verdict "$1" "$2" ;;
    esac
}
lookup() {
    case $1 in
        jsonx) jsonx get ".$2" "$3" ;;
        jq | jq-library) "$1" ".$2" "$3" ;;
        jaq) jaq ".$2" "$3" ;;
        qj) qj ".$2" "$3" ;;
        rq) rq "\$.$2" "$3" ;;
        *) return 127 ;;
    esac
}
if [ $# -gt 0 ]; then
    # For `timeout` and `time`, which cannot run functions.
    "$@"
    exit
fi

script=$(realpath "$0")
suites=${JSONX_SUITES:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Both the filter and the conversion to text run in the library.
mkdir bin
cat > bin/jq-library <<'END'
#!/usr/bin/env python3
import sys
import jq

try:
    text = open(sys.argv[2], "rb").read().decode("utf-8", "replace")
    for value in jq.compile(f"({sys.argv[1]}) | tojson").input_text(text):
        print(value)
except ValueError as error:
    sys.exit(f"error: {error}")
END
if python3 -c 'import jq' 2>/dev/null; then chmod +x bin/jq-library; fi
printf '#!/bin/sh\nexec python3 -m json.tool "$@"\n' > bin/json.tool
chmod +x bin/json.tool
printf '{}' > any.schema.json
export PATH="$work/bin:$PATH"

each() {
    printf '\n== %s\n' "$1"
    shift
    for tool in $tools; do
        if command -v "$tool" >/dev/null; then
            printf '%-7s %s\n' "$tool" "$("$@" "$tool" | tr '\n' ' ')"
        else
            printf '%-7s not installed\n' "$tool"
        fi
    done
}

versions() {
    case $1 in
        jsonxf) echo 'prints no version' ;;
        ajv) echo 'prints no version' ;;
        json.tool) python3 --version ;;
        jq-library) python3 -c 'from importlib.metadata import version; print("PyPI package jq", version("jq"))' ;;
        *) "$1" --version | sed -n 1p ;;
    esac
}
each versions versions

printf '[NaN]' > nan; printf '[1,]' > comma; printf '[01]' > zero; printf '["a\tb"]' > tab; printf '["\xff"]' > utf8
printf '[1] x' > text; printf '' > empty; printf '[1]//c' > comment
for broken in nan comma zero tab utf8 text empty comment; do mv $broken $broken.json; done
refused() {
    for broken in nan comma zero tab utf8 text empty comment; do
        if verdict "$1" $broken.json >/dev/null 2>&1; then printf '%s:taken ' $broken; fi
    done
    echo
}
each "which of eight broken texts are taken" refused

suite() {
    local invalid=0 taken=0 valid=0 refused=0
    for file in "$suites"/JSONTestSuite/test_parsing/n_*.json; do
        cp "$file" suite.json
        invalid=$((invalid + 1))
        if timeout 20 "$script" verdict "$1" suite.json >/dev/null 2>&1; then taken=$((taken + 1)); fi
    done
    for file in "$suites"/JSONTestSuite/test_parsing/y_*.json; do
        cp "$file" suite.json
        valid=$((valid + 1))
        if ! timeout 20 "$script" verdict "$1" suite.json >/dev/null 2>&1; then refused=$((refused + 1)); fi
    done
    echo "$taken of $invalid invalid texts taken, $refused of $valid valid ones refused"
}
if [ -d "$suites/JSONTestSuite" ]; then each "JSONTestSuite" suite; fi

printf '{"a": 1, "a": 2}' > twice.json
twice() {
    case $1 in
        biome) biome lint --colors=off "$2" 2>&1 | grep -c noDuplicateObjectKeys ;;
        *) verdict "$1" "$2" 2>&1 | grep -ci duplicate ;;
    esac
}
of_twice() { twice "$1" twice.json; }
each "duplicate keys: lines that speak of them" of_twice

printf '{"a": 1 "b": 2,\n"c": .5,\nd: 3}' > many.json
errors() {
    case $1 in
        jsonx) jsonx validate --reporter concise many.json ;;
        biome) biome check --colors=off --formatter-enabled=false many.json 2>&1 | grep '×' ;;
        prettier | ajv | jsonlint) verdict "$1" many.json 2>&1 | head -n 6 ;;
        *) verdict "$1" many.json 2>&1 | grep -i 'error' ;;
    esac
}
each "three mistakes in one text" errors

printf '[12345678901234567890, 1.10, 1e400]' > numbers.json
numbers() { formatted "$1" numbers.json 2>&1; }
each "numbers" numbers

printf '{"a": null}' > null.json
missing() {
    for key in a b; do
        lookup "$1" $key null.json >/dev/null 2>&1
        printf '%s: exit %s  ' $key $?
    done
}
each "null (a) and missing (b)" missing

printf '{"n": 1}\n{"n": 2}\n' > lines.jsonl
lines() { lookup "$1" n lines.jsonl 2>&1 || formatted "$1" lines.jsonl 2>&1 | head -n 3; }
each "JSON Lines" lines

printf '{"a": [{"b": 1}, {"b": 5}]}' > path.json
paths() {
    for path in '$..b' '$.a[0:1].b' '$.a[-1].b' '$.a[0,1].b' '$.a[?@.b > 3].b'; do
        printf '%s: ' "$path"
        case $1 in
            jsonx) jsonx get "$path" path.json ;;
            rq) rq "$path" path.json 2>/dev/null || echo refused ;;
            *) echo 'no JSONPath' ;;
        esac | tr '\n' ' '
    done
}
each "JSONPath" paths

in_place() {
    printf '{"a":   1}' > place.json
    case $1 in
        jsonx) set -- jsonx fmt --write place.json ;;
        jaq) set -- jaq -i . place.json ;;
        biome) set -- biome format --write place.json ;;
        prettier) set -- prettier --write place.json ;;
        jsonlint) set -- jsonlint -i place.json ;;
        json.tool) set -- json.tool place.json place.json ;;
        *) echo 'does not write files'; return ;;
    esac
    strace -f -e trace=openat,rename,renameat,renameat2 -o trace "$@" > out 2>&1
    if grep -q 'rename.*place.json' trace; then echo 'puts a new file in its place'; else grep -o 'place.json.*O_[A-Z_|]*' trace | grep -m 1 'TRUNC\|WR'; fi
}
if command -v strace >/dev/null; then each "in place" in_place; fi

# 100 MB of records in one array: the peak memory of printing it compact.
awk 'BEGIN { printf "["; for (i = 0; i < 1500000; i++) printf "%s{\"id\": %d, \"name\": \"record %d\", \"tags\": [1, 2.5, true]}", i ? ",\n " : "", i, i; print "]" }' > large.json
memory() {
    if [ "$1" = biome ]; then
        cat > biome.json <<< '{"files": {"maxSize": 1000000000}}'
    fi
    timeout 600 /usr/bin/time -f '%M KB' -o memory "$script" formatted "$1" large.json > out 2> err
    tail -n 1 memory
    head -c 200 err
    rm -f biome.json
}
if [ -x /usr/bin/time ]; then each "memory for $(wc -c < large.json) bytes" memory; fi

# What a check in CI prints for a repository of 200 files, two of them broken and one that the schema rejects.
mkdir -p repository/data
for number in $(seq 200); do printf '{ "id": %d }\n' "$number" > "repository/data/$number.json"; done
printf '{ "id": 7, }\n' > repository/data/7.json
printf '{ "id": 8' > repository/data/8.json
printf '{ "id": "9" }\n' > repository/data/9.json
printf '{"type": "object", "properties": {"id": {"type": "integer"}}}\n' > repository/id.schema.json
check() {
    case $1 in
        jsonx) jsonx validate --reporter concise --schema id.schema.json data ;;
        biome) biome lint --colors=off data ;;
        prettier) prettier --check data ;;
        ajv) ajv validate --spec=draft7 -s id.schema.json -d 'data/*.json' ;;
        check-jsonschema) check-jsonschema --schemafile id.schema.json data/*.json ;;
        jsonlint) for file in data/*.json; do jsonlint -q "$file" || code=1; done; return ${code:-0} ;;
        json.tool) for file in data/*.json; do json.tool "$file" || code=1; done; return ${code:-0} ;;
    esac
}
repository() {
    (cd repository && PATH=$work/bin:$PATH && check "$1" > ../out 2>&1; echo "exit $?")
    for file in 7 8 9; do
        if grep -q "[^0-9]$file\.json" out; then echo "names $file.json"; fi
    done
}
tools="jsonx biome $checkers"
each "a broken comma (7), a truncated file (8), a value of a wrong type (9)" repository
