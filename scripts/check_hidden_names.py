#!/usr/bin/env python3
"""The sources of a room are compiled as one file. A function local to one of them (in an anonymous namespace, or static)
then hides, from the anonymous namespaces of all that are compiled after it, any function of the same name that a header
declares in the room's namespace or in `interpole`. No compiler warns. This check refuses such names.
"""
import pathlib
import re
import sys
from collections.abc import Iterator

SOURCES = "src/interpole"
PUBLIC = "include/interpole"
PROGRAM = "apps/interpole"
# Comments and texts say nothing about names, and may hold braces.
NOT_CODE = re.compile(r"""//[^\n]* | /\*.*?\*/ | '(?:[^'\\\n]|\\.)+' | ^\s*\#(?:[^\n\\]|\\.)*
                          | \bR"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)" | "(?:[^"\\\n]|\\.)*" """,
                      re.DOTALL | re.VERBOSE | re.MULTILINE)
OPENING = re.compile(r"(?:inline\s+)?namespace(?P<name>\s+[\w:]+)?\s*$")
# A type, a name, an opening parenthesis: how a function is declared at the level of a namespace.
FUNCTION = re.compile(r"^\s*(?:template\s*<[^{}]*?>\s*)?(?P<before>[\w:<>,&*\s\[\]()]*?[\w>&*\]])[\s&*]+(?P<name>[a-z]\w*)\s*\(")
NO_TYPES = {"return", "using", "typedef", "friend", "operator", "struct", "class", "enum", "namespace", "throw", "new"}


def declarations(source: str) -> Iterator[tuple[str, str, int]]:
    """(namespace, statement, line) of what stands directly in a namespace; "" is an anonymous one within the others."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])  # noqa: E731
    code = NOT_CODE.sub(blank, source)
    spaces: list[str | None] = []  # None: braces of something else
    start = 0
    for match in re.finditer(r"[{};]", code):
        statement = code[start:match.start()]
        if all(space is not None for space in spaces) and match[0] in "{;" and statement.strip():
            opened = OPENING.search(statement.strip()) if match[0] == "{" else None
            if not opened:
                line = code.count("\n", 0, start + len(statement) - len(statement.lstrip())) + 1
                yield "::".join(space for space in spaces if space is not None), statement.strip(), line
        if match[0] == "{":
            opened = OPENING.search(statement.strip())
            spaces.append((opened["name"] or "").strip() if opened else None)
        elif match[0] == "}" and spaces:
            spaces.pop()
        start = match.end()


def functions(source: str) -> Iterator[tuple[str, str, bool, int]]:
    """(namespace, name, whether it is local to the file, line) of every free function."""
    for space, statement, line in declarations(source):
        match = FUNCTION.match(statement)
        if not match or "=" in match["before"] or "::" in statement[match.end("before"):match.end("name")]:
            continue
        words = set(re.findall(r"\w+", match["before"]))
        if words & NO_TYPES:
            continue
        local = space.endswith("::") or space == "" or "static" in words
        yield space.removesuffix("::"), match["name"], local, line


def problems(root: pathlib.Path) -> Iterator[str]:
    declared: dict[tuple[str, str], str] = {}  # (namespace, name): the header
    for folder in (SOURCES, PUBLIC, PROGRAM):
        for path in sorted((root / folder).rglob("*.hpp")):
            for space, name, _, _ in functions(path.read_text(encoding="utf-8")):
                declared.setdefault((space, name), path.relative_to(root).as_posix())
    for folder in (SOURCES, PROGRAM):
        for path in sorted((root / folder).rglob("*.cpp")):
            if path.stem.endswith("_bench"):  # compiled alone
                continue
            seen = set()
            for space, name, local, line in functions(path.read_text(encoding="utf-8")):
                if not local or name in seen:
                    continue
                seen.add(name)
                header = declared.get((space, name)) or declared.get((space.split("::")[0], name))
                if header:
                    yield (f"{path.relative_to(root).as_posix()}:{line}: the local function {name} hides the one of {header} "
                           "where this room is compiled as one; give it another name")


def main() -> int:
    found = list(problems(pathlib.Path(__file__).resolve().parent.parent))
    print("\n".join(found) if found else "no local function hides one that a header declares")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
