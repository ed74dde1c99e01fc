"""``read_lines``, read by pyarrow, Polars, DuckDB, pandas and DataFusion, as far as they are installed."""

import gzip
import io
import json
import threading
import warnings

import jsonx
import pytest

pa = pytest.importorskip("pyarrow")

ROWS = [{"id": i, "name": f"é{i}", "x": i / 4, "tags": ["a"] * (i % 3), "user": {"n": i}} for i in range(3000)]
TEXT = "".join(json.dumps(row) + "\n" for row in ROWS)
BROKEN = '{"id": 1, "name": "a"}\n{"id": "2"}\n{"id": 3, \n{"id": 4}\n'


def test_pyarrow(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text(TEXT)
    for source in (file, str(file), TEXT.encode(), bytearray(TEXT.encode()), io.BytesIO(TEXT.encode()), io.StringIO(TEXT)):
        for threads in (1, 3):
            if threads == 3 and hasattr(source, "seek"):
                source.seek(0)
            assert pa.table(jsonx.read_lines(source, threads=threads)).to_pylist() == ROWS
    lines = jsonx.read_lines(file, columns=["x", "id"])
    assert lines.schema == {"x": "float64", "id": "int64"}
    table = pa.table(lines)
    assert table.column_names == ["x", "id"] and table.num_rows == len(ROWS)
    # Read again from the start.
    assert pa.table(lines).equals(table)
    assert pa.schema(lines).names == ["x", "id"]


def test_schemas():
    text = b'{"a": 1, "d": "1.50", "e": 1.5, "t": "2026-11-23T12:00:00.5Z", "m": {"k": 1}, "j": {"b": [ 1 ]}, "w": "x"}\n'
    schema = {
        "a": ("required", "int8"), "e": "decimal128(10, 2)", "t": "timestamp[ms, tz=UTC]", "m": ("map", "int64"),
        "j": "json", "w": ("dictionary", "int8"), "l": ["int64"], "s": {"x": "float32"},
    }
    lines = jsonx.read_lines(text, schema)
    (row,) = pa.table(lines).to_pylist()
    assert (row["a"], str(row["e"]), row["m"], row["w"], row["l"]) == (1, "1.50", [("k", 1)], "x", None)
    assert row["t"].isoformat() == "2026-11-23T12:00:00.500000+00:00"
    assert str(row["j"]) == '{"b": [ 1 ]}'
    # The schema that was given or inferred can be given again, whatever its types.
    assert lines.schema == schema
    names = [
        "null", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
        "string", "large_string", "string_view", "date32", "date64", "timestamp[s]", "timestamp[ns, tz=+01:00]", "decimal128(5, 2)", "json",
    ]
    for name in names:
        for kind in (name, [name], ("large_list", name), ("map", name), ("required", [name]), {"x": name, "y": [{"z": name}]}):
            given = {"k": kind}
            assert jsonx.read_lines(b"", given).schema == given
    inferred = jsonx.read_lines(text).schema
    assert jsonx.read_lines(text, inferred).schema == inferred
    assert pa.table(jsonx.read_lines(text, inferred)).equals(pa.table(jsonx.read_lines(text)))
    # The schema of the result can be requested.
    again = pa.table(jsonx.read_lines(text, pa.table(lines).schema))
    assert again.equals(pa.table(lines))
    for wrong in ({"a": "int7"}, {"a": "int64[foo]"}, {"a": ("set", "int8")}, {"a": 1}, [("a", "int8")], {"a": "timestamp[h]"}):
        with pytest.raises((TypeError, ValueError)):
            jsonx.read_lines(text, wrong)
    endless, deep = {}, "int64"
    endless["a"] = endless
    for _ in range(50_000):
        deep = [deep]
    for wrong in (endless, {"a": deep}):
        with pytest.raises(ValueError, match="levels"):
            jsonx.read_lines(text, wrong)
    with pytest.raises(ValueError):
        jsonx.read_lines(text, schema, columns=["nothing"])
    with pytest.raises(ValueError):
        jsonx.read_lines(b"1\n2\n")
    with pytest.raises(FileNotFoundError):
        jsonx.read_lines("no such file", schema)


def test_sources(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    schema, text, array = {"a": "int64"}, b'{"a": 1}\n{"a": 2}\n', b'[{"a": 3},\n{"a": "x"}]'
    for name, data in (("a.jsonl", text), ("b.jsonl.gz", gzip.compress(text)), ("c.json", array), ("empty.jsonl", b"")):
        (tmp_path / name).write_bytes(data)

    def read(source, schema=schema):
        lines = jsonx.read_lines(source, schema)
        rows = [row["a"] for row in pa.table(lines).to_pylist()]
        return rows, [(row["file"], row["line"]) for row in pa.table(lines.rejects).to_pylist()]

    assert read("b.jsonl.gz") == read(gzip.compress(text)) == ([1, 2], [])
    assert read("c.json") == ([3], [("c.json", 2)])
    assert read(array) == ([3], [(None, 2)])
    everything = ([1, 2, 1, 2, 3], [("c.json", 2)])
    assert read("*.json*") == read(tmp_path.relative_to(tmp_path) / "*.json*") == everything
    assert read(["a.jsonl", "b.*", tmp_path.relative_to(tmp_path) / "c.json"]) == everything
    # The second file decides that numbers and strings are mixed.
    assert jsonx.read_lines(["a.jsonl", "c.json"]).schema == {"a": "json"}
    (tmp_path / "cut.gz").write_bytes(gzip.compress(text * 1000)[:-20])
    for source, error, message in (
        ("none*", FileNotFoundError, r"none\*"), ("none", FileNotFoundError, "none"), (["a.jsonl", "none"], FileNotFoundError, "none"),
        (".", IsADirectoryError, "directory"), (text.decode(), FileNotFoundError, "text.encode"), ([], ValueError, "empty list"),
        ("cut.gz", Exception, "cut.gz: the gzip data is truncated"), (io.BytesIO(gzip.compress(text)), ValueError, "returns gzip data"),
    ):
        with pytest.raises(error, match=message):
            read(source)
    for source, message in (("empty.jsonl", "empty.jsonl: no object"), ("cut.gz", "cut.gz: the gzip data is truncated")):
        with pytest.raises(ValueError, match=message):
            jsonx.read_lines(source)


def test_rejects():
    schema = {"id": "int64", "name": "string"}
    lines = jsonx.read_lines(BROKEN.encode(), schema)
    assert pa.table(lines).column("id").to_pylist() == [1, 4]
    rejects = pa.table(lines.rejects).to_pylist()
    assert [(row["line"], row["offset"], row["path"], row["record"]) for row in rejects] == [
        (2, 23, "/id", b'{"id": "2"}'),
        (3, 35, "", b'{"id": 3,'),
    ]
    assert lines.rejected == len(lines.rejects) == 2
    assert len(lines.take_rejects()) == 2 and lines.rejected == len(lines.rejects) == 0
    # During reading, batch by batch.
    lines = jsonx.read_lines((BROKEN * 100_000).encode(), schema, threads=1)
    taken = most = 0
    for _ in pa.RecordBatchReader.from_stream(lines):
        most = max(most, lines.rejected)
        taken += len(lines.take_rejects())
    assert taken == 200_000 and 0 < most < 100_000
    lines = jsonx.read_lines(BROKEN.encode(), schema, rejects="null")
    assert pa.table(lines).column("id").to_pylist() == [1, None, 4] and lines.rejected == 1
    with pytest.raises(Exception, match="byte 23.*type-mismatch"):
        pa.table(jsonx.read_lines(BROKEN.encode(), schema, rejects="error"))
    with pytest.raises(ValueError):
        jsonx.read_lines(b"{}", schema, rejects="some")


def test_many_rejects_warn():
    schema = {"a": "int64"}

    def read(wrong, rows, **options):
        text = b'{"a": "x"}\n' * wrong + b'{"a": 1}\n' * rows
        return pa.table(jsonx.read_lines(text, schema, **options)).num_rows

    for rejects, rows, share in ((1, 0, "100 %"), (2, 17, "10 %"), (700_000, 1, "99 %")):
        with pytest.warns(UserWarning) as warned:
            assert read(rejects, rows) == rows
        (warning,) = warned
        expected = f"read_lines: {rejects} of {rejects + rows} records ({share}) were rejected, the first on line 1 at /a: "
        assert str(warning.message).startswith(expected + 'expected an integer, found "x" [type-mismatch]')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read(1, 9) == 9 and read(0, 0) == 0 and read(1, 0, rejects="null") == 1
        with pytest.raises(Exception, match="1 of 1 records"):
            read(1, 0)
    with pytest.warns(UserWarning) as warned:
        pa.table(jsonx.read_lines(b'{"' + b"a" * 100_000 + b'":[', schema))
    assert len(str(warned[0].message)) < 300


def test_columns():
    text = b'{"a": 1, "b": {"c": [1]}, "d": 1}\n{"a": "x", "b": {"c": [2]}}\n{"a": 3, "b": {"c": [3]}, "d": "x"}\n'
    schema = {"a": "int64", "d": "int64", "b": {"c": ["int64"]}}
    for columns, check_all, count in ((["b"], False, 3), (["b", "a"], False, 2), (["b"], True, 1)):
        lines = jsonx.read_lines(text, schema, columns, check_all=check_all)
        table = pa.table(lines)
        assert (table.column_names, table.num_rows, lines.rejected) == (columns, count, 3 - count)
        assert list(lines.schema) == pa.schema(lines).names == columns
        assert table["b"][0].as_py() == {"c": [1]}


@pytest.mark.filterwarnings("ignore")
def test_coercion():
    def read(value, kind, **options):
        lines = jsonx.read_lines(json.dumps({"a": value}).encode(), {"a": kind}, **options)
        rows = pa.table(lines).to_pylist()
        return str(rows[0]["a"]) if rows else pa.table(lines.rejects)["code"][0].as_py()

    utc, berlin = "timestamp[us, tz=UTC]", {"zone": "Europe/Berlin"}
    for value, kind, expected, options in (
        ("5", "int64", "5", {}), ("5.0", "int8", "5", {}), ("-1e2", "int64", "-100", {}), ("5.5", "int64", "inexact", {}),
        ("300", "int8", "out-of-range", {}), ("", "int64", "type-mismatch", {}), (" 5", "int64", "type-mismatch", {}),
        ("5 ", "int64", "type-mismatch", {}), ("05", "int64", "type-mismatch", {}), ("0x5", "int64", "type-mismatch", {}),
        (True, "int64", "type-mismatch", {}), ("1.5", "float64", "1.5", {}), ("NaN", "float64", "type-mismatch", {}),
        ("9007199254740993", "float64", "inexact", {}), ("12.34", "decimal128(10, 2)", "12.34", {}),
        ("12.345", "decimal128(10, 2)", "inexact", {}), ("true", "bool", "True", {}), ("False", "bool", "False", {}),
        ("yes", "bool", "type-mismatch", {}), (1, "bool", "type-mismatch", {}), (12, "string", "12", {}), (1.5, "large_string", "1.5", {}),
        (True, ("dictionary", "int8"), "true", {}), ([1], "string", "type-mismatch", {}), (["5", 6], ["int64"], "[5, 6]", {}),
        ({"b": "5"}, {"b": "int64"}, "{'b': 5}", {}), ("5", "json", '"5"', {}),
        ("2024-01-02T03:04:05", utc, "type-mismatch", {}), ("2024-01-02T03:04:05", utc, "2024-01-02 02:04:05+00:00", berlin),
        ("2024-07-02 03:04:05", utc, "2024-07-02 01:04:05+00:00", berlin), ("2024-07-02T03:04:05Z", utc, "2024-07-02 03:04:05+00:00", berlin),
        ("2024-03-31T02:30:00", utc, "ambiguous-time", berlin), ("2024-10-27T02:30:00", utc, "ambiguous-time", berlin),
        ("2024-01-02T03:04:05", utc, "2024-01-02 04:04:05+00:00", {"zone": "-01:00"}),
        ("2024-01-02T03:04:05.123456789Z", utc, "2024-01-02 03:04:05.123456+00:00", {}), (1704164645, "timestamp[s]", "2024-01-02 03:04:05", {}),
        (1704164645.25, "timestamp[ms]", "2024-01-02 03:04:05.250000", {}), (1704164645250, "timestamp[ms]", "2024-01-02 03:04:05.250000", {}),
        ("1704164645250000", "timestamp[us]", "2024-01-02 03:04:05.250000", {}), (1704164645250000000, "timestamp[us]", "2024-01-02 03:04:05.250000", {}),
        (86400000, "timestamp[s]", "1970-01-02 00:00:00", {"epoch": "ms"}), (86400000, "timestamp[s]", "1972-09-27 00:00:00", {}),
        (-1, "timestamp[s]", "1969-12-31 23:59:59", {}), (-0.5, "timestamp[s]", "1969-12-31 23:59:59", {}),
        (1e300, "timestamp[s]", "out-of-range", {}), (10**30, "timestamp[s]", "out-of-range", {}), (0.1234567891, "timestamp[us]", "inexact", {}),
        (True, "timestamp[s]", "type-mismatch", {}), ("now", "timestamp[s]", "type-mismatch", {}), ("2024-01-02", "date32", "2024-01-02", {}),
    ):
        assert read(value, kind, coerce=True, **options) == expected, (value, kind)
    with pytest.warns(UserWarning, match="read_lines: 1 times were cut"):
        read(0.5, "timestamp[s]", coerce=True)
    for wrong in ({"zone": "UTC"}, {"epoch": "s"}, {"coerce": True, "zone": "Mars/X"}, {"coerce": True, "epoch": "h"}):
        with pytest.raises(ValueError):
            read(1, "int64", **wrong)
    with pytest.raises(ValueError, match="Mars/X"):
        read("2024-01-02T03:04:05Z", "timestamp[us, tz=Mars/X]")


def test_failing_reader():
    class Failing:
        def read(self, length):
            raise OSError("no more")

    with pytest.raises(Exception, match="no more"):
        pa.table(jsonx.read_lines(Failing(), {"a": "int64"}))


def test_hostile_lines():
    for text in (b"\0" * 5000, b"[" * 100_000, b'{"a":' * 50_000, b"\xff\n" * 1000, b'{"a": ' + b"9" * 100_000 + b"}"):
        lines = jsonx.read_lines(text, {"a": "int64"})
        assert pa.table(lines).num_rows == 0 and lines.rejected > 0


def test_threads():
    wrong = []

    def work():
        if pa.table(jsonx.read_lines(TEXT.encode(), threads=2)).num_rows != len(ROWS):
            wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(jsonx.read_lines(TEXT.encode()))
    assert frame.filter(polars.col("id") % 1000 == 1)["name"].to_list() == ["é1", "é1001", "é2001"]


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    lines = jsonx.read_lines(TEXT.encode())
    assert duckdb.sql("select count(*), sum(x), max(\"user\".n) from lines").fetchall() == [(3000, 3000 * 2999 / 8, 2999)]


def test_pandas():
    pytest.importorskip("pandas")
    frame = pa.table(jsonx.read_lines(TEXT.encode(), columns=["id", "x"])).to_pandas()
    assert frame["x"].sum() == 3000 * 2999 / 8


def test_datafusion():
    datafusion = pytest.importorskip("datafusion")
    context = datafusion.SessionContext()
    context.from_arrow(jsonx.read_lines(TEXT.encode()), "t")
    rows = context.sql("select count(*) as n from t where x > 500").to_pydict()
    assert rows == {"n": [sum(row["x"] > 500 for row in ROWS)]}
