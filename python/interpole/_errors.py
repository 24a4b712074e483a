"""The one exception of the package, and the category of its warnings."""
from __future__ import annotations

import re

_OPTION = re.compile(r"\boption ([a-z]+(?:-[a-z]+)*)\b")


class Error(ValueError):
    """What went wrong, where, and what to do about it.

    `kind` is "input" (bad data, study or model), "usage" (bad arguments), "runtime" (the machine) or
    "interrupted".
    """

    kind: str

    def __init__(self, message: str, kind: str = "input") -> None:
        # The library speaks of options, as its program has flags; here they are arguments.
        super().__init__(_OPTION.sub(lambda found: f"argument {found[1].replace('-', '_')}", message))
        self.kind = kind

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return Error, (str(self), self.kind)


class Doubt(UserWarning):
    """What to doubt about a result, in a sentence."""


def argument_words(sentence: str) -> str:
    """A sentence of the library with arguments in place of options."""
    return _OPTION.sub(lambda found: f"argument {found[1].replace('-', '_')}", sentence)
