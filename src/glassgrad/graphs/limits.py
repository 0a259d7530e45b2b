"""Somebody else's code, run so that it cannot hang: lines are counted while it runs.

In flows a budget; out flows a block in which code is stopped when the budget is used up.  A walk
of 2**n steps, or a loop without an end, then costs a second and not an afternoon.  Lines rather
than seconds, so that the same program is stopped at the same place on every machine.
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dis import get_instructions
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any

from glassgrad.graphs.adapters.native import undisturbed

DEEPEST = 4_000
"""So many calls may be inside each other, whatever limit was set: beyond it the C stack ends."""


class EndlessError(BaseException):
    """The budget is used up.  No `Exception`, so that no ``except Exception`` swallows it."""


@contextmanager
def limited(steps: int, called: set[CodeType] | None = None) -> Iterator[None]:
    """Stop the code of the block after so many lines, and keep its recursion within bounds.

    A debugger that is at work gets its place back afterwards.

    Parameters
    ----------
    steps : int
        How many lines and calls it may take.
    called : set of code, optional
        Where to note the functions that ran.

    Raises
    ------
    EndlessError
        From inside the block, when the budget is used up.

    Examples
    --------
    >>> with limited(1000):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    glassgrad.graphs.limits.EndlessError
    """
    left, before, deepest = steps, sys.gettrace(), sys.getrecursionlimit()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal left
        if event == "call":
            if called is not None:
                called.add(frame.f_code)
            frame.f_trace_opcodes = frame.f_trace_opcodes or _spins(frame.f_code)
        left -= 1
        if left < 0:
            raise EndlessError
        return trace

    # code of the block itself is traced as well, not only what it calls
    block = sys._getframe(2)
    inner = block.f_trace
    with undisturbed():
        sys.setrecursionlimit(min(deepest, _depth() + DEEPEST))
        sys.settrace(trace)
        block.f_trace = trace
        try:
            yield
        finally:
            sys.settrace(before)
            block.f_trace = inner
            sys.setrecursionlimit(deepest)


@lru_cache(maxsize=1024)
def _spins(code: CodeType) -> bool:
    """Whether one instruction jumps to itself, as in ``while True: pass``: no line is counted."""
    return any(
        step.argval == step.offset for step in get_instructions(code) if step.opcode in _JUMPS
    )


_JUMPS = frozenset(opcode.hasjrel + opcode.hasjabs)


def _depth() -> int:
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
