#!/usr/bin/env python3
"""Times reading JSON Lines into Arrow columns: jsonx, pyarrow, Polars and DuckDB on the same file, in turns; prints a record.

  benches/lines.py [ROUNDS [MB]] > benches/record/MACHINE/lines.md

Needs the package jsonx (crates/python), pyarrow, Polars and DuckDB; those that are missing are left out. Every program gets the same
schema. The second file is the first one with every hundredth record broken: cut off, or a text where a number should be.
"""

import json
import os
import statistics
import sys
import tempfile
import time

import jsonx
import pyarrow as pa
import pyarrow.json

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 200
folder = tempfile.TemporaryDirectory()
names = [os.path.join(folder.name, name) for name in ("whole.jsonl", "broken.jsonl")]
NUMBERS = [f"n{i}" for i in range(8)]
SCHEMA = {
    "id": "int64", "user": {"id": "int64", "name": "string"}, "level": "string", "status": "int64", "ms": "float64",
    "path": "string", "ok": "bool", "tags": ["string"], "message": "string", "host": "string", "zone": "string", "size": "int64",
    **{name: "float64" for name in NUMBERS},
}
TWO = ["id", "status"]

size = rows = 0
with open(names[0], "w") as whole, open(names[1], "w") as broken:
    while size < megabytes * 1_000_000:
        record = {
            "id": rows, "user": {"id": rows % 9999, "name": f"user {rows % 9999}"}, "level": ("info", "warn", "error")[rows % 3],
            "status": 200 + rows % 3, "ms": rows % 977 / 8, "path": f"/api/v1/items/{rows * 7919 % 1_000_003}", "ok": rows % 3 == 0,
            "tags": ["a", f"b{rows % 7}"], "message": f'request "{rows}" is done\n', "host": f"node-{rows % 64}", "zone": "eu-west-1",
            "size": rows * 31 % 65_536, **{name: rows % 1013 / 7 + i for i, name in enumerate(NUMBERS)},
        }
        line = json.dumps(record) + "\n"
        size += whole.write(line)
        if rows % 200 == 100:
            line = line[: len(line) // 2] + "\n"
        elif rows % 200 == 0:
            record["id"] = "none"
            line = json.dumps(record) + "\n"
        broken.write(line)
        rows += 1


def ours(threads):
    def read(name, columns):
        lines = jsonx.read_lines(name, SCHEMA, columns=columns, threads=threads)
        read = sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(lines))
        return read, f"{lines.rejected} records in a second table, with line, path and reason" if lines.rejected else ""

    return read


def arrow(name, columns):
    schema = pa.table(jsonx.read_lines(b"", SCHEMA, columns=columns)).schema
    options = pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    return pyarrow.json.read_json(name, parse_options=options).num_rows, ""


jobs = {"jsonx, one thread": ours(1), "jsonx, all cores": ours(None), "pyarrow.json, all cores": arrow}
try:
    import polars

    def read_polars(name, columns):
        schema = polars.DataFrame(jsonx.read_lines(b"", SCHEMA)).schema
        frame = polars.scan_ndjson(name, schema=schema)
        return (frame.select(columns) if columns else frame).collect().height, ""

    jobs["Polars, all cores"] = read_polars
    jobs["Polars, `ignore_errors`"] = lambda name, columns: (
        polars.read_ndjson(name, schema=polars.DataFrame(jsonx.read_lines(b"", SCHEMA)).schema, ignore_errors=True).height, ""
    )
except ImportError:
    pass
try:
    import duckdb

    TYPES = {"int64": "BIGINT", "string": "VARCHAR", "float64": "DOUBLE", "bool": "BOOLEAN"}

    def sql(kind):
        if isinstance(kind, list):
            return sql(kind[0]) + "[]"
        if isinstance(kind, dict):
            return "STRUCT(" + ", ".join(f'"{name}" {sql(kind)}' for name, kind in kind.items()) + ")"
        return TYPES[kind]

    def read_duckdb(ignores):
        def read(name, columns):
            kinds = {column: sql(kind) for column, kind in SCHEMA.items() if not columns or column in columns}
            query = f"select * from read_json('{name}', format='newline_delimited', columns={kinds}, ignore_errors={ignores})"
            return duckdb.sql(query).arrow().read_all().num_rows, ""

        return read

    jobs["DuckDB, all cores"] = read_duckdb(False)
    jobs["DuckDB, `ignore_errors`"] = read_duckdb(True)
except ImportError:
    pass

with open("/proc/cpuinfo") as file:
    model = next(line.split(": ")[1].strip() for line in file if line.startswith("model name"))
print(f"# Columns from {size / 1e6:.0f} MB of JSON Lines, {time.strftime('%Y-%m-%d')}\n")
print(
    f"{model}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {rows} records of 20 fields. "
    f"By [lines.py](../../lines.py): {rounds} rounds in turns. Every hundredth record of the second file is broken.\n"
)
print("| program | 20 fields, median s (best) | 2 fields | with 1 % broken: what became of them |\n|---|---:|---:|---|")
times = {(job, columns): [] for job in jobs for columns in (None, "two")}
for _ in range(rounds):
    for job, columns in times:
        start = time.monotonic()
        try:
            read, _ = jobs[job](names[0], TWO if columns else None)
        except Exception as error:
            sys.exit(f"{job}: {error}")
        times[job, columns].append(time.monotonic() - start)
        assert read == rows, (job, read, rows)
for job in jobs:
    try:
        read, note = jobs[job](names[1], None)
        note = f"{read} of {rows} rows" + (f"; {note}" if note else "; nothing is said of the others" if read < rows else "; null")
    except Exception as error:
        note = f"fails: `{str(error).splitlines()[0][:90].replace('|', '/')}`"
    shown = [f"{statistics.median(times[job, it]):.2f} ({min(times[job, it]):.2f})" for it in (None, "two")]
    print(f"| {job} | {shown[0]} | {shown[1]} | {note} |")
