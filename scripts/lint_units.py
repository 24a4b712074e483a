#!/usr/bin/env python3
"""Lists the units of a compile_commands.json that clang-tidy can follow, largest first (so that none is left for last)."""
import json
import pathlib
import sys


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        units = {pathlib.Path(entry["file"]) for entry in json.load(file)}
    sources = [unit for unit in units if unit.suffix in (".cpp", ".cxx")]
    texts = {unit: unit.read_text(encoding="utf-8") for unit in sources}
    for unit in sorted(sources, key=lambda u: -texts[u].count("#include")):
        if "HWY_TARGET_INCLUDE" not in texts[unit]:
            print(unit)


if __name__ == "__main__":
    main()
