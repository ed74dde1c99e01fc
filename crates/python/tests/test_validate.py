"""``validate``, and its errors."""

import pickle

import jsonx
import pytest

SCHEMA = {"type": "object", "required": ["id"], "properties": {"port": {"type": "integer"}}}


def codes(*arguments, **options):
    return [finding.code for finding in jsonx.validate(*arguments, **options)]


def test_dialects():
    assert codes("[1]") == []
    assert codes("[1,]") == ["trailing-comma"]
    assert codes("[1,] // one", dialect="jsonc") == []
    assert codes("{a: 'x', b: +.5,}", dialect="json5") == []
    assert codes("{}\n[1]\n", dialect="jsonl") == []
    assert codes("{}\n[1]\n") != []
    with pytest.raises(ValueError, match="dialect"):
        jsonx.validate("1", dialect="yaml")


def test_findings_have_places():
    text = '{\n  "é": 1,\n  "b": [1 2],\n}'
    comma, trailing = jsonx.validate(text)
    assert (comma.code, comma.line, comma.column, comma.path) == ("missing-comma", 3, 10, "/b/0")
    assert text[trailing.pos : trailing.end] == ","
    assert trailing.fix == [(trailing.pos, trailing.end, "")] and trailing.sure
    assert "^" in str(trailing) and "trailing comma" in repr(trailing)


def test_records():
    findings = jsonx.validate('{"a": 1}\n{"a": }\n{"a": 3}\n', dialect="jsonl")
    assert [(finding.record, finding.line) for finding in findings] == [(2, 2)]


def test_lints():
    text = '{"a": 1, "a": 9007199254740993}'
    assert codes(text) == ["duplicate-key"]
    assert codes(text, lints=False) == []
    assert codes(text, lints="all") == ["duplicate-key", "unsafe-integer"]
    assert codes(text, lints=["unsafe-integer"]) == ["unsafe-integer"]
    assert jsonx.validate(text)[0].severity == "warning"
    for wrong in ("some", ["no-such-lint"]):
        with pytest.raises(ValueError, match="lint"):
            jsonx.validate(text, lints=wrong)


def test_schema(tmp_path):
    broken = '{"port": "80"}'
    expected = ["schema/required", "schema/type"]
    assert sorted(codes(broken, schema=SCHEMA)) == expected
    file = tmp_path / "s.schema.json"
    file.write_text(jsonx.format('{"required": ["id"]}'))
    assert codes(broken, schema=file) == ["schema/required"]
    assert codes('{"id": 1}', schema=file) == []
    assert codes(broken, schema='{"required": ["id"]}') == ["schema/required"]
    lines = jsonx.validate('{"id": 1}\n{}\n', dialect="jsonl", schema=SCHEMA)
    assert [(finding.line, finding.code) for finding in lines] == [(2, "schema/required")]
    assert codes("\ufeff{}", schema=SCHEMA) == ["byte-order-mark", "schema/required"]
    for wrong in ("{", {"type": 3}):
        with pytest.raises(jsonx.JSONError):
            jsonx.validate("1", schema=wrong)
    with pytest.raises(FileNotFoundError):
        jsonx.validate("1", schema=tmp_path / "missing.json")


def test_files(tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_bytes(b'{"a": 1}\n{"a": 01}\n')
    (finding,) = jsonx.validate(file)
    assert finding.line == 2
    assert "a.jsonl:2:7" in str(finding)
    with pytest.raises(FileNotFoundError) as raised:
        jsonx.validate(tmp_path / "missing")
    assert raised.value.filename.endswith("missing")
    with pytest.raises(IsADirectoryError):
        jsonx.validate(tmp_path)


@pytest.mark.parametrize(
    "data", ["", b"", b"\0" * 1000, b"\xff" * 100, "[" * 100_000, '{"a":' * 50_000, "é" * 1000, '"\\' * 999]
)
def test_hostile_input(data):
    findings = jsonx.validate(data)
    assert findings and all(finding.message and str(finding) for finding in findings[:3])


def test_errors_survive_pickling():
    with pytest.raises(jsonx.JSONError) as raised:
        jsonx.loads("[1,]")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.msg, again.pos, again.lineno) == (raised.value.msg, 3 - 1, 1)


def test_references_of_texts_open_nothing(tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text('{"const": "hunter2"}')
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "integer.json").write_text('{"type": "integer"}')
    (inside / "words.json").write_text("hunter2")
    (inside / "path.json").write_text('{"$ref": "../secret.json"}')
    hostile = ["../secret.json", str(secret), secret.as_uri(), "words.json", "/dev/zero"]
    schemas = [{"$ref": reference} for reference in hostile] + [inside / "path.json"]
    for schema in schemas:
        for root in (None, inside):
            with pytest.raises(jsonx.JSONError) as error:
                jsonx.validate("1", schema=schema, schema_root=root)
            assert "hunter2" not in f"{error.value} {error.value.doc}"
    with pytest.raises(jsonx.JSONError):
        jsonx.Schema({"$ref": "integer.json"})
    schema = jsonx.Schema({"$ref": "integer.json"}, schema_root=inside)
    assert codes('"x"', schema=schema) == ["schema/type"]
    assert codes('"x"', schema=pickle.loads(pickle.dumps(schema))) == ["schema/type"]


def test_results_are_pickled_compared_and_read_as_dicts():
    text = '{"a": 1, b: [1,]}\n'
    findings = jsonx.validate(text)
    changes = jsonx.fix(text).changes
    for one in [*findings, *changes]:
        again = pickle.loads(pickle.dumps(one))
        assert (again, hash(again), str(again), dict(again)) == (one, hash(one), str(one), dict(one))
        assert one != text and list(one.keys())[-1] in ("fix", "sure")
        with pytest.raises(AttributeError, match="cannot change attribute 'code'"):
            one.code = "other"
        with pytest.raises(AttributeError, match="cannot delete attribute 'code'"):
            del one.code
    assert findings == jsonx.validate(text) and findings[0] != findings[1]
    document = jsonx.Document("[1] // one", dialect="jsonc")
    assert pickle.loads(pickle.dumps(document)).text == document.text
    with pytest.raises(jsonx.JSONError) as error:
        jsonx.loads(text)
    again = pickle.loads(pickle.dumps(error.value))
    assert again.findings == error.value.findings and str(again) == str(error.value)
    assert (again.lineno, again.colno) == (error.value.lineno, error.value.colno)


def test_the_pool_of_a_program_returns_results():
    import multiprocessing

    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(jsonx.fix, ["{a: 1}"]) == [jsonx.fix("{a: 1}")]


@pytest.mark.parametrize("call", [jsonx.loads, jsonx.fix, jsonx.format, jsonx.Document, jsonx.Schema, lambda text: str(*jsonx.validate(text))])
def test_a_path_in_place_of_a_text(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings").write_text("{}")

    def shown(text):
        try:
            return call(text)
        except jsonx.JSONError as error:
            return str(error)

    for path in ("none.json", "logs/a.ndjson", "settings", str(tmp_path / "settings")):
        assert "if this is the path of a file, pass its text" in shown(path), path
    for text in ("some words", "a.json: {", "the file\na.json", "none", "x" * 5000 + ".json"):
        assert "path of a file" not in str(shown(text)), text
