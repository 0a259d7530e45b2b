"""The gradients of a cell's root: whether to compute them, and what to clear first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from glassgrad.graphs.numbers import plain
from glassgrad.notebook.ledger import Cell, Ledger
from glassgrad.notebook.panel import namer
from glassgrad.notebook.values import below, clear, drive, gradient, holds_gradient
from glassgrad.recording import Call, Recorder

NAMED_AT_MOST = 3
"""So many values are listed by name in a message."""

CALLS_AT_MOST = 6
"""So many calls are listed in a message."""


class Differentiated(NamedTuple):
    """What happened to the gradients: a message about them, an error of the user's own code."""

    message: str = ""
    error: str = ""


@dataclass(frozen=True)
class Policy:
    """What the user wants done with gradients.

    Parameters
    ----------
    clear : bool
        Whether what earlier cells left is set to zero first.
    drive : bool
        Whether backward is run.
    """

    clear: bool = True
    drive: bool = True


def differentiate(
    root: object,
    recorder: Recorder,
    policy: Policy,
    *,
    ledger: Ledger | None = None,
    cell: Cell | None = None,
    what: str = "cell",
) -> Differentiated:
    """Run backward on the root of a cell, unless the cell did.

    Gradients that an earlier cell left behind are set to zero first, and the message says so.

    Parameters
    ----------
    root : object
        A Value of any class.
    recorder : Recorder
        What the cell computed.
    policy : Policy
        What to do.
    ledger : Ledger, optional
        Knows which cell left which gradient, and is told what this one leaves.
    cell : Cell, optional
        The running cell.
    what : str, optional
        What to call it.

    Returns
    -------
    Differentiated
        What to tell the user.
    """
    ledger = ledger if ledger is not None else Ledger()
    everything = [root, *below([root]).values()]
    if recorder.calls or _is_driven(root, recorder):
        done = Differentiated(_told(recorder.calls, what))
    else:
        done = _run(root, recorder, policy, (ledger, cell, everything), what)
    if cell is not None:
        ledger.note(filter(holds_gradient, everything), cell)
    return done


def _run(
    root: object,
    recorder: Recorder,
    policy: Policy,
    known: tuple[Ledger, Cell | None, Sequence[object]],
    what: str,
) -> Differentiated:
    ledger, cell, everything = known
    message = ""
    left_over = [value for value in everything if holds_gradient(value)]
    if left_over and policy.clear:
        message = _left_over(left_over, recorder, ledger, cell, what)
        error = clear(root)
        if error:
            return Differentiated(error=error)
        message = message and f"{message}; all gradients were set to 0 first."
    named = namer(recorder, root, {})

    def name_of(value: object) -> str:
        origin = recorder.origin(value)
        return named(value) or (origin.text if origin is not None and origin.text else "")

    return Differentiated(message, drive(root, name_of) if policy.drive else "")


def _is_driven(root: object, recorder: Recorder) -> bool:
    """Whether the root got its gradient during the cell without a call that was heard."""
    earlier = recorder.met(root)
    return holds_gradient(root) if earlier is None else gradient(root) != earlier.grad


def _told(calls: Sequence[Call], what: str) -> str:
    """Say what a cell or a block did about gradients by itself.

    Examples
    --------
    >>> c, d = Call("line 3", "c.backward()", True, len), Call("line 4", "d.backward()", True, len)
    >>> _told([c, d], "cell")
    'This cell ran c.backward() (line 3), then d.backward() (line 4), so backward() was not \
run again.'
    >>> _told([c, c, c], "cell")
    'This cell ran c.backward() (line 3) 3 times, so backward() was not run again.'
    >>> _told([], "block")
    'This block ran backward itself, so it was not run again.'
    """
    if not calls:
        return f"This {what} ran backward itself, so it was not run again."
    said, told = [], 0
    for (text, where), same in groupby(calls, lambda call: (call.text, call.where)):
        times = len(list(same))
        said.append(f"{text} ({where}){f' {times} times' if times > 1 else ''}")
        told += times
        if len(said) == CALLS_AT_MOST and told < len(calls):
            said.append(f"{len(calls) - told} more calls")
            break
    return f"This {what} ran {', then '.join(said)}, so backward() was not run again."


def _left_over(
    values: Sequence[object], recorder: Recorder, ledger: Ledger, cell: Cell | None, what: str
) -> str:
    """Say which gradients were there, and from where; ``""`` if this very cell had left them."""
    cells = {ledger.left_by(value) for value in values}
    if cell is not None and all(left is not None and left.key == cell.key for left in cells):
        return ""
    earlier = {item for item in map(recorder.met, values) if item is not None}
    names = sorted(item.name for item in earlier)
    if len(earlier) == 1:
        (only,) = earlier
        held = plain(only.grad) if isinstance(only.grad, int | float) else only.grad
        who = f"{only.name}.grad still held {held}"
    elif 1 < len(names) <= NAMED_AT_MOST:
        *first, last = [f"{name}.grad" for name in names]
        who = f"{', '.join(first)} and {last} still held gradients"
    else:
        who = "Some values still held gradients"
    numbers = {left.number for left in cells if left is not None}
    one = len(numbers) == 1 and None not in cells
    return f"{who} from {f'cell {numbers.pop()}' if one else f'before this {what}'}"
