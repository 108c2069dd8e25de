"""`citelsp cache info | clear`: what the services answered, and what was read of large bibliographies."""

import argparse
import asyncio
import time

from citelsp.base import parse_cache
from citelsp.base.user_places import cache_directory
from citelsp.cli import common, exits
from citelsp.sources.answer_cache import Cache, CacheLockedError
from citelsp.sources.shared_pace import Limits, limits_file

HELP = "show or clear what is cached: service responses and large bibliographies"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("info", "clear"), help="show what is cached and where, or clear it")


def run(args: argparse.Namespace) -> int:
    """Show what is cached (`info`), or remove it and forget which services were to be left alone (`clear`).

    Return the exit status: UNFINISHED if another process keeps the answers locked; then nothing at all is removed.
    """
    cache = Cache()
    folder = cache_directory() / parse_cache.FOLDER
    bibliographies = parse_cache.ParseCache(folder)
    try:
        if args.action == "clear":
            print(f"{cache.clear()} cached answers removed")
            limits = Limits(limits_file())
            asyncio.run(limits.reopen())  # services that failed, and were left alone, are asked again
            limits.close()
            print(f"{bibliographies.clear() / 1e6:.1f} MB of large bibliographies removed")
            return exits.OK
        info = cache.info()
    except CacheLockedError:
        what = "cleared" if args.action == "clear" else "read"
        return common.fail(f"another process keeps the cache locked, so it cannot be {what} now")
    finally:
        cache.close()
    print(f"{info.answers} answers, {info.bytes / 1e6:.1f} MB, in {info.directory}")
    if info.oldest is not None and info.newest is not None:  # None if there are no answers
        print(f"from {_write_day(info.oldest)} to {_write_day(info.newest)}")
    print(f"{bibliographies.size() / 1e6:.1f} MB read of large bibliographies, in {folder}")
    return exits.OK


def _write_day(moment: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(moment))
