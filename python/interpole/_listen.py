"""What long calls say meanwhile: a progress bar on a terminal or in a notebook, doubts as warnings."""
from __future__ import annotations

import sys
import time
import warnings
from types import TracebackType
from typing import Any

from ._errors import Doubt, argument_words

_PATIENCE = 0.5  # seconds before a bar is drawn


def _shows_bars() -> bool:
    """On a terminal, and in a notebook (whose output is none)."""
    return sys.stderr is not None and sys.stderr.isatty() or "ipykernel" in sys.modules


def _new_bar(what: str, total: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, desc=what, leave=False, file=None if "ipykernel" in sys.modules else sys.stderr,
                bar_format="{desc}: {percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}]")


def _frames_of_package() -> int:
    """How far the caller of the package is: a doubt is shown at the user's own line."""
    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] in ("interpole", "contextlib"):
        depth, frame = depth + 1, frame.f_back
    return depth


def doubt(sentence: str) -> None:
    """Says what to doubt about a result."""
    warnings.warn(sentence, Doubt, stacklevel=_frames_of_package())


class Listener:
    """Given to the engine; used with `with`, so that a bar is gone whatever happens."""

    def __init__(self, verbose: bool = False) -> None:
        self._verbose = verbose
        self._bar: Any = None
        self._what = ""
        self._began = time.monotonic()
        self._bars = _shows_bars()
        self._doubts: list[str] = []

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.close()
        if kind is None:
            for sentence in self._doubts:
                doubt(sentence)

    def __call__(self, kind: str, words: str, done: int, total: int) -> None:
        if kind == "progress":
            self._progress(words, done, total)
        elif kind == "warning":
            self._doubts.append(argument_words(words))
        elif self._verbose:
            print(argument_words(words), file=sys.stderr)

    def _progress(self, what: str, done: int, total: int) -> None:
        if not self._bars or total <= 0 or time.monotonic() - self._began < _PATIENCE:
            return
        if what != self._what and self._bar is not None:
            self._bar.close()
            self._bar = None
        if self._bar is None:
            self._bar = _new_bar(what, total)
            self._what = what
            if self._bar is None:
                self._bars = False
                return
        self._bar.total = total
        self._bar.n = done
        self._bar.refresh()
