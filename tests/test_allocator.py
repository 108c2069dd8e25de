"""Memory that is free goes back to the system."""

import os
import platform
from pathlib import Path

import pytest

from citelsp.base import allocator

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="asks glibc alone")


def test_what_is_free_between_pieces_in_use_is_given_back():
    pieces = [b"x" * 60_000 for _ in range(2000)]
    del pieces[::2]
    before = resident()
    allocator.give_back()
    assert before - resident() > 600 * 60_000
    assert len(pieces) == 1000


def resident():
    """Bytes of memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
