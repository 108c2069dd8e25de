"""What a release is made by: the workflow runs scripts that are there, and signs what they leave."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
pytestmark = pytest.mark.skipif(not WORKFLOW.exists(), reason="not a checkout")


def steps(job):
    return yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))["jobs"][job]["steps"]


def test_scripts_are_there_and_can_be_run():
    named = set(re.findall(r"\.ci/\w+", WORKFLOW.read_text(encoding="utf-8")))
    assert named == {".ci/run", ".ci/audit", ".ci/build"}
    assert all((ROOT / it).stat().st_mode & 0o100 for it in named)


def test_everything_is_checked_audited_and_signed_before_it_is_published():
    done = [it.get("run") or it["uses"] for it in steps("build")]
    order = ["audit", "build out", "SHA256SUMS", "attest-build-provenance", "attest-sbom", "release create"]
    places = [next(at for at, it in enumerate(done) if name in it) for name in order]
    assert places == sorted(places)
    assert any(".ci/run" in it.get("run", "") for it in steps("check"))


def test_each_target_of_the_extension_has_wheels():
    targets = re.search(r"for it in ([^;]+); do \.ci/build", WORKFLOW.read_text(encoding="utf-8"))[1].split()
    wheels = (ROOT / "editors" / "vscode" / "scripts" / "wheels.py").read_text(encoding="utf-8")
    assert set(targets) == set(re.findall(r'^    "([\w-]+)": \[', wheels, re.MULTILINE))


def test_what_the_audit_passes_over_is_told():
    passed = re.findall(r"--ignore-vuln (\S+)", (ROOT / ".ci" / "audit").read_text(encoding="utf-8"))
    assert passed == re.findall(r"CVE-[-\d]+\d", (ROOT / "SECURITY.md").read_text(encoding="utf-8"))
