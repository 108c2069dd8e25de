"""Files in the form of a bibliography that another program fills in before anything reads them.

Jinja, Django, Liquid and cookiecutter write `{{ key }}` and `{% for … %}`, ERB and PHP `<%` and `<?`, scripts `${key}`.
A type or key of an entry is no such thing, so the first entries tell.  Braces within values are BibTeX's own.
"""

import re

_LOOKED_AT = 2000  # characters from the beginning
_FILLED_HEAD = re.compile(
    r"@(?!comment|preamble|string)\w*+[ \t]*+\{?[ \t]*+(?:\{\{-?[ \t'\"]|\$\{\w|<[%?])", re.IGNORECASE
)
_STATEMENT = re.compile(r"\{%-?[ \t]*+(?:block|end(?:block|for|if)|extends|for|if|include|macro|set)\b[^\n%]*+%\}")


def is_template(text: str) -> bool:
    beginning = text[:_LOOKED_AT]
    return bool(_STATEMENT.search(beginning) or _FILLED_HEAD.search(beginning))
