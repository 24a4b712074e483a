#!/usr/bin/env python3
"""Checks the order of the house (docs/architecture.md) against its list, src/interpole/rooms.tsv.

- Every folder is listed, every listed folder is there, and each has a README.
- A room includes only rooms on floors below; tests, benchmarks and *_testing.hpp also rooms on their own floor.
- A sub-room includes only sub-rooms listed before it in its room, so there are no cycles; tests are free.
- Public headers, include/interpole/*.hpp, may be included by everybody, and include only each other and the
  standard library.
- Doors (apps, python) include public headers, `service`, `base`, and the headers of other rooms that are named for them.
- No folder has more than thirty files.
"""
import dataclasses
import pathlib
import re
import sys
from collections.abc import Iterable, Iterator

from rooms import DIRECTLY, LIST, SOURCES, SubRoom, floors_of, read_rooms

PUBLIC = pathlib.Path("include/interpole")
SIZED = ("src", "include", "web/src", "apps", "python", "mpi")
# What doors may include besides public headers: these rooms, and single headers of others.
DOOR_ROOMS = ("service", "base")
DOORS = {
    "mpi": (),
    "apps": ("explain/policy/bias_words.hpp", "learners/registry/registry.hpp", "model/parameter_words.hpp"),
    "python": ("data/joined_files.hpp", "data/sources/column_memory.hpp", "data/sources/memory_table.hpp",
               "learners/registry/registry.hpp"),
}
MOST_FILES = 30
README = "README.md"
NO_ROOM = "testdata"  # files that tests read
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
STANDARD = re.compile(r"[a-z0-9_]+")  # <vector>, but neither <stdint.h> nor <Eigen/Core>


@dataclasses.dataclass(frozen=True)
class Include:
    """One include in a file of a room; paths are below the root of the project."""
    path: pathlib.Path
    line: int
    target: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    @property
    def source(self) -> tuple[str, str]:
        return room_of(self.path.relative_to(SOURCES))

    @property
    def is_test(self) -> bool:
        return self.path.stem.endswith(("_test", "_bench", "_testing"))


def room_of(path: pathlib.Path) -> tuple[str, str]:
    """Room and sub-room of a file, given below src/interpole."""
    return path.parts[0], path.parts[1] if len(path.parts) > 2 else DIRECTLY


def includes_of(path: pathlib.Path) -> Iterator[tuple[int, str, str]]:
    """(line, quotation mark or bracket, what is included)"""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def room_includes(root: pathlib.Path) -> list[Include]:
    """Everything that files of rooms include from rooms: "interpole/ROOM/…", not "interpole/PUBLIC.hpp"."""
    found = []
    for path in sorted((root / SOURCES).rglob("*.[ch]pp")):
        for number, _, target in includes_of(path):
            if target.startswith("interpole/") and target.count("/") > 1:
                found.append(Include(path.relative_to(root), number, target))
    return found


def target_room(include: Include) -> tuple[str, str]:
    return room_of(pathlib.Path(include.target).relative_to("interpole"))


def list_problems(rows: list[SubRoom]) -> Iterator[str]:
    floors = [row.floor for row in rows]
    if floors != sorted(floors):
        yield f"{LIST}: the lowest floor comes first"
    names = [(row.room, row.name) for row in rows]
    for room, name in sorted({pair for pair in names if names.count(pair) > 1}):
        yield f"{LIST}: {room}/{name} is listed twice"
    for room, floor in floors_of(rows).items():
        if any(row.room == room and row.floor != floor for row in rows):
            yield f"{LIST}: {room} is on two floors"


def folders_with_files(root: pathlib.Path) -> set[pathlib.Path]:
    """Folders of rooms, below src/interpole, that hold files of their own other than a README."""
    files = (path.relative_to(root / SOURCES) for path in (root / SOURCES).rglob("*") if path.is_file())
    return {path.parent for path in files if len(path.parts) > 1 and path.name != README and NO_ROOM not in path.parts}


