"""`citelsp cache info | clear`: what the services answered and is kept here."""

import argparse
import time

from citelsp.base.settings import cache_directory
from citelsp.sources.cache import Cache

HELP = "show or clear cached service responses"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("info", "clear"), help="show what is cached and where, or clear it")


def run(args: argparse.Namespace) -> int:
    cache = Cache(cache_directory() / "answers")
    try:
        if args.action == "clear":
            print(f"{cache.clear()} cached answers removed")
            return 0
        info = cache.info()
    finally:
        cache.close()
    print(f"{info.answers} answers, {info.bytes / 1e6:.1f} MB, in {info.directory}")
    if info.oldest is not None and info.newest is not None:
        print(f"from {_day(info.oldest)} to {_day(info.newest)}")
    return 0


def _day(moment: float) -> str:
    return time.strftime("%Y-%m-%d", time.localtime(moment))
