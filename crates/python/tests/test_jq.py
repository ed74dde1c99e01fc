"""Programs in jq's language."""

import itertools
import json
import os
import pickle
import signal
import sys
import threading
import time

import pytest

import jsonx


def test_results_for_texts_and_values():
    for program, data, results in [
        (".a[] | . * 2", '{"a": [1, 2.5]}', [2, 5]),
        (".a", {"a": None}, [None]),
        (".", [1, "é", True], [[1, "é", True]]),
        ("length", b'"abc"\n[1]\n', [3, 1]),
        (".[]", bytearray(b"[]"), []),
        ("empty", "1 2 3", []),
        (".", "", []),
        (".", 12345678901234567890123, [12345678901234567890123]),
        ("keys", b"\xef\xbb\xbf{\"b\": 1, \"a\": 2}", [["a", "b"]]),
        ("., .", 1, [1, 1]),
        ("input_filename", "1", [None]),
    ]:
        assert list(jsonx.jq(program).run(data)) == results, program


def test_keyword_arguments_are_variables():
    program = jsonx.jq(".[] | select(.id == $id) | .name", id=2)
    rows = [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]
    assert list(program.run(rows)) == ["b"]
    assert list(jsonx.jq("$a + $b", a=[1], b=["x"]).run(None)) == [[1, "x"]]
    with pytest.raises(ValueError, match="id"):
        jsonx.jq("$id")
    with pytest.raises(ValueError):
        jsonx.jq("$a", a=float("nan"))
    with pytest.raises(TypeError):
        jsonx.jq("$a", a=object())


def test_an_error_of_a_program_shows_its_place():
    with pytest.raises(ValueError) as raised:
        jsonx.jq(".a | foo")
    assert str(raised.value).splitlines()[1:3] == ["  .a | foo", "       ^^^"]
    results = jsonx.jq(".a + 1").run('{"a": 1}\n{"a": []}\n{"a": 2}')
    assert next(results) == 2
    with pytest.raises(ValueError) as raised:
        next(results)
    assert "array ([]) and number (1) cannot be added" in str(raised.value)
    assert "^" in str(raised.value)
    # As in jq's own command, but the exception ends the iterator.
    assert list(results) == []
    assert list(jsonx.jq(".[] | try (. + 1) catch .").run("[1]")) == [2]


def test_an_invalid_text_raises_before_any_result():
    with pytest.raises(jsonx.JSONError) as raised:
        jsonx.jq(".").run("1\n[2,]\n")
    assert raised.value.findings[0].code == "trailing-comma"
    assert raised.value.lineno == 2


def test_results_are_streamed():
    seen = 0
    for value in jsonx.jq("[., .] | .[0]").run("1\n" * 100_000):
        assert value == 1
        seen += 1
        if seen == 10:
            break
    # An unfinished iterator does not block another.
    assert sum(jsonx.jq(".").run("1\n" * 1000)) == 1000


def test_endless_recursion_is_an_error():
    with pytest.raises(ValueError, match="deep"):
        list(jsonx.jq("def f: 1 + f; f").run(None))


def test_one_program_in_many_threads():
    program = jsonx.jq("[.[] * $by] | add", by=3)
    sums = []

    def work(size):
        sums.append(next(program.run(list(range(size)))))

    threads = [threading.Thread(target=work, args=(size,)) for size in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(sums, key=lambda it: -1 if it is None else it) == [None] + [3 * sum(range(size)) for size in range(1, 40)]


def test_many_programs_stay_correct():
    programs = [jsonx.jq(f". + {number}") for number in range(50)]
    for _ in range(2):
        assert [next(program.run(1)) for program in programs] == list(range(1, 51))


def test_values_are_those_of_json():
    text = json.dumps({"a": [1.5, -0.0, 1e300, "\ud83d\ude00", None]})
    assert list(jsonx.jq(".").run(text)) == [json.loads(text)]


def test_programs_pickle():
    program = pickle.loads(pickle.dumps(jsonx.jq(". + $n", n=2)))
    assert list(program.run(1)) == [3]
    assert repr(program) == 'jsonx.jq(". + $n")'


def test_results_of_one_input_are_streamed():
    assert list(itertools.islice(jsonx.jq("range(1e12)").run(None), 3)) == [0, 1, 2]
    assert list(jsonx.jq("range(.)").run("1000 0 2")) == [*range(1000), 0, 1]
    # An error after many results comes after them.
    results = jsonx.jq("range(1000), error(\"x\")").run(None)
    assert [next(results) for _ in range(1000)] == list(range(1000))
    with pytest.raises(ValueError, match="x"):
        next(results)
    assert list(results) == []


def test_deep_values_need_no_deep_stack():
    deep = "[" * 9000 + "]" * 9000
    done = []

    def work():
        for program in [".", "tojson", "flatten", ". == .", "[paths] | length", "[[.]], range(999)"]:
            done.append(len(list(jsonx.jq(program).run(deep))))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [1, 1, 1, 1, 1, 1000]
    assert len(list(jsonx.jq("reduce range(9990) as $i (0; [.])").run(None))) == 1
    with pytest.raises(jsonx.JSONError, match="deep"):
        jsonx.jq(".").run("[" * 20_000 + "]" * 20_000)


def test_a_program_that_halts():
    assert list(jsonx.jq("1, halt, 2").run("5 6")) == [1]
    with pytest.raises(ValueError, match="^no$"):
        list(jsonx.jq('"no" | halt_error').run(None))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("program", ["last(range(1e12))", "until(false; .)", "range(1e3), last(repeat(1))", "[range(1e12)]"])
def test_ctrl_c_ends_a_program(program):
    def interrupt():
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    # A process in the background may have been started with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        list(jsonx.jq(program).run(0))


def test_a_variable_may_be_called_program():
    assert list(jsonx.jq("$program", program=1).run(None)) == [1]
