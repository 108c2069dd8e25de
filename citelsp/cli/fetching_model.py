"""citelsp corpus embed --fetch: the weights of a model on this machine, fetched when the user says so."""

import argparse
import asyncio

from citelsp.cli import common, exits

_DEFAULT = "bge-small-en-v1.5"  # if the settings name none


def arguments(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--fetch",
        action="store_true",
        help=f"fetch the model that [embeddings] model names ({_DEFAULT} if it names none), and compute no vectors yet",
    )


def run(options: argparse.Namespace) -> int:
    """Fetch the model of the settings, or the default one; return the exit status.

    Says beforehand from where and how large it is, and afterwards what else is needed to use it.  UNFINISHED if the
    settings name a model that is not in MODELS, such as a folder, or if it could not be fetched, as offline.
    """
    from citelsp.base import extras
    from citelsp.meaning import fetch_model
    from citelsp.meaning.known_models import MODELS
    from citelsp.meaning.model_folder import ModelError, models_directory

    settings = common.read_settings(options)
    name = settings.embeddings.model or _DEFAULT
    model = MODELS.get(name)
    if model is None:
        return common.fail(f"{name} is not among the models that can be fetched: {', '.join(MODELS)}")
    print(fetch_model.announce(model), flush=True)
    try:
        fetched_files = asyncio.run(fetch_model.fetch(model, settings))
    except ModelError as problem:
        return common.fail(str(problem))
    except KeyboardInterrupt:
        return common.fail("interrupted; run it again")  # which fetches only the files that are not there yet
    print(f"{'fetched to' if fetched_files else 'already in'} {models_directory() / model.name}")
    if not settings.embeddings.model:
        print(f'To use it, add to your settings:\n\n[embeddings]\nmodel = "{model.name}"')
    if extras.is_missing("meaning"):
        print(f"It needs onnxruntime: {extras.command('meaning')}")
    return exits.OK
