"""``fix``, with the published examples of json_repair and jsonrepair."""

import json

import jsonx
import pytest

# The README of json_repair 0.64, its examples and its list of mistakes.
JSON_REPAIR = [
    ('{"users":[{"name":"Ada","role":"admin",}],"ok":true', {"users": [{"name": "Ada", "role": "admin"}], "ok": True}),
    ("{'test_chinese_ascii':'统一码'}", {"test_chinese_ascii": "统一码"}),
    # Missing quotes, misplaced commas, unescaped characters, incomplete pairs.
    ('{"name": "John", "age": 30, "city": "New York', {"name": "John", "age": 30, "city": "New York"}),
    ('{name: "John", "age": 30, "city": New York}', {"name": "John", "age": 30, "city": "New York"}),
    ('{"text": "She said "no" to me"}', {"text": 'She said "no" to me'}),
    ('{"text": "one\ntwo"}', {"text": "one\ntwo"}),
    ('{"text": "The quick brown fox,"}', {"text": "The quick brown fox,"}),
    # Improper literals.
    ('{"key": TRUE, "key2": FALSE, "key3": Null, "key4": None}', {"key": True, "key2": False, "key3": None, "key4": None}),
    # Python tuples become arrays; a single value in parentheses stays a value.
    ('{"a": (1, "x"), "b": (2)}', {"a": [1, "x"], "b": 2}),
    # Incomplete arrays and objects.
    ('{"employees":["John", "Anna", "Peter"', {"employees": ["John", "Anna", "Peter"]}),
    ("[1, 2, 3, 4,]", [1, 2, 3, 4]),
    ('{"key": }', {"key": None}),
    # Surrounding text, comments.
    ('```json\n{"key": "value"}\n```', {"key": "value"}),
    ('Here is the answer: {"key": "value"} - anything else?', {"key": "value"}),
    ('{"a": 1 // comment\n}', {"a": 1}),
    ('{"a": 1, # comment\n "b": 2}', {"a": 1, "b": 2}),
]
# The README of jsonrepair 3.15: "The following issues can be fixed", an example of each, and the other examples.
JSONREPAIR = [
    ("{name: 'John'}", {"name": "John"}),
    ("[1,2,3,", [1, 2, 3]),
    ("{a:2}", {"a": 2}),
    ('{"a": "x"y"}', {"a": 'x"y'}),
    ("[1 2 3]", [1, 2, 3]),
    ('{"a":2', {"a": 2}),
    ('{"a": "b', {"a": "b"}),
    ("{'a':'b'}", {"a": "b"}),
    ("{\u201ca\u201d: \u201cb\u201d}", {"a": "b"}),
    ('{"a":\u00a02}', {"a": 2}),
    ('{"a": True, "b": False, "c": None}', {"a": True, "b": False, "c": None}),
    ('{"a":2,}', {"a": 2}),
    ('{"a": 1, /* ... */ "b": 2 // ...\n}', {"a": 1, "b": 2}),
    ("```json\n[1]\n```", [1]),
    ("[1, 2, 3, ...]", [1, 2, 3]),
    ('{"a": 1, ...}', {"a": 1}),
    ("callback({ })", {}),
    ('callback({"a": 2});', {"a": 2}),
    ('{\\"stringified\\": \\"content\\"}', {"stringified": "content"}),
    ('{"n": NumberLong(2), "d": ISODate("2012-12-19T06:01:17.171Z")}', {"n": 2, "d": "2012-12-19T06:01:17.171Z"}),
    ('"long text" + "more text on next line"', "long textmore text on next line"),
    ('{ "id": 1, "name": "John" }\n{ "id": 2, "name": "Sarah" }\n', [{"id": 1, "name": "John"}, {"id": 2, "name": "Sarah"}]),
]


@pytest.mark.parametrize(("text", "value"), JSON_REPAIR + JSONREPAIR)
def test_published_examples(text, value):
    fixed, changes = jsonx.fix(text)
    assert changes or fixed == text
    assert json.loads(fixed) == value
    assert jsonx.loads(text, repair=True) == value


@pytest.mark.parametrize(("text", "value"), JSON_REPAIR)
def test_same_as_json_repair(text, value):
    json_repair = pytest.importorskip("json_repair")
    # A missing value is an empty string there.
    expected = {"key": ""} if text == '{"key": }' else value
    assert json_repair.loads(text) == expected


def test_lines_become_an_array():
    fixed, changes = jsonx.fix('{a: 1}\n\n[2,]\n')
    assert fixed == '[{"a": 1},\n[2]]\n'
    assert [(change.after, change.sure) for change in changes] == [("[", False), ('"a"', True), ("", True)]
    with pytest.raises(jsonx.JSONError):
        jsonx.fix('{}\n{}\n', guesses=False)


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


def test_a_long_text_is_repaired_when_asked():
    text = "[1, 2,"
    assert jsonx.fix(text, max_input=len(text)).text == "[1, 2]"
    assert jsonx.loads(text, repair=True, max_input=None) == [1, 2]
    for call in (lambda: jsonx.fix(text, max_input=5), lambda: jsonx.loads(text, repair=True, max_input=5)):
        with pytest.raises(jsonx.JSONError, match="6 bytes and max_input is 5: pass more, or None"):
            call()
    assert jsonx.fix("[1, 2]", max_input=0).text == "[1, 2]"


@pytest.mark.parametrize("unit", ['{a"""\xa0"', "1. //x\n['\u201d", 'x:\n\xa0\n"[\''])
def test_places_of_many_overlapping_faults(unit):
    """Spans that overlap go back in the text, which must not be counted from its start each time."""
    text = unit * (100_000 // len(unit))
    try:
        found = jsonx.fix(text).changes
    except jsonx.JSONError as error:
        found = error.findings
    assert found
    for one in found[:: len(found) // 20 + 1]:
        assert one.line == text.count("\n", 0, one.pos) + 1
        assert one.column == one.pos - text.rfind("\n", 0, one.pos)
