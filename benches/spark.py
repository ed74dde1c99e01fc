#!/usr/bin/env python3
"""Compares Spark's from_json with `jsonx.spark.parse` and `rdd.pipe("jsonx get ...")` on the same JSON Lines, in turns; prints a
record.

  benches/spark.py JSONX [ROUNDS [MB]] > benches/record/MACHINE/spark.md

Needs Java, PySpark, and for `jsonx.spark.parse` the package jsonx (crates/python) and pyarrow. MB is the size of the input (300).
Each job reads the lines from a file, takes two fields of each record, and sums one of them by the other; the sums are asserted to
be equal. The time includes starting the tasks of a job, not the start of Spark itself. Then each job reads a file of which every
hundredth record is broken: cut off, or with a string in place of a number.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time

from pyspark.sql import SparkSession, functions as F

# Workers need the same Python.
os.environ["PYSPARK_PYTHON"] = sys.executable

jsonx = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 300
folder = tempfile.mkdtemp()
path, broken = os.path.join(folder, "records.jsonl"), os.path.join(folder, "broken.jsonl")
size = row = 0
with open(path, "w") as file, open(broken, "w") as other:
    while size < megabytes * 1_000_000:
        line = (
            f'{{"id": {row}, "user": {{"id": {row % 1000}, "name": "the user of record {row}", "tags": ["a", "b", "c"]}}, '
            f'"status": {200 + row % 3}, "text": "caf\\u00e9 and a line\\nof text", "values": [1, 2.5, -3e2, true, null]}}\n'
        )
        size += file.write(line)
        if row % 200 == 100:
            line = line[: len(line) // 2] + "\n"
        elif row % 200 == 0:
            line = line.replace('"status": 2', '"status": "2', 1).replace(', "text"', '", "text"', 1)
        other.write(line)
        row += 1

cores = os.cpu_count()
spark = (
    SparkSession.builder.master(f"local[{cores}]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.memory", "4g")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
lines = lambda path=path: spark.read.text(path)
SCHEMA = "user STRUCT<id: BIGINT>, status BIGINT"


def sums(frame):
    grouped = frame.groupBy("status").agg(F.sum("user").alias("user"))
    return sorted((row["status"], row["user"]) for row in grouped.collect())


def from_json():
    fields = F.from_json("value", SCHEMA).alias("record")
    return sums(lines().select(fields).select("record.status", F.col("record.user.id").alias("user")))


def parse(rejects):
    import jsonx.spark

    rows = jsonx.spark.parse(lines(), SCHEMA, rejects=rejects)
    rows = rows.where("parsed is not null")
    return sums(rows.select("parsed.status", F.col("parsed.user.id").alias("user")))


def get_json_object():
    field = lambda name: F.get_json_object("value", name).cast("bigint")
    return sums(lines().select(field("$.status").alias("status"), field("$.user.id").alias("user")))


def pipe():
    command = f"{jsonx} jq '[.status, .user.id]' --tsv --input jsonl --threads 1"
    rows = spark.sparkContext.textFile(path).pipe(command, env=dict(os.environ))
    # Each partition is summed in Python; a DataFrame of the rows would measure Python's pickling.
    def total(rows):
        totals = {}
        for row in rows:
            status, user = row.split("\t")
            totals[status] = totals.get(status, 0) + int(user)
        return totals.items()
    totals = rows.mapPartitions(total).reduceByKey(lambda a, b: a + b).collect()
    return sorted((int(status), user) for status, user in totals)


def count_with_python():
    return spark.sparkContext.textFile(path).map(len).sum()


def alone():
    command = f"{jsonx} jq '[.status, .user.id]' --tsv --input jsonl {path}"
    assert os.system(f"{command} > {folder}/out") == 0
    return None


def nulls(status):
    rows = lines(broken).select(status.alias("status"))
    return f"{rows.where('status is null').count()} rows of nulls; no reason"


def rejects():
    import jsonx.spark

    rows = jsonx.spark.parse(lines(broken), SCHEMA)
    return f"{rows.where('reject is not null').count()} rejects with path, code and message"


def skipped():
    command = f"{jsonx} jq '[.status, .user.id]' --tsv --input jsonl --threads 1 --skip-invalid"
    rows = spark.sparkContext.textFile(broken).pipe(command, env=dict(os.environ)).count()
    return f"{row - rows} left out, with a warning each on standard error; strings are values"


jobs = {
    "`from_json`, two fields": from_json,
    "`jsonx.spark.parse`, two fields, with rejects": lambda: parse(True),
    "`jsonx.spark.parse`, two fields": lambda: parse(False),
    "`get_json_object`, two fields": get_json_object,
    "`rdd.pipe(\"jsonx jq … --tsv\")`": pipe,
    "`textFile(…).map(len)`: what Spark and Python need for the lines alone": count_with_python,
    "`jsonx jq … --tsv` of the file, without Spark": alone,
}
expected = from_json()
assert len(expected) == 3, expected
for job in (get_json_object, pipe, lambda: parse(True), lambda: parse(False)):
    assert job() == expected, job
times = {name: [] for name in jobs}
for _ in range(rounds):
    for name, job in jobs.items():
        start = time.monotonic()
        job()
        times[name].append(time.monotonic() - start)

outcomes = {
    "`from_json`, two fields": nulls(F.from_json("value", SCHEMA)["status"]),
    "`jsonx.spark.parse`, two fields, with rejects": rejects(),
    "`get_json_object`, two fields": nulls(F.get_json_object("value", "$.status").cast("bigint")),
    "`rdd.pipe(\"jsonx jq … --tsv\")`": skipped(),
}

with open("/proc/cpuinfo") as file:
    model = next(line.split(": ")[1].strip() for line in file if line.startswith("model name"))
print(f"# Two fields of {size / 1e6:.0f} MB of JSON Lines in Spark, {time.strftime('%Y-%m-%d')}\n")
print(
    f"{model}, {cores} processors, load {os.getloadavg()[0]:.1f} at the end; Spark {spark.version} on {cores} local cores, "
    f"{lines().rdd.getNumPartitions()} partitions, {row} records. By [spark.py](../../spark.py): {rounds} rounds in turns. Every hundredth record "
    f"of the second file is broken, {(row + 99) // 100} in all.\n"
)
print("| job | best, s | median, s | broken records |\n|---|---:|---:|---|")
for name, taken in times.items():
    print(f"| {name} | {min(taken):.2f} | {statistics.median(taken):.2f} | {outcomes.get(name, '')} |")
spark.stop()
shutil.rmtree(folder)
