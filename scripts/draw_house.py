#!/usr/bin/env python3
"""Draws the house from src/interpole/rooms.tsv: floors, rooms, sub-rooms, doors and the way of the data.

Usage: scripts/draw_house.py [--check]   writes docs/images/house.svg, or checks that it is what the list gives
"""
import dataclasses
import pathlib
import sys
from xml.sax.saxutils import escape

from rooms import DIRECTLY, SubRoom, read_rooms

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = pathlib.Path("docs/images/house.svg")

WIDTH = 940.0
LEFT, RIGHT = 92.0, 922.0  # of the house
WALL = 12.0  # between the house and its rooms, and between rooms
CEILING = 14.0  # between floors
PAD = 12.0  # in a room
CHIP = 21.0  # height of a sub-room
CHIP_ROW = 27.0  # from row to row of sub-rooms
MOST_IN_ROW = 4  # sub-rooms, where the way of the data leaves room for a second row
NAME, CHIP_TEXT, PHRASE, STATION = 14.0, 11.0, 10.5, 11.0  # sizes of text
LINE = 13.5  # from line to line of a phrase
TRACK = 67.0  # from the ceiling of a room to the way of the data in it
BEND = 9.0  # of the way of the data
TURN = 98.0  # the width it needs to come down and go up again

PAPER, EDGE = "#fbfaf7", "#dedad1"
ROOM, ROOM_EDGE = "#ffffff", "#cfd4da"
DOOR, DOOR_EDGE = "#f1f4f7", "#aab4bf"
SUB_ROOM = "#edf0f3"
INK, GREY = "#22303c", "#65717d"
WAY = "#b5532a"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

ON_THE_WAY = ("data", "inference", "learn", "explain")


@dataclasses.dataclass
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


@dataclasses.dataclass
class Room:
    name: str
    floor: int
    sub_rooms: list[SubRoom]  # without the files directly in the room
    phrase: str  # about those files
    box: Box | None = None
    chips: dict[str, Box] = dataclasses.field(default_factory=dict)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """At least what the usual sans-serif fonts need; DejaVu Sans is the widest of them."""
    widths = {**dict.fromkeys("ijl'|", 0.29), **dict.fromkeys("frt-.,: ", 0.4), "m": 0.98, "w": 0.83}
    return size * (1.12 if bold else 1.0) * sum(widths.get(c, 0.72 if c.isupper() else 0.63) for c in text)


def broken(text: str, width: float, size: float) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def balanced(text: str, width: float, size: float) -> list[str]:
    """As few lines as fit into the width, all about as long."""
    lines = broken(text, width, size)
    while len(narrower := broken(text, width - 4, size)) == len(lines) and width > 4 + size:
        lines, width = narrower, width - 4
    return lines


def rooms_of(rows: list[SubRoom]) -> list[Room]:
    rooms = {}
    for row in rows:
        room = rooms.setdefault(row.room, Room(row.room, row.floor, [], ""))
        if row.name == DIRECTLY:
            room.phrase = row.knows_about
        else:
            room.sub_rooms.append(row)
    return list(rooms.values())


def chip_width(name: str) -> float:
    return text_width(name, CHIP_TEXT) + 16


def reserved_width(room: Room) -> float:
    """On the right, where the way of the data comes down and goes up again."""
    return TURN if room.name == "inference" else 0.0


