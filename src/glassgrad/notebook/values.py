"""What we ask of the user's objects, whatever their class: operands, a backward pass, zeros.

Nothing here happens by itself. A gradient changes only because a button was pressed or because a
cell asked for ``%%autograd``; the user's own code runs, and when it raises, the exception becomes
one sentence.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from numbers import Real
from pathlib import Path

from glassgrad.engine.value import Value
from glassgrad.graphs.adapters import Record, find
from glassgrad.graphs.drive import drive as run_driver

PACKAGE = str(Path(__file__).parent.parent)
"""The folder of our own files; a line in one of them tells the user nothing."""

NOT_DRIVEN = (
    "{kind} has no method that runs the whole backward pass: "
    "call its rules by hand, or give it a method named backward."
)


def operands(value: object) -> tuple[object, ...]:
    """Return what a Value was computed from; nothing for a leaf or a plain number.

    Examples
    --------
    >>> a = Value(2.0)
    >>> operands(a * 3)
    (Value(data=2.0, grad=0.0), 3.0)
    """
    record = _record(value)
    return record.operands if record is not None else ()


def below(roots: Iterable[object]) -> dict[int, object]:
    """Return, by identity, everything that some values were computed from, without themselves.

    Examples
    --------
    >>> a = Value(2.0)
    >>> list(below([a * a]).values())
    [Value(data=2.0, grad=0.0)]
    """
    found: dict[int, object] = {}
    waiting = [operand for root in roots for operand in operands(root)]
    while waiting:
        value = waiting.pop()
        if id(value) not in found:
            found[id(value)] = value
            waiting.extend(operands(value))
    return found


def gradient(value: object) -> object:
    """Return what stands where the gradient should be; None where there is nothing.

    Examples
    --------
    >>> gradient(Value(2.0)), gradient(2.0)
    (0.0, None)
    """
    record = _record(value)
    return record.grad if record is not None else None


def holds_gradient(value: object) -> bool:
    """Tell whether a backward pass left something in a value.

    Examples
    --------
    >>> a = Value(3.0)
    >>> a.backward()
    >>> holds_gradient(a), holds_gradient(Value(3.0))
    (True, False)
    """
    record = _record(value)
    if record is None:
        return False
    return isinstance(record.grad, Real) and record.grad != record.start


def _record(value: object) -> Record | None:
    """Describe a value, if it can be described: a half-written class may raise anything."""
    adapter = find(value)
    try:
        return adapter.record(value) if adapter is not None else None
    except Exception:
        return None


def drive(root: object, name_of: Callable[[object], str] = lambda _: "") -> str:
    """Run the backward pass of the user's own class.

    Parameters
    ----------
    root : object
        A Value of any class.
    name_of : callable, optional
        Tells the variable that an object is bound to, for the sentence.

    Returns
    -------
    str
        ``""``, or one sentence about what went wrong.

    Examples
    --------
    >>> drive(Value(2.0))
    ''
    """
    driven = run_driver(root, name_of)
    if not driven.name:
        return NOT_DRIVEN.format(kind=type(root).__name__)
    if driven.error is not None and not driven.remark:
        return sentence(f"{driven.name}()", driven.error)
    return driven.remark


def clear(root: object) -> str:
    """Set the gradient of a value and of everything below it to zero.

    Parameters
    ----------
    root : object
        A Value of any class.

    Returns
    -------
    str
        ``""``, or one sentence about what went wrong.

    Examples
    --------
    >>> a = Value(3.0)
    >>> b = a * a
    >>> b.backward()
    >>> clear(b), a.grad
    ('', 0.0)
    """
    try:
        if isinstance(root, Value):
            root.zero_grad()
            return ""
        for value in (root, *below([root]).values()):
            record = _record(value)
            if record is not None and record.names.grad and hasattr(value, record.names.grad):
                _empty(value, record)
    except Exception as error:
        return sentence("Setting the gradients to 0", error)
    return ""


EXPRESSION = "<--root>"
"""The file that an expression on the magic's line is said to be from."""


def _empty(value: object, record: Record) -> None:
    try:
        setattr(value, record.names.grad, record.start)
    except TypeError:  # a tensor takes nothing but tensors, and None
        setattr(value, record.names.grad, None)


def sentence(what: str, error: BaseException) -> str:
    """Say in one sentence that something of the user's raised, and where.

    Examples
    --------
    >>> sentence("backward()", ValueError("no"))
    'backward() raised ValueError: no.'
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith((PACKAGE, EXPRESSION))
    ]
    where = f" (line {frames[-1].lineno} of {frames[-1].name})" if frames else ""
    text = " ".join(str(error).split()).removesuffix(".")
    return f"{what} raised {type(error).__name__}{f': {text}' if text else ''}{where}."
