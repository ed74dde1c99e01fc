#!/usr/bin/env python3
"""Makes the packages of a release from existing binaries, with only Python's standard library.

    packaging/dist.py archive TARGET BINARY DIST    an archive for a target of Rust: program, man pages, completions, guides
    packaging/dist.py deb TARGET BINARY DIST        a Debian package (needs dpkg-deb)
    packaging/dist.py npm DIST                      npm packages of all archives in DIST, and one that chooses among them
    packaging/dist.py formulas DIST                 a Homebrew formula and a Scoop manifest for the archives in DIST
    packaging/dist.py sums DIST                     SHA256SUMS of everything in DIST
    packaging/dist.py version                       the version of Cargo.toml

The names are in names.json. The same files make the same bytes: times are SOURCE_DATE_EPOCH, or that of the last commit.
"""

import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = json.loads((ROOT / "packaging/names.json").read_text())
PACKAGE, COMMAND = NAMES["package"], NAMES["command"]

# Shells, and the names of their completion scripts.
COMPLETIONS = {"bash": "jsonx.bash", "zsh": "_jsonx", "fish": "jsonx.fish", "powershell": "_jsonx.ps1"}

# Targets of Rust: the names of the system and the processor for npm, and of the processor for Debian.
TARGETS = {
    "x86_64-unknown-linux-gnu": ("linux", "x64", "amd64"),
    "aarch64-unknown-linux-gnu": ("linux", "arm64", "arm64"),
    "x86_64-apple-darwin": ("darwin", "x64", None),
    "aarch64-apple-darwin": ("darwin", "arm64", None),
    "x86_64-pc-windows-msvc": ("win32", "x64", None),
}


def version() -> str:
    found = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)
    assert found, "no version in Cargo.toml"
    return found[1]


def epoch() -> int:
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        log = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        given = subprocess.run(log, check=True, capture_output=True, text=True).stdout
    return int(given)


def documents(binary: str) -> dict[str, bytes]:
    """The other files of an archive, with their names. The program prints its completion scripts."""
    files = {name: ROOT / name for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]}
    files |= {f"docs/{path.name}": path for path in sorted((ROOT / "docs").iterdir())}
    files |= {f"man/{path.name}": path for path in sorted((ROOT / "man").glob("*.1"))}
    documents = {name: path.read_bytes() for name, path in files.items()}
    for shell, name in COMPLETIONS.items():
        command = [str(pathlib.Path(binary).resolve()), "completions", shell]
        documents[f"completions/{name}"] = subprocess.run(command, check=True, capture_output=True).stdout
    return documents


def archive(target: str, binary: str, dist: str) -> None:
    is_windows = "windows" in target
    program = COMMAND + (".exe" if is_windows else "")
    folder = f"{COMMAND}-{version()}-{target}"
    files = {program: pathlib.Path(binary).read_bytes()} | documents(binary)
    out = pathlib.Path(dist, folder + (".zip" if is_windows else ".tar.gz"))
    out.parent.mkdir(parents=True, exist_ok=True)
    if is_windows:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, data in sorted(files.items()):
                packed.writestr(zipfile.ZipInfo(f"{folder}/{name}"), data, zipfile.ZIP_DEFLATED)
    else:
        entries = {f"{folder}/{name}": (data, name == program) for name, data in files.items()}
        out.write_bytes(tar(entries))
    print(out)


