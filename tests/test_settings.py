from dataclasses import fields, is_dataclass

import pytest

from citelsp.base import read_settings, settings, settings_page
from citelsp.base.read_settings import Layer, merge, read, read_file
from citelsp.base.settings import Service, Settings

PARTS = [it for it in vars(settings).values() if is_dataclass(it)]


def test_every_part_is_read():
    found, problems = read(
        {
            "email": "me@example.org",
            "syntax": {"cite-commands": ["mycite"], "bibliographies": ["~/all.bib"]},
            "checks": {"severity": {"unused-entry": "off"}, "unused_limit": 5},
            "services": {"crossref": {"enabled": False, "base_url": "http://localhost:1"}},
            "model": {"base_url": "http://localhost:11434/v1", "name": "qwen3", "key_command": ["pass", "x"]},
            "online": {"verify": "command"},
        }
    )
    assert problems == []
    assert found.syntax.cite_commands == ("mycite",)
    assert found.checks.severity == {"unused-entry": "off"} and found.checks.unused_limit == 5
    assert found.services == {"crossref": Service(enabled=False, base_url="http://localhost:1")}
    assert found.model.key_command == ("pass", "x") and found.online.verify == "command"


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ({"offline": "yes"}, "offline should be true or false; 'yes' is ignored."),
        ({"completion": {"limit": True}}, "completion.limit should be a whole number; True is ignored."),
        ({"completion": {"limit": 0}}, "completion.limit should be at least 1; 0 is ignored."),
        ({"completion": 3}, "completion should be a table; what is there is ignored."),
        ({"model": "sk-s3cret"}, "model should be a table; what is there is ignored."),
        ({"services": "s3cret"}, "services should be a table; what is there is ignored."),
        ({"syntax": {"cite_commands": "x"}}, "syntax.cite_commands should be a list of texts; 'x' is ignored."),
        ({"checks": {"severity": {"a": "loud"}}}, "checks.severity.a should be one of error, warning, information, "),
        ({"online": {"verify": "always"}}, "online.verify should be one of save, command, off; 'always' is ignored."),
        ({"colour": 1}, "There is no setting colour."),
        ({"writing": {"colour": 1}}, "There is no setting writing.colour."),
        ({"services": {"scopus": {}}}, "services.scopus should be one of crossref, doi, "),
        ({"services": {"doi": {"key": 1}}}, "services.doi.key should be a text; what is there is ignored."),
        ({"embeddings": {"answers": "json"}}, "There is no setting embeddings.answers."),
        ({"rerank": {"price_in": 1.0}}, "There is no setting rerank.price_in."),
        ({"rerank": {"query_prefix": "query: "}}, "There is no setting rerank.query_prefix."),
        ({"model": {"base_url": "file:///etc"}}, "model.base_url should be an address that begins with http"),
        ({"model": {"base_url": "http://[::1/v1"}}, "model.base_url should be an address that begins with http"),
        ({"model": {"base_url": "http://a:99999/v1"}}, "model.base_url should be an address that begins with http"),
        ({"model": {"base_url": "http://a/v1\n"}}, "model.base_url should be an address that begins with http"),
    ],
)
def test_a_bad_value_is_named_and_its_default_used(raw, problem):
    found, problems = read(raw)
    assert len(problems) == 1 and problems[0].startswith(problem)
    assert found in (Settings(), Settings(services={"doi": Service()}))


def test_null_is_the_default():
    assert read({"email": None, "checks": None, "completion": {"limit": None}}) == (Settings(), [])


@pytest.mark.parametrize(
    "raw",
    [
        {"email": "x@example.org"},
        {"proxy": "http://proxy"},
        {"offline": True},
        {"writing": {"write_to": "/etc/passwd"}},
        {"online": {"verify": "off"}},
        {"services": {"doi": {"base_url": "http://evil.example"}}},
        {"model": {"base_url": "http://evil.example"}},
        {"model": {"key_command": ["rm", "-rf", "/"]}},
        {"embeddings": {"key_env": "AWS_SECRET_ACCESS_KEY"}},
        {"corpus": {"path": "elsewhere", "watch": ["/home"]}},
    ],
)
def test_a_workspace_sets_no_address_key_command_or_path_to_write(raw):
    found, problems = read(raw, trusted=False)
    assert found == Settings()
    assert problems and all("only in your own settings" in it for it in problems)


def test_a_workspace_switches_checks_and_names_bibliographies():
    raw = {
        "inlay_hints": True,
        "syntax": {"bibliographies": ["a.bib"]},
        "checks": {"severity": {"open-placeholder": "off"}},
        "writing": {"citekey": "{auth}:{year}"},
    }
    found, problems = read(raw, trusted=False)
    assert problems == []
    assert found.inlay_hints and found.syntax.bibliographies == ("a.bib",) and found.writing.citekey == "{auth}:{year}"


