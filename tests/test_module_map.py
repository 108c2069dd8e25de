"""The map from modules to tests: whatever nothing imports is loaded by its name, an entry point, or dead."""

import module_map

LOADED_BY_NAME = ("citelsp.cli.", "citelsp.evals.")


def test_each_module_has_tests_or_is_used_by_another():
    alone = [name for name, (own, through) in module_map.table().items() if not own and not through]
    assert [it for it in alone if not it.startswith(LOADED_BY_NAME)] == ["citelsp.__main__"]
