"""Identifiers of works: recognised in text, normalised, checked for form."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Normalised identifiers of one work; "" where unknown."""

    doi: str = ""  # lower case, no resolver: "10.1000/xyz123"
    arxiv: str = ""  # without version: "1706.03762", "hep-th/9901001"
    isbn: str = ""  # 13 digits
    pmid: str = ""
    pmcid: str = ""  # "PMC123"
    acl: str = ""  # "P19-1001", "2020.acl-main.1"
    openalex: str = ""  # "W2741809807"
    s2: str = ""  # 40 hexadecimal digits, or "CorpusId:…"
    dblp: str = ""  # "conf/nips/VaswaniSPUJGKP17"
    bibcode: str = ""
    url: str = ""

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__ if name != "url")
