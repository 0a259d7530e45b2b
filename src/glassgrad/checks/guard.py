"""Somebody else's code, run so that nothing it does can hang or break the check.

In flows a function; out flows a `Ran`: what it returned or raised, and which functions it called.
It runs within a budget of lines, so that a walk of 2**n steps, or one without an end, is stopped.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from types import CodeType, TracebackType
from typing import Any

from glassgrad.graphs.limits import EndlessError, limited

STEPS = 200_000
"""So many lines may run, unless the caller knows better; a second or less."""


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    """What came of running somebody's code.

    Parameters
    ----------
    result : object
        What it returned; None where it raised.
    error : BaseException or None
        What it raised; an `EndlessError` where the budget was used up.
    called : frozenset of code
        The functions that ran.
    lines : tuple of (str, int)
        File and line of each call that was active when it raised, the innermost last.
    """

    result: Any
    error: BaseException | None
    called: frozenset[CodeType]
    lines: tuple[tuple[str, int], ...]

    @property
    def complaint(self) -> str:
        """The end of a sentence: ``"raises TypeError (...)"``; ``""`` where all went well."""
        if self.error is None:
            return ""
        return "does not come to an end" if self.endless else f"raises {said(self.error)}"

    @property
    def endless(self) -> bool:
        """Whether it was stopped."""
        return isinstance(self.error, EndlessError)


def run(function: Callable[[], object], steps: int = STEPS) -> Ran:
    """Run a function within a budget; what it prints and what it warns of is dropped.

    Parameters
    ----------
    function : callable
        What to run, without arguments.
    steps : int, optional
        How many lines it may take.

    Returns
    -------
    Ran
        Never raises what the function raised, except for ``KeyboardInterrupt``.

    Examples
    --------
    >>> run(lambda: 2 + 2).result
    4
    >>> def forever():
    ...     while True:
    ...         pass
    >>> run(forever, steps=1000).endless
    True
    """
    called: set[CodeType] = set()
    result: object = None
    error: BaseException | None = None
    with _quiet(), limited(steps, called):
        try:
            result = function()
        except (Exception, EndlessError, SystemExit) as raised:
            error = raised
    lines = tuple(_lines(error.__traceback__)) if error else ()
    if error:
        error.__traceback__ = None  # it holds every frame, and with them the graph
    return Ran(result, error, frozenset(called), lines)


def said(error: BaseException) -> str:
    """Return an exception as a clause: its type and the first line of its words.

    Examples
    --------
    >>> said(ValueError("math domain error"))
    'ValueError (math domain error)'
    """
    words = str(error).partition("\n")[0]
    return f"{type(error).__name__} ({words})" if words else type(error).__name__


@contextmanager
def _quiet() -> Iterator[None]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _lines(traceback: TracebackType | None) -> Iterator[tuple[str, int]]:
    while traceback is not None:
        yield traceback.tb_frame.f_code.co_filename, traceback.tb_lineno
        traceback = traceback.tb_next
