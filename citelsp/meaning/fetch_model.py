"""Fetching a known model: on the user's word, whole or not at all, and only if its bytes are the ones expected."""

import hashlib
from typing import TYPE_CHECKING

from citelsp.base import atomic
from citelsp.base.settings import Settings
from citelsp.meaning.known_models import KnownModel, ModelFile
from citelsp.meaning.model_folder import ModelError, models_directory
from citelsp.sources import whole_file

if TYPE_CHECKING:
    from citelsp.sources.whole_file import Transport


def announce(known: KnownModel) -> str:
    """What will be fetched, for people, before it is."""
    hosts = sorted({it.address.split("/")[2] for it in known.files})
    return (
        f"{known.name}: {known.size / 1e6:.0f} MB from {', '.join(hosts)}, licence {known.licence}, for texts in"
        f" {known.languages}"
    )


async def fetch(known: KnownModel, settings: Settings, transport: "Transport" = None) -> int:
    """Fetch the model's files that are missing or damaged here; return how many.  ModelError says what went wrong.

    A file is the one expected if its size and its digest are.  `transport` is for tests: None is the network.
    """
    if settings.offline:
        raise ModelError("offline is set: nothing is fetched")
    folder = models_directory() / known.name
    count = 0
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for file in known.files:
            path = folder / file.name
            if not (path.is_file() and _is_expected(file, path.read_bytes())):
                data = await whole_file.download(settings, file.address, file.size, transport)
                if not _is_expected(file, data):
                    raise ModelError(f"{file.address} is not the file expected: nothing was stored of it")
                atomic.write(path, data)
                count += 1
    except OSError as problem:
        raise ModelError(f"{folder}: {problem.strerror or problem}; not all was stored") from problem
    except whole_file.DownloadError as problem:
        raise ModelError(f"{problem}; run it again") from problem
    return count


def _is_expected(file: ModelFile, data: bytes) -> bool:
    return len(data) == file.size and hashlib.sha256(data).hexdigest() == file.sha256
