# Sourced by scripts that time programs in turns: they set `rounds`, add jobs, and call `measure TITLE [TEXT]`, which prints a
# table and clears the jobs. Files named times-* and err are in the current folder.

installed() { command -v "$1" >/dev/null; }

# Commands by name, run in a shell; their wall-clock times and peak memory.
declare -A commands
names=()
job() {
    names+=("$1")
    commands[$1]=$2
}
measure() {
    local name round start end
    echo
    echo "## $1"
    echo
    if [ -n "${2:-}" ]; then printf '%s\n\n' "$2"; fi
    for name in "${names[@]}"; do : > "times-${name//[^a-z]/-}"; done
    for ((round = 0; round < rounds; round++)); do
        for name in "${names[@]}"; do
            local file=times-${name//[^a-z]/-}
            # Commands that take more than half a minute run once.
            if [ "$round" -gt 0 ] && awk '{ if ($1 > 30) slow = 1 } END { exit !slow }' "$file"; then continue; fi
            # In microseconds; /usr/bin/time has hundredths of a second. Includes the start of a shell.
            start=${EPOCHREALTIME/[.,]/}
            /usr/bin/time -o memory -f '%M' bash -c "${commands[$name]}" > /dev/null 2> err || { cat err >&2; echo "$name failed" >&2; exit 1; }
            end=${EPOCHREALTIME/[.,]/}
            echo "$((end - start))e-6 $(cat memory)" >> "$file"
        done
    done
    echo "| program | best, s | median, s | runs | peak MB |"
    echo "|---|---:|---:|---:|---:|"
    for name in "${names[@]}"; do
        sort -g "times-${name//[^a-z]/-}" | awk -v name="$name" '
            { time[NR] = $1; if ($2 > memory) memory = $2 }
            END { printf "| %s | %.3f | %.3f | %d | %.0f |\n", name, time[1], time[int((NR + 1) / 2)], NR, memory / 1000 }'
    done
    names=()
}
assert() {
    if ! "${@:2}"; then
        echo "not so: $1" >&2
        exit 1
    fi
}
