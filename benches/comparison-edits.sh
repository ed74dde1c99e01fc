#!/usr/bin/env bash
# Fills the cells of "Editing" in docs/comparison.md: makes the same edits with each tool on the PATH.
# `sjson` is a short program around the Go library of that name, which jj uses: sjson PATH VALUE FILE, and
# sjson PATH -D FILE to delete.
set -u
export NO_UPDATE_NOTIFIER=1 npm_config_update_notifier=false
tools="jsonx edikt jq npm jj sjson"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# Sets a value: TOOL FILE KEYS (with dots) VALUE (JSON). The result goes to standard output.
set_value() {
    case $1 in
        jsonx) jsonx set -p ".$3" "$4" "$2" ;;
        edikt) edikt ".$3 = $4" "$2" ;;
        jq) jq ".$3 = $4" "$2" ;;
        npm) in_package "$2" npm pkg set --json "$3=$4" ;;
        jj) jj -r -v "$4" -i "$2" "$3" ;;
        sjson) sjson "$3" "$4" "$2" ;;
    esac
}
remove() {
    case $1 in
        jsonx) jsonx del ".$3" "$2" ;;
        edikt) edikt "del(.$3)" "$2" ;;
        jq) jq "del(.$3)" "$2" ;;
        npm) in_package "$2" npm pkg delete "$3" ;;
        jj) jj -D -i "$2" "$3" ;;
        sjson) sjson "$3" -D "$2" ;;
    esac
}
# npm edits package.json of the folder.
in_package() {
    rm -rf package && mkdir package && cp "$1" package/package.json
    shift
    (cd package && "$@" && cat package.json)
}

each() {
    printf '\n== %s\n' "$1"
    shift
    for tool in $tools; do
        if command -v "$tool" >/dev/null; then
            printf '%-6s %s\n' "$tool" "$("$@" "$tool" 2>&1 | head -c 300 | tr '\n' ' ')"
        else
            printf '%-6s not installed\n' "$tool"
        fi
    done
}
# The exit code of a command, and whether its output is the expected text.
judge() {
    local expected=$1 code
    shift
    "$@" > out 2> err
    code=$?
    if printf %s "$expected" | cmp -s - out; then echo "exit $code, every other byte kept"; else
        echo "exit $code, $(cat -A out | tr '\n' ' ') $(head -n 2 err)"
    fi
}

version() {
    case $1 in
        sjson) go version -m "$(command -v sjson)" | awk '$2 ~ /sjson$/ { print $3 }' ;;
        jj) jj --version ;;
        *) "$1" --version | sed -n 1p ;;
    esac
}
each versions version

mixed='{"name": "demo",
  "files": ["dist"], "n": 1.10,
  "e": "\u00e9", "big": 12345678901234567890}'
printf %s "$mixed" > mixed.json
mixed() { judge "${mixed/demo/other}" set_value "$1" mixed.json name '"other"'; }
each "a value among mixed white space, an escape, long numbers, no line feed at the end" mixed

crlf=$'\xef\xbb\xbf{\r\n\t"a": 1,\r\n\t"b": 2\r\n}\r\n'
printf %s "$crlf" > crlf.json
crlf() { judge "${crlf/: 1/: 3}" set_value "$1" crlf.json a 3; }
each "CRLF, tabs, a byte-order mark" crlf

two=$'{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n'
printf %s "$two" > two.json
added() { judge "${two/: 2/: 2,$'\n'    \"d\": [$'\n'      1$'\n'    ]}" set_value "$1" two.json b.d '[1]'; }
each "a new member, laid out as its siblings" added
only() { judge $'{\n  "a": 1,\n  "b": {}\n}\n' remove "$1" two.json b.c; }
each "the only member removed" only
last() { judge $'{\n  "a": 1\n}\n' remove "$1" two.json b; }
each "the last member removed" last

printf '{"a": 1, "a": 2}' > twice.json
twice() { set_value "$1" twice.json a 3; echo "; del:"; remove "$1" twice.json a; }
each "duplicate keys" twice

printf '{"version": "1.2"}' > version.json
guard() {
    case $1 in
        jsonx) jsonx set .version 1.10 version.json ;;
        npm) in_package version.json npm pkg set version=1.10 ;;
        jj) jj -v 1.10 -i version.json version ;;
        *) set_value "$1" version.json version 1.10 ;;
    esac
}
each "1.10 in the place of a string" guard

parents() { case $1 in jsonx) jsonx set .x.y 1 version.json ;; *) set_value "$1" version.json x.y 1 ;; esac; }
each "a parent that is missing" parents

