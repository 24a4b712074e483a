#!/usr/bin/env python3
"""Writes docs/api: a page for each public header, made from the header itself, and a list of them.

Usage: api_pages.py [--check]     --check: writes nothing, and fails if a page is not what its header gives
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "interpole"
PAGES = ROOT / "docs" / "api"


def words(comment: list[str]) -> str:
    """Comment lines as text. Lines set in from the left (formulas, tables) stay as they are."""
    out, block = [], []
    for line in [re.sub(r"^// ?", "", line) for line in comment] + [""]:
        if line.startswith("  "):
            block.append("    " + line)
            continue
        if block:
            out += ["", *block, ""]
            block = []
        out.append(line)
    return "\n".join(out).strip()


def intro(text: str) -> list[str]:
    return re.match(r"((?://[^\n]*\n)*)", text)[1].splitlines()


def declarations(text: str) -> list[str]:
    """What the header declares, cut at blank lines outside of braces."""
    body = re.search(r"^namespace interpole \{\n(.*)^\}  // namespace interpole$", text, re.M | re.S)[1]
    parts, part, depth = [], [], 0
    for line in body.splitlines():
        code = line.split("//")[0]
        depth += code.count("{") - code.count("}")
        if line or depth > 0:
            part.append(line)
        elif part:
            parts.append("\n".join(part))
            part = []
    return parts + (["\n".join(part)] if part else [])


def page(header: pathlib.Path) -> str:
    text = header.read_text(encoding="utf-8")
    out = [f"# interpole/{header.name}", "", words(intro(text)), "", f"```cpp\n#include <interpole/{header.name}>\n```"]
    for part in declarations(text):
        lines = part.splitlines()
        count = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
        if count:
            out += ["", words(lines[:count])]
        if count < len(lines):
            out += ["", "```cpp", *lines[count:], "```"]
    return "\n".join(out) + "\n"


def overview(headers: list[pathlib.Path]) -> str:
    rows = []
    for header in headers:
        first = words(intro(header.read_text(encoding="utf-8"))).replace("\n", " ")
        sentence = re.match(r"(.*?[.:])(?:\s|$)", first)
        rows.append(f"- [`interpole/{header.name}`]({header.stem}.md): {(sentence[1] if sentence else first).rstrip(':.')}.")
    return ("# The C++ library\n\nA page for each public header, made from it by `scripts/api_pages.py`. A whole example: "
            "[examples/in_memory](../../examples/in_memory/main.cpp).\n\n" + "\n".join(rows) + "\n")


def main() -> int:
    headers = sorted(HEADERS.glob("*.hpp"))
    wanted = {f"{header.stem}.md": page(header) for header in headers} | {"README.md": overview(headers)}
    there = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")} if PAGES.is_dir() else {}
    wrong = sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))
    if "--check" in sys.argv:
        if wrong:
            print(f"docs/api is not what the headers give ({', '.join(wrong)}): run scripts/api_pages.py")
        return 1 if wrong else 0
    PAGES.mkdir(exist_ok=True)
    for name in wrong:
        (PAGES / name).write_text(wanted[name], encoding="utf-8") if name in wanted else (PAGES / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
