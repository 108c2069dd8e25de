"""The SDK's client of a `citelsp mcp` in this process, for the folder of an agent beside its `config.toml`."""

from argparse import ArgumentParser

from citelsp.cli import mcp


def named(folder, *more):
    return ["--folder", str(folder), "--config", str(folder.parent / "config.toml"), *more]


def session(folder, *options):
    """A client of a server in this process; it holds every answer to the tool's schema."""
    return opened(named(folder, *options))


def opened(words):
    """The same by the words of the command."""
    from mcp import Client

    parser = ArgumentParser()
    mcp.arguments(parser)
    return Client(mcp.server(parser.parse_args(words)))


async def answered(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content
