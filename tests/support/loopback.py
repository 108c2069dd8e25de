"""A service on this machine for as long as a test asks it."""

import threading
from contextlib import contextmanager
from http.server import ThreadingHTTPServer


@contextmanager
def listening(handler):
    """The address of a server whose requests are answered by a class of handlers."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
