"""A cell that a magic could not run in, one that IPython runs out.

A magic is an ordinary function and cannot wait. So a cell below ``%%autograd`` that waits is
rewritten, before IPython looks at it, into one that waits for a coroutine of ours, and is carried
by IPython's own loop. An empty cell gets an empty line. All other cells pass as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from glassgrad.recording.syntax import has_await, may_wait

if TYPE_CHECKING:
    from glassgrad.notebook.shell import Shell

MAGIC = "%%autograd"


class Waiting:
    """An input transformer.

    Parameters
    ----------
    ip : Shell
        The shell it is registered with.
    is_ours : callable
        Tells whether ``%%autograd`` still means ours.
    """

    has_side_effects = True
    """It has none; but IPython asks whether a cell is complete about the cell as it was typed."""

    def __init__(self, ip: Shell, is_ours: Callable[[], bool]) -> None:
        self._ip = ip
        self._is_ours = is_ours

    def __call__(self, lines: list[str]) -> list[str]:
        """Return the lines of the cell that IPython is to run."""
        if not lines or not lines[0].startswith(MAGIC):
            return lines
        line, body = lines[0][len(MAGIC) :], "".join(lines[1:])
        if line[:1].strip() or not self._is_ours():
            return lines
        if not body:  # IPython refuses a magic without a cell; an empty cell is no mistake
            return [f"{MAGIC} {line.strip()}\n", "\n"]
        if not self._waits(body):
            return lines
        call = "get_ipython().find_cell_magic('autograd').__self__.waiting"
        return [f"await {call}({line.strip()!r}, {body!r})\n"]

    def _waits(self, body: str) -> bool:
        if not (self._ip.autoawait and may_wait(body)):
            return False
        try:
            return has_await(ast.parse(self._ip.transform_cell(body)).body)
        except Exception:  # the cell's own error, to be raised when it runs
            return False
