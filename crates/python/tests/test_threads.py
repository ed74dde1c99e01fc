"""Several threads on the same objects: with the GIL, and without it on a free-threaded Python."""

import io
import json
import subprocess
import sys
import sysconfig
import threading

import jsonx
import pytest

ROWS = [{"id": i, "name": f"name {i % 50}", "x": i / 4} for i in range(2000)]
TEXT = "".join(json.dumps(row) + "\n" for row in ROWS)
THREADS = 8


def together(work):
    """Calls ``work`` with the number of the thread, in threads that start at the same time; returns the results."""
    barrier, results, errors = threading.Barrier(THREADS), [None] * THREADS, []

    def run(number):
        try:
            barrier.wait()
            results[number] = work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    return results


def test_the_module_does_not_need_the_gil():
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        pytest.skip("this Python needs the GIL")
    assert not sys._is_gil_enabled()


def test_one_document():
    document = jsonx.Document('{"tags": [], "counts": {}}')

    def work(number):
        for i in range(50):
            document.append("/tags", [number, i])
            document[f"/counts/t{number}"] = i
            # No partial edit of another thread is visible.
            assert [number, i] in document["/tags"] and json.loads(document.text)["tags"]
            assert document.get(f"/counts/t{number}") == i
        del document[f"/counts/t{number}"]

    together(work)
    assert sorted(document["/tags"]) == [[number, i] for number in range(THREADS) for i in range(50)]
    assert document["/counts"] == {}


def test_one_text():
    broken, whole = "[" + ",\n".join(f"{{id: {i}, 'n': 'x'}}" for i in range(300)), json.dumps(ROWS)
    fixed, patch = jsonx.fix(broken), jsonx.diff(whole, "[]")

    def work(number):
        for _ in range(3):
            again = jsonx.fix(broken)
            assert again.text == fixed.text and list(map(str, again.changes)) == list(map(str, fixed.changes))
            # Short strings are shared, whichever thread made them.
            assert jsonx.loads(whole) == ROWS and jsonx.loads(whole[:-2], partial=True)[:-1] == ROWS[:-1]
            assert jsonx.diff(whole, "[]") == patch

    together(work)


def test_one_finding():
    (finding,) = jsonx.validate('{"a": 1,}')
    (change,) = jsonx.fix('{"a": 1,}').changes

    def shown(number):
        return str(finding), finding.fix, finding.path, str(change), repr(change)

    assert together(shown) == [shown(0)] * THREADS


def test_several_readers_of_lines():
    pa = pytest.importorskip("pyarrow")
    lines = jsonx.read_lines((TEXT + '{"id": "none"}\n').encode(), {"id": "int64", "name": "string"}, threads=2)

    def work(number):
        # Each reads the source from the start; the rejects belong to the last reader.
        rows = [pa.table(lines).num_rows for _ in range(5)]
        return rows, lines.rejected in (0, 1), len(pa.table(lines.rejects)) in (0, 1)

    assert together(work) == [([len(ROWS)] * 5, True, True)] * THREADS
    assert pa.table(lines).num_rows == len(ROWS) and lines.rejected == 1
    taken = together(lambda number: len(lines.take_rejects()))
    assert sorted(taken) == [0] * (THREADS - 1) + [1]


def test_one_reader_in_turns():
    pa = pytest.importorskip("pyarrow")
    reader = pa.RecordBatchReader.from_stream(jsonx.read_lines((TEXT * 50).encode(), threads=2))
    lock = threading.Lock()

    def work(number):
        rows = 0
        while True:
            with lock:
                try:
                    rows += reader.read_next_batch().num_rows
                except StopIteration:
                    return rows

    assert sum(together(work)) == 50 * len(ROWS)


def test_a_source_that_can_be_read_once():
    pa = pytest.importorskip("pyarrow")
    lines = jsonx.read_lines(io.BytesIO(TEXT.encode()), {"id": "int64"})

    def work(number):
        try:
            return pa.table(lines).num_rows
        except OSError:
            return 0

    assert sorted(together(work)) == [0] * (THREADS - 1) + [len(ROWS)]


INTERRUPTED = """
import jsonx, os, signal, threading
text = {text} * ({length} // len({text}))
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    {call}
except KeyboardInterrupt:
    # The process ends at once, whatever the threads of the call do.
    print("interrupted", flush=True)
    os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize(
    ("text", "length", "call"),
    [
        ("'{a: tru, //x\\n'", 400_000_000, "jsonx.fix(text, max_input=None)"),
        ("'[1 '", 400_000_000, "jsonx.loads(text, repair=True, max_input=None)"),
        ("'[1 '", 400_000_000, "jsonx.loads(text)"),
        ("'[1 '", 400_000_000, "jsonx.validate(text)"),
    ],
)
def test_ctrl_c_ends_a_call(text, length, call):
    """Without checks for signals, each takes minutes."""
    code = INTERRUPTED.format(text=text, length=length, call=call)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.stdout == "interrupted\n", result.stderr
