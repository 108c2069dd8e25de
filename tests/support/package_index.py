"""A package index on this machine, with what this environment has installed; remembers which names it was asked for."""

import base64
import hashlib
import html
import re
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement


class Index(ThreadingHTTPServer):
    """Serves wheels from a folder as PEP 503 has it."""

    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.asked = folder, set()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/simple/"
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        kind, name = self.path.strip("/").split("/", 1)
        wheels = {it.name: it for it in self.server.folder.iterdir()}
        if kind == "files" and name in wheels:
            return self.say("application/octet-stream", wheels[name].read_bytes())
        if kind == "files" and (wheel := wheels.get(name.removesuffix(".metadata"))):
            return self.say("text/plain", metadata(wheel))
        self.server.asked.add(name)
        links = [html.escape(it) for it in wheels if normal(it.split("-")[0]) == name]
        if not links:
            return self.send_error(404)
        page = "".join(f'<a href="/files/{it}" data-core-metadata="true">{it}</a>' for it in links)
        return self.say("text/html", f"<!DOCTYPE html><html><body>{page}</body></html>".encode())

    def say(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing: tests read what was asked."""


def metadata(wheel):
    with zipfile.ZipFile(wheel) as opened:
        return opened.read(next(it for it in opened.namelist() if it.endswith(".dist-info/METADATA")))


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def needed_by(name, found=None):
    """What a distribution needs here, directly or through others, without itself."""
    found = {} if found is None else found
    for written in distribution(name).requires or ():
        needed = Requirement(written)
        if normal(needed.name) in found or (needed.marker and not wanted(needed.marker)):
            continue
        try:
            found[normal(needed.name)] = distribution(needed.name)
        except PackageNotFoundError:
            continue
        needed_by(needed.name, found)
    return found.values()


def wanted(marker):
    """Those of the server and of what it needs too: what is installed does no harm."""
    return any(marker.evaluate({"extra": it}) for it in ("", "http2", "model"))


def pack(installed, folder):
    """An installed distribution as the wheel that it came from, without its programs."""
    tags = re.findall(r"^Tag: (\S+)$", installed.read_text("WHEEL"), re.MULTILINE)
    kinds = [sorted({tag.split("-")[part] for tag in tags}) for part in range(3)]
    stem = f"{installed.name.replace('-', '_')}-{installed.version}"
    path = folder / f"{stem}-{'-'.join('.'.join(it) for it in kinds)}.whl"
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as wheel:
        for file in installed.files:
            here = Path(str(file.locate()))
            if (
                ".." in file.parts
                or not here.is_file()
                or file.suffix == ".pyc"
                or file.name in ("RECORD", "INSTALLER")
            ):
                continue
            data = here.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            name = (
                file.as_posix().replace(f"{file.parts[0]}/", f"{stem}.dist-info/", 1)
                if file.parts[0].endswith(".dist-info")
                else file.as_posix()
            )
            wheel.writestr(name, data)
            rows.append(f"{name},sha256={digest},{len(data)}")
        wheel.writestr(f"{stem}.dist-info/RECORD", "\n".join([*rows, f"{stem}.dist-info/RECORD,,", ""]))
