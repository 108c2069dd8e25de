"""An HTTP relay that passes requests on to another server, and withholds one answer for ever.

Whoever asks through it is certainly still waiting for that answer, so a test may end it there without a race.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

_SECONDS = 60


class Relay(ThreadingHTTPServer):
    """Withholds the answer to the `number`-th request whose path ends with `ending`; that server has answered it."""

    daemon_threads = True

    def __init__(self, beyond: str, ending: str, number: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.beyond, self.ending, self.left = beyond, ending, number
        self.withheld, self.closed = threading.Event(), threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _relay(self) -> None:
        server = self.server
        assert isinstance(server, Relay)
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {it: self.headers[it] for it in ("Content-Type", "Accept") if it in self.headers}
        url = server.beyond + self.path
        answer = httpx.request(self.command, url, content=content, headers=headers, timeout=_SECONDS)
        if self.path.partition("?")[0].endswith(server.ending):
            server.left -= 1
            if not server.left:
                server.withheld.set()
                server.closed.wait()
                return
        self.send_response(answer.status_code)
        self.send_header("Content-Type", answer.headers.get("Content-Type", "application/json"))
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _relay  # noqa: N815

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def relaying(beyond: str, ending: str, number: int) -> Iterator[Relay]:
    with Relay(beyond, ending, number) as relay:
        threading.Thread(target=relay.serve_forever, daemon=True).start()
        try:
            yield relay
        finally:
            relay.closed.set()
            relay.shutdown()
