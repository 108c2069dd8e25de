"""What is read of a document is read by a person if it changes, in `whole_readings.txt`."""

import pytest

import whole_readings

READ = whole_readings.recorded()


@pytest.mark.parametrize("language", sorted({it for it, _ in READ}))
def test_the_whole_reading(language):
    for (name, text), known in READ.items():
        if name == language:
            assert whole_readings.described(name, text) == known, (
                f"{text!r}: python tests/support/whole_readings.py, and read the difference"
            )
