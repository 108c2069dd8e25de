"""Settings: frozen values, one class per part of the house.  `read_settings` reads them.

Each setting's meaning stands in its field's metadata, from which `settings_page` makes the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["error", "warning", "information", "hint", "off"]

SERVICES: Mapping[str, str] = {  # each with its name for people
    "crossref": "Crossref",
    "doi": "doi.org",
    "datacite": "DataCite",
    "arxiv": "arXiv",
    "openalex": "OpenAlex",
    "europepmc": "Europe PMC",
    "semantic_scholar": "Semantic Scholar",
    "aclanthology": "ACL Anthology",
    "openlibrary": "Open Library",
    "unpaywall": "Unpaywall",
    "dblp": "DBLP",
    "dblp_sparql": "DBLP",
    "pubmed": "PubMed",
    "inspire": "INSPIRE",
    "ads": "NASA ADS",
    "openreview": "OpenReview",
    "zbmath": "zbMATH",
    "wayback": "Internet Archive",
    "grobid": "GROBID",
    "zotero": "Zotero",
}


def _meta(meaning: str, *, workspace: bool = False, least: float | None = None, url: bool = False) -> dict[str, Any]:
    """A field's metadata.  `workspace`: a file in the workspace may set it, and everything below it."""
    return {"meaning": meaning, "workspace": workspace, "least": least, "url": url}


@dataclass(frozen=True, slots=True)
class SyntaxSettings:
    cite_commands: tuple[str, ...] = field(
        default=(), metadata=_meta("More LaTeX commands that take citekeys, without the backslash.")
    )
    bibliographies: tuple[str, ...] = field(
        default=(), metadata=_meta("Paths or globs of bibliographies that every manuscript may cite from.")
    )


@dataclass(frozen=True, slots=True)
class Completion:
    keys: bool | None = field(
        default=None,
        metadata=_meta(
            "Complete citekeys; if unset, unless a program in `beside` does. Placeholders are not affected."
        ),
    )
    limit: int = field(default=50, metadata=_meta("The maximum number of entries in a list.", least=1))
    fuzzy: bool = field(default=True, metadata=_meta("Find entries despite typing errors."))
    width: int = field(
        default=46, metadata=_meta("How many characters a row of a list is wide; titles are shortened to it.", least=30)
    )


@dataclass(frozen=True, slots=True)
class Checks:
    severity: Mapping[str, Level] = field(
        default_factory=dict,
        metadata=_meta("A severity for each code: error, warning, information, hint or off."),
    )
    unused_limit: int = field(
        default=1000, metadata=_meta("In a bibliography with more entries, unused ones are not reported.", least=0)
    )


@dataclass(frozen=True, slots=True)
class Writing:
    write_to: str = field(
        default="", metadata=_meta("The .bib file for new entries; default: the one that has most of the cited works.")
    )
    save: bool = field(default=True, metadata=_meta("Save the .bib file after adding to it, if it was saved before."))
    citekey: str = field(
        default="{auth}{year}{shorttitle}", metadata=_meta("The pattern of new citekeys.", workspace=True)
    )
    dialect: Literal["auto", "bibtex", "biblatex"] = field(
        default="auto", metadata=_meta("The field names of new entries.", workspace=True)
    )


@dataclass(frozen=True, slots=True)
class Service:
    enabled: bool | None = field(default=None, metadata=_meta("Ask this service; default: depends on the service."))
    base_url: str = field(default="", metadata=_meta("Its address, such as a mirror or proxy.", url=True))
    key: str = field(default="", repr=False, metadata=_meta("Its key."))
    key_env: str = field(default="", metadata=_meta("The environment variable that contains its key."))
    key_command: tuple[str, ...] = field(default=(), metadata=_meta("A command that prints its key."))


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    verify: Literal["save", "command", "off"] = field(
        default="save", metadata=_meta("When entries are checked: titles, authors and identifiers are sent.")
    )
    suggest: Literal["command", "auto", "off"] = field(
        default="command",
        metadata=_meta("When services are searched for a placeholder: words of the sentence are sent."),
    )
    bibliographies: tuple[str, ...] = field(
        default=(), metadata=_meta("Hosts from which bibliographies are read that a manuscript names by an address.")
    )


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model of some kind answers."""

    base_url: str = field(
        default="", metadata=_meta("The address of its API, such as http://localhost:11434/v1.", url=True)
    )
    name: str = field(default="", metadata=_meta("The model's name there."))
    key: str = field(default="", repr=False, metadata=_meta("Its key."))
    key_env: str = field(default="", metadata=_meta("The environment variable that contains its key."))
    key_command: tuple[str, ...] = field(default=(), metadata=_meta("A command that prints its key."))
    seconds: float = field(default=120.0, metadata=_meta("How long one answer may take.", least=1))


@dataclass(frozen=True, slots=True)
class LanguageModel(Endpoint):
    """OpenAI's `/chat/completions`."""

    answers: Literal["auto", "json", "plain"] = field(
        default="auto", metadata=_meta("How the model answers: by a JSON schema, or by plain instructions.")
    )
    price_in: float = field(default=0.0, metadata=_meta("USD for a million tokens read.", least=0))
    price_cached: float = field(default=0.0, metadata=_meta("USD for a million tokens read from its cache.", least=0))
    price_out: float = field(default=0.0, metadata=_meta("USD for a million tokens written.", least=0))


