"""The rules of SARIF 2.1.0 that a report of citelsp has to keep, checked one by one."""

from urllib.parse import unquote

LEVELS = {"none", "note", "warning", "error"}


def check(log):
    """AssertionError where the log breaks a rule (numbers are sections of the specification)."""
    assert set(log) <= {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"  # 3.13.2
    for run in log["runs"]:
        driver = run["tool"]["driver"]  # 3.14.6
        assert driver["name"]  # 3.19.8
        ids = [it["id"] for it in driver["rules"]]
        assert len(ids) == len(set(ids))  # 3.19.23
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"]  # 3.49.9
            assert rule["defaultConfiguration"]["level"] in LEVELS  # 3.50.3
        assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")  # 3.14.17
        assert all(isinstance(it["executionSuccessful"], bool) for it in run["invocations"])  # 3.20.14
        for result in run["results"]:
            _result(result, ids, run["originalUriBaseIds"])


def _result(result, ids, bases):
    assert ids[result["ruleIndex"]] == result["ruleId"]  # 3.27.6
    assert result["level"] in LEVELS  # 3.27.10
    assert result["message"]["text"]  # 3.27.11
    assert all(isinstance(it, str) for it in result["partialFingerprints"].values())  # 3.27.17
    for location in (*result["locations"], *result.get("relatedLocations", ())):
        _artifact(location["physicalLocation"]["artifactLocation"], bases)
        _region(location["physicalLocation"]["region"])
    for fix in result.get("fixes", ()):
        assert fix["description"]["text"]  # 3.55.2
        for change in fix["artifactChanges"]:  # 3.55.3: at least one
            _artifact(change["artifactLocation"], bases)
            assert change["replacements"]  # 3.56.3: at least one
            for it in change["replacements"]:
                _region(it["deletedRegion"])  # 3.57.3
                assert isinstance(it["insertedContent"]["text"], str)


def _artifact(artifact, bases):
    assert "\\" not in artifact["uri"] and " " not in artifact["uri"]  # 3.4.3: a valid URI reference
    if "uriBaseId" in artifact:
        assert artifact["uriBaseId"] in bases  # 3.4.4
        assert not unquote(artifact["uri"]).startswith(("/", "file:"))
    else:
        assert artifact["uri"].startswith("file:///")


def _region(region):
    start = (region["startLine"], region["startColumn"])
    end = (region["endLine"], region["endColumn"])
    assert min(*start, *end) >= 1  # 3.30.5 to 3.30.8
    assert start <= end
