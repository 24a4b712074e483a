"""Studies for those who have none: a first one from the table itself."""
from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Sequence
from typing import Any, SupportsIndex, Union

from . import _engine
from ._errors import Error

#: A path, or the text of a study (TOML).
StudyLike = Union[str, "os.PathLike[str]"]
States = Union[int, Sequence[str]]
#: An action and an observation that becomes likelier along the states.
Labels = tuple[str, str]


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
        if not isinstance(study, (str, os.PathLike)):
            raise Error(f"argument study: a {type(study).__name__} is neither the path nor the text of a study", "usage")
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
        return self._states("source")

    @property
    def measures(self) -> bool:
        """Whether its visits table has a column for each factor instead of one for outcomes."""
        return not self.maps_tables and self._states("factors")

    def _states(self, key: str) -> bool:
        import tomllib

        try:
            return key in tomllib.loads(self.whole_text())
        except (OSError, ValueError):
            return False  # the engine says what is wrong with it

    def whole_text(self) -> str:
        if self.text is not None:
            return self.text
        with open(self.path, encoding="utf-8") as file:
            return file.read()


def state_names(states: States) -> list[str]:
    if isinstance(states, SupportsIndex):
        count = operator.index(states)
        if not 1 <= count <= 50:
            raise Error(f"argument states: {count} is not a number of states from 1 to 50", "usage")
        return [f"state {number + 1}" for number in range(count)]
    if isinstance(states, str):
        raise Error(f"argument states: {states!r} is one name; give a list of names, or how many there are", "usage")
    if not isinstance(states, Iterable):
        raise Error(f"argument states: {states!r} is neither a list of names nor how many there are", "usage")
    names = [str(name) for name in states]
    if len(set(names)) != len(names) or not names:
        raise Error(f"argument states: {names} must be at least one name, each once", "usage")
    return names


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _listed(names: Sequence[str]) -> str:
    return "[" + ", ".join(map(_quoted, names)) + "]"


def drafted(states: States, actions: Sequence[tuple[str, bool]], observations: Sequence[str],
            labels: Labels | None) -> HeldStudy:
    """A study in which everything is learned. `actions`: names, and whether they end a record."""
    names = state_names(states)
    lines = ['format = "interpole-study"', "version = 1", 'name = "drafted from a table"', f"states = {_listed(names)}",
             f"observations = {_listed(list(observations) or ['none'])}"]
    for name, ends in actions:
        lines += ["", "[[actions]]", f"name = {_quoted(name)}"]
        if ends:
            lines.append("terminal = true")
    if labels is not None:
        action, observation = _required_labels(labels)
        lines += ["", "[labels]", f"action = {_quoted(action)}", f"observation = {_quoted(observation)}",
                  f"order = {_listed(names)}"]
    return HeldStudy.of_text("\n".join(lines) + "\n")


def _required_labels(labels: Any) -> tuple[str, str]:
    if isinstance(labels, str) or not isinstance(labels, Sequence) or len(labels) != 2:
        raise Error(f"argument labels: {labels!r} is not a pair: an action, and an observation that becomes likelier along "
                    "the states", "usage")
    return str(labels[0]), str(labels[1])


def drafted_from(table: _engine.Table, states: States, known_actions: Sequence[str] | None,
                 labels: Labels | None) -> HeldStudy:
    """From a visits table: its actions and observations as they are found, in the order of their names."""
    actions, observations = table.outline()
    if known_actions is not None:
        found = dict(actions)
        for name, _ in actions:
            if name not in known_actions:
                raise Error(f"argument actions: {list(known_actions)} lacks {name!r}, which the table has", "usage")
        actions = [(str(name), found.get(str(name), False)) for name in known_actions]
    return drafted(states, actions, observations, labels)
