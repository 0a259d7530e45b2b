"""The gradients of a cell's root: whether to compute them, and what to clear first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from glassgrad.notebook.values import below, clear, drive, gradient, holds_gradient

if TYPE_CHECKING:
    from glassgrad.recording import Recorder

NAMED_AT_MOST = 3
"""So many values are listed by name in a message."""


class Differentiated(NamedTuple):
    """What happened to the gradients: a message about them, an error of the user's own code."""

    message: str = ""
    error: str = ""


def differentiate(root: object, recorder: Recorder) -> Differentiated:
    """Run backward on the root of a cell, unless the cell did.

    Gradients that an earlier cell left behind are set to zero first, and the message says so.

    Parameters
    ----------
    root : object
        A Value of any class.
    recorder : Recorder
        What the cell computed.
    """
    if recorder.driven_count or _is_driven(root, recorder):
        return Differentiated()
    message = ""
    left_over = [value for value in (root, *below([root]).values()) if holds_gradient(value)]
    if left_over:
        error = clear(root)
        if error:
            return Differentiated(error=error)
        message = _cleared(left_over, recorder)
    return Differentiated(message, drive(root))


def _is_driven(root: object, recorder: Recorder) -> bool:
    """Whether the root got its gradient during the cell: by hand, or inside a function."""
    earlier = recorder.met(root)
    return holds_gradient(root) if earlier is None else gradient(root) != earlier.grad


def _cleared(values: list[object], recorder: Recorder) -> str:
    """Say which gradients were cleared."""
    earlier = {item for item in map(recorder.met, values) if item is not None}
    names = sorted(item.name for item in earlier)
    if len(earlier) == 1:
        (only,) = earlier
        who = f"{only.name}.grad still held {only.grad:.4g}"
    elif 1 < len(names) <= NAMED_AT_MOST:
        *first, last = [f"{name}.grad" for name in names]
        who = f"{', '.join(first)} and {last} still held gradients"
    else:
        who = "Some values still held gradients"
    return f"{who} from before this cell; all gradients were set to 0 first."