printf '{"a": [1, 2]}' > array.json
past() {
    case $1 in
        jsonx) jsonx set '.a[5]' 3 array.json ;;
        edikt | jq) "$1" '.a[5] = 3' array.json ;;
        npm) in_package array.json npm pkg set --json 'a[5]=3' ;;
        jj) jj -v 3 -i array.json a.5 ;;
        sjson) sjson a.5 3 array.json ;;
    esac
}
each "an index past the end" past

printf '{"a": 1, "b": [2}' > broken.json
broken() { set_value "$1" broken.json a 3; echo "exit $?"; }
each "a document that is not JSON" broken

commented=$'{\n  // one\n  "a": 1, // two\n  "b": 2\n}\n'
printf %s "$commented" > commented.jsonc
comments() { judge "${commented/: 1/: 3}" set_value "$1" commented.jsonc a 3; }
each "comments" comments

all_or_nothing() {
    cp array.json place.json
    case $1 in
        jsonx) jsonx jq -w '.a[0] = 7 | .a.x.y = 1' place.json ;;
        edikt) edikt -i -e '.a[0] = 7' -e '.a.x.y = 1' place.json ;;
        *) echo 'one edit a run, or no failure'; return ;;
    esac
    echo "exit $?, $(cat place.json)"
}
each "two edits of which one fails" all_or_nothing

printf '{"a": 1}\n{"a": 2}\n' > lines.jsonl
lines() { set_value "$1" lines.jsonl b 3; }
each "JSON Lines" lines

in_place() {
    cp array.json place.json
    case $1 in
        jsonx) set -- jsonx set .b 1 place.json -w ;;
        edikt) set -- edikt -i '.b = 1' place.json ;;
        npm) mkdir -p in-place; cp array.json in-place/package.json; cd in-place || exit; set -- npm pkg set b=1 ;;
        jj) set -- jj -i place.json -o place.json -v 1 b ;;
        *) echo 'does not write files'; return ;;
    esac
    strace -f -e trace=openat,rename,renameat,renameat2 -o trace "$@" > out 2>&1
    if grep -q 'rename.*\(place\|package\).json' trace; then echo 'puts a new file in its place'; else
        grep -o '\(place\|package\).json.*O_[A-Z_|]*' trace | grep -m1 'WRONLY\|RDWR'
    fi
}
if command -v strace >/dev/null; then each "in place" in_place; fi

unchanged() {
    printf '{\n  "a": 1\n}\n' > same.json
    touch -d 2020-01-01 same.json
    case $1 in
        jsonx) jsonx set .a 1 same.json -w ;;
        edikt) edikt -i '.a = 1' same.json ;;
        npm) mkdir -p same; cp -p same.json same/package.json; (cd same && npm pkg set --json a=1); cp -p same/package.json same.json ;;
        jj) jj -i same.json -o same.json -v 1 a ;;
        *) echo 'does not write files'; return ;;
    esac
    date -r same.json +%Y
}
each "set to what it is already: the year of the file was 2020" unchanged

# 100 MB of records in one array.
awk 'BEGIN { printf "{\"rows\": ["; for (i = 0; i < 1500000; i++) printf "%s{\"id\": %d, \"name\": \"record %d\", \"tags\": [1, 2.5, true]}", i ? ",\n " : "", i, i; print "], \"last\": 1}" }' > large.json
script=$(declare -f set_value in_package)
memory() {
    timeout 600 /usr/bin/time -f '%M KB, %e s' -o memory bash -c "$script; set_value $1 large.json last 2" > out 2> err
    tail -n 1 memory
    head -c 200 err
}
if [ -x /usr/bin/time ]; then each "memory for $(wc -c < large.json) bytes" memory; fi

directory() {
    rm -rf many && mkdir many && echo '{"a": 1}' > many/x.json
    case $1 in
        jsonx) jsonx set .b 1 many -w ;;
        edikt) edikt -i '.b = 1' many ;;
        jq) jq '.b = 1' many ;;
        npm) (cd many && npm pkg set b=1) ;;
        jj) sjson b 1 many ;;
    esac > out 2>&1
    local code=$?
    echo "exit $code: $(cat many/x.json): $(head -n 1 out)"
}
each "a directory with one file" directory

patches() {
    case $1 in
        jsonx) jsonx help patch ;;
        npm) npm pkg --help ;;
        jj) jj --help || sjson --help ;;
        *) "$1" --help ;;
    esac 2>&1 | grep -ciE 'json[- ](merge[- ])?patch|rfc ?6902|rfc ?7396'
}
each "lines of the help that name patches" patches
