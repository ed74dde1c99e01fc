#!/usr/bin/env bash
# Times edits and diffs of files against other programs on the PATH, in turns; prints a record.
#
#   benches/edits.sh JSONX [ROUNDS [MB]] > benches/record/MACHINE/edits.md
#
# MB is the size of the large file (1000). Two documents of a tenth of it are compared. Each result is asserted before it is
# timed. `sjson PATH VALUE FILE` is a short program around the Go library of jj; jsonpatch is the PyPI
# package. The files, three times MB, are in TMPDIR.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
jsonx=$(realpath "$1")
rounds=${2:-5}
size=${3:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
. "$here/turns.sh"

echo "# Edits and differences, $(date -u +%Y-%m-%d)"
echo
echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | sort -u), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg) at the" \
    "beginning; $("$jsonx" --version | sed -n 1p). By [edits.sh](../../edits.sh): $rounds rounds in turns, wall clock."

# ── the last value of a large file ──
awk -v rows=$((size * 10000)) 'BEGIN { printf "{\"rows\": ["
    for (i = 0; i < rows; i++) printf "%s{\"id\": %08d, \"name\": \"the record of number %08d\", \"tags\": [1, 2.5, true], \"x\": null}", i ? ",\n" : "", i + 10000000, i
    print "],\n\"last\": {\"answer\": 42}}" }' > large.json
cat large.json > /dev/null
"$jsonx" set .last.answer 43 large.json > out
assert "one byte differs" [ "$(cmp -l large.json out | wc -l)" = 1 ]
job "jsonx set" "'$jsonx' set .last.answer 43 large.json > out"
job "jsonx get, then cp" "'$jsonx' get .last.answer large.json && cp large.json out"
job "cp" "cp large.json out"
if installed jj; then job "jj" "jj -r -i large.json -o out -v 43 last.answer"; fi
if installed sjson; then
    sjson last.answer 43 large.json > out
    assert "sjson sets it" [ "$(cmp -l large.json out | wc -l)" = 1 ]
    job "sjson" "sjson last.answer 43 large.json > out"
fi
if [ "$size" -le 300 ]; then
    if installed jq; then job "jq" "jq '.last.answer = 43' large.json > out"; fi
    if installed edikt; then job "edikt" "edikt '.last.answer = 43' large.json > out"; fi
fi
measure "set the last value of $size MB" "From file to file. sjson does not check what it passes over; jq and edikt are run up to 300 MB."
rm -f out

# ── package.json, 20,000 times ──
mkdir tree
awk 'BEGIN { for (i = 0; i < 20000; i++) {
    if (i % 100 == 0) system("mkdir -p tree/" int(i / 100))
    file = "tree/" int(i / 100) "/" i ".json"
    printf "{\n  \"name\": \"package-%d\",\n  \"version\": \"1.2.%d\",\n  \"license\": \"ISC\",\n  \"files\": [\"dist\"],\n", i, i % 10 > file
    printf "  \"scripts\": {\n    \"test\": \"node --test\",\n    \"build\": \"tsc\"\n  },\n  \"dependencies\": {\n    \"left-pad\": \"^1.3.0\"\n  }\n}\n" > file
    close(file) } }'
"$jsonx" set .license MIT tree -w
assert "all are edited" [ "$(grep -rl '"license": "MIT"' tree | wc -l)" = 20000 ]
assert "nothing else is" [ "$(cat tree/*/*.json | grep -c '"files": \["dist"\],')" = 20000 ]
"$jsonx" set .license ISC tree -w
sample=$(echo tree/7/*.json)
job "jsonx set -w, and back (40,000 edits)" "'$jsonx' set .license MIT tree -w && '$jsonx' set .license ISC tree -w"
job "jsonx set --check (20,000)" "! '$jsonx' set .license MIT tree --check"
if installed jq; then
    job "jq, and mv (100)" "for file in $sample; do jq '.license = \"MIT\"' \$file > t && mv t \$file; done"
fi
if installed npm; then
    mkdir npm
    cp tree/7/700.json npm/package.json
    job "npm pkg set (2)" "cd npm && npm pkg set license=MIT && npm pkg set license=ISC"
fi
if installed edikt; then
    job "edikt -i (100)" "edikt -i '.license = \"MIT\"' $sample"
fi
measure "one value of each of 20,000 package.json" "In brackets, how many edits a run makes: jq and npm need a process for each file. jsonx writes each file anew, syncs it and renames it."

# ── two documents with one change in a hundred ──
rows=$((size * 1000))
document() {
    awk -v rows="$2" -v changed="$1" 'BEGIN { print "{\"rows\": ["
        for (i = 0; i < rows; i++) printf "{\"id\": %08d, \"name\": \"the record of number %08d\", \"value\": %d, \"tags\": [1, 2.5, true]}%s\n", i + 10000000, i, changed && i % 100 == 7 ? -i : i, i < rows - 1 ? "," : ""
        print "]}" }' | "$jsonx" fmt -c -
}
document 0 $rows > old.json
document 1 $rows > new.json
"$jsonx" diff --format patch old.json new.json > patch.json || [ $? = 1 ]
assert "a change for each hundred" [ "$("$jsonx" get --count '$[*]' patch.json)" = $((rows / 100)) ]
"$jsonx" patch patch.json old.json > out
assert "it makes the new document" cmp -s out new.json
job "jsonx diff" "! '$jsonx' diff old.json new.json"
job "jsonx diff --format patch" "! '$jsonx' diff --format patch old.json new.json"
job "jsonx patch" "'$jsonx' patch patch.json old.json > out"
# The size that the others can handle: a fiftieth of it.
document 0 $((rows / 50)) > small-old.json
document 1 $((rows / 50)) > small-new.json
job "jsonx diff, a 50th" "! '$jsonx' diff small-old.json small-new.json"
if installed jd; then job "jd, a 50th" "timeout 300 jd small-old.json small-new.json; [ \$? = 1 ]"; fi
if python3 -c 'import jsonpatch' 2>/dev/null; then
    job "python-json-patch, a 50th" "timeout 300 python3 -c 'import json, jsonpatch
a, b = (json.load(open(f\"small-{side}.json\")) for side in (\"old\", \"new\"))
assert len(list(jsonpatch.make_patch(a, b))) == $((rows / 5000))'"
fi
measure "difference of two documents of $(($(stat -c %s old.json) / 1000000)) MB" "One record in a hundred differs in one number. jd and python-json-patch get the first fiftieth of the records."
echo
echo "Load at the end: $(cut -d' ' -f1 /proc/loadavg)."
