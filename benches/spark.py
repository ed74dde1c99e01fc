#!/usr/bin/env python3
"""Times Spark's own from_json beside `jsonx.spark.parse` and `rdd.pipe("jsonx get ...")` on the same JSON Lines, in turns; prints a
record.

  benches/spark.py JSONX [ROUNDS [MB]] > benches/record/MACHINE/spark.md

Needs Java, PySpark, and for `jsonx.spark.parse` the package jsonx (crates/python) and pyarrow. MB is the size of the input (300). Each job reads the lines from a file, takes two fields of each
record, and sums one of them by the other; the sums are asserted to be equal. The time includes starting the tasks of a job,
not the start of Spark itself.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time

from pyspark.sql import SparkSession, functions as F

jsonx = os.path.abspath(sys.argv[1])
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
megabytes = int(sys.argv[3]) if len(sys.argv) > 3 else 300
folder = tempfile.mkdtemp()
path = os.path.join(folder, "records.jsonl")
size = 0
with open(path, "w") as file:
    row = 0
    while size < megabytes * 1_000_000:
        size += file.write(
            f'{{"id": {row}, "user": {{"id": {row % 1000}, "name": "the user of record {row}", "tags": ["a", "b", "c"]}}, '
            f'"status": {200 + row % 3}, "text": "caf\\u00e9 and a line\\nof text", "values": [1, 2.5, -3e2, true, null]}}\n'
        )
        row += 1

cores = os.cpu_count()
spark = (
    SparkSession.builder.master(f"local[{cores}]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.memory", "4g")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")
lines = lambda: spark.read.text(path)


def sums(frame):
    grouped = frame.groupBy("status").agg(F.sum("user").alias("user"))
    return sorted((row["status"], row["user"]) for row in grouped.collect())


def from_json():
    fields = F.from_json("value", "user STRUCT<id: BIGINT>, status BIGINT").alias("record")
    return sums(lines().select(fields).select("record.status", F.col("record.user.id").alias("user")))


def parse(rejects):
    import jsonx.spark

    schema = "user STRUCT<id: BIGINT>, status BIGINT"
    rows = jsonx.spark.parse(lines(), schema, rejects=rejects)
    if rejects:
        rows = rows.where("reject is null")
    return sums(rows.select("status", F.col("user.id").alias("user")))


def get_json_object():
    field = lambda name: F.get_json_object("value", name).cast("bigint")
    return sums(lines().select(field("$.status").alias("status"), field("$.user.id").alias("user")))


def pipe():
    command = f"{jsonx} get . --columns .status,.user.id --tsv --input jsonl --threads 1"
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
    command = f"{jsonx} get . --columns .status,.user.id --tsv --input jsonl {path}"
    assert os.system(f"{command} > {folder}/out") == 0
    return None


jobs = {
    "`from_json`, two fields": from_json,
    "`jsonx.spark.parse`, two fields, with rejects": lambda: parse(True),
    "`jsonx.spark.parse`, two fields": lambda: parse(False),
    "`get_json_object`, two fields": get_json_object,
    "`rdd.pipe(\"jsonx get . --columns …\")`": pipe,
    "`textFile(…).map(len)`: what Spark and Python need for the lines alone": count_with_python,
    "`jsonx get . --columns …` of the file, without Spark": alone,
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

with open("/proc/cpuinfo") as file:
    model = next(line.split(": ")[1].strip() for line in file if line.startswith("model name"))
print(f"# Two fields of {size / 1e6:.0f} MB of JSON Lines in Spark, {time.strftime('%Y-%m-%d')}\n")
print(
    f"{model}, {cores} processors, load {os.getloadavg()[0]:.1f} at the end; Spark {spark.version} on {cores} local cores, "
    f"{lines().rdd.getNumPartitions()} partitions, {row} records. By [spark.py](../../spark.py): {rounds} rounds in turns.\n"
)
print("| job | best, s | median, s |\n|---|---:|---:|")
for name, taken in times.items():
    print(f"| {name} | {min(taken):.2f} | {statistics.median(taken):.2f} |")
spark.stop()
shutil.rmtree(folder)
