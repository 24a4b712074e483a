"""What calls give back: numbers as data frames, sentences, and small pages for notebooks."""
from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from . import _engine
from ._cards import card, interval, table
from ._errors import Error, argument_words
from ._tables import Path

class Picture:
    """A figure as SVG; shows itself in a notebook."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: Path) -> None:
        _engine.write_file(os.fspath(path), self.svg)

    @property
    def inline(self) -> str:
        """For a page of HTML: without the declaration that an SVG file begins with."""
        return self.svg[self.svg.index("<svg"):]

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Picture, {len(self.svg)} characters of SVG>"


class Model:
    """A model file in memory: a decision-maker's mind, and the world beside it where that is known."""

    def __init__(self, text: str, name: str = "model.json") -> None:
        self.text = text
        self._held = _engine.Text(name, text)
        self._content: dict[str, Any] = json.loads(text)
        self._name = name

    @classmethod
    def read(cls, path: Path) -> Model:
        """From a file that `save` or the program wrote."""
        try:
            with open(path, encoding="utf-8") as file:
                return cls(file.read(), os.path.basename(os.fspath(path)))
        except OSError as error:
            raise Error(f"{os.fspath(path)}: cannot be read: {error.strerror}; check the name") from None
        except ValueError:
            raise Error(f"{os.fspath(path)}: is not JSON; give a model file") from None

    @property
    def path(self) -> str:
        """Where the engine reads it."""
        return self._held.path

    @property
    def states(self) -> list[str]:
        return list((self._content.get("structure") or self._content)["states"])

    @property
    def actions(self) -> list[str]:
        return list((self._content.get("structure") or self._content)["actions"])

    def to_dict(self) -> dict[str, Any]:
        """The whole file: parameters, provenance, what the fit says of itself."""
        return dict(json.loads(self.text))

    def save(self, path: Path) -> None:
        """The program's model file, byte for byte."""
        _engine.write_file(os.fspath(path), self.text)

    def __reduce__(self) -> tuple[type[Model], tuple[str, str]]:
        return Model, (self.text, self._name)

    def __repr__(self) -> str:
        return f"<Model of states {', '.join(self.states)} and actions {', '.join(self.actions)}>"


class Result:
    """JSON of a task, as the program prints it with --json, and what is easier to look at."""

    title = "Result"

    def __init__(self, text: str) -> None:
        self.json: dict[str, Any] = json.loads(argument_words(text))

    def __getitem__(self, key: str) -> Any:
        return self.json[key]

    @property
    def sentences(self) -> list[str]:
        return list(self.json.get("sentences", []))

    def _body(self) -> str:
        return ""

    def _repr_html_(self) -> str:
        return card(self.title, self.sentences, self._body())

    def __repr__(self) -> str:
        return "\n".join([f"<{self.title}>", *self.sentences])


def _estimates(rows: list[dict[str, Any]], names: Iterable[str]) -> dict[str, list[float]]:
    columns: dict[str, list[float]] = {}
    for name in names:
        columns[name] = [row[name]["estimate"] for row in rows]
        columns[f"{name}_low"] = [row[name]["low"] for row in rows]
        columns[f"{name}_high"] = [row[name]["high"] for row in rows]
    return columns


class Bias(Result):
    """The decision-maker's picture of the world beside the world.

    `verdict` is "difference", "none", "undecided" or "withheld"; `frame` has every number with its interval.
    """

    title = "Agent and world"

    @property
    def verdict(self) -> str:
        return str(self.json["verdict"])

    @property
    def reasons(self) -> list[str]:
        return list(self.json["reasons"])

    @property
    def frame(self) -> Any:
        import pandas as pd

        rows = self.json["parameters"]
        return pd.DataFrame({"parameter": [row["parameter"] for row in rows],
                             **_estimates(rows, ("agent", "world", "difference")),
                             "beyond_margin": [row["probability_beyond_margin"] for row in rows],
                             "flagged": [row["flagged"] for row in rows]})

    def _body(self) -> str:
        import pandas as pd

        rows = self.json["parameters"]
        columns = {name: [interval(row[name]) for row in rows] for name in ("agent", "world", "difference")}
        return table(pd.DataFrame({"parameter": [row["parameter"] for row in rows], **columns,
                                   "": ["flagged" if row["flagged"] else "" for row in rows]}))


class Check(Result):
    """Whether the model reproduces what it was not fitted to."""

    title = "Model checks"

    @property
    def sentences(self) -> list[str]:
        return [str(check["sentence"]) for check in self.json["checks"]]

    @property
    def failed(self) -> list[str]:
        return [str(check["name"]) for check in self.json["checks"] if check["failed"]]

    @property
    def frame(self) -> Any:
        import pandas as pd

        keys = ("name", "observed", "expected", "low", "high", "failed", "sentence")
        return pd.DataFrame([{key: check.get(key) for key in keys} for check in self.json["checks"]])


class Explanation(Result):
    """One record, visit by visit: what was believed, what would be done, what moved the belief."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.title = f"Record {self.json['patient']}"

    @property
    def visits(self) -> list[dict[str, Any]]:
        return list(self.json["visits"])

    @property
    def sentences(self) -> list[str]:
        return [str(visit["sentence"]) for visit in self.visits]

    @property
    def frame(self) -> Any:
        import pandas as pd

        rows = []
        for visit in self.visits:
            row = {"visit": visit["visit"], "action": visit["action"], "observation": visit["observation"],
                   "probability": visit["probability"], "surprise_bits": visit["surprise_bits"]}
            row.update({f"belief:{state}": value for state, value in visit["belief"].items()})
            row.update({f"policy:{action}": value for action, value in visit["policy"].items()})
            rows.append(row)
        return pd.DataFrame(rows)

    def _body(self) -> str:
        frame = self.frame
        return table(frame[[label for label in frame.columns if not label.startswith("policy:")]], rows=40)


class Audit(Result):
    """Flags of records: belated, uninformative, unlikely. `frame` has a row for every record."""

    title = "Audit"

    def __init__(self, text: str, frame: Any) -> None:
        super().__init__(text)
        self.frame = frame

    @property
    def sentences(self) -> list[str]:
        counted = []
        for cohort in self.json["frequency"]:
            flags = [f"{found['flagged']:,} of {found['total']:,} {name.replace('_', ' ')}"
                     for name, found in cohort.items()
                     if isinstance(found, dict) and found.get("flagged") is not None]
            counted.append(f"{cohort['cohort']}: {', '.join(flags)}" if flags else f"{cohort['cohort']}: too few to say")
        reasons = [f"{name.replace('_', ' ')}: {why}" for name, why in self.json["not_applicable"].items() if why]
        return [*counted, *reasons, *self.json.get("warnings", [])]

    def _body(self) -> str:
        flags = [label for label in ("belated", "uninformative", "unlikely") if label in self.frame]
        flagged = self.frame[(self.frame[flags] > 0).any(axis=1)]
        return table(flagged[["patient", "visits", *flags, "tail_probability"]]) if len(flagged) else ""


class Evaluation(Result):
    """Scores: how well decisions are predicted and, with a truth, how well they are explained."""

    title = "Evaluation"

    @property
    def sentences(self) -> list[str]:
        words = []
        for key in ("patients", "decisions", "log_loss", "brier", "auroc", "auprc", "belief_mismatch",
                    "policy_mismatch"):
            value = self.json.get(key)
            if value is not None:
                words.append(f"{key.replace('_', ' ')}: {value:.4g}" if isinstance(value, float)
                             else f"{key.replace('_', ' ')}: {value}")
        return words
