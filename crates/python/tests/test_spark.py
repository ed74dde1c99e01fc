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
    texts = [
        json.dumps({"id": i, "user": {"name": f"é{i}"}, "tags": ["a"] * (i % 3), "at": "2026-11-23T12:00:00Z", "more": 1})
        for i in range(1000)
    ]
    # A line feed within a string is an error; elsewhere it is white space.
    damaged = ['{"id": "x"}', '{"id": 1,', "", '{"id": 7,\n "tags": []}', None, '{"id":\n8, "tags": ["a\nb"]}', " \n", "{}{}", '{"id": 2']
    texts = [text for at in range(0, 1000, 100) for text in [*texts[at : at + 100], *damaged]]
    rows = [(number, text, f"key {number}") for number, text in enumerate(texts)]
    frame = spark.createDataFrame(rows, "offset long, value string, key string").repartition(4)
    schema = "id long, user struct<name: string>, tags array<string>, at timestamp, reject string"
    parsed = jsonx.spark.parse(frame, schema)
    assert parsed.columns == ["offset", "value", "key", "parsed", "reject"]
    read = parsed.collect()
    # Each row keeps its other columns, and its place.
    assert [row.offset for row in read] == [row.offset for row in frame.collect()]
    assert sorted((row.offset, row.value, row.key) for row in read) == rows
    codes = {}
    for row in read:
        whole = row.value is not None and row.value.startswith('{"id": ') and row.value not in ('{"id": "x"}', '{"id": 1,', '{"id": 2')
        assert (row.parsed is not None) == whole, row
        if whole and row.value not in damaged:
            number = json.loads(row.value)["id"]
            expected = (f"é{number}", ["a"] * (number % 3), "2026-11-23 12:00:00")
            assert (row.parsed.user.name, row.parsed.tags, str(row.parsed["at"])) == expected
        is_blank = row.value is None or not row.value.strip()
        assert (row.reject is None) == (whole or is_blank), row
        if row.reject is not None:
            codes[row.value] = (row.reject.path, row.reject.code)
    assert codes['{"id": "x"}'] == ("/id", "type-mismatch")
    assert set(codes) == {'{"id": "x"}', '{"id": 1,', '{"id":\n8, "tags": ["a\nb"]}', "{}{}", '{"id": 2'}
    without = jsonx.spark.parse(frame, schema, rejects=False)
    assert without.columns == ["offset", "value", "key", "parsed"] and without.count() == len(rows)
    # Kafka's values are bytes.
    data = spark.createDataFrame([(b'{"id": 1}',), (b"",), (b"\xff",)], "value binary")
    read = jsonx.spark.parse(data, "id int").collect()
    assert [row.parsed and row.parsed.id for row in read] == [1, None, None]
    assert [row.reject is None for row in read] == [True, True, False]


def test_what_cannot_work_fails_at_the_call(spark):
    frame = spark.createDataFrame([("{}",)], "value string")
    for schema in ("a int, b binary", "b variant", "b interval day"):
        with pytest.raises(ValueError, match="'b'"):
            jsonx.spark.parse(frame, schema)
    with pytest.raises(ValueError, match="no column 'text', only value"):
        jsonx.spark.parse(frame, "a int", column="text")
    with pytest.raises(ValueError, match="already a column 'parsed'"):
        jsonx.spark.parse(frame.selectExpr("value", "1 as parsed"), "a int")
    # Nothing is lost if there is nothing.
    assert jsonx.spark.parse(frame.where("false"), "a int").collect() == []


def test_same_as_from_json(spark):
    from pyspark.sql.functions import col, from_json

    records = [json.dumps({"id": i, "x": i / 8, "s": f"a\"{i}\u20ac", "b": i % 2 == 0, "n": None}) for i in range(500)]
    texts = spark.createDataFrame([(text,) for text in records], "value string").repartition(4)
    schema = "id int, x double, s string, b boolean, n bigint"
    theirs = texts.select(from_json(col("value"), schema).alias("r")).select("r.*")
    ours = jsonx.spark.parse(texts, schema, rejects=False).select("parsed.*")
    assert sorted(map(tuple, ours.collect())) == sorted(map(tuple, theirs.collect()))
