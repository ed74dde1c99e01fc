"""The package: doctests, types, threads, and the command."""

import doctest
import importlib.metadata
import json
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import threading

import jsonx
import jsonx._errors
import jsonx._jsonx
import pytest

PACKAGE = pathlib.Path(jsonx.__file__).parent


@pytest.mark.parametrize("module", [jsonx, jsonx._errors, jsonx._jsonx])
def test_examples(module):
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    found = finder.find(module, globs={"jsonx": jsonx})
    if module is jsonx._jsonx:
        pytest.importorskip("pyarrow")
        # The finder skips modules that are not written in Python.
        for name in ("fix", "loads", "validate", "format", "diff", "patch", "read_lines", "Document"):
            item = getattr(module, name)
            parsed = doctest.DocTestParser().get_doctest(item.__doc__, {"jsonx": jsonx}, name, None, 0)
            assert parsed.examples, f"{name} has no example"
            found.append(parsed)
    for test in found:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_name():
    root = pathlib.Path(__file__).parents[3]
    (name,) = set(importlib.metadata.packages_distributions()["jsonx"])
    assert name == json.loads((root / "packaging/names.json").read_text())["package"]
    assert f"pip install {name}\n" in (root / "crates/python/README.md").read_text()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
def test_type_errors_name_the_argument():
    for call, name in (
        (lambda: jsonx.loads("1", repair=1), "repair"), (lambda: jsonx.fix(5), "text"), (lambda: jsonx.validate(5), "data"),
        (lambda: jsonx.validate("1", schema=5), "schema"), (lambda: jsonx.validate("1", lints=5), "lints"),
        (lambda: jsonx.read_lines(5), "source"), (lambda: jsonx.read_lines(b"", 5), "schema"),
        (lambda: jsonx.read_lines(b"", {}, columns="a"), "columns"),
    ):
        with pytest.raises(TypeError) as raised:
            call()
        assert raised.value.__notes__ == [f"while processing '{name}'"]


def test_types():
    pytest.importorskip("mypy")
    uses = "import jsonx\ntext, changes = jsonx.fix('1')\nreveal_type(text)\nreveal_type(changes[0].sure)\njsonx.fix(1)\n"
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-c", uses], capture_output=True, text=True, check=False
    )
    assert "str\"" in checked.stdout and "bool\"" in checked.stdout, checked.stdout
    assert 'Argument 1 to "fix" has incompatible type "int"' in checked.stdout
    assert "Found 1 error" in checked.stdout
    sources = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-p", "jsonx"], capture_output=True, text=True, check=False
    )
    assert sources.returncode == 0, sources.stdout
    stubs = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "jsonx._jsonx", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert stubs.returncode == 0, stubs.stdout


def test_threads():
    text = '{"a": [' + ", ".join(f'{{"id": {i}, b: \'x\'}}' for i in range(300)) + "]"
    expected, wrong = jsonx.fix(text).text, []

    def work():
        for _ in range(20):
            if jsonx.fix(text).text != expected or len(jsonx.loads(expected)["a"]) != 300:
                wrong.append(text)
            if [finding.code for finding in jsonx.validate("[1,]")] != ["trailing-comma"]:
                wrong.append("validate")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def command(*arguments, **options):
    found = shutil.which("jsonx", path=sysconfig.get_path("scripts"))
    assert found, "the wheel has no command"
    return subprocess.run([found, *arguments], capture_output=True, text=True, check=False, **options)


def test_command(tmp_path):
    assert command("--version").stdout.startswith("jsonx ")
    ran = command("fix", input="{a: 1}")
    assert (ran.returncode, ran.stdout) == (0, '{"a": 1}')
    file = tmp_path / "a.json"
    file.write_text("[1,]")
    ran = command("validate", str(file))
    assert ran.returncode == 1 and "trailing comma" in ran.stdout
    assert command("no-such-command").returncode == 2
    ran = subprocess.run(
        [sys.executable, "-m", "jsonx", "get", ".a"], input='{"a": 7}', capture_output=True, text=True, check=False
    )
    assert ran.stdout == "7\n"