def chip_rows(room: Room) -> list[list[SubRoom]]:
    """In one row, or in two of about as many."""
    count = len(room.sub_rooms)
    if room.name in ON_THE_WAY or count <= MOST_IN_ROW:
        return [room.sub_rooms]
    return [room.sub_rooms[:(count + 1) // 2], room.sub_rooms[(count + 1) // 2:]]


def needed_width(room: Room) -> float:
    chips = max(sum(chip_width(row.name) + 6 for row in rows) - 6 for rows in chip_rows(room))
    phrase = 0.0 if room.sub_rooms else 140.0
    return 2 * PAD + max(chips, phrase, text_width(room.name, NAME, bold=True)) + reserved_width(room)


def phrase_lines(room: Room) -> list[str]:
    return balanced(room.phrase, room.box.width - 2 * PAD - reserved_width(room), PHRASE) if room.phrase else []


def phrase_top(room: Room) -> float:
    return 66 + CHIP_ROW * (len(chip_rows(room)) - 1) if room.sub_rooms else 38


def needed_height(room: Room) -> float:
    if room.name in ON_THE_WAY:
        return TRACK + (18 if room.name == "explain" else 31)
    return phrase_top(room) - 2 * bool(room.sub_rooms) + LINE * (len(phrase_lines(room)) - 1) + 11


def place_rooms(rooms: list[Room], top: float) -> float:
    """Floors from the top down, rooms from left to right; returns where the house ends."""
    y = top
    for floor in sorted({room.floor for room in rooms}, reverse=True):
        here = [room for room in rooms if room.floor == floor]
        free = RIGHT - LEFT - WALL * (len(here) + 1) - sum(needed_width(room) for room in here)
        if free < 0:
            raise ValueError(f"the rooms of floor {floor} are {-free:.0f} wider than the house")
        x = LEFT + WALL
        for room in here:
            room.box = Box(x, y, needed_width(room) + free / len(here), 0.0)
            x = room.box.right + WALL
        height = max(needed_height(room) for room in here)
        for room in here:
            room.box.height = height
            place_chips(room)
        y += height + CEILING
    return y - CEILING


def place_chips(room: Room) -> None:
    for number, rows in enumerate(chip_rows(room)):
        x = room.box.x + PAD
        for row in rows:
            room.chips[row.name] = Box(x, room.box.y + 30 + CHIP_ROW * number, chip_width(row.name), CHIP)
            x += chip_width(row.name) + 6


def text(x: float, y: float, size: float, words: str, colour: str, **more: str) -> str:
    attributes = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in more.items())
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}"{attributes}>{escape(words)}</text>'


def rectangle(box: Box, fill: str, edge: str, corner: float) -> str:
    return (f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="{corner:g}" '
            f'fill="{fill}" stroke="{edge}"/>')


def draw_room(room: Room) -> list[str]:
    box = room.box
    drawn = [text(box.x + PAD, box.y + 20, NAME, room.name, INK, font_weight="600")]
    if room.sub_rooms and room.name in ON_THE_WAY:  # the line runs where others have their phrase
        beside = box.x + PAD + text_width(room.name, NAME, bold=True) + 6
        drawn += [text(beside, box.y + 20, PHRASE, room.phrase, GREY)] if room.phrase else []
    else:
        for number, line in enumerate(phrase_lines(room)):
            drawn.append(text(box.x + PAD, box.y + phrase_top(room) + LINE * number, PHRASE, line, GREY))
    for row in room.sub_rooms:
        chip = room.chips[row.name]
        drawn.append(f"<g><title>{escape(f'{room.name}/{row.name}: {row.knows_about}')}</title>"
                     + rectangle(chip, SUB_ROOM, "none", 5)
                     + text(chip.middle, chip.y + 14.5, CHIP_TEXT, row.name, INK, text_anchor="middle") + "</g>")
    return drawn


def rounded(points: list[tuple[float, float]]) -> str:
    """A path along the points, horizontal and vertical, with round bends."""
    def towards(a, b, distance):
        length = abs(b[0] - a[0]) + abs(b[1] - a[1])
        share = min(distance, length / 2) / length
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share

    path = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for before, here, after in zip(points, points[1:], points[2:]):
        (x, y), (u, v) = towards(here, before, BEND), towards(here, after, BEND)
        path.append(f"L{x:.1f} {y:.1f}Q{here[0]:.1f} {here[1]:.1f} {u:.1f} {v:.1f}")
    path.append(f"L{points[-1][0]:.1f} {points[-1][1]:.1f}")
    return "".join(path)


def way_of_the_data(rooms: dict[str, Room], page: Box) -> tuple[str, list[tuple[float, float, str, str]]]:
    """The line, and its stations: where, name, and where the name is anchored."""
    data, inference, learn, explain = (rooms[name] for name in ON_THE_WAY)
    track = {room.name: room.box.y + TRACK for room in (data, inference, learn, explain)}
    end = page.y + 33

    table = LEFT - 32
    stairs = inference.box.x - WALL / 2  # up beside inference, which comes later
    landing, wall = learn.box.bottom + CEILING / 2, LEFT + WALL / 2
    down, up = inference.box.right - TURN, inference.box.right - TURN + 48
    line = [(table, track["data"]), (stairs, track["data"]), (stairs, landing), (wall, landing), (wall, track["learn"]),
            (down, track["learn"]), (down, track["inference"]), (up, track["inference"]), (up, end)]

    half = text_width("log-posterior", STATION, bold=True) / 2
    posterior = max(learn.chips["posterior"].middle, learn.box.x + PAD + half)
    tree = (max(chip.right for chip in data.chips.values()) + stairs) / 2
    return rounded(line), [
        (table, track["data"], "table", "middle"),
        (data.chips["study"].middle, track["data"], "study", "middle"),
        (data.chips["records"].middle, track["data"], "records", "middle"),
        (tree, track["data"], "history tree", "middle"),
        (posterior, track["learn"], "log-posterior", "middle"),
        (learn.chips["fit"].middle, track["learn"], "fit result", "middle"),
        ((down + up) / 2, track["inference"], "beliefs", "middle"),
        (up, track["explain"], "findings", "end"),
        (up, end, "page", "end"),
    ]


