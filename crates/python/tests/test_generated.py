"""Laws on generated texts, beside ``json``. ``JSONX_SEED`` is the seed; a failure names the case."""

import copy
import json
import os
import random

import jsonx
import pytest

SEED = int(os.environ.get("JSONX_SEED", "70"))
CASES = 400
KEYS = ["a", "b", "é", "", "a b", "a/b", "~", "0", "-", "$ref", "😀"]
BLANKS = ["", "", "", " ", "\n", "\t", "\r\n", "  \n"]
SCRAPS = ["{", "}", "[", "]", ",", ":", '"', "'", "\\", "a", "1", "-", ".", "e", " ", "\n", "\r", "\0", "é", "😀", "//", "/*", "nul", "True"]


def scalar(rng):
    letters = ["a", "é", "😀", '"', "\\", "\n", "\t", "/", "\x7f", "\u2028"]
    return rng.choice(
        [
            None,
            True,
            False,
            rng.randrange(-10, 10),
            rng.randrange(-(10**25), 10**25),
            rng.uniform(-1e3, 1e3),
            rng.uniform(0, 1) * 10.0 ** rng.randrange(-300, 300),
            -0.0,
            "".join(rng.choices(letters, k=rng.randrange(6))),
        ]
    )


def value_of(rng, depth=4):
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return scalar(rng)
    if kind < 0.65:
        return {key: value_of(rng, depth - 1) for key in rng.sample(KEYS, rng.randrange(5))}
    return [value_of(rng, depth - 1) for _ in range(rng.randrange(5))]


def container_of(rng):
    return value_of(rng) if rng.random() < 0.1 else {"a": value_of(rng), "b": [value_of(rng), value_of(rng)], "é": {}}


def written(rng, value):
    """A text of the value: blanks between any tokens, strings with or without escapes."""

    def blank():
        return rng.choice(BLANKS)

    if isinstance(value, dict):
        members = [f"{written(rng, key)}:{written(rng, item)}" for key, item in value.items()]
        if members and rng.random() < 0.1:
            # Of equal keys, the last one counts.
            members.insert(0, f"{written(rng, rng.choice(list(value)))}: [0]")
        text = "{" + ",".join(members) + blank() + "}"
    elif isinstance(value, list):
        text = "[" + ",".join(written(rng, item) for item in value) + blank() + "]"
    else:
        text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    return blank() + text + blank()


def mutated(rng, text):
    parts = list(text)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(parts) + 1)
        parts[at : at + rng.randrange(3)] = rng.choices(SCRAPS, k=rng.randrange(3))
    return "".join(parts)


def pieces(rng, text):
    while text:
        length = rng.choice([1, 1, 2, 5, 50])
        yield text[:length]
        text = text[length:]


def paired(value):
    """Half of a surrogate pair becomes U+FFFD."""
    if isinstance(value, dict):
        return {paired(key): paired(item) for key, item in value.items()}
    if isinstance(value, list):
        return [paired(item) for item in value]
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value) if isinstance(value, str) else value


def outcome(read):
    """What ``json`` reads, or ``None``."""
    try:
        return [paired(read())]
    except (ValueError, ZeroDivisionError):
        return None


def cases(name):
    for number in range(CASES):
        yield number, random.Random(f"{SEED} {name} {number}")


def same(one, other):
    """Equal, and of the same types: ``1 == 1.0 == True`` in Python."""
    return repr(one) == repr(other) or json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def test_values_are_those_of_json():
    for number, rng in cases("loads"):
        text = written(rng, value_of(rng))
        expected = json.loads(text)
        assert same(jsonx.loads(text), expected), (number, text)
        assert same(jsonx.loads(text.encode()), expected), (number, text)
        assert same(jsonx.loads(text, repair=True), expected), (number, text)
        fixed = jsonx.fix(text)
        assert same(json.loads(fixed.text), expected) and fixed.changes == [], (number, text, fixed)
        begun = rng.choice(["x", "[", "é "])
        value, end = jsonx.raw_decode(begun + text.strip() + " ]", len(begun))
        assert same(value, expected) and end == len(begun) + len(text.strip()), (number, text)


def test_errors_are_where_json_finds_none_either():
    """The same verdict as ``json``; positions are inside of the text, and those of its lines."""
    for number, rng in cases("errors"):
        text = mutated(rng, written(rng, value_of(rng)))
        expected = outcome(lambda text=text: json.loads(text, parse_constant=lambda name: 1 / 0))
        findings = jsonx.validate(text)
        errors = [finding for finding in findings if finding.severity == "error"]
        assert (expected is None) == bool(errors), (number, text, findings)
        for finding in findings:
            assert 0 <= finding.pos <= finding.end <= len(text), (number, text, finding)
            before = text[: finding.pos].replace("\r\n", "\n").replace("\r", "\n")
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            # Between the halves of a line break, the line has ended.
            if text[finding.pos - 1 : finding.pos + 1] != "\r\n":
                assert (finding.line, finding.column) == (line, column), (number, text, finding)
            assert str(finding), (number, text)
        try:
            value = jsonx.loads(text)
        except jsonx.JSONError as error:
            assert expected is None and error.doc == text, (number, text)
            assert (error.pos, error.lineno, error.colno) == (errors[0].pos, errors[0].line, errors[0].column), (number, text)
        else:
            assert expected is not None and same(value, expected[0]), (number, text)


