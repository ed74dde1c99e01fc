"""``loads``: compared with ``json``, and on incomplete texts."""

import json
import math
import random
from decimal import Decimal

import jsonx
import pytest

TEXTS = [
    '{"a": [1, 2.5, -3e2, "x\\u00e9\\n", true, false, null], "b": {"c": {}, "d": []}, "": "\\\\"}',
    '["\\ud83d\\ude00 \\\\\\" \\u0041", "😀é", {"k": "v", "k": "w"}]',
    "[[[[]]], [{}], [[1], 22, 333, true]]",
    '  "a string"  ',
    "-0.0",
]


@pytest.mark.parametrize("text", TEXTS)
def test_as_json(text):
    assert jsonx.loads(text) == json.loads(text)
    assert jsonx.loads(text.encode()) == json.loads(text)


def test_long_text():
    rows = [{"id": i, "name": f"n{i}" * (i % 40), "x": [i / 7, None, {"y": -i}]} for i in range(5000)]
    assert jsonx.loads(json.dumps(rows)) == rows


def test_numbers():
    for digits in (18, 19, 20, 100, 4000):
        number = int("9" * digits)
        assert jsonx.loads(f"[{number}, -{number}]") == [number, -number]
    assert type(jsonx.loads("1")) is int
    assert type(jsonx.loads("1.0")) is float
    assert type(jsonx.loads("1e2")) is float
    assert jsonx.loads("[1e400, -1e400]") == [math.inf, -math.inf]
    assert str(jsonx.loads("-0")) == "0"


def test_integer_beyond_the_limit_of_python():
    with pytest.raises(jsonx.JSONError) as raised:
        jsonx.loads("[1,\n" + "9" * 5000 + "]")
    assert (raised.value.lineno, raised.value.colno) == (2, 1)


def test_deep_nesting_is_no_abort():
    depth = 200_000
    value = jsonx.loads("[" * depth + "]" * depth)
    levels = 0
    while value:
        value = value[0]
        levels += 1
    assert levels == depth - 1
    with pytest.raises(jsonx.JSONError):
        jsonx.loads("[" * depth)
    assert jsonx.loads("[" * depth, partial=True)


def test_error_is_as_that_of_json():
    text = '{"é": [1,\n 2 3]}'
    with pytest.raises(ValueError) as raised:
        jsonx.loads(text)
    error = raised.value
    assert isinstance(error, json.JSONDecodeError)
    assert (error.lineno, error.colno, error.pos, error.doc) == (2, 3, 12, text)
    assert "missing comma" in str(error) and "^" in str(error)


@pytest.mark.parametrize("text", TEXTS)
def test_every_prefix(text):
    """The value of a prefix is a prefix of the value."""
    whole = json.loads(text)
    for end in range(len(text) + 1):
        try:
            value = jsonx.loads(text[:end], partial=True)
        except jsonx.JSONError:
            # No value has begun.
            assert text[:end].strip()[:1] not in ("[", "{")
            continue
        assert is_beginning(value, whole, strings=False), (text[:end], value)
        value = jsonx.loads(text[:end], partial="trailing-strings")
        assert is_beginning(value, whole, strings=True), (text[:end], value)


def is_beginning(value, whole, strings):
    if isinstance(whole, dict):
        # Among equal keys, the last one so far counts.
        return isinstance(value, dict) and all(
            key in whole and (is_beginning(item, whole[key], strings) or item == "v")
            for key, item in value.items()
        )
    if isinstance(whole, list):
        pairs = zip(value, whole)
        return len(value) <= len(whole) and all(is_beginning(a, b, strings) for a, b in pairs)
    if strings and isinstance(whole, str):
        return whole.startswith(value) or value == "\ufffd" or value.endswith("\ufffd")
    return value == whole