def draw_stations(stations: list[tuple[float, float, str, str]]) -> list[str]:
    drawn = []
    for x, y, name, anchor in stations:
        drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{ROOM}" stroke="{WAY}" stroke-width="2.5"/>')
        across, below = (-11, 4) if anchor == "end" else (0, 20)
        drawn.append(text(x + across, y + below, STATION, name, WAY, font_weight="600", text_anchor=anchor))
    return drawn


def draw_doors(command_line: Box, python: Box, page: Box) -> list[str]:
    drawn = []
    for door, name, phrase in ((command_line, "apps/interpole", "the command line"),
                               (python, "python", "the package for Python"), (page, "web", "the explorer")):
        outline = (f"M{door.x:.1f} {door.bottom:.1f}V{door.y + 6:.1f}q0-6 6-6H{door.right - 6:.1f}q6 0 6 6"
                   f"V{door.bottom:.1f}z")
        drawn.append(f'<path d="{outline}" fill="{DOOR}" stroke="{DOOR_EDGE}"/>')
        drawn.append(text(door.x + PAD, door.y + 22, NAME, name, INK, font_weight="600"))
        drawn.append(text(door.x + PAD, door.y + 41, PHRASE, phrase, GREY))
    return drawn


def draw_house(rows: list[SubRoom]) -> str:
    rooms = rooms_of(rows)
    top = 92.0
    bottom = place_rooms(rooms, top)
    house = Box(LEFT, top - WALL, RIGHT - LEFT, bottom - top + 2 * WALL)
    command_line = Box(LEFT + WALL, 20, 240, top - WALL - 20)
    python = Box(command_line.right + 2 * WALL, 20, 200, top - WALL - 20)
    page = Box(RIGHT - WALL - 300, 20, 300, top - WALL - 20)
    height = house.bottom + 38
    line, stations = way_of_the_data({room.name: room for room in rooms}, page)

    body = [rectangle(Box(0.5, 0.5, WIDTH - 1, height - 1), PAPER, EDGE, 10), rectangle(house, "none", ROOM_EDGE, 6)]
    body += [rectangle(room.box, ROOM, ROOM_EDGE, 6) for room in rooms]
    body += draw_doors(command_line, python, page)
    body.append(f'<path d="{line}" fill="none" stroke="{WAY}" stroke-width="2.5" stroke-linecap="round"/>')
    for room in rooms:
        body += draw_room(room)
    body += draw_stations(stations)
    body.append(text(18, command_line.y + 22, PHRASE, "doors", GREY))
    for floor, y in {room.floor: room.box.y for room in rooms}.items():
        body.append(text(18, y + 20, PHRASE, f"floor {floor}", GREY))
    below = house.bottom + 22
    body.append(text(LEFT, below, PHRASE, "A room sees only the floors below it.", GREY))
    body.append(text(RIGHT, below, PHRASE, "the way of the data, from table to page", WAY, font_weight="600",
                     text_anchor="end"))

    names = ", ".join(name for _, _, name, _ in stations)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" width="{WIDTH:g}" '
        f'height="{height:g}" font-family="{FONT}" role="img" aria-labelledby="title way">',
        '<title id="title">The floors and rooms of Interpole</title>',
        f'<desc id="way">The way of the data: {names}.</desc>',
        *body,
        "</svg>",
    ]) + "\n"


def main() -> int:
    picture = draw_house(read_rooms(ROOT))
    if sys.argv[1:] == ["--check"]:
        if (ROOT / PICTURE).read_text(encoding="utf-8") == picture:
            return 0
        print(f"{PICTURE} is not what the list of rooms gives: run scripts/draw_house.py")
        return 1
    if sys.argv[1:]:
        print(__doc__)
        return 2
    (ROOT / PICTURE).write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
