"""Certificates of a server: verified always, and a sentence for each that is not good."""

import asyncio
import shutil
import ssl
import subprocess

import pytest

from citelsp.base.settings import CorpusServer
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
    """A folder with ca.pem and what it signed, all for one key.pem: good.pem, expired.pem, client.pem for clients."""
    folder = tmp_path_factory.mktemp("certificates")
    (folder / "ca.cnf").write_text(_CA)
    (folder / "index").write_text("")
    (folder / "serial").write_text("01")
    # What Python 3.13 and newer ask of a certificate, by RFC 5280.
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1\nauthorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n"
    (folder / "names").write_text(names)
    (folder / "readers").write_text(f"{names}extendedKeyUsage=clientAuth\n")

    def openssl(*command):
        subprocess.run(["openssl", *command], cwd=folder, check=True, capture_output=True)

    own = ("-addext", "keyUsage=critical,keyCertSign,cRLSign", "-subj", "/CN=own", "-keyout", "ca.key")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", *own, "-out", "ca.pem")
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=node", "-keyout", "key.pem", "-out", "request")
    signed = ("ca", "-batch", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key")
    late, past = "20991231235959Z", "20010101000000Z"
    for name, last, uses in (("good", late, "names"), ("expired", past, "names"), ("client", late, "readers")):
        times = ("-startdate", "20000101000000Z", "-enddate", last)
        openssl(*signed, "-extfile", uses, "-in", "request", "-out", f"{name}.pem", "-notext", *times)
    return folder


async def asked(certificates, name, host="127.0.0.1", scheme="https", **more):
    """The answer of a server with a certificate."""

    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"ok": "x"}')
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


@pytest.mark.parametrize(
    ("name", "more", "why"),
    [
        ("good", {}, "set ca_file"),
        ("expired", {"trusted": True}, "its certificate has expired"),
        ("client", {"trusted": True}, "its certificate is rejected .unsuitable certificate purpose"),
        ("good", {"trusted": True, "host": "localhost.localdomain"}, "is for another host name|no connection"),
        ("good", {"scheme": "http"}, "broken connection|not JSON"),
    ],
)
async def test_other_certificates_are_rejected_with_what_to_do(certificates, name, more, why):
    more = dict(more)
    trusted = {"ca_file": str(certificates / "ca.pem")} if more.pop("trusted", False) else {}
    with pytest.raises(UnavailableError, match=why):
        await asked(certificates, name, **trusted, **more)