@dataclass(frozen=True, slots=True)
class Embeddings(Endpoint):
    """OpenAI's `/embeddings`, or a model on this machine."""

    model: str = field(
        default="",
        metadata=_meta(
            "Instead of an address, a model on this machine: `bge-small-en-v1.5`, or a folder with model.onnx and"
            " tokenizer.json."
        ),
    )
    query_prefix: str = field(default="", metadata=_meta("Text before each query sentence, such as `query: ` for E5."))
    work_prefix: str = field(
        default="", metadata=_meta("Text before title and abstract of a work, such as `passage: ` for E5.")
    )

    @property
    def is_set(self) -> bool:
        return bool(self.model or self.base_url)


@dataclass(frozen=True, slots=True)
class Rerank(Endpoint):
    """What reads a sentence beside each work: an endpoint, or a cross-encoder on this machine."""

    model: str = field(
        default="",
        metadata=_meta("Instead of an address, a folder with a cross-encoder's model.onnx and tokenizer.json."),
    )

    @property
    def is_set(self) -> bool:
        return bool(self.model or self.base_url)


@dataclass(frozen=True, slots=True)
class Agent:
    """What one search for a citation may cost; 0 means no limit."""

    turns: int = field(default=15, metadata=_meta("Maximum turns of one search.", least=0))
    tokens: int = field(default=60_000, metadata=_meta("Maximum tokens, input and output.", least=0))
    usd: float = field(default=0.25, metadata=_meta("Maximum price in USD, if the model's prices are known.", least=0))
    seconds: float = field(default=120.0, metadata=_meta("Maximum seconds.", least=0))
    requests: int = field(
        default=200, metadata=_meta("Maximum requests to services; a turn that has begun is finished.", least=0)
    )
    titles: int = field(
        default=50, metadata=_meta("Titles that the first question shows to a model: more for long contexts.", least=5)
    )
    model: Literal["search", "pick"] = field(
        default="search",
        metadata=_meta("Whether the model may search in its own words if none of the titles shown fits."),
    )
    program: str = field(default="", metadata=_meta("A file from `citelsp eval tune`: instructions for choosing."))


@dataclass(frozen=True, slots=True)
class CorpusServer:
    """A corpus for many authors, on a server that speaks as OpenSearch does."""

    base_url: str = field(default="", metadata=_meta("Its address; http only on this machine.", url=True))
    other_urls: tuple[str, ...] = field(default=(), metadata=_meta("Other nodes, asked if the first does not answer."))
    index: str = field(default="works", metadata=_meta("The index there, or an alias of it."))
    user: str = field(default="", metadata=_meta("The user there; reading is enough for authors."))
    key: str = field(default="", repr=False, metadata=_meta("The user's password."))
    key_env: str = field(default="", metadata=_meta("The environment variable that contains the password."))
    key_command: tuple[str, ...] = field(default=(), metadata=_meta("A command that prints the password."))
    ca_file: str = field(default="", metadata=_meta("The certificate that its own was signed with, if not public."))
    seconds: float = field(default=4.0, metadata=_meta("How long an answer may take.", least=0.1))


@dataclass(frozen=True, slots=True)
class CorpusSettings:
    servers: Mapping[str, CorpusServer] = field(default_factory=dict, metadata=_meta("Corpora of your institution."))
    path: str = field(default="", metadata=_meta("The index's directory; default: in your data directory."))
    watch: tuple[str, ...] = field(default=(), metadata=_meta("Files and folders to keep indexed."))


Program = Literal["none", "texlab", "latex-workshop", "vimtex", "quarto", "tinymist"]


@dataclass(frozen=True, slots=True)
class Settings:
    email: str = field(default="", repr=False, metadata=_meta("Your e-mail address: some services then answer faster."))
    offline: bool = field(default=False, metadata=_meta("Send nothing over the network."))
    proxy: str = field(default="", repr=False, metadata=_meta("Proxy of all services; default: HTTPS_PROXY.", url=True))
    beside: tuple[Program, ...] = field(
        default=(),
        metadata=_meta(
            "Leave to these programs what both offer: keys, hovers, definitions and so on. Default: those that the"
            " editor runs."
        ),
    )
    inlay_hints: bool = field(default=False, metadata=_meta("Show author and year after each key.", workspace=True))
    lenses: bool = field(
        default=True, metadata=_meta("Show above each paragraph how much evidence was found.", workspace=True)
    )
    syntax: SyntaxSettings = field(default=SyntaxSettings(), metadata=_meta("", workspace=True))
    completion: Completion = field(default=Completion(), metadata=_meta("", workspace=True))
    checks: Checks = field(default=Checks(), metadata=_meta("", workspace=True))
    writing: Writing = field(default=Writing(), metadata=_meta(""))
    online: OnlineSettings = field(default=OnlineSettings(), metadata=_meta(""))
    services: Mapping[str, Service] = field(default_factory=dict, metadata=_meta(", ".join(SERVICES)))
    model: LanguageModel = field(default=LanguageModel(), metadata=_meta("Default: no language model is used."))
    embeddings: Embeddings = field(default=Embeddings(), metadata=_meta(""))
    rerank: Rerank = field(default=Rerank(), metadata=_meta(""))
    corpus: CorpusSettings = field(default=CorpusSettings(), metadata=_meta(""))
    agent: Agent = field(default=Agent(), metadata=_meta(""))
