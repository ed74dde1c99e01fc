#!/usr/bin/env python3
"""Compares `jsonx fmt -w` with Prettier, on generated settings and files: equal, or left alone; never different.

    npm install --prefix DIR prettier
    tests/formatters.py DIR [--jsonx PATH] [--rounds N] [--seed N] [FILE…]

Each round makes a repository with settings, and 50 files of generated JSON or of the FILEs; both programs format a copy of it.
Prints each file that differs, and at the end how many were equal, left alone and different; exits with 1 if any was different.
"""

import argparse, difflib, json, random, re, shutil, subprocess, sys, tempfile
from pathlib import Path

NAMES = ["a.json", "b.jsonc", "package.json", "tsconfig.json", ".hidden.json", "c.geojson", "d.json5", "composer.json",
    "package-lock.json", ".swcrc", "e.webmanifest", "f.code-workspace", "g.JSON", "turbo.json", ".eslintrc", ".releaserc", ".stylelintrc", ".jshintrc"]
FOLDERS = ["", "src/", "src/data/", "lib/", "lib/data/deep/", ".vscode/", "test folder/"]
GLOBS = ["*.json", "src/**", "src/*.json", "**/data/**", "**/*.jsonc", "{a,b}.json", "lib", "lib/", "a.json", "**/data/*.json",
    "./src/**", "*.{json,jsonc}", "src/data", "package.json", "**/package.json", "[ab].json", "!(a).json", "tsconfig.json", "?.json"]


def value(rng, depth=0):
    kind = rng.randrange(10 if depth < 4 else 6)
    if kind == 0:
        return rng.choice(["true", "false", "null", '""', '"é"', '"日本語"', '"👍"', '"a\\nb"'])
    if kind < 4:
        return rng.choice(["0", "1", "-1", "1.50", "1.0", "1E5", "1e+05", "0.0", "-0", "123456789", "1.5e-10", "2.", ][:11])
    if kind < 6:
        return json.dumps("x" * rng.choice([0, 1, 3, 8, 20, 50]))
    space = lambda: rng.choice(["", "", " ", "\n", "\n  ", "\n\n", "\t"])
    one = rng.choice([lambda: value(rng, depth + 1)] * 3 + [lambda: str(rng.randrange(10**rng.randrange(1, 6)))])
    count = rng.choice([0, 1, 2, 3, 3, 5, 12])
    items = [space() + one() + space() for _ in range(count)]
    if kind < 8:
        return "[" + ",".join(items) + (space() if not items else "") + "]"
    items = [space() + json.dumps("k" * rng.choice([1, 1, 4, 9, 30]) + str(i)) + rng.choice(["", "", " "]) + ":" + item
        for i, item in enumerate(items)]
    return "{" + ",".join(items) + "}"


def text(rng, corpus):
    found = rng.choice(corpus).read_text() if corpus and rng.random() < 0.5 else value(rng) + rng.choice(["", "\n"])
    if rng.random() < 0.1:
        found = found.replace("\n", "\r\n")
    return found


def commented(rng, found):
    """The text with comments where a formatter cannot take them amiss: on lines of their own, or at the end of one."""
    lines = []
    for line in found.split("\n"):
        if rng.random() < 0.1:
            lines.append(rng.choice(["// own", "  /* block */"]))
        lines.append(line + (" // end" if rng.random() < 0.1 and line.endswith(",") else ""))
    return "\n".join(lines)


def some(rng, options):
    return {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.3}


PRETTIER = {"printWidth": [1, 20, 40, 80, 100, 1000], "tabWidth": [0, 1, 2, 3, 4, 8], "useTabs": [True, False],
    "bracketSpacing": [True, False], "objectWrap": ["preserve", "collapse"], "trailingComma": ["all", "es5", "none"],
    "endOfLine": ["lf", "crlf", "auto", "cr"], "semi": [False], "singleQuote": [True, False], "proseWrap": ["always"],
    "quoteProps": ["as-needed", "consistent", "preserve"], "insertPragma": [False, True], "requirePragma": [False]}


def prettier(rng, root):
    options = some(rng, PRETTIER)
    parsers = {"parser": ["json", "jsonc", "json5", "json-stringify"]}
    def globs():
        found = [rng.choice(GLOBS) for _ in range(rng.choice([1, 1, 2]))]
        return found if rng.random() < 0.6 else found[0]
    if rng.random() < 0.6:
        options["overrides"] = []
        for _ in range(rng.choice([1, 2])):
            rule = {"files": globs(), "options": some(rng, {**PRETTIER, **parsers})}
            if rng.random() < 0.3:
                rule["excludeFiles"] = globs()
            options["overrides"].append(rule)
    if rng.random() < 0.05:
        options["plugins"] = ["nothing"]
    form = rng.randrange(6)
    if form == 0:
        (root / "package.json").write_text(json.dumps({"name": "x", "prettier": options}))
    elif form == 1:
        (root / "prettier.config.mjs").write_text("export default " + json.dumps(options))
    elif form == 2:
        (root / rng.choice([".prettierrc", ".prettierrc.yaml", ".prettierrc.yml"])).write_text(yaml(options))
    else:
        name = rng.choice([".prettierrc", ".prettierrc.json", ".prettierrc.json5"])
        (root / name).write_text(broken(rng, json.dumps(options, indent=2)))
    if rng.random() < 0.5:
        (root / "src").mkdir(exist_ok=True)
        (root / "src/.prettierrc").write_text(json.dumps(some(rng, PRETTIER)))
    if rng.random() < 0.5:
        lines = [rng.choice(["", "", "!", "/"]) + rng.choice(GLOBS[:13]).removeprefix("./") for _ in range(rng.choice([1, 2, 4]))]
        (root / ".prettierignore").write_text("# c\n" + "\n".join(lines) + "\n")
    if rng.random() < 0.3:
        editorconfig(rng, root)
    return ["node", "node_modules/prettier/bin/prettier.cjs", "--write", "--log-level", "error", "."]


