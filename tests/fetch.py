#!/usr/bin/env python3
"""Fetches the public data that tests and benchmarks read, each at a fixed commit, and checks every byte.

    tests/fetch.py suites FOLDER      conformance suites, for JSONX_SUITES
    tests/fetch.py corpora FOLDER     benchmark files, for JSONX_CORPORA

What is fetched, from where, and under which license is in fetch.json. Nothing is written unless the files are as they were when
their checksum was recorded. With JSONX_MIRROR, archives come from that URL instead of GitHub's.
"""

import hashlib
import io
import json
import os
import sys
import tarfile
import urllib.error
import urllib.request
from pathlib import Path, PurePosixPath


def files(archive, source):
    """The wanted files of an archive: path within the suite, and bytes."""
    found = {}
    folder = PurePosixPath(source.get("folder", ""))
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            # The first part is the name of the repository.
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if not member.isfile() or not path.is_relative_to(folder):
                continue
            path = path.relative_to(folder)
            if ".." in path.parts:
                raise ValueError(f"{member.name} leads out of its folder")
            if any(path == wanted or wanted in path.parents for wanted in map(PurePosixPath, source["files"])):
                found[str(path)] = tar.extractfile(member).read()
    return found


def checksum(found):
    """SHA-256 of the paths and checksums of files, in order."""
    whole = hashlib.sha256()
    for path in sorted(found):
        whole.update(f"{hashlib.sha256(found[path]).hexdigest()}  {path}\n".encode())
    return whole.hexdigest()


def fetch(source):
    """The bytes of an archive of a repository."""
    mirror = os.environ.get("JSONX_MIRROR", "https://codeload.github.com")
    url = f"{mirror}/{source['repository']}/tar.gz/{source['commit']}"
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.read()
    except (urllib.error.URLError, TimeoutError) as error:
        sys.exit(f"error: {url}: {error}")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("suites", "corpora"):
        sys.exit(__doc__)
    target = Path(sys.argv[2])
    sources = json.loads((Path(__file__).parent / "fetch.json").read_text())[sys.argv[1]]
    for source in sources:
        found = files(fetch(source), source)
        if checksum(found) != source["sha256"]:
            sys.exit(f"error: {source['repository']}: {len(found)} files with the checksum {checksum(found)}, not {source['sha256']}")
        for path, data in found.items():
            path = target / source["name"] / path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        print(f"{target / source['name']}: {len(found)} files, {source['license']}, {source['repository']} at {source['commit'][:8]}")


if __name__ == "__main__":
    main()
