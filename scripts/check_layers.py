#!/usr/bin/env python3
"""Checks that every room includes only rooms on floors below it (docs/architecture.md).

Tests and benchmarks may also look at rooms on their own floor.
"""
import pathlib
import re
import sys

FLOORS = {
    "base": 0,
    "model": 1,
    "optimize": 1,
    "server": 1,
    "data": 2,
    "sampling": 2,
    "inference": 3,
    "planning": 3,
    "environments": 3,
    "learn": 4,
    "learners": 5,
    "explain": 5,
    "evaluate": 6,
    "report": 6,
    "service": 7,
}
INCLUDE = re.compile(r'^\s*#include "interpole/([a-z_]+)/')


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent / "src" / "interpole"
    problems = []
    for room in sorted(p.name for p in root.iterdir() if p.is_dir()):
        if room not in FLOORS:
            problems.append(f"src/interpole/{room}: a room without a floor; add it to scripts/check_layers.py")
    for path in sorted(root.rglob("*.[ch]pp")):
        room = path.relative_to(root).parts[0]
        is_test = path.stem.endswith(("_test", "_bench", "_testing"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match or match[1] == room:
                continue
            allowed = FLOORS[room] if is_test else FLOORS[room] - 1
            if FLOORS.get(match[1], 99) > allowed:
                place = path.relative_to(root.parent.parent)
                problems.append(f"{place}:{number}: {room} (floor {FLOORS[room]}) may not include {match[1]}")
    print("\n".join(problems) if problems else f"{len(FLOORS)} rooms in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