def test_partial_values():
    assert jsonx.loads('["a", "b', partial=True) == ["a"]
    assert jsonx.loads('["a", "b', partial="trailing-strings") == ["a", "b"]
    assert jsonx.loads('["a", "b\\', partial="trailing-strings") == ["a", "b"]
    assert jsonx.loads('["a", "b\\u00', partial="trailing-strings") == ["a", "b"]
    assert jsonx.loads('{"a": 1, "b', partial="trailing-strings") == {"a": 1}
    assert jsonx.loads('{"a": 1, "b": 12', partial=True) == {"a": 1}
    assert jsonx.loads("[1, true", partial=True) == [1, True]
    assert jsonx.loads("[1, tru", partial=True) == [1]
    assert jsonx.loads("[1, 12", partial=True) == [1]
    assert jsonx.loads(b'["a", "\xf0\x9f', partial="trailing-strings") == ["a", ""]
    # The omitted rest must be able to continue the text.
    for broken in ("[1 2", '{"a" 1', "[1,,", "]", "[1] 2", '{"a": 1, 2', '["a" tru', "[1, 2"[::-1], "[1, nulls", "[01", "[1.2.3"):
        for partial in (True, "trailing-strings"):
            with pytest.raises(jsonx.JSONError):
                jsonx.loads(broken, partial=partial)


def test_unfinished_texts_of_every_length():
    text = '{"key": "' + "the tale " * 40
    for end in range(9, len(text)):
        assert jsonx.loads(text[:end], partial=True) == {}
        assert jsonx.loads(text[:end], partial="trailing-strings") == {"key": text[9:end]}
    text = "[" + "true, 12, " * 40
    for end in range(1, len(text)):
        whole = json.loads(text[: text.rindex(",", 0, end)] + "]") if "," in text[:end] else []
        last = [True] if text[:end].endswith("true") else []
        for partial in (True, "trailing-strings"):
            assert jsonx.loads(text[:end], partial=partial) == whole + last, text[:end]


def test_strings_are_cached():
    # Strings up to the length of a cached one and longer; of several bytes per character; more than fit.
    texts = [letter * length for letter in ("a", "é", "😀") for length in range(60)] + [f"key {i}" for i in range(20_000)]
    for _ in range(2):
        assert jsonx.loads(json.dumps(texts, ensure_ascii=False)) == texts
        assert jsonx.loads(json.dumps(texts)) == texts
        assert jsonx.loads(json.dumps({text: 1 for text in texts})) == {text: 1 for text in texts}
    with pytest.raises(ValueError, match="partial"):
        jsonx.loads("[]", partial="maybe")


def test_mutated_texts_raise_what_json_raises():
    random.seed(35)
    for _ in range(3000):
        text = list(random.choice(TEXTS))
        for _ in range(random.randint(1, 3)):
            text[random.randrange(len(text))] = random.choice('{}[],:"\\ae1.-+\0 é')
        text = "".join(text)
        try:
            expected = json.loads(text, parse_constant=lambda name: 1 / 0)
        except (ValueError, ZeroDivisionError):
            with pytest.raises(jsonx.JSONError):
                jsonx.loads(text)
        else:
            if "\\ud8" not in text.lower() and "\\ude" not in text.lower():
                assert jsonx.loads(text) == expected
        for partial in (True, "trailing-strings"):
            try:
                jsonx.loads(text, partial=partial)
            except jsonx.JSONError:
                pass


def test_bytes_are_decoded_as_json_decodes_them():
    text = '{"a": "\u00e9\U0001f600"}'
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"):
        assert jsonx.loads(text.encode(encoding)) == json.loads(text.encode(encoding))
    with pytest.raises(jsonx.JSONError):
        jsonx.loads(b"\xff\xfe\x00")


def test_lone_surrogates_of_a_str_are_replaced():
    assert jsonx.loads('{"a": "\ud800"}') == {"a": "\ufffd"}
    assert jsonx.loads("{a: '\udc00'}", repair=True) == {"a": "\ufffd"}


