"""``jsonx.spark`` on a local Spark of four partitions, if PySpark and Java are installed."""

import json
import os
import shutil
import sys

import jsonx
import pytest

pyspark = pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")
pytest.importorskip("pandas")
if shutil.which("java") is None:
    pytest.skip("Java is not installed", allow_module_level=True)

import jsonx.spark  # noqa: E402


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_parse(spark):
    records = [
        json.dumps({"id": i, "user": {"name": f"é{i}"}, "tags": ["a"] * (i % 3), "at": "2026-11-23T12:00:00Z", "more": 1})
        for i in range(1000)
    ]
    # A line feed within a string is an error; elsewhere it is white space.
    broken = ['{"id": "x"}', '{"id": 1,', "", '{"id": 7,\n "tags": []}', None, '{"id":\n8, "tags": ["a\nb"]}']
    texts = spark.createDataFrame([(text,) for text in records + broken], "value string").repartition(4)
    schema = "id long, user struct<name: string>, tags array<string>, at timestamp"
    rows = jsonx.spark.parse(texts, schema)
    assert rows.columns == ["id", "user", "tags", "at", "reject"]
    read = rows.where("reject is null").collect()
    assert sorted(row.id for row in read) == sorted([*range(1000), 7])
    (row,) = (row for row in read if row.id == 5)
    assert (row.user.name, row.tags, str(row["at"])) == ("é5", ["a", "a"], "2026-11-23 12:00:00")
    rejects = {row.reject.record: row.reject for row in rows.where("reject is not null").collect()}
    assert set(rejects) == {'{"id": "x"}', '{"id": 1,', '{"id":\n8, "tags": ["a\nb"]}'}
    assert (rejects['{"id": "x"}'].path, rejects['{"id": "x"}'].code) == ("/id", "type-mismatch")
    without = jsonx.spark.parse(texts, schema, rejects=False)
    assert without.columns == ["id", "user", "tags", "at"] and without.count() == 1001


def test_same_as_from_json(spark):
    from pyspark.sql.functions import col, from_json

    records = [json.dumps({"id": i, "x": i / 8, "s": f"a\"{i}\u20ac", "b": i % 2 == 0, "n": None}) for i in range(500)]
    texts = spark.createDataFrame([(text,) for text in records], "value string").repartition(4)
    schema = "id int, x double, s string, b boolean, n bigint"
    theirs = texts.select(from_json(col("value"), schema).alias("r")).select("r.*")
    ours = jsonx.spark.parse(texts, schema, rejects=False)
    assert sorted(map(tuple, ours.collect())) == sorted(map(tuple, theirs.collect()))
