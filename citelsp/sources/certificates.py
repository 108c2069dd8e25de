"""Whose certificates are trusted by who asks services."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ssl


@cache
def trusted_context() -> "ssl.SSLContext":
    """Those that httpx trusts, read once in a process: that takes as long as an answer from close by."""
    import httpx

    return httpx.create_ssl_context()
