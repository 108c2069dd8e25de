"""A real OpenSearch cluster on this machine: nodes on loopback, from the distribution that OpenSearch tests itself
with.

Nodes end with this process, whatever ends it.  As a script: `python opensearch_cluster.py FOLDER [NODES]` runs a
cluster until it is interrupted, and prints its addresses; `--missing` prints what keeps one from running here.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

VERSION = "3.8.0"
WITH_VECTORS, WITH_USERS = "3.5.0", "2.19.4"  # the newest that Maven has all of: with k-NN, with TLS and users
_DISTRIBUTION = "org.opensearch.distribution.integ-test-zip:opensearch:{version}:zip"
_PLUGIN = "org.opensearch.plugin:{name}:{version}.0:zip"
_SCRIPTS = "org.opensearch.plugin:lang-painless:{version}:jar"
_JARS = ("opensearch/plugin/lang-painless", "opensearch/plugin/opensearch-scripting-painless-spi", "antlr", "ow2/asm")
_PLUGINS = {WITH_VECTORS: "opensearch-knn", WITH_USERS: "opensearch-security"}
_JAVAS = {WITH_USERS: range(11, 24)}  # that a version runs on
_NEWER = range(21, 99)
_NOBODY = 65534
_HEAP = "512m"
_QUICK = "-XX:TieredStopAtLevel=1"  # a node starts with half the processor's time, and searches more slowly for ever
_SECONDS = 900.0  # until a cluster is green, on a busy machine; a node that ends is noticed at once
_BUILD = Path(__file__).parent.parent.parent / "build" / "opensearch"


def missing(version: str = VERSION) -> str:
    """What keeps a cluster from running here; "" if nothing does."""
    if not sys.platform.startswith("linux"):
        return "nodes are started as Linux does"
    if _java(version) is None:
        javas = _JAVAS.get(version, _NEWER)
        packages = "openjdk-17-jdk-headless, openjdk-21-jdk-headless or temurin-25-jdk"
        return f"no JDK of {javas.start} or newer, before {javas.stop} (Debian: {packages})"
    if not _home(version).is_dir() and not shutil.which("mvn"):
        return "no Maven to fetch OpenSearch with (Debian: maven)"
    if not shutil.which("setpriv"):
        return "no setpriv (Debian: util-linux)"
    return ""


def _java(version: str) -> Path | None:
    """The folder of a JDK that this version runs on."""
    named = [Path(it) for it in (os.environ.get("OPENSEARCH_JAVA_HOME"), os.environ.get("JAVA_HOME")) if it]
    for folder in (*named, *sorted(Path("/usr/lib/jvm").glob("*"))):
        release = folder / "release"
        found = re.search(r'JAVA_VERSION="(\d+)', release.read_text(encoding="utf-8")) if release.is_file() else None
        if found and int(found[1]) in _JAVAS.get(version, _NEWER):
            return folder
    return None


def _home(version: str) -> Path:
    return Path(os.environ.get("CITELSP_OPENSEARCH") or _BUILD) / f"opensearch-{version}"


def fetch(version: str = VERSION) -> Path:
    """The distribution of a version, with its plugin if it has one, downloaded once."""
    home = _home(version)
    if not home.is_dir():
        shutil.unpack_archive(_downloaded(_DISTRIBUTION.format(version=version), home.parent / "m2"), home.parent)
        (home / "bin" / "opensearch").chmod(0o755)
    name = _PLUGINS.get(version, "")
    if name and not (plugin := home / "plugins" / name).is_dir():
        shutil.unpack_archive(_downloaded(_PLUGIN.format(name=name, version=version), home.parent / "m2"), plugin)
    if not (module := home / "modules" / _SCRIPTS.split(":")[1]).is_dir():
        _assemble(module, version, home.parent / "m2")
    return home


def _assemble(module: Path, version: str, repository: Path) -> None:
    """Put together a module that older distributions in Maven lack, as newer ones have it."""
    _downloaded(_SCRIPTS.format(version=version), repository, transitive=True)
    jars = [it for folder in _JARS for it in repository.glob(f"org/{folder}/**/*.jar")]
    scratch = module.with_suffix(".new")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    for jar in jars:
        shutil.copy(jar, scratch)
    (scratch / "plugin-descriptor.properties").write_text(
        f"description=scripts\nversion={version}\nname={module.name}\njava.version=11\nopensearch.version={version}\n"
        "classname=org.opensearch.painless.PainlessPlugin\nextended.plugins=\nhas.native.controller=false\n",
        encoding="utf-8",
    )
    grants = (f'permission java.lang.RuntimePermission "{it}";' for it in ("createClassLoader", "getClassLoader"))
    (scratch / "plugin-security.policy").write_text(f"grant {{ {' '.join(grants)} }};\n", encoding="utf-8")
    scratch.rename(module)


def _downloaded(named: str, repository: Path, *, transitive: bool = False) -> Path:
    command = ["mvn", "-q", "-B", f"-Dmaven.repo.local={repository}", "dependency:get"]
    more = [f"-Dtransitive={str(transitive).lower()}", f"-Dartifact={named}"]
    subprocess.run([*command, *more], check=True, timeout=300)
    _, name, its_version, kind = named.split(":")
    (archive,) = repository.rglob(f"{name}-{its_version}.{kind}")
    return archive


class Cluster:
    """Nodes by number from 0; each has its own address."""

    def __init__(
        self, folder: Path, nodes: int, port: int, more: str = "", java: str = _QUICK, version: str = VERSION
    ) -> None:
        """`more`: lines for every node's settings; `java`: options of the virtual machine."""
        self._folder, self._port, self._more, self._java = folder, port, more, java
        self._home, self._count, self._version = fetch(version), nodes, version
        self._running: dict[int, subprocess.Popen[bytes]] = {}

    @property
    def addresses(self) -> list[str]:
        return [f"http://127.0.0.1:{self._port + it}" for it in range(self._count)]

    def start(self, node: int) -> None:
        at = self._folder / f"node{node}"
        if not at.exists():
            self._configure(at, node)
        away = ["--reuid", str(_NOBODY), "--regid", str(_NOBODY), "--clear-groups"] if os.geteuid() == 0 else []
        environment = {
            **os.environ, "OPENSEARCH_JAVA_HOME": str(_java(self._version)), "OPENSEARCH_PATH_CONF": str(at / "config"),
            "OPENSEARCH_TMPDIR": str(at / "tmp"), "HOME": str(at / "tmp"),
            "OPENSEARCH_JAVA_OPTS": self._java,
        }  # fmt: skip
        with (at / "output").open("ab") as output:
            self._running[node] = subprocess.Popen(
                ["setpriv", *away, "--pdeathsig", "KILL", self._home / "bin" / "opensearch"],
                env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=at / "tmp",
                start_new_session=True,  # an interrupt at the keyboard is for this process, which ends nodes itself
            )  # fmt: skip

    def _configure(self, at: Path, node: int) -> None:
        seeds = [f"127.0.0.1:{self._port + 100 + it}" for it in range(self._count)]
        names = [f"node{it}" for it in range(self._count)]
        for name in ("data", "logs", "tmp"):
            (at / name).mkdir(parents=True)
        shutil.copytree(self._home / "config", at / "config")
        (at / "config" / "opensearch.yml").write_text(
            "cluster.name: citelsp-test\n"
            f"node.name: node{node}\n"
            "network.host: 127.0.0.1\n"
            f"http.port: {self._port + node}\n"
            f"transport.port: {self._port + 100 + node}\n"
            f"discovery.seed_hosts: {json.dumps(seeds)}\n"
            f"cluster.initial_cluster_manager_nodes: {json.dumps(names)}\n"
            f"path.data: {at / 'data'}\n"
            f"path.logs: {at / 'logs'}\n"
            "action.auto_create_index: false\n"
            "cluster.routing.allocation.disk.threshold_enabled: false\n" + self._more,
            encoding="utf-8",
        )
        flags = at / "config" / "jvm.options"  # which log into the distribution's folder
        lines = [it for it in flags.read_text(encoding="utf-8").splitlines() if "gc.log" not in it]
        flags.write_text("\n".join(lines), encoding="utf-8")
        options = at / "config" / "jvm.options.d"
        options.mkdir(exist_ok=True)
        (options / "heap.options").write_text(f"-Xms{_HEAP}\n-Xmx{_HEAP}\n", encoding="utf-8")
        self._settle(at / "config")
        if os.geteuid() == 0:
            for path in (at, *at.rglob("*")):
                os.chown(path, _NOBODY, _NOBODY)

    def _settle(self, config: Path) -> None:
        """Add to a node's configuration."""

    def kill(self, node: int) -> None:
        """As a power cut does."""
        self._running[node].kill()
        self._running.pop(node).wait()

    def stop(self, node: int) -> None:
        """As an administrator does; by force after a while."""
        process = self._running.pop(node)
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def wait(self, status: str = "green") -> None:
        """Until every node that runs says itself that all are there and the cluster has this status."""
        until = time.monotonic() + _SECONDS
        with self._client() as client:
            for node in self._running:
                while not self._agrees(client, node, status):
                    if time.monotonic() > until:
                        raise TimeoutError(f"the cluster is not {status}; see {self._folder}")
                    time.sleep(0.5)

    def _client(self) -> httpx.Client:
        return httpx.Client(timeout=10, verify=False)  # noqa: S501 - plain HTTP

    def _agrees(self, client: httpx.Client, node: int, status: str) -> bool:
        if self._running[node].poll() is not None:
            raise RuntimeError(f"node {node} ended: see {self._folder}/node{node}/output")
        query = {"wait_for_status": status, "wait_for_nodes": len(self._running), "timeout": "5s"}
        try:
            answer = client.get(f"{self.addresses[node]}/_cluster/health", params=query)
        except httpx.TransportError:
            return False
        return answer.status_code == 200 and not answer.json()["timed_out"]

    def cpu(self) -> float:
        """Seconds of the processor that all nodes that run have used."""
        fields = [Path(f"/proc/{it.pid}/stat").read_text().rpartition(")")[2].split() for it in self._running.values()]
        return sum(int(it[11]) + int(it[12]) for it in fields) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        for process in self._running.values():
            process.kill()
        for process in self._running.values():
            process.wait()
        self._running.clear()


@contextmanager
def running(
    folder: Path, nodes: int = 3, port: int = 19200, more: str = "", java: str = _QUICK, version: str = VERSION
) -> Iterator[Cluster]:
    """A green cluster; `folder` holds its data, and must be open to other users if root runs this."""
    cluster = Cluster(folder, nodes, port, more, java, version)
    try:
        for node in range(nodes):
            cluster.start(node)
        cluster.wait()
        yield cluster
    finally:
        cluster.close()


def main() -> None:
    if sys.argv[1] == "--missing":
        print(missing())  # noqa: T201
        return
    with running(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3, java="") as cluster:
        print("\n".join(cluster.addresses), flush=True)  # noqa: T201
        while True:
            time.sleep(3600)


if __name__ == "__main__":
    main()