def test_repaired_texts_are_json():
    """A repaired text is JSON, one value or one a line; its value is that of ``loads``, and it needs no further repair."""
    repaired = 0
    for number, rng in cases("repair"):
        text = mutated(rng, written(rng, value_of(rng)))
        for guesses in (True, False):
            try:
                fixed = jsonx.fix(text, guesses=guesses)
            except jsonx.JSONError:
                continue
            repaired += 1
            whole = outcome(lambda fixed=fixed: json.loads(fixed.text))
            values = whole or [[paired(json.loads(line)) for line in fixed.text.split("\n") if line]]
            again = [change for change in jsonx.fix(fixed.text).changes if change.code != "lone-surrogate"]
            assert again == [], (number, text, fixed.text)
            assert fixed.text == text or fixed.changes != [] or fixed.text.strip() == text.strip(), (number, text, fixed.text)
            for change in fixed.changes:
                assert 0 <= change.pos <= change.end <= len(text), (number, text, change)
                # A change of nothing says that the end may be missing.
                assert change.before != change.after or not change.sure, (number, text, change)
                assert guesses or change.sure, (number, text, change)
            if guesses:
                assert same(jsonx.loads(text, repair=True), values[0]), (number, text, fixed.text)
    assert repaired > CASES / 2


def test_readers_yield_the_values_whatever_the_pieces():
    for number, rng in cases("reader"):
        values = [container_of(rng) for _ in range(rng.randrange(4))]
        values = [value for value in values if isinstance(value, (dict, list))]
        text = rng.choice(["", "Sure: ", "see x, "]) + rng.choice(["\n", " ", " and "]).join(written(rng, value) for value in values)
        for repair in (False, True):
            for whole in (text, text.encode()):
                reader = jsonx.Reader(repair=repair)
                found = [value for piece in pieces(rng, whole) for value in reader.feed(piece)]
                assert same(found + reader.finish(), values), (number, text, repair)
        broken = mutated(rng, text)
        results = []
        for length in (1, 3, len(broken) or 1):
            reader, found = jsonx.Reader(repair=True), []
            try:
                for at in range(0, len(broken), length):
                    found += reader.feed(broken[at : at + length])
                found += reader.finish()
            except jsonx.JSONError as error:
                found.append(type(error))
            results.append(repr(found))
        assert len(set(results)) == 1, (number, broken, results)


def places(value, steps=()):
    yield steps, value
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in children:
        yield from places(child, (*steps, step))


def pointer(steps):
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def at(value, steps):
    for step in steps:
        value = value[step]
    return value


def edited(rng, document, model):
    """One edit of both; ``None`` if there is none of this kind."""
    found = list(places(model))
    steps, old = rng.choice(found)
    kind = rng.choice(["set", "add", "delete", "append", "move", "missing"])
    new = copy.deepcopy(value_of(rng, 2))
    if kind == "missing":
        path = pointer(steps) + "/none/none"
        for edit in (lambda: document.set(path, 1), lambda: document.delete(path), lambda: document.append(path, 1)):
            with pytest.raises((KeyError, ValueError)):
                edit()
        return
    if kind == "set" and steps:
        document[pointer(steps)] = new
        at(model, steps[:-1])[steps[-1]] = new
    elif kind == "add" and isinstance(old, dict):
        key = rng.choice(KEYS)
        document[pointer((*steps, key))] = new
        old[key] = new
    elif kind == "append" and isinstance(old, list):
        document.append(pointer(steps), new)
        old.append(new)
    elif kind == "delete" and steps:
        del document[pointer(steps)]
        del at(model, steps[:-1])[steps[-1]]
    elif kind == "move" and steps:
        others = [(to, value) for to, value in found if isinstance(value, dict) and to[: len(steps)] != steps]
        if others and isinstance(at(model, steps[:-1]), dict):
            to, target = rng.choice(others)
            # A target that does not exist: replacing a container of the source is no move.
            key = "moved"
            if key not in target:
                document.move(pointer(steps), pointer((*to, key)))
                del at(model, steps[:-1])[steps[-1]]
                target[key] = old


def test_edits_are_those_of_a_value_in_python():
    for number, rng in cases("edits"):
        model = container_of(rng)
        # Without equal keys: of those, `delete` removes all and `set` changes the last.
        text = json.dumps(model, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1, "\t"]))
        document, whole = jsonx.Document(text, dialect=rng.choice(["json", "jsonc"])), copy.deepcopy(model)
        for _ in range(5):
            before = copy.deepcopy(model)
            edited(rng, document, model)
            assert same(json.loads(document.text), model), (number, text, before, document.text)
            for steps, value in places(model):
                assert same(document[pointer(steps)], value) and pointer(steps) in document, (number, document.text, steps)
        patch = jsonx.diff(text, document.text)
        assert same(json.loads(jsonx.patch(text, patch)), model), (number, text, patch)
        assert jsonx.diff(document.text, document.text) == [] and same(json.loads(text), whole), (number, text)


def test_formatted_texts_have_the_same_value():
    for number, rng in cases("format"):
        value = value_of(rng)
        text = written(rng, value)
        options = {
            "indent": rng.choice([None, 0, 2, 4, "\t"]),
            "width": rng.choice([None, 20, 80]),
            "sort_keys": rng.random() < 0.3,
            "ascii": rng.random() < 0.3,
        }
        options["dialect"] = "json" if options["indent"] is None else rng.choice(["json", "jsonc"])
        formatted = jsonx.format(text, **options)
        assert same(json.loads(formatted), json.loads(text)), (number, text, options)
        assert jsonx.format(formatted, **options) == formatted, (number, text, options)
        assert not options["ascii"] or formatted.isascii(), (number, text)
        compact = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
        if jsonx.validate(text) == [] and "e" not in text.lower() and "\x7f" not in text:
            assert jsonx.format(compact, indent=None) == compact + "\n", (number, compact)