def tar(entries: dict[str, tuple[bytes, bool]]) -> bytes:
    """A compressed archive of files: names, bytes, and whether each is a program."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as packed:
        for name, (data, is_program) in sorted(entries.items()):
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime, entry.mode = len(data), epoch(), 0o755 if is_program else 0o644
            packed.addfile(entry, io.BytesIO(data))
    return gzip.compress(plain.getvalue(), mtime=0)


def deb(target: str, binary: str, dist: str) -> None:
    architecture = TARGETS[target][2]
    assert architecture, f"there are no Debian packages for {target}"
    share, doc = "usr/share", f"usr/share/doc/{COMMAND}"
    places = {f"usr/bin/{COMMAND}": pathlib.Path(binary).read_bytes()}
    for name, data in documents(binary).items():
        places[
            {
                "completions/jsonx.bash": f"{share}/bash-completion/completions/{COMMAND}",
                "completions/_jsonx": f"{share}/zsh/vendor-completions/_{COMMAND}",
                "completions/jsonx.fish": f"{share}/fish/vendor_completions.d/{COMMAND}.fish",
                "completions/_jsonx.ps1": f"{doc}/_jsonx.ps1",
            }.get(name, f"{share}/man/man1/{pathlib.Path(name).name}.gz" if name.startswith("man/") else f"{doc}/{name}")
        ] = data
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        root.chmod(0o755)
        for name, data in places.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
            (root / name).chmod(0o755 if name == f"usr/bin/{COMMAND}" else 0o644)
        notice = f"{NAMES['repository']}\n\nMIT or Apache-2.0, at your option: LICENSE-MIT and LICENSE-APACHE in this folder.\n"
        (root / doc / "copyright").write_text(notice)
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(
            f"Package: {COMMAND}\nVersion: {version()}\nArchitecture: {architecture}\n"
            f"Maintainer: {NAMES['maintainer']}\nInstalled-Size: {size // 1024 + 1}\nSection: utils\nPriority: optional\n"
            f"Homepage: {NAMES['repository']}\nDescription: {NAMES['description']}\n"
        )
        for path in root.rglob("*"):
            os.utime(path, (epoch(), epoch()))
        out = pathlib.Path(dist, f"{COMMAND}_{version()}_{architecture}.deb")
        out.parent.mkdir(parents=True, exist_ok=True)
        build = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", scratch, str(out)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch())})
        print(out)


def archives(dist: str) -> dict[str, pathlib.Path]:
    """The archives in a folder by their target."""
    found = {}
    for target in TARGETS:
        for ending in [".tar.gz", ".zip"]:
            path = pathlib.Path(dist, f"{COMMAND}-{version()}-{target}{ending}")
            if path.exists():
                found[target] = path
    assert found, f"no archives of {version()} in {dist}"
    return found


def program_of(path: pathlib.Path) -> tuple[str, bytes]:
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as packed:
            name = f"{path.name.removesuffix('.zip')}/{COMMAND}.exe"
            return f"{COMMAND}.exe", packed.read(name)
    with tarfile.open(path) as packed:
        file = packed.extractfile(f"{path.name.removesuffix('.tar.gz')}/{COMMAND}")
        assert file
        return COMMAND, file.read()


def npm(dist: str) -> None:
    """One package for each platform, with the program; the main one depends on all, and npm installs the one that fits."""
    common = {
        "version": version(),
        "description": NAMES["description"],
        "license": NAMES["license"],
        "repository": {"type": "git", "url": f"git+{NAMES['repository']}.git"},
    }
    platforms = {}
    for target, path in archives(dist).items():
        system, processor, _ = TARGETS[target]
        name = f"{PACKAGE}-{system}-{processor}"
        platforms[name] = version()
        manifest = {"name": name} | common | {"os": [system], "cpu": [processor], "files": ["bin"], "preferUnplugged": True}
        file, program = program_of(path)
        readme = f"The program of [{PACKAGE}](https://www.npmjs.com/package/{PACKAGE}) for {system} on {processor}.\n"
        pack(dist, manifest, {f"bin/{file}": (program, True), "README.md": (readme.encode(), False)})
    launcher = (ROOT / "packaging/npm/jsonx.js").read_bytes()
    readme = (ROOT / "README.md").read_bytes()
    manifest = {"name": PACKAGE} | common
    manifest |= {"bin": {COMMAND: "bin/jsonx.js"}, "files": ["bin"], "engines": {"node": ">=18"}}
    manifest |= {"keywords": ["json", "jsonc", "json5", "jsonl", "validator", "formatter", "cli"]}
    manifest |= {"optionalDependencies": platforms}
    pack(dist, manifest, {"bin/jsonx.js": (launcher, True), "README.md": (readme, False)})


def pack(dist: str, manifest: dict, files: dict[str, tuple[bytes, bool]]) -> None:
    for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
        files[name] = ((ROOT / name).read_bytes(), False)
    files["package.json"] = (json.dumps(manifest, indent=2).encode() + b"\n", False)
    out = pathlib.Path(dist, f"npm-{manifest['name']}-{version()}.tgz")
    out.write_bytes(tar({f"package/{name}": file for name, file in files.items()}))
    print(out)


def sha256(path: pathlib.Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def formulas(dist: str) -> None:
    found = archives(dist)

    def url(target: str) -> str:
        return f"{NAMES['repository']}/releases/download/v{version()}/{found[target].name}"

    lines = [
        "class Jsonx < Formula",
        f'  desc "{NAMES["description"]}"',
        f'  homepage "{NAMES["repository"]}"',
        f'  version "{version()}"',
        '  license any_of: ["MIT", "Apache-2.0"]',
    ]
    for system, word in [("darwin", "macos"), ("linux", "linux")]:
        targets = [target for target in found if TARGETS[target][0] == system]
        if targets:
            lines += ["", f"  on_{word} do"]
            for target in targets:
                processor = "arm" if TARGETS[target][1] == "arm64" else "intel"
                lines += [f"    on_{processor} do", f'      url "{url(target)}"', f'      sha256 "{sha256(found[target])}"', "    end"]
            lines += ["  end"]
    lines += [
        "",
        "  def install",
        '    bin.install "jsonx"',
        '    man1.install Dir["man/*.1"]',
        '    bash_completion.install "completions/jsonx.bash" => "jsonx"',
        '    zsh_completion.install "completions/_jsonx"',
        '    fish_completion.install "completions/jsonx.fish"',
        '    doc.install Dir["docs/*"]',
        "  end",
        "",
        "  test do",
        '    assert_equal "1", pipe_output("#{bin}/jsonx get .a", \'{"a": 1}\').strip',
        "  end",
        "end",
    ]
    formula = pathlib.Path(dist, "jsonx.rb")
    formula.write_text("\n".join(lines) + "\n")
    print(formula)
    windows = "x86_64-pc-windows-msvc"
    if windows not in found:
        return
    folder = found[windows].name.removesuffix(".zip")
    manifest = {
        "version": version(),
        "description": NAMES["description"],
        "homepage": NAMES["repository"],
        "license": NAMES["license"],
        "architecture": {"64bit": {"url": url(windows), "hash": sha256(found[windows]), "extract_dir": folder}},
        "bin": f"{COMMAND}.exe",
        "checkver": "github",
        "autoupdate": {
            "architecture": {
                "64bit": {
                    "url": url(windows).replace(version(), "$version"),
                    "extract_dir": folder.replace(version(), "$version"),
                }
            },
            "hash": {"url": f"{NAMES['repository']}/releases/download/v$version/SHA256SUMS"},
        },
    }
    path = pathlib.Path(dist, "jsonx.scoop.json")
    path.write_text(json.dumps(manifest, indent=2) + "\n")
    print(path)


def sums(dist: str) -> None:
    files = sorted(path for path in pathlib.Path(dist).iterdir() if path.is_file() and path.name != "SHA256SUMS")
    pathlib.Path(dist, "SHA256SUMS").write_text("".join(f"{sha256(path)}  {path.name}\n" for path in files))


COMMANDS = {"archive": archive, "deb": deb, "npm": npm, "formulas": formulas, "sums": sums, "version": lambda: print(version())}


def main() -> None:
    command = COMMANDS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    try:
        if command is None:
            raise TypeError
        command(*sys.argv[2:])
    except TypeError:
        if command is not None and len(sys.argv) - 2 == command.__code__.co_argcount:
            raise
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
