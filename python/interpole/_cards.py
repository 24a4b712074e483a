"""Small pages for notebooks: a title, sentences, a table or a picture."""
from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

_CARD = ("font-family:system-ui,sans-serif;font-size:14px;line-height:1.4;color:#1b1f24;background:#fff;"
         "border:1px solid #cfd4da;border-radius:8px;padding:12px 16px;max-width:760px")
_CELL = "padding:3px 10px 3px 0;border:0;background:none;color:inherit;white-space:nowrap;text-align:{}"


def card(title: str, sentences: Iterable[str], body: str = "") -> str:
    """A small page: a title, sentences, and whatever else."""
    words = "".join(f"<p style='margin:4px 0'>{html.escape(sentence)}</p>" for sentence in sentences)
    return (f"<div style='{_CARD}'><div style='font-weight:600;margin-bottom:6px'>{html.escape(title)}</div>"
            f"{words}{body}</div>")


def table(frame: Any, rows: int = 12) -> str:
    """The first rows of a data frame; what is wider than the card is scrolled."""
    sides = ["left" if frame[label].dtype.kind == "O" else "right" for label in frame.columns]

    def line(cells: Iterable[str], tag: str) -> str:
        inside = "".join(f"<{tag} style='{_CELL.format(side)}'>{html.escape(cell)}</{tag}>"
                         for cell, side in zip(cells, sides))
        return f"<tr style='background:none'>{inside}</tr>"

    shown = [line((_text(value) for value in row), "td") for row in frame.head(rows).itertuples(index=False, name=None)]
    more = f"<p style='margin:4px 0'>and {len(frame) - rows:,} more rows</p>" if len(frame) > rows else ""
    return (f"<div style='overflow-x:auto;margin-top:8px'><table style='border-collapse:collapse;font-size:13px'>"
            f"{line(map(str, frame.columns), 'th')}{''.join(shown)}</table></div>{more}")


def interval(row: Any) -> str:
    """An estimate and where it may lie."""
    return f"{row['estimate']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


def _text(value: Any) -> str:
    if value is None or value != value:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
