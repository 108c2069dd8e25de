"""Certificates of a server: verified always, and a sentence for each that is not good."""

import asyncio
import base64
import shutil
import ssl
import subprocess

import pytest

from citelsp.base.settings import CorpusServer
from citelsp.sources.circuit import Circuit
from citelsp.sources.search_server import SearchServer, UnavailableError

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="certificates are made with openssl")
_CA = """
[ca]
default_ca = own
[own]
dir = .
database = index
new_certs_dir = .
serial = serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
"""


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A folder with ca.pem and what it signed, and own.pem, which signed itself, all for one key.pem."""
    folder = tmp_path_factory.mktemp("certificates")
    (folder / "ca.cnf").write_text(_CA)
    (folder / "index").write_text("")
    (folder / "serial").write_text("01")
    # What Python 3.13 and newer ask of a certificate, by RFC 5280.
    keys = "authorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n"
    here = f"subjectAltName=DNS:localhost,IP:127.0.0.1\n{keys}"
    (folder / "here").write_text(here)
    (folder / "readers").write_text(f"{here}extendedKeyUsage=clientAuth\n")
    (folder / "elsewhere").write_text(f"subjectAltName=DNS:corpus.example,IP:192.0.2.1\n{keys}")

    def openssl(*command):
        subprocess.run(["openssl", *command], cwd=folder, check=True, capture_output=True)

    own = ("-addext", "keyUsage=critical,keyCertSign,cRLSign", "-subj", "/CN=own", "-keyout", "ca.key")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", *own, "-out", "ca.pem")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=node", "-keyout", "key.pem", "-out", "request")
    signed = ("ca", "-batch", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key", "-notext")
    early, past, late = "20000101000000Z", "20010101000000Z", "20991231235959Z"
    for name, uses, first, last in (
        ("good", "here", early, late),
        ("expired", "here", early, past),
        ("early", "here", "20980101000000Z", late),
        ("client", "readers", early, late),
        ("another", "elsewhere", early, late),
    ):
        times = ("-startdate", first, "-enddate", last)
        openssl(*signed, "-extfile", uses, "-in", "request", "-out", f"{name}.pem", *times)
    named = ("-subj", "/CN=node", "-addext", "subjectAltName=IP:127.0.0.1")
    openssl("req", "-x509", "-key", "key.pem", *named, "-out", "own.pem")
    return folder


async def asked(certificates, name, host="127.0.0.1", scheme="https", **more):
    """The answer of a server with a certificate, where the user `author` has the password `right`."""

    async def answer(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        knows = more.get("user") is None or base64.b64encode(b"author:right") in head
        status = b"200 OK" if knows else b"401 Unauthorized"
        writer.write(b"HTTP/1.1 " + status + b'\r\nContent-Length: 11\r\n\r\n{"ok": "x"}')
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / f"{name}.pem", certificates / "key.pem")
    async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context) as served:
        port = served.sockets[0].getsockname()[1]
        server = SearchServer(CorpusServer(f"{scheme}://{host}:{port}", **more))
        try:
            return await server.root("/", seconds=10)
        finally:
            await server.aclose()


async def test_a_certificate_of_ones_own_authority_is_trusted_if_it_is_named(certificates):
    assert await asked(certificates, "good", ca_file=str(certificates / "ca.pem")) == {"ok": "x"}


async def test_a_certificate_that_signed_itself_is_trusted_if_it_is_named(certificates):
    assert await asked(certificates, "own", ca_file=str(certificates / "own.pem")) == {"ok": "x"}


async def test_the_right_password_is_accepted(certificates):
    trusted = str(certificates / "ca.pem")
    assert await asked(certificates, "good", ca_file=trusted, user="author", key="right") == {"ok": "x"}


@pytest.mark.parametrize(
    ("name", "more", "why"),
    [
        ("good", {}, "set ca_file"),
        ("own", {}, "set ca_file"),
        ("own", {"trusted": True}, "set ca_file"),
        ("expired", {"trusted": True}, "its certificate has expired: renew it on the server"),
        ("early", {"trusted": True}, "its certificate is not valid yet: check both clocks"),
        ("client", {"trusted": True}, "its certificate is rejected .unsuitable certificate purpose"),
        ("another", {"trusted": True}, "its certificate is for another address: use the name"),
        ("another", {"trusted": True, "host": "localhost"}, "its certificate is for another host name: use the name"),
        ("good", {"trusted": True, "user": "author", "key": "wrong"}, "rejects the user or the password: check user"),
        ("good", {"scheme": "http"}, "broken connection"),
    ],
)
async def test_other_certificates_are_rejected_with_what_to_do(certificates, name, more, why):
    more = dict(more)
    trusted = {"ca_file": str(certificates / "ca.pem")} if more.pop("trusted", False) else {}
    with pytest.raises(UnavailableError, match=why):
        await asked(certificates, name, **trusted, **more)


def test_requests_that_break_together_are_one_silence():
    now = iter([1.0, 3.0, 3.0, 4.0, 5.0])
    circuit = Circuit(clock=lambda: next(now))
    circuit.silent("broken", 0.0)
    circuit.silent("broken", 0.5)  # it was out when the first one broke
    assert not circuit.rest() > 0
    circuit.silent("broken", 2.0)
    assert circuit.rest() > 0
