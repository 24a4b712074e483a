#!/usr/bin/env python3
"""The library names options ("option min-cell"), never flags ("--min-cell"): dashes are added by the command line, and
mean nothing to a program that embeds the library. Checks the texts in src/interpole and include, tests excepted.
"""
import pathlib
import re
import sys
from collections.abc import Iterator

FOLDERS = ("src/interpole", "include/interpole")
# Texts that are commands to type, for a reader who has a command line.
EXCEPTIONS = {
    "src/interpole/service/serve/commands.cpp": "the served page shows the command that does the same",
    "src/interpole/service/explorer/explorer_data.cpp": "the explorer's page gives its hints as commands",
    "src/interpole/service/evaluate/reproduce_figure.cpp": "a figure says which command draws it again",
}
FLAG = re.compile(r"(?<![^\s(\"'`=\[])--[a-z]")
# Comments and characters are matched too, so that quotation marks in them begin no text.
TEXT = re.compile(r"""//[^\n]* | /\*.*?\*/ | '(?:[^'\\\n]|\\.)+'
                      | \bR"(?P<mark>[^()\\\s]*)\((?P<raw>.*?)\)(?P=mark)" | "(?P<plain>(?:[^"\\\n]|\\.)*)" """,
                  re.DOTALL | re.VERBOSE)


def texts_of(source: str) -> Iterator[tuple[int, str]]:
    """(line, text) of every string literal."""
    for match in TEXT.finditer(source):
        text = match["raw"] if match["raw"] is not None else match["plain"]
        if text is not None:
            yield source.count("\n", 0, match.start()) + 1, text


def sources(root: pathlib.Path) -> Iterator[pathlib.Path]:
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            if not path.stem.endswith(("_test", "_bench", "_testing")):
                yield path


def problems(root: pathlib.Path) -> Iterator[str]:
    unused = set(EXCEPTIONS)
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        for line, text in texts_of(path.read_text(encoding="utf-8")):
            if not FLAG.search(text):
                continue
            unused.discard(name)
            if name not in EXCEPTIONS:
                yield f'{name}:{line}: "{text}" names a flag; write "option NAME"'
    for name in sorted(unused):
        yield f"scripts/check_flags.py: {name} names no flag and is no exception"


def main() -> int:
    found = list(problems(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found) if found else "the library names no flags")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
