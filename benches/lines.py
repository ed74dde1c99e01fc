#!/usr/bin/env python3
"""Times reading JSON Lines into Arrow columns: jsonx, pyarrow, Polars, DuckDB and DataFusion on the same file, in turns; prints a record.

  benches/lines.py [ROUNDS [MB]] > benches/record/MACHINE/lines.md

Needs the package jsonx (crates/python) and pyarrow; others that are missing are left out. Every program gets the same schema, and
has a process of its own. The second file is the first one with every hundredth record broken: cut off, or a string in place of a
number.
"""

import importlib.metadata
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

NUMBERS = [f"n{i}" for i in range(8)]
SCHEMA = {
    "id": "int64", "user": {"id": "int64", "name": "string"}, "level": "string", "status": "int64", "ms": "float64",
    "path": "string", "ok": "bool", "tags": ["string"], "message": "string", "host": "string", "zone": "string", "size": "int64",
    **{name: "float64" for name in NUMBERS},
}
TWO = ["id", "status"]


def write(folder, megabytes):
    """Writes both files; returns the size of the first one and its number of records."""
    size = rows = 0
    with open(f"{folder}/whole.jsonl", "w") as whole, open(f"{folder}/broken.jsonl", "w") as broken:
        while size < megabytes * 1_000_000:
            record = {
                "id": rows, "user": {"id": rows % 9999, "name": f"user {rows % 9999}"}, "level": ("info", "warn", "error")[rows % 3],
                "status": 200 + rows % 3, "ms": rows % 977 / 8, "path": f"/api/v1/items/{rows * 7919 % 1_000_003}",
                "ok": rows % 3 == 0, "tags": ["a", f"b{rows % 7}"], "message": f'request "{rows}" is done\n',
                "host": f"node-{rows % 64}", "zone": "eu-west-1", "size": rows * 31 % 65_536,
                **{name: rows % 1013 / 7 + i for i, name in enumerate(NUMBERS)},
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
    return size, rows


def jsonx_reader(threads):
    import jsonx
    import pyarrow

    def read(name, columns):
        lines = jsonx.read_lines(name, SCHEMA, columns=columns, threads=threads)
        rows = sum(batch.num_rows for batch in pyarrow.RecordBatchReader.from_stream(lines))
        return rows, f"{lines.rejected} rejects with line, path and reason" if lines.rejected else ""

    return read


def arrow_schema(columns=None):
    import jsonx
    import pyarrow

    return pyarrow.schema(jsonx.read_lines(b"", SCHEMA, columns=columns))


def pyarrow_reader(use_threads):
    import pyarrow.json

    def read(name, columns):
        parsing = pyarrow.json.ParseOptions(explicit_schema=arrow_schema(columns), unexpected_field_behavior="ignore")
        reading = pyarrow.json.ReadOptions(use_threads=use_threads)
        return pyarrow.json.read_json(name, reading, parsing).num_rows, ""

    return read


def polars_reader(ignores):
    import jsonx
    import polars

    schema = polars.DataFrame(jsonx.read_lines(b"", SCHEMA)).schema

    def read(name, columns):
        if ignores:
            return polars.read_ndjson(name, schema=schema, ignore_errors=True).height, ""
        frame = polars.scan_ndjson(name, schema=schema)
        return (frame.select(columns) if columns else frame).collect().height, ""

    return read


def duckdb_reader(threads, ignores):
    import duckdb

    types = {"int64": "BIGINT", "string": "VARCHAR", "float64": "DOUBLE", "bool": "BOOLEAN"}

    def sql(kind):
        if isinstance(kind, list):
            return sql(kind[0]) + "[]"
        if isinstance(kind, dict):
            return "STRUCT(" + ", ".join(f'"{name}" {sql(kind)}' for name, kind in kind.items()) + ")"
        return types[kind]

    connection = duckdb.connect(config={"threads": threads})

    def read(name, columns):
        kinds = {column: sql(kind) for column, kind in SCHEMA.items() if not columns or column in columns}
        query = f"select * from read_json('{name}', format='newline_delimited', columns={kinds}, ignore_errors={ignores})"
        return connection.sql(query).arrow().read_all().num_rows, ""

    return read


def datafusion_reader(threads):
    import datafusion

    config = datafusion.SessionConfig().with_target_partitions(threads)
    context = datafusion.SessionContext(config)

    def read(name, columns):
        frame = context.read_json(name, schema=arrow_schema(), file_extension=".jsonl")
        batches = (frame.select(*columns) if columns else frame).collect()
        return sum(batch.num_rows for batch in batches), ""

    return read


CORES = os.cpu_count() or 1
PROGRAMS = {
    "jsonx, one thread": lambda: jsonx_reader(1),
    "pyarrow.json, one thread": lambda: pyarrow_reader(False),
    "Polars, one thread": lambda: polars_reader(False),
    "DuckDB, one thread": lambda: duckdb_reader(1, False),
    "DataFusion, one thread": lambda: datafusion_reader(1),
    "jsonx": lambda: jsonx_reader(None),
    "pyarrow.json": lambda: pyarrow_reader(True),
    "Polars": lambda: polars_reader(False),
    "Polars, `ignore_errors`": lambda: polars_reader(True),
    "DuckDB": lambda: duckdb_reader(CORES, False),
    "DuckDB, `ignore_errors`": lambda: duckdb_reader(CORES, True),
    "DataFusion": lambda: datafusion_reader(CORES),
}


def work(program):
    """Answers each line `[file, columns]` with `[rows, note, seconds, CPU seconds]`, or with an error."""
    try:
        read = PROGRAMS[program]()
    except ImportError as error:
        print(json.dumps({"missing": str(error)}), flush=True)
        return
    print(json.dumps({}), flush=True)
    for line in sys.stdin:
        name, columns = json.loads(line)
        usage, start = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
        try:
            rows, note = read(name, columns)
        except Exception as error:
            print(json.dumps({"error": str(error).splitlines()[0].replace(os.path.dirname(name) + "/", "")}), flush=True)
            continue
        seconds, used = time.monotonic() - start, resource.getrusage(resource.RUSAGE_SELF)
        cpu = used.ru_utime - usage.ru_utime
        print(json.dumps({"rows": rows, "note": note, "seconds": seconds, "cpu": cpu}), flush=True)


class Worker:
    """A program in a separate process."""

    def __init__(self, program):
        environment = dict(os.environ)
        if program.startswith("Polars, one"):
            environment["POLARS_MAX_THREADS"] = "1"
        command = [sys.executable, __file__, "--work", program]
        self.process = subprocess.Popen(command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.missing = self.answer().get("missing")

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "the process ended"}

    def read(self, name, columns):
        self.process.stdin.write(json.dumps([name, columns]) + "\n")
        self.process.stdin.flush()
        return self.answer()


def main(rounds, megabytes):
    with tempfile.TemporaryDirectory() as folder:
        size, rows = write(folder, megabytes)
        workers = {program: Worker(program) for program in PROGRAMS}
        workers = {program: worker for program, worker in workers.items() if not worker.missing}
        runs = {(program, columns): [] for program in workers for columns in (None, "two")}
        for _ in range(rounds):
            for program, columns in runs:
                answer = workers[program].read(f"{folder}/whole.jsonl", TWO if columns else None)
                if answer.get("rows") != rows:
                    sys.exit(f"{program}: {answer}, not {rows} rows")
                runs[program, columns].append(answer)
        broken = {program: worker.read(f"{folder}/broken.jsonl", None) for program, worker in workers.items()}
    with open("/proc/cpuinfo") as file:
        model = next(line.split(": ")[1].strip() for line in file if line.startswith("model name"))
    print(f"# Columns from {size / 1e6:.0f} MB of JSON Lines, {time.strftime('%Y-%m-%d')}\n")
    print(
        f"{model}, {CORES} processors, load {os.getloadavg()[0]:.1f}; {rows} records of 20 fields. "
        f"By [lines.py](../../lines.py): {rounds} rounds in turns. Every hundredth record of the second file is broken.\n"
    )
    print("| program | 20 fields: median s, best, user | 2 fields: median s, best, user | rows with 1 % broken records |")
    print("|---|---:|---:|---|")
    for program in workers:
        cells = []
        for columns in (None, "two"):
            times = [[run[name] for run in runs[program, columns]] for name in ("seconds", "cpu")]
            cells.append(f"{statistics.median(times[0]):.2f}, {min(times[0]):.2f}, {min(times[1]):.2f}")
        answer = broken[program]
        if "error" in answer:
            outcome = f"fails: `{answer['error'][:90].replace('|', '/')}`"
        else:
            outcome = f"{answer['rows']} of {rows}" + (f"; {answer['note']}" if answer["note"] else "; no report")
        print(f"| {program} | {cells[0]} | {cells[1]} | {outcome} |")
    print(f"\nVersions: {', '.join(versions())}.")


def versions():
    """The installed packages."""
    for name in ("jsonx-tool", "pyarrow", "polars", "duckdb", "datafusion"):
        try:
            yield f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            pass


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2])
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, int(sys.argv[2]) if len(sys.argv) > 2 else 200)