def test_every_setting_with_a_secret_or_an_address_is_closed_to_workspaces():
    endpoints = (settings.Endpoint, settings.LanguageModel, settings.Embeddings)
    parts = (Settings, settings.Service, *endpoints, settings.CorpusSettings, settings.OnlineSettings)
    opened = [it.name for part in parts for it in fields(part) if it.metadata["workspace"]]
    assert opened == ["inlay_hints", "lenses", "syntax", "completion", "checks"]


def test_later_layers_win_name_by_name():
    user = Layer({"email": "me@example.org", "checks": {"severity": {"a": "off", "b": "hint"}}}, origin="user")
    workspace = Layer({"email": "x", "checks": {"severity": {"b": "error"}}}, trusted=False, origin="workspace")
    editor = Layer({"services": {"doi": {"enabled": False}}, "completion": {"limit": "x"}}, origin="editor")
    found, problems = merge(user, workspace, editor)
    assert found.email == "me@example.org"
    assert found.checks.severity == {"a": "off", "b": "error"}
    assert found.services["doi"].enabled is False
    assert [it.partition(":")[0] for it in problems] == ["workspace", "editor"]


def test_secrets_stay_out_of_what_is_printed():
    found, _ = read({"email": "me@example.org", "model": {"key": "s3cret"}, "services": {"doi": {"key": "s3cret"}}})
    assert "s3cret" not in repr(found) and "example.org" not in repr(found)


@pytest.mark.parametrize(
    "raw",
    [
        {"services": {"semanticscholar": {"key": "s3cret"}}},
        {"services": {"openalex": "s3cret"}},
        {"corpus": {"servers": {"Our Server": {"key": "s3cret"}}}},
    ],
)
def test_secrets_stay_out_of_what_is_said_of_a_wrong_service_or_server(raw):
    [problem] = read(raw)[1]
    assert "s3cret" not in problem and problem.endswith("; what is there is ignored.")


def test_files(tmp_path):
    path = tmp_path / "config.toml"
    assert read_file(path) == (Layer({}, True, str(path)), [])
    path.write_bytes(b"\xef\xbb\xbfoffline = true\r\n")
    assert read_file(path)[0].raw == {"offline": True}
    path.write_text("offline = ")
    layer, problems = read_file(path)
    assert layer.raw == {} and problems[0].startswith(str(path))
    path.write_bytes(b"\xff")
    assert len(read_file(path)[1]) == 1


def test_workspace_file(tmp_path):
    assert read_settings.workspace_file(tmp_path).name == ".citelsp.toml"
    (tmp_path / "citelsp.toml").touch()
    assert read_settings.workspace_file(tmp_path).name == "citelsp.toml"
    (tmp_path / ".citelsp.toml").touch()
    assert read_settings.workspace_file(tmp_path).name == ".citelsp.toml"


@pytest.mark.parametrize("part", PARTS)
def test_every_setting_says_its_meaning(part):
    bare = [f"{part.__name__}.{it.name}" for it in fields(part) if "meaning" not in it.metadata]
    assert not bare, (
        f"{', '.join(bare)} in base/settings.py: write field(default=…, metadata=_meta(MEANING)), "
        "then run python tests/readme.py and python editors/vscode/scripts/settings.py"
    )


def test_table_names_every_setting_with_its_meaning():
    rows = [it.split(" | ") for it in settings_page.table().splitlines()[2:]]
    assert all(len(it) == 4 and it[3].strip(" |") for it in rows)
    assert (
        "| `services.NAME.key_env` | text |  | The environment variable that contains its key. |"
        in settings_page.table()
    )
    assert "| `completion.limit` | number¹ | `50` | The maximum number of entries in a list. |" in settings_page.table()


@pytest.mark.parametrize("line", ["a." * 300 + "a = 1", "[" + "a." * 300 + "a]"])
def test_a_file_of_endless_names_is_not_read(tmp_path, line):
    path = tmp_path / "citelsp.toml"
    path.write_text(f"{line}\n", encoding="utf-8")
    layer, problems = read_file(path, trusted=False)
    assert not layer.raw
    assert problems == [f"{path}: larger than 64 kB, or with a line of more than 200 dots, and not read"]


def test_of_many_problems_the_first_are_named():
    _, problems = read({f"k{it}{'x' * 1000}": 1 for it in range(50)})
    assert len(problems) == 21
    assert max(map(len, problems)) <= 300
    assert problems[-1] == "30 more settings are wrong."
