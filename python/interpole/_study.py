"""Studies for those who have none: a first one from the table itself."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Union

from . import _engine
from ._errors import Error

#: A path, or the text of a study (TOML).
StudyLike = Union[str, "os.PathLike[str]"]
States = Union[int, Sequence[str]]


class HeldStudy:
    """A study that the engine reads by its path: a file's, or one in memory."""

    def __init__(self, path: str, text: str | None = None, kept: _engine.Text | None = None) -> None:
        self.path = path
        self.text = text  # None: it is in the file
        self._kept = kept
        self._described: dict[str, Any] | None = None

    @classmethod
    def of_text(cls, text: str, name: str = "study.toml") -> HeldStudy:
        kept = _engine.Text(name, text)
        return cls(kept.path, text, kept)

    @classmethod
    def of(cls, study: StudyLike) -> HeldStudy:
        if isinstance(study, str) and "\n" in study:
            return cls.of_text(study)
        return cls(os.fspath(study))

    def described(self) -> dict[str, Any]:
        if self._described is None:
            self._described = json.loads(_engine.check_study(self.path, [], None))
        return self._described

    @property
    def actions(self) -> list[str]:
        return list(self.described()["masks"])

    @property
    def maps_tables(self) -> bool:
        """Whether it reads tables of the user's own rather than a visits table."""
        import tomllib

        try:
            return "source" in tomllib.loads(self.whole_text())
        except (OSError, ValueError):
            return False  # the engine says what is wrong with it

    def whole_text(self) -> str:
        if self.text is not None:
            return self.text
        with open(self.path, encoding="utf-8") as file:
            return file.read()


def state_names(states: States) -> list[str]:
    if isinstance(states, int):
        if not 1 <= states <= 50:
            raise Error(f"argument states: {states} is not a number of states from 1 to 50", "usage")
        return [f"state {number + 1}" for number in range(states)]
    if isinstance(states, str):
        raise Error(f"argument states: {states!r} is one name; give a list of names, or how many there are", "usage")
    names = [str(name) for name in states]
    if len(set(names)) != len(names) or not names:
        raise Error(f"argument states: {names} must be at least one name, each once", "usage")
    return names


def _listed(names: Sequence[str]) -> str:
    return "[" + ", ".join(json.dumps(name, ensure_ascii=False) for name in names) + "]"


def drafted(states: States, actions: Sequence[tuple[str, bool]], observations: Sequence[str]) -> HeldStudy:
    """A study in which everything is learned. `actions`: names, and whether they end a record."""
    lines = ['format = "interpole-study"', "version = 1", 'name = "drafted from a table"',
             f"states = {_listed(state_names(states))}",
             f"observations = {_listed(list(observations) or ['none'])}"]
    for name, ends in actions:
        lines += ["", "[[actions]]", f"name = {json.dumps(name, ensure_ascii=False)}"]
        if ends:
            lines.append("terminal = true")
    return HeldStudy.of_text("\n".join(lines) + "\n")


def drafted_from(table: _engine.Table, states: States, known_actions: Sequence[str] | None) -> HeldStudy:
    """From a visits table: its actions and observations as they are found, in the order of their names."""
    actions, observations = table.outline()
    if known_actions is not None:
        found = dict(actions)
        for name, _ in actions:
            if name not in known_actions:
                raise Error(f"argument actions: {list(known_actions)} lacks {name!r}, which the table has", "usage")
        actions = [(str(name), found.get(str(name), False)) for name in known_actions]
    return drafted(states, actions, observations)
