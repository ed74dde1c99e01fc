#!/usr/bin/env python3
"""Times two builds of jsonx on the same command lines, in turns, and prints the ratio of each row.

  benches/measure.py OLD NEW [--only TEXT] [--rounds N] [--threads N]

Needs JSONX_CORPORA. OLD is the program of an earlier commit. Where a command line has been replaced, the row has both; the
outputs of both programs must be equal before anything is timed. A ratio below 1 is faster. JSONX_KERNEL chooses the kernel of both.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# Name, command line, and the command line of NEW if it differs. @NAME is an input, and a trailing `<` reads it from a pipe.
ROWS = [
    ("start: get of 40 bytes", ["get", ".a", "@tiny"]),
    ("start: validate of 40 bytes", ["validate", "@tiny"]),
    ("start: set of 40 bytes", ["set", ".a", "2", "@tiny"]),
    ("validate twitter", ["validate", "@twitter"]),
    ("validate canada", ["validate", "@canada"]),
    ("validate 50 MB pretty", ["validate", "@pretty"]),
    ("validate 50 MB lines", ["validate", "@lines"]),
    ("validate 50 MB lines, pipe", ["validate", "<@lines"]),
    ("get from twitter", ["get", ".search_metadata.count", "@twitter"]),
    ("get from 50 MB", ["get", ".-1.id", "@pretty"]),
    ("get from 50 MB lines", ["get", ".user.name", "@lines"]),
    ("get from 50 MB lines, pipe", ["get", ".user.name", "<@lines"]),
    ("get every id", ["get", "--count", "$..id", "@pretty"]),
    ("jq: one field of lines", ["jq", "-c", ".user.name", "@lines"]),
    ("jq: select", ["jq", "-c", "select(.status == 404)", "@lines"]),
    ("jq: group_by", ["jq", "-c", "group_by(.level) | map(length)", "@pretty"]),
    ("select: get --where", ["get", "-c", ".", "--where", ".status == 404", "@lines"], ["jq", "-c", "select(.status == 404)", "@lines"]),
    ("rows: get --columns", ["get", ".", "--columns", ".ts,.status", "--csv", "--no-header", "@lines"], ["jq", "[.ts, .status]", "--csv", "@lines"]),
    ("tally: get --tally", ["get", ".level", "--tally", "--csv", "--no-header", "@lines"], ["jq", ".level", "--tally", "--csv", "--no-header", "@lines"]),
    ("length: get --length", ["get", "--length", ".", "@pretty"], ["jq", "length", "@pretty"]),
    ("fmt twitter", ["fmt", "@twitter"]),
    ("fmt 50 MB", ["fmt", "@pretty"]),
    ("fmt -c 50 MB", ["fmt", "-c", "@pretty"]),
    ("fmt -c 50 MB lines", ["fmt", "-c", "@lines"]),
    ("fmt -S 50 MB", ["fmt", "-S", "@pretty"]),
    ("fmt --style prettier 50 MB", ["fmt", "--style", "prettier", "@pretty"]),
    ("fmt --check citm_catalog", ["fmt", "--check", "@citm"]),
    ("fmt --check 50 MB", ["fmt", "--check", "@pretty"]),
    ("set in twitter", ["set", ".search_metadata.count", "1", "@twitter"]),
    ("set in 50 MB", ["set", ".-1.id", "1", "@pretty"]),
    ("set in 50 MB lines", ["set", ".status", "1", "@lines"]),
    ("append to 50 MB", ["append", ".", "1", "@pretty"]),
    ("del in 50 MB", ["del", ".-1.id", "@pretty"]),
    ("patch of twitter", ["patch", '[{"op":"remove","path":"/search_metadata/count"}]', "@twitter"]),
    ("diff of 50 MB", ["diff", "@pretty", "@other"]),
    ("fix twitter, cut", ["fix", "-q", "@cut"]),
    ("validate twitter, cut", ["validate", "@cut"]),
]


def write_inputs(folder):
    """Writes the inputs; returns the path of each."""
    corpora = os.environ["JSONX_CORPORA"]
    paths = {name: f"{corpora}/{file}" for name, file in {
        "twitter": "twitter.json", "canada": "canada.json", "citm": "citm_catalog.json"}.items()}

    def path(name, suffix=".json"):
        paths[name] = f"{folder}/{name}{suffix}"
        return paths[name]

    with open(path("tiny"), "w") as tiny:
        tiny.write('{"a": 1, "b": [true, null, "a string"]}\n')
    twitter = open(paths["twitter"], "rb").read()
    with open(path("cut"), "wb") as cut:
        cut.write(twitter[: len(twitter) // 2])
    lines, records, size = open(path("lines", ".jsonl"), "w"), [], 0
    with lines:
        row = 0
        while size < 50_000_000:
            record = {
                "ts": f"2026-11-28T10:{row // 60 % 60:02}:{row % 60:02}.{row % 1000:03}Z", "level": ("info", "warn", "error")[row % 3],
                "status": (200, 404, 500)[row * 7 % 3], "path": f"/api/v1/items/{row * 7919 % 10_007}", "ms": row % 97_700 / 100,
                "user": {"id": row % 9999, "name": f"user{row % 9999}"},
            }
            size += lines.write(json.dumps(record) + "\n")
            row += 1
            record["id"] = row
            records.append(record)
    while size > 40_000_000:
        size -= 400
        records.pop()
    with open(path("pretty"), "w") as pretty:
        json.dump(records, pretty, indent=2)
    records[len(records) // 2]["status"] = 0
    with open(path("other"), "w") as other:
        json.dump(records, other, indent=2)
    return paths


def command(program, words, paths, threads):
    """The arguments, and the file of standard input."""
    stdin = next((paths[word[2:]] for word in words if word.startswith("<@")), os.devnull)
    words = [paths[word[1:]] if word.startswith("@") else word for word in words if not word.startswith("<@")]
    return [program, *words, *(["--threads", str(threads)] if threads else [])], stdin


def run(arguments, stdin, out):
    """The wall time and the time of the processor, in seconds, and the exit code. The input comes through a pipe if there is one."""
    source = None
    if stdin != os.devnull:
        source = subprocess.Popen(["cat", stdin], stdout=subprocess.PIPE)
    start = time.perf_counter()
    child = subprocess.Popen(arguments, stdin=source.stdout if source else subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if source:
        source.stdout.close()
        source.wait()
    return wall, used.ru_utime + used.ru_stime, child.returncode


def output(arguments, stdin, folder):
    with open(f"{folder}/out", "w+b") as out:
        code = run(arguments, stdin, out)[2]
        out.seek(0)
        return code, out.read().replace(arguments[0].encode(), b"")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("old")
    options.add_argument("new")
    options.add_argument("--only", default="")
    options.add_argument("--rounds", type=int, default=11)
    options.add_argument("--threads", type=int, default=0)
    options = options.parse_args()
    folder = tempfile.mkdtemp()
    different, ratios = 0, []
    try:
        paths = write_inputs(folder)
        print("| | old, ms | new, ms | ratio of times | of processor times |\n|---|---:|---:|---:|---:|")
        for name, old, *new in ROWS:
            if options.only not in name:
                continue
            sides = [command(options.old, old, paths, options.threads), command(options.new, (new or [old])[0], paths, options.threads)]
            before, after = (output(*side, folder) for side in sides)
            if before != after:
                different += 1
                print(f"| {name} | the results differ: {before[0]}, {len(before[1])} bytes; {after[0]}, {len(after[1])} bytes | | | |")
                continue
            # A run of a few milliseconds varies more.
            rounds = options.rounds * (5 if name.startswith("start") else 1)
            times = [[run(*side, subprocess.DEVNULL)[:2] for side in sides] for _ in range(rounds)]
            (old_wall, old_cpu), (new_wall, new_cpu) = (
                [statistics.median(turn[side][kind] for turn in times) for kind in (0, 1)] for side in (0, 1)
            )
            ratios.append(new_wall / old_wall)
            print(f"| {name} | {old_wall * 1e3:.2f} | {new_wall * 1e3:.2f} | {ratios[-1]:.2f} | {new_cpu / old_cpu:.2f} |", flush=True)
        mean = math.exp(statistics.fmean(map(math.log, ratios))) if ratios else 1
        print(f"| geometric mean of {len(ratios)} rows | | | {mean:.3f} | |")
    finally:
        shutil.rmtree(folder)
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
