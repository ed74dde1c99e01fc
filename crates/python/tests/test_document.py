"""``Document``, ``format``, ``diff`` and ``patch``."""

import json
import threading

import jsonx
import pytest

TEXT = """{
  // the front
  "name": "front", /* short */
  "ports": [80, 443],
  "limits": { "rate": 1.50 },
}
"""


def test_edits_keep_every_other_byte():
    document = jsonx.Document(TEXT)
    assert document["/limits"] == {"rate": 1.5}
    assert document[".ports[-1]"] == 443
    document["/limits/rate"] = 2
    assert document.text == TEXT.replace("1.50", "2")
    document.append("/ports", 8080)
    document.set(".limits.burst", {"é": [None, True]})
    document.move("/ports/0", "/first")
    del document[".name"]
    text = document.text
    assert "// the front" in text and '{"é": [null, true]}' in text.replace("{ ", "{").replace(" }", "}")
    assert document["/ports"] == [443, 8080] and document["/first"] == 80
    assert ".name" not in document and document.get(".name", "none") == "none"
    assert str(document) == text and document.get("/x") is None


def test_wrong_edits_change_nothing():
    document = jsonx.Document("[1, {}]", dialect="json")
    with pytest.raises(KeyError):
        document["/5"]
    with pytest.raises(KeyError):
        document.set("/1/a/b", 1)
    with pytest.raises(ValueError):
        document["a b"] = 1
    with pytest.raises(ValueError):
        document["/0"] = float("nan")
    with pytest.raises(TypeError):
        document["/0"] = object()
    with pytest.raises(ValueError):
        document.move("/1", "/1/a")
    with pytest.raises(ValueError):
        document.append("/0", 1)
    assert document.text == "[1, {}]"
    document.set("/1/a/b", 1, parents=True)
    assert document.text == '[1, {"a": {"b": 1}}]'


def test_broken_documents():
    for text in ("", "{", "[1,,]", b"\xff"):
        with pytest.raises(jsonx.JSONError):
            jsonx.Document(text)
    with pytest.raises(jsonx.JSONError):
        jsonx.Document(TEXT, dialect="json")
    with pytest.raises(ValueError):
        jsonx.Document("1", dialect="jsonl")


def test_format():
    text = '{"b":[1.50,"é"],"a":{}}'
    assert jsonx.format(text) == '{\n  "b": [\n    1.50,\n    "é"\n  ],\n  "a": {}\n}\n'
    assert jsonx.format(text, indent="\t", sort_keys=True, ascii=True, width=80) == (
        '{ "a": {}, "b": [1.50, "\\u00e9"] }\n'.replace("{ ", "{").replace(" }", "}")
    )
    assert jsonx.format(text, canonical=True).strip() == '{"a":{},"b":[1.5,"é"]}'
    assert "// the front" in jsonx.format(TEXT, dialect="jsonc", sort_keys=True)
    with pytest.raises(jsonx.JSONError):
        jsonx.format("[1,]")
    with pytest.raises(jsonx.JSONError):
        jsonx.format("[1e400]", canonical=True)
    for wrong in ({"indent": 300}, {"indent": "  "}, {"dialect": "json5"}):
        with pytest.raises(ValueError):
            jsonx.format("[1]", **wrong)


def test_diff_and_patch():
    old = '{"a": [1, 2, 3], "b": {"c": null}, "id": 12345678901234567890}'
    new = '{"a": [1, 3], "b": {"c": "x", "d": {}}, "id": 12345678901234567891}'
    patch = jsonx.diff(old, new)
    assert jsonx.diff(jsonx.patch(old, patch), new) == []
    assert json.loads(jsonx.patch(old, json.dumps(patch))) == json.loads(new)
    assert jsonx.diff("[1.0]", "[1]") == [] and jsonx.diff("[1.0]", "[1]", exact=True) != []
    assert jsonx.diff("[1, 2]", "[2, 1]", sets=["."]) == []
    assert jsonx.diff('{"t": 1}', '{"t": 2}', ignore=[".t"]) == []
    keyed = jsonx.diff('[{"id": 1}, {"id": 2, "v": 1}]', '[{"id": 2, "v": 2}]', key="id")
    assert [operation["op"] for operation in keyed] == ["remove", "replace"]
    with pytest.raises(jsonx.JSONError, match="operation 1"):
        jsonx.patch("{}", [{"op": "remove", "path": "/a"}])
    with pytest.raises(jsonx.JSONError):
        jsonx.patch("{}", [{"op": "jump", "path": "/a"}])
    with pytest.raises(jsonx.JSONError):
        jsonx.diff("[", "[]")
    with pytest.raises(ValueError):
        jsonx.diff("1", "1", ignore=["a b"])


def test_edits_from_several_threads():
    document, errors = jsonx.Document('{"tags": [], "more": "' + "x" * 5000 + '"}'), []

    def work(number):
        try:
            for i in range(50):
                document.append("/tags", [number, i])
                assert document["/tags/0"] and "/more" in document and len(document.text) > 5000
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(document["/tags"]) == [[number, i] for number in range(8) for i in range(50)]


def test_results_longer_than_memory():
    deep = "[" * 100_000 + "]" * 100_000
    for options in ({}, {"indent": "\t"}, {"width": 80}, {"dialect": "jsonc"}):
        with pytest.raises(MemoryError):
            jsonx.format(deep, **options)
    assert jsonx.format(deep, indent=None) == deep + "\n"
    assert len(jsonx.format("[" * 1000 + "]" * 1000)) > 2_000_000
    with pytest.raises(jsonx.JSONError):
        jsonx.patch('{"a": 1}', [{"op": "copy", "from": "", "path": f"/{i}"} for i in range(60)])


def test_deep_documents():
    depth = 100_000
    deep = "[" * depth + "]" * depth
    document = jsonx.Document(deep)
    assert len(document["/0"]) == 1
    document.append("/0", 1)
    assert len(document.text) > len(deep)
    other = "[" * depth + "1" + "]" * depth
    (operation,) = jsonx.diff(deep, other)
    assert operation["op"] == "add" and jsonx.patch(deep, [operation]) == other
    assert jsonx.validate(deep) == []
    value = []
    for _ in range(depth):
        value = [value]
    with pytest.raises(RecursionError):
        document["/0"] = value
