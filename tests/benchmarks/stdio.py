"""A language client over stdio that measures: the CPU time and memory of the server, the bytes of its answers."""

import json
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

_PATIENCE = 300  # seconds
_ITEM = {"snippetSupport": True, "labelDetailsSupport": True, "resolveSupport": {"properties": ["documentation"]}}
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": True, "applyEdit": True, "workspaceFolders": True},
    "textDocument": {"completion": {"completionItem": _ITEM}, "diagnostic": {}, "publishDiagnostics": {}},
}


class Server:
    """A started server; `with` ends it."""

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._answers: queue.Queue[tuple[dict[str, Any], int]] = queue.Queue()
        self._last = 0
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self._process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()

    def request(self, method: str, params: object) -> tuple[Any, int]:
        """The result and the size of its message in bytes; RuntimeError where the server answers with an error."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while True:
            try:
                message, size = self._answers.get(timeout=_PATIENCE)
            except queue.Empty:
                raise RuntimeError(f"no answer to {method} in {_PATIENCE} s") from None
            if "error" in message:
                raise RuntimeError(f"{method}: {message['error'].get('message')}")
            if message["id"] == self._last:
                return message.get("result"), size

    def together(self, method: str, questions: Sequence[object], at_once: int) -> list[tuple[float, str]]:
        """Ask them all, so many at once; for each the seconds to its answer and the error, "" where there is none."""
        asked: dict[int, tuple[int, float]] = {}
        answered: dict[int, tuple[float, str]] = {}
        while len(answered) < len(questions):
            while len(asked) < at_once and len(asked) + len(answered) < len(questions):
                self._last += 1
                asked[self._last] = len(asked) + len(answered), time.monotonic()
                self._send({"id": self._last, "method": method, "params": questions[len(asked) + len(answered) - 1]})
            message, _ = self._answers.get(timeout=_PATIENCE)
            number, began = asked.pop(message["id"])
            answered[number] = time.monotonic() - began, str(message.get("error", {}).get("message", ""))
        return [answered[it] for it in range(len(questions))]

    def notify(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def cpu(self) -> float:
        """Milliseconds of CPU that the server and its children have used."""
        return sum(_run_time(task) for pid in self._family() for task in Path(f"/proc/{pid}/task").iterdir()) / 1e6

    def memory(self) -> float:
        """Resident megabytes now."""
        lines = (line for pid in self._family() for line in Path(f"/proc/{pid}/status").read_text().splitlines())
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def _family(self) -> Iterator[int]:
        waiting = [self._process.pid]
        while waiting:
            pid = waiting.pop()
            yield pid
            for task in Path(f"/proc/{pid}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream
        while header := stream.readline():
            size = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else 0
            while header.strip():
                header = stream.readline()
                size = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else size
            message = json.loads(stream.read(size))
            if "method" in message and "id" in message:
                self._oblige(message)
            elif "id" in message:
                self._answers.put((message, size))
        self._answers.put(({"id": 0, "error": {"message": "the server ended"}}, 0))

    def _oblige(self, message: dict[str, Any]) -> None:
        """Answer what the server asks: no settings, and everything else is done."""
        result = None
        if message["method"] == "workspace/configuration":
            result = [None] * len(message["params"]["items"])
        elif message["method"] == "workspace/applyEdit":
            result = {"applied": True}
        self._send({"id": message["id"], "result": result})


def _run_time(task: Path) -> int:
    try:
        return int((task / "schedstat").read_text().split()[0])
    except FileNotFoundError:  # a thread that ended meanwhile
        return 0