def test_partial_escapes_of_a_pair_wait():
    text = json.dumps({"a": "x\U0001f600\\\U0001f601!\ud800y"})
    shown = ""
    for end in range(len(text) + 1):
        try:
            now = jsonx.loads(text[:end], partial="trailing-strings").get("a", "")
        except jsonx.JSONError:
            continue
        assert now.startswith(shown), (shown, now)
        shown = now
    assert shown == "x\U0001f600\\\U0001f601!\ufffdy"


HOOKS = [
    {"object_hook": lambda members: ("object", members)},
    {"object_pairs_hook": tuple},
    {"object_hook": repr, "object_pairs_hook": list},
    {"parse_float": str, "parse_int": repr},
    {"parse_float": Decimal},
    {"parse_int": float},
]


@pytest.mark.parametrize("hooks", HOOKS)
@pytest.mark.parametrize("text", [*TEXTS, "[1, 1.0, 1e2, -0, 12345678901234567890, 0.1]", '{"a": 1, "a": 2.5}'])
def test_hooks_are_those_of_json(text, hooks):
    assert repr(jsonx.loads(text, **hooks)) == repr(json.loads(text, **hooks))
    assert repr(jsonx.loads(text, repair=True, partial="off", **hooks)) == repr(json.loads(text, **hooks))


def test_hooks_of_broken_texts_and_their_errors():
    assert jsonx.loads("{a: {b: 1.50}}", repair=True, object_hook=list, parse_float=Decimal) == ["a"]
    assert jsonx.loads('{"a": {"b": [1.5, 2', partial=True, object_pairs_hook=tuple, parse_float=str) == (("a", (("b", ["1.5"]),)),)
    for name in ("object_hook", "object_pairs_hook", "parse_float", "parse_int"):
        with pytest.raises(ZeroDivisionError):
            jsonx.loads('{"a": [1, 2.5]}', **{name: lambda _: 1 / 0})
        with pytest.raises(TypeError):
            jsonx.loads('{"a": [1, 2.5]}', **{name: 1})


def test_control_characters_are_allowed_without_strict():
    for text in ['"a\nb"', '"\t\r\n\x00\x1f\x7f"', '["\\\\\n", "\\"\n", 1]\n', '{"a\tb":\t"é\n"}', '"plain"']:
        assert jsonx.loads(text, strict=False) == json.loads(text, strict=False)
        assert jsonx.loads(text.encode(), strict=False) == json.loads(text, strict=False)
        if "\\" in text or "\n" in text.strip():
            with pytest.raises(jsonx.JSONError):
                jsonx.loads(text)
    for text in ['["a\nb" 1]', '["é\n\n", }', '["a\n']:
        with pytest.raises(jsonx.JSONError) as ours:
            jsonx.loads(text, strict=False)
        assert ours.value.findings[0].code not in ("control-character", "newline-in-string")


def test_raw_decode():
    decoder = json.JSONDecoder()
    for text in ['{"a": 1} x', "[1][2]", "12abc", "true]", '"é" "b"', "null", "{}\n{}", "1 2", "[1]]", "-1.5e3,"]:
        assert jsonx.raw_decode(text) == decoder.raw_decode(text)
        assert jsonx.raw_decode("éé" + text, 2) == decoder.raw_decode("éé" + text, 2)
        value, end = jsonx.raw_decode(text.encode())
        assert value == decoder.raw_decode(text)[0] and text.encode()[:end].decode() == text[: decoder.raw_decode(text)[1]]
    for text, at in [("", 0), (" ", 0), ("[1", 0), ("x", 0), ("[1]", 3), ("[1]", 9), ("é[1}", 1), ("[1, x]", 0)]:
        with pytest.raises(jsonx.JSONError) as raised:
            jsonx.raw_decode(text, at)
        assert at <= raised.value.pos <= len(text) or at > len(text)
