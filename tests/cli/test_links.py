"""citelsp check --links, with a proxy of our own in the place of the world."""

import json
from http.server import BaseHTTPRequestHandler

import pytest

from citelsp.base import bounds
from citelsp.cli import main
from citelsp.sources import dead_links
from loopback import listening

HOST = "http://93.184.216.34"
REFS = f"""@misc{{gone, title = {{One}}, url = {{{HOST}/gone\\_page}}}}
@misc{{there, title = {{Two}}, url = {{{HOST}/there}}}}
@misc{{closed, title = {{Three}}, howpublished = {{\\url{{http://93.184.216.35/closed}}}}}}
@misc{{inside, title = {{Four}}, url = {{http://127.0.0.1:9/gone}}}}
"""
STAMP = "20200310120000"


@pytest.fixture
def asked():
    return []


@pytest.fixture
def check(tmp_path, monkeypatch, capsys, asked):
    """check(*options) → exit status, what it printed, what it warned of."""
    copy = {"closest": {"available": True, "status": "200", "timestamp": STAMP}}

    class World(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append((self.command, self.path))
            is_archive = self.path.startswith("/wayback")
            there = 403 if "closed" in self.path else 404 if "gone" in self.path else 200
            self.send_response(200 if is_archive else there)
            self.send_header("content-type", "application/json")
            self.end_headers()
            if is_archive:
                self.wfile.write(json.dumps({"archived_snapshots": copy}).encode())

        do_HEAD = do_GET  # noqa: N815  the name that the server looks for

        def log_message(self, *_):
            pass

    monkeypatch.setattr(dead_links, "_APART", 0.0)
    monkeypatch.setenv("CITELSP_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("CITELSP_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    with listening(World) as url:
        (tmp_path / "config.toml").write_text(
            f'proxy = "{url}"\n[online]\nverify = "off"\n[services.wayback]\nbase_url = "{url}"\n', encoding="utf-8"
        )

        def run(*options):
            capsys.readouterr()
            status = main(["check", "refs.bib", "--config", "config.toml", *options])
            return status, *capsys.readouterr()

        yield run


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "html", "md"])
def test_a_dead_link_is_reported_when_asked_for(check, form):
    status, told, warned = check("--links", "--format", form)
    assert status == 1 and told.count("its server answers 404") >= 1
    assert "3 links asked: 1 dead; 1 without a clear answer and therefore not reported" in warned


def test_each_page_is_asked_once_and_only_where_it_is_public(check, asked):
    check("--links")
    assert sorted(it for it in asked if not it[1].startswith("/wayback")) == [
        ("GET", "http://93.184.216.34/gone_page"),
        ("GET", "http://93.184.216.35/closed"),
        ("HEAD", "http://93.184.216.34/gone_page"),
        ("HEAD", "http://93.184.216.34/there"),
        ("HEAD", "http://93.184.216.35/closed"),
    ]
    assert [it for it in asked if it[1].startswith("/wayback")] == [
        ("GET", "/wayback/available?url=http%3A%2F%2F93.184.216.34%2Fgone_page")
    ]


def test_nobody_is_asked_unasked(check, asked):
    status, told, _ = check()
    assert not asked and "dead" not in told and status == 0


def test_the_copy_is_linked_as_a_fix_to_review(check, tmp_path, asked):
    check("--links", "--fix", "safe")
    assert (tmp_path / "refs.bib").read_text(encoding="utf-8") == REFS
    asked.clear()
    status, _, warned = check("--links", "--fix", "review")
    after = REFS.replace(f"{HOST}/gone", f"https://web.archive.org/web/{STAMP}/{HOST}/gone")
    assert (tmp_path / "refs.bib").read_text(encoding="utf-8") == after
    assert status == 0 and "1 fix applied" in warned and len(asked) == 6
    assert check("--links")[0] == 0


def test_a_finding_that_is_switched_off_is_not_asked_for(check, asked, tmp_path):
    (tmp_path / ".citelsp.toml").write_text('[checks.severity]\ndead-link = "off"\n', encoding="utf-8")
    assert "0 links asked" in check("--links")[2] and not asked


def test_a_run_asks_only_so_many(check, asked, monkeypatch):
    monkeypatch.setattr(bounds, "LINKS", 1)
    assert "1 link asked: 1 dead; 2 left, because a run asks at most 1" in check("--links")[2]
    assert len({path for _, path in asked if "wayback" not in path}) == 1


@pytest.mark.parametrize("options", [("--offline",), ("--only", "identity"), ("--each",)])
def test_what_does_not_go_together_is_said(check, asked, options):
    status, _, warned = check("--links", *options)
    assert status == 3 and "--links" in warned and not asked


def test_offline_by_settings_is_said(check, asked, tmp_path):
    config = tmp_path / "config.toml"
    config.write_text("offline = true\n" + config.read_text(encoding="utf-8"), encoding="utf-8")
    status, _, warned = check("--links")
    assert status == 2 and "switch off offline" in warned and not asked
