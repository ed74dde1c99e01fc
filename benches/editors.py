#!/usr/bin/env python3
"""Times the language server while a client types.

    benches/editors.py target/dist/jsonx FILE.json [ROUNDS]

opens the file, and then types and deletes a blank in its middle. Prints the milliseconds from sending a message to
the findings of that version, and the memory of the server.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


class Server:
    def __init__(self, program: str, folder: str):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder)
        self.send("initialize", {"rootUri": pathlib.Path(folder).as_uri(), "capabilities": {}}, id=1)
        self.receive(lambda message: message.get("id") == 1)
        self.send("initialized", {})

    def send(self, method: str, params: dict, **more: int) -> None:
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}, ensure_ascii=False).encode()
        self.write(text)

    def write(self, text: bytes) -> None:
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def receive(self, is_wanted) -> dict:
        while True:
            length = 0
            while header := self.process.stdout.readline().strip():
                name, value = header.split(b":")
                length = int(value) if name == b"Content-Length" else length
            message = json.loads(self.process.stdout.read(length))
            if is_wanted(message):
                return message

    def findings(self, version: int) -> list:
        def is_wanted(message: dict) -> bool:
            is_pushed = message.get("method") == "textDocument/publishDiagnostics"
            return is_pushed and message["params"]["version"] == version

        return self.receive(is_wanted)["params"]["diagnostics"]

    def memory(self) -> str:
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        kilobytes = {line.split(":")[0]: line.split()[1] for line in status.splitlines() if line.startswith("Vm")}
        return f"{int(kilobytes['VmRSS']) / 1e3:.0f} MB, at most {int(kilobytes['VmHWM']) / 1e3:.0f}"


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, path = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    text = path.read_text()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        document = {"uri": pathlib.Path(folder, path.name).as_uri(), "languageId": path.suffix[1:], "version": 0, "text": text}
        message = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}
        encoded = json.dumps(message, ensure_ascii=False).encode()
        start = time.perf_counter()
        server.write(encoded)
        found = server.findings(0)
        first = time.perf_counter() - start
        print(f"{len(text.encode()) / 1e6:.1f} MB, first findings ({len(found)}): {first * 1e3:.1f} ms; {server.memory()}")
        line = text.count("\n") // 2
        times = []
        for version in range(1, rounds + 1):
            is_typed = version % 2 == 1
            span = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 0 if is_typed else 1}}
            change = {"range": span, "text": " " if is_typed else ""}
            document = {"uri": document["uri"], "version": version}
            start = time.perf_counter()
            server.send("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
            assert len(server.findings(version)) == len(found)
            times.append(time.perf_counter() - start)
        worst, median = max(times) * 1e3, statistics.median(times) * 1e3
        print(f"a keystroke: median {median:.1f} ms, at most {worst:.1f}; {server.memory()}")
        server.process.kill()


if __name__ == "__main__":
    main()
