"""A real OpenSearch node with TLS and users, as the page `institute` has them set up.

Its certificate is signed by an authority of its own; every user's password is PASSWORD.
"""

import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

import opensearch_cluster
from opensearch_cluster import Cluster

PASSWORD = "admin"  # noqa: S105 - of a node on loopback that lives for a minute
_HASH = "$2a$12$VcCDgh2NDk07JGN0rjGbM.Ad41qVR/YFJcgHp0UGns5JDymv..TOG"  # bcrypt's, of it
_TLS = "\n".join(
    f"plugins.security.ssl.{layer}.{name}"
    for layer in ("transport", "http")
    for name in ("pemcert_filepath: node.pem", "pemkey_filepath: node-key.pem", "pemtrustedcas_filepath: ca.pem")
)
_SETTINGS = f"""{_TLS}
plugins.security.ssl.transport.enforce_hostname_verification: false
plugins.security.ssl.http.enabled: true
plugins.security.allow_default_init_securityindex: true
plugins.security.nodes_dn: ["CN=node"]
"""
_META = '_meta: {{type: "{kind}", config_version: 2}}\n'
_CONFIG = """config:
  dynamic:
    authc:
      basic:
        http_enabled: true
        order: 0
        http_authenticator: {type: basic, challenge: true}
        authentication_backend: {type: intern}
"""


class GuardedNode(Cluster):
    """One node; `roles` of its users, as OpenSearch writes them, and `folder` with ca.pem afterwards."""

    def __init__(self, folder: Path, port: int, roles: str) -> None:
        super().__init__(folder / "nodes", 1, port, _SETTINGS, version=opensearch_cluster.WITH_USERS)
        self.ca, self._certificates, self._roles = folder / "ca.pem", folder, roles

    @property
    def addresses(self) -> list[str]:
        return [it.replace("http:", "https:") for it in super().addresses]

    def _client(self) -> httpx.Client:
        return httpx.Client(timeout=10, verify=ssl.create_default_context(cafile=self.ca), auth=("admin", PASSWORD))

    def _settle(self, config: Path) -> None:
        _certify(self._certificates)
        for name in ("ca.pem", "node.pem", "node-key.pem"):
            (config / name).write_bytes((self._certificates / name).read_bytes())
        users = [it.partition(":")[0] for it in self._roles.splitlines() if it and it[0] not in " #"]
        named = {name: f"{{hash: '{_HASH}', opendistro_security_roles: [{name}]}}" for name in users}
        named["admin"] = f"{{hash: '{_HASH}', opendistro_security_roles: [all_access]}}"
        files = {
            "config": _CONFIG, "roles": self._roles, "rolesmapping": "", "actiongroups": "", "tenants": "",
            "internalusers": "".join(f"{name}: {it}\n" for name, it in named.items()), "nodesdn": "",
        }  # fmt: skip
        folder = config / "opensearch-security"
        folder.mkdir()
        names = {"rolesmapping": "roles_mapping", "actiongroups": "action_groups", "internalusers": "internal_users"}
        for kind, text in files.items():
            name = {**names, "nodesdn": "nodes_dn"}.get(kind, kind)
            (folder / f"{name}.yml").write_text(_META.format(kind=kind) + text, encoding="utf-8")


def _certify(folder: Path) -> None:
    """Make ca.pem, and node.pem and node-key.pem that it signed."""

    def openssl(*command: str) -> None:
        subprocess.run(["openssl", *command], cwd=folder, check=True, capture_output=True)

    keys = "authorityKeyIdentifier=keyid\nsubjectKeyIdentifier=hash\n"
    named = f"{keys}subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n"
    (folder / "extensions").write_text(named, encoding="utf-8")
    uses = ("-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=own", *uses,
            "-keyout", "ca.key", "-out", "ca.pem")  # fmt: skip
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=node", "-keyout", "node-key.pem", "-out", "request")
    openssl("x509", "-req", "-in", "request", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
            "-extfile", "extensions", "-days", "30", "-out", "node.pem")  # fmt: skip


@contextmanager
def guarded(folder: Path, port: int, roles: str) -> Iterator[GuardedNode]:
    node = GuardedNode(folder, port, roles)
    try:
        node.start(0)
        node.wait()
        yield node
    finally:
        node.close()