def broken(rng, text):
    """In one of five texts, a setting that Prettier refuses, reads in its own way, or passes over."""
    if rng.random() < 0.8:
        return text
    return rng.choice([
        lambda: text.replace("{", '{"tabWidth": 4, "tabWidth": 3, ', 1),
        lambda: text.replace("{", "{ // c\n", 1),
        lambda: text.replace("{", '{"tabWidth": 4 /* c */, ', 1),
        lambda: text + rng.choice([" # c", " // c", "}", ",", "\n---\n{}"]),
        lambda: text.replace('"', "'"),
        lambda: text[:-1] + ",}",
        lambda: text.replace("  ", "\t"),
        lambda: text.replace("{", '{"%s": %s, ' % (rng.choice(["semi", "useTabs", "tabWidth", "arrowParens", "overrides"]),
            rng.choice(["1.5", '"x"', "null", "{}", "[{}]", "-1"])), 1),
    ])()


def yaml(options, indent=""):
    lines = ""
    for name, given in options.items():
        if isinstance(given, list):
            lines += f"{indent}{name}:\n"
            for item in given:
                if isinstance(item, dict):
                    inner = yaml(item, indent + "    ")
                    lines += f"{indent}  - {inner[len(indent) + 4:]}"
                else:
                    lines += f"{indent}  - {json.dumps(item)}\n"
        elif isinstance(given, dict):
            lines += f"{indent}{name}:\n{yaml(given, indent + '  ')}" if given else f"{indent}{name}: {{}}\n"
        elif isinstance(given, str) and any(c in given for c in "*[!{?"):
            lines += f"{indent}{name}: '{given}' # glob\n"
        else:
            lines += f"{indent}{name}: {given if isinstance(given, str) else json.dumps(given)}\n"
    return lines


def editorconfig(rng, root):
    options = some(rng, {"indent_style": ["tab", "space"], "indent_size": [1, 3, 8, "tab"], "tab_width": [2, 5],
        "max_line_length": [30, 100, "off"], "end_of_line": ["lf", "crlf", "cr"], "insert_final_newline": ["true", "false"]})
    lines = "".join(f"{name} = {given}\n" for name, given in options.items())
    (root / ".editorconfig").write_text(f"root = true\n[{rng.choice(['*', '*', '*.json'])}]\n{lines}")


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument("peers", type=Path)
    arguments.add_argument("files", nargs="*", type=Path)
    arguments.add_argument("--jsonx", default="target/debug/jsonx")
    arguments.add_argument("--rounds", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--diff", action="store_true", help="print the differences")
    told = arguments.parse_args()
    jsonx, peers = str(Path(told.jsonx).resolve()), (told.peers / "node_modules").resolve()
    counts = {}
    for seed in range(told.seed, told.seed + told.rounds):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            ours, theirs = Path(folder, "ours"), Path(folder, "theirs")
            ours.mkdir()
            subprocess.run(["git", "init", "-q", ours])
            command = prettier(rng, ours)
            configs = {path for path in ours.rglob("*") if path.is_file()}
            originals = {}
            for _ in range(50):
                path = ours / (rng.choice(FOLDERS) + rng.choice(NAMES))
                if path in configs:
                    continue
                path.parent.mkdir(parents=True, exist_ok=True)
                found = text(rng, told.files)
                if path.suffix in (".jsonc", ".code-workspace") or path.name == "tsconfig.json":
                    found = commented(rng, found)
                if path.suffix == ".json5" and rng.random() < 0.7:
                    found = re.sub(r'"(k+[0-9]+)"(\s*:)', r"\1\2", found)
                path.write_bytes(found.encode())
                originals[path.relative_to(ours)] = found.encode()
            shutil.copytree(ours, theirs)
            ran = subprocess.run([jsonx, "fmt", "-w", "."], cwd=ours, capture_output=True, text=True)
            command[1] = str(peers / command[1].removeprefix("node_modules/"))
            subprocess.run(command, cwd=theirs, capture_output=True)
            for path, original in originals.items():
                by_jsonx, by_peer = (ours / path).read_bytes(), (theirs / path).read_bytes()
                result = "equal" if by_jsonx == by_peer else "left alone" if by_jsonx == original else \
                    "not taken" if by_peer == original else "different"
                counts[result] = counts.get(result, 0) + 1
                if result in ("different", "not taken"):
                    print(f"seed {seed}: {path}: {result}")
                    if told.diff and result == "different":
                        lines = [text.decode().splitlines() for text in (by_peer, by_jsonx)]
                        print("\n".join(difflib.unified_diff(*lines, "prettier", "jsonx", lineterm="", n=2)))
            if ran.returncode not in (0, 3, 4):
                print(f"seed {seed}: exit {ran.returncode}: {ran.stderr}")
    for result, count in sorted(counts.items()):
        print(f"{count} {result}")
    return "different" in counts


sys.exit(main())
