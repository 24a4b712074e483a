"""The list of rooms, src/interpole/rooms.tsv, as rows: lowest floor first, in a room lowest sub-room first."""
import dataclasses
import pathlib

SOURCES = pathlib.Path("src/interpole")
LIST = SOURCES / "rooms.tsv"
DIRECTLY = "."  # the sub-room of files that lie directly in their room


@dataclasses.dataclass(frozen=True)
class SubRoom:
    floor: int
    room: str
    name: str
    knows_about: str

    @property
    def folder(self) -> pathlib.Path:
        """Below the root of the project."""
        return SOURCES / self.room / self.name


def read_rooms(root: pathlib.Path) -> list[SubRoom]:
    """Raises ValueError, which names the line, for a row that is not four cells."""
    rows = []
    for number, line in enumerate((root / LIST).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or not cells[0].isdigit() or not all(cells):
            raise ValueError(f"{LIST}:{number}: not floor, room, sub-room and what it knows about, with tabs between")
        rows.append(SubRoom(int(cells[0]), cells[1], cells[2], cells[3]))
    return rows


def floors_of(rows: list[SubRoom]) -> dict[str, int]:
    """The floor of every room, lowest first."""
    return {row.room: row.floor for row in rows}
