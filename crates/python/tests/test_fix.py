"""``fix``, with the published examples of json_repair and jsonrepair."""

import json

import jsonx
import pytest

# README of json_repair 0.4x, README of jsonrepair 3: the text, and what they make of it.
PUBLISHED = [
    # Python's json_repair: missing quotes, commas, brackets; unescaped characters; literals.
    ('{"name": "John", "age": 30, "city": "New York', {"name": "John", "age": 30, "city": "New York"}),
    ('{"employees":["John", "Anna", "Peter"', {"employees": ["John", "Anna", "Peter"]}),
    ('{"key": TRUE, "key2": FALSE, "key3": Null}', {"key": True, "key2": False, "key3": None}),
    ("{'key': 'string', 'key2': false, \"key3\": null, \"key4\": unquoted}", None),
    ('{"text": "The quick brown fox,"}', {"text": "The quick brown fox,"}),
    ('[1, 2, 3, 4,]', [1, 2, 3, 4]),
    ('{"a": 1 // comment\n}', {"a": 1}),
    ('{"a": 1, /* comment */ "b": 2}', {"a": 1, "b": 2}),
    ('```json\n{"key": "value"}\n```', {"key": "value"}),
    ('Here is the answer: {"key": "value"} - anything else?', {"key": "value"}),
    # jsonrepair: "The following issues can be fixed".
    ("{name: 'John'}", {"name": "John"}),
    ('{a:2}', {"a": 2}),
    ('[1 2 3]', [1, 2, 3]),
    ('{"a":2', {"a": 2}),
    ("{'a':'b'}", {"a": "b"}),
    ("{\u201ca\u201d: \u201cb\u201d}", {"a": "b"}),
    ('{"a":\u00a02}', {"a": 2}),
    ('{"a":2,}', {"a": 2}),
    ('callback({"a": 2});', {"a": 2}),
    ('{\\"stringified\\": \\"content\\"}', {"stringified": "content"}),
    ('{"a": True, "b": False, "c": None}', {"a": True, "b": False, "c": None}),
    ('{"_id": ObjectId("123"), "count": NumberLong("2")}', None),
]


@pytest.mark.parametrize(("text", "value"), PUBLISHED)
def test_published_examples(text, value):
    fixed, changes = jsonx.fix(text)
    assert changes or fixed == text
    read = json.loads(fixed)
    if value is not None:
        assert read == value
    assert jsonx.loads(text, repair=True) == read


def test_texts_joined_by_plus_are_not_joined():
    """jsonrepair joins them."""
    with pytest.raises(jsonx.JSONError):
        jsonx.fix('"long text" + "more text on next line"')


def test_valid_text_is_the_same_object():
    text = '{"a": 1}'
    fixed = jsonx.fix(text)
    assert fixed.text is text
    assert fixed.changes == []


def test_changes_have_places_in_code_points():
    text = '{\n  "é": \'😀\', b: 1}'
    _, changes = jsonx.fix(text)
    quotes, key = changes
    assert text[quotes.pos : quotes.end] == "'😀'"
    assert (quotes.line, quotes.column, quotes.before, quotes.after) == (2, 8, "'😀'", '"😀"')
    assert text[key.pos : key.end] == "b"
    assert quotes.sure and key.sure


def test_guesses_are_said_and_can_be_refused():
    text = '{"a": [1, 2'
    fixed = jsonx.fix(text)
    assert json.loads(fixed.text) == {"a": [1, 2]}
    assert not all(change.sure for change in fixed.changes)
    with pytest.raises(jsonx.JSONError) as raised:
        jsonx.fix(text, guesses=False)
    assert raised.value.findings[0].code == "truncated-input"


@pytest.mark.parametrize("text", ["", "Service Unavailable", "\0", b"\xff\xfe", b"\x80"])
def test_what_is_not_json_is_refused(text):
    with pytest.raises(jsonx.JSONError):
        jsonx.fix(text)


def test_bytes():
    assert jsonx.fix(b"[1,]").text == "[1]"
    assert jsonx.fix(bytearray(b"[1,]")).text == "[1]"
    assert jsonx.fix(memoryview(b"[1,]")).text == "[1]"
    assert jsonx.fix("[1,]".encode("utf-16")).text == "[1]"
    with pytest.raises(TypeError):
        jsonx.fix(1)