def folder_problems(root: pathlib.Path, rows: list[SubRoom]) -> Iterator[str]:
    there = folders_with_files(root)
    listed = {pathlib.Path(row.room, row.name) for row in rows}
    for folder in sorted(there - listed):
        what = "rooms have two levels, not more" if len(folder.parts) > 2 else f"not in {LIST}"
        yield f"{SOURCES / folder}: {what}"
    for folder in sorted(listed - there):
        yield f"{LIST}: {folder} is listed, but there are no files in that folder"


def readme_problems(root: pathlib.Path, rows: list[SubRoom]) -> Iterator[str]:
    for folder in sorted({SOURCES / row.room for row in rows} | {row.folder for row in rows}):
        if (root / folder).is_dir() and not (root / folder / README).is_file():
            yield f"{folder}: no {README}"


def floor_problems(includes: Iterable[Include], rows: list[SubRoom]) -> Iterator[str]:
    floors = floors_of(rows)
    for include in includes:
        room, target = include.source[0], target_room(include)[0]
        if room == target or room not in floors:
            continue
        allowed = floors[room] if include.is_test else floors[room] - 1
        if target not in floors or floors[target] > allowed:
            yield f"{include.place}: {room} (floor {floors[room]}) may not include {target}"


def sub_room_problems(includes: Iterable[Include], rows: list[SubRoom]) -> Iterator[str]:
    order = {(row.room, row.name): number for number, row in enumerate(rows)}
    for include in includes:
        source, target = include.source, target_room(include)
        if source[0] != target[0] or include.is_test or source not in order or target not in order:
            continue
        if order[target] > order[source]:
            yield f"{include.place}: {'/'.join(source)} may not include {'/'.join(target)}, which is listed after it"


def public_problems(root: pathlib.Path) -> Iterator[str]:
    for path in sorted((root / PUBLIC).rglob("*.hpp")):
        for number, mark, target in includes_of(path):
            is_public = target.startswith("interpole/") and (root / "include" / target).is_file()
            if not is_public and not (mark == "<" and STANDARD.fullmatch(target)):
                yield (f"{path.relative_to(root)}:{number}: a public header includes only public headers and the "
                       f"standard library, not {target}")


def door_problems(root: pathlib.Path) -> Iterator[str]:
    for door, named in DOORS.items():
        for path in sorted((root / door).rglob("*.[ch]pp")):
            for number, _, target in includes_of(path):
                if not target.startswith("interpole/") or target.count("/") < 2:
                    continue
                inside = target.removeprefix("interpole/")
                if inside.split("/")[0] not in DOOR_ROOMS and inside not in named:
                    yield (f"{path.relative_to(root)}:{number}: a door includes public headers, {' and '.join(DOOR_ROOMS)}, "
                           f"not {target}")


def size_problems(root: pathlib.Path) -> Iterator[str]:
    for top in SIZED:
        for folder in sorted([root / top, *(path for path in (root / top).rglob("*") if path.is_dir())]):
            if not folder.is_dir():
                continue
            files = sum(path.is_file() for path in folder.iterdir())
            if files > MOST_FILES:
                yield f"{folder.relative_to(root)}: {files} files; {MOST_FILES} at most"


def problems(root: pathlib.Path) -> list[str]:
    try:
        rows = read_rooms(root)
    except ValueError as error:
        return [str(error)]
    includes = room_includes(root)
    return [
        *list_problems(rows),
        *folder_problems(root, rows),
        *readme_problems(root, rows),
        *floor_problems(includes, rows),
        *sub_room_problems(includes, rows),
        *public_problems(root),
        *door_problems(root),
        *size_problems(root),
    ]


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    found = problems(root)
    if found:
        print("\n".join(found))
        return 1
    rows = read_rooms(root)
    print(f"{len(floors_of(rows))} rooms with {len(rows)} sub-rooms in order")
    return 0


if __name__ == "__main__":
    sys.exit(main())
