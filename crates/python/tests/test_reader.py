"""``Reader``: the values of a text that arrives in parts."""

import json

import jsonx
import pytest

TEXTS = [
    ('{"a": 1}\n{"a": [2, "}"]}\n[]\n', [{"a": 1}, {"a": [2, "}"]}, []]),
    ('{"a": 1}{"b": 2} [3]', [{"a": 1}, {"b": 2}, [3]]),
    ('Sure [1], see {x} and {"a": "é\\n```"}, or\n{"b": 2} "quoted {"c": 3}\nend', [[1], {"a": "é\n```"}, {"b": 2}, {"c": 3}]),
    ('Text\n```json\n{"a": 1}\n```\nand ``` {"b": 2}\n```python\nx = {"c": 3}\n  ```\n```\n[4]\n\n[5]\n```{"d": 6}', [{"a": 1}, {"b": 2}, [4], [5], {"d": 6}]),
    ("\n`` `\n```json\n\n```\n``` JSON \r\n7\r\n```", [7]),
    ("no JSON at all", []),
    ("", []),
]
BROKEN = [
    ("```json\n{a: 1,}\n```\n", [{"a": 1}]),
    ("```json\n{'a': '`', b: [1\n```", [{"a": "`", "b": [1]}]),
    ("```json\n{a: 1, b: [", [{"a": 1, "b": []}]),
    ('First:\n{"a": 1}\n{b: 2', [{"a": 1}, {"b": 2}]),
    ('{"a": [1, 2', [{"a": [1, 2]}]),
]


def parts(text, length):
    return [text[at : at + length] for at in range(0, len(text), length)]


@pytest.mark.parametrize("length", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("kind", [str, bytes])
def test_parts(length, kind):
    """The values are the same whatever the parts; those of ``repair`` too, and the reader is ready for the next text."""
    for repair in (False, True):
        reader = jsonx.Reader(repair=repair)
        for text, values in TEXTS + BROKEN * repair:
            pieces = parts(text.encode() if kind is bytes else text, length)
            found = [value for piece in pieces for value in reader.feed(piece)]
            assert found + reader.finish() == values, text


def test_values_come_at_once():
    reader = jsonx.Reader()
    for number in range(100):
        assert reader.feed('{"n": ') == []
        assert reader.feed(f"{number}}}") == [{"n": number}]
    assert reader.feed("\n```\n[1]") == reader.feed("\n``") == [] and reader.feed("`") == [[1]]


def test_broken():
    for text, _ in BROKEN:
        reader = jsonx.Reader()
        with pytest.raises(jsonx.JSONError):
            reader.feed(text)
            reader.finish()
        assert reader.feed("[1]") == [[1]]


def test_many_parts_take_linear_time():
    """Quadratic time would be minutes."""
    value = {"a": ["x" * 10] * 20_000}
    for text in (json.dumps(value), "```json\n" + json.dumps(value, indent=1) + "\n```\n"):
        reader = jsonx.Reader()
        assert [value for part in parts(text, 5) for value in reader.feed(part)] + reader.finish() == [value]
    for text, count in (('{"a": 1}\n' * 30_000, 30_000), ("see " + "[x " * 30_000, 0)):
        reader = jsonx.Reader()
        assert len(reader.feed(text)) + len(reader.finish()) == count
