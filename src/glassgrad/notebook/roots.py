"""What a cell left behind in, the one Value to differentiate out, or a sentence that asks.

The last expression, if it is a Value, else the result that was assigned last. Where a cell has
several results and none was computed from another, nobody but the user can say which is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glassgrad.notebook.values import below, operands

if TYPE_CHECKING:
    from glassgrad.recording import Recorder

NO_VALUE = (
    "This cell made no Value, so there is nothing to differentiate. "
    "Wrap the inputs before you compute: a = Value(2.0)."
)
NAMED_AT_MOST = 4
"""So many results are listed by name in a question."""


@dataclass(frozen=True)
class Choice:
    """The root of a cell.

    Parameters
    ----------
    root : object
        The Value, or None where there is none or several.
    sentence : str
        What to tell the user then.
    """

    root: object = None
    sentence: str = ""


def choose(
    recorder: Recorder, variables: Mapping[str, object], last: object, wanted: str
) -> Choice:
    """Choose the root of a cell.

    Parameters
    ----------
    recorder : Recorder
        What the cell computed.
    variables : mapping
        The user's variables after the cell.
    last : object
        The value of the cell's last expression, or None.
    wanted : str
        The variable that the user named, or ``""``.

    Returns
    -------
    Choice
        A root or a sentence.
    """
    if wanted:
        return _wanted(recorder, variables, wanted)
    if recorder.is_value(last):
        return Choice(last)
    shown = _results([item for item in _members(last) if recorder.is_value(item)])
    if len(shown) == 1:
        return Choice(shown[0])
    if shown:
        return Choice(sentence=_ask([_name(recorder, value) for value in shown]))
    assigned = {
        name: value for name, value in recorder.latest().items() if variables.get(name) is value
    }
    if not assigned:
        return Choice(sentence=NO_VALUE)
    results = _results(list(assigned.values()))
    if len(results) == 1:
        return Choice(results[0])
    if not results:
        return Choice(list(assigned.values())[-1])
    names = {id(value): name for name, value in reversed(assigned.items())}
    return Choice(sentence=_ask([names[id(value)] for value in results]))


def latest(recorder: Recorder) -> object:
    """Return the Value that was assigned last, or None: the root of a cell that failed."""
    return next(reversed(recorder.latest().values()), None)


def _wanted(recorder: Recorder, variables: Mapping[str, object], name: str) -> Choice:
    if name not in variables:
        return Choice(sentence=f"--root {name}: no variable is called {name}.")
    value = variables[name]
    if recorder.is_value(value):
        return Choice(value)
    kind = type(value).__name__
    return Choice(sentence=f"--root {name}: {name} is of type {kind} and has no graph.")


def _results(values: list[object]) -> list[object]:
    """Return the computed ones among some values that no other of them was computed from."""
    inner = below(values)
    outer = {id(value): value for value in values if id(value) not in inner}
    return [value for value in outer.values() if operands(value)]


def _members(value: object) -> list[object]:
    """Return what stands in a tuple, list or dict that a cell ends with."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, tuple | list) else []


def _name(recorder: Recorder, value: object) -> str:
    origin = recorder.origin(value)
    if origin is None:
        return repr(value)
    return origin.names[0] if origin.names else origin.text or repr(value)


def _ask(names: list[str]) -> str:
    """Ask which of several results is meant.

    Examples
    --------
    >>> _ask(["loss", "acc"])
    'loss and acc are both results of this cell. Say which one: %%autograd --root loss.'
    """
    listed = names if len(names) <= NAMED_AT_MOST else names[: NAMED_AT_MOST - 1]
    more = len(names) - len(listed)
    *first, last = [*listed, f"{more} more"] if more else listed
    what = "both results" if len(names) == 2 else "all results"
    known = next((name for name in names if name.isidentifier()), None)
    todo = (
        f"Say which one: %%autograd --root {known}." if known else "Give the one you mean a name."
    )
    return f"{', '.join(first)} and {last} are {what} of this cell. {todo}"
