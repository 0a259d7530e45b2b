"""What a cell left behind in, the one Value to differentiate out, or a sentence that asks.

The last expression, if it is a Value, else the result that was assigned last. Where a cell has
several results and none was computed from another, nobody but the user can say which is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glassgrad.notebook.values import EXPRESSION, below, operands, sentence

if TYPE_CHECKING:
    from glassgrad.recording import Recorder

NO_VALUE = (
    "This cell made no Value, so there is nothing to differentiate. "
    "Wrap the inputs before you compute: a = Value(2.0)."
)
NO_VALUE_BUT_NUMBERS = (
    "This cell made no Value, so there is nothing to differentiate. "
    "Did you mean --lift, which turns the numbers assigned here into Values?"
)
NO_NAME = (
    "No variable of this cell is a Value, so there is nothing to differentiate. "
    "Name the result, as in y = a * b, or let it be the last line."
)
MAGIC = "%%autograd --root {}"
"""How the user of the magic names a root."""

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
    recorder: Recorder,
    variables: Mapping[str, object],
    last: object,
    wanted: str,
    asking: str = MAGIC,
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
        The variable or expression that the user named, or ``""``.
    asking : str, optional
        How the user says which root is meant, with ``{}`` for its name.

    Returns
    -------
    Choice
        A root or a sentence.
    """
    if wanted:
        return _wanted(recorder, variables, wanted)
    if recorder.is_value(last):
        return Choice(last)
    shown = _results(_values_in(recorder, last))
    if len(shown) == 1:
        return Choice(shown[0])
    driven = _driven(recorder)
    if driven is not None:
        return Choice(driven)
    if shown:
        return Choice(sentence=_ask_members(last, shown, recorder, variables, asking))
    return _assigned(recorder, variables, asking)


def _assigned(recorder: Recorder, variables: Mapping[str, object], asking: str) -> Choice:
    """Choose among what the cell's variables stand for."""
    assigned = {
        name: value for name, value in recorder.latest().items() if variables.get(name) is value
    }
    results = _results(list(assigned.values()))
    if len(results) == 1:
        return Choice(results[0])
    if len(results) > 1:
        names = {id(value): name for name, value in reversed(assigned.items())}
        return Choice(sentence=_ask([names[id(value)] for value in results], asking))
    held = _held(recorder, variables, asking)
    if held is not None:
        return held
    if assigned:
        return Choice(list(assigned.values())[-1])
    return Choice(sentence=NO_NAME if recorder.has_made else NO_VALUE)


def _driven(recorder: Recorder) -> object:
    """Return the one value from which the cell ran a whole backward pass; None if not one."""
    roots = [call.value() for call in recorder.calls if call.whole]
    found = {id(root): root for root in roots if root is not None}
    return next(iter(found.values())) if len(found) == 1 else None


def _held(recorder: Recorder, variables: Mapping[str, object], asking: str) -> Choice | None:
    """Return the results in the last list or dict that the cell made, where nothing else is one."""
    for name, value in recorder.containers(variables):
        results = _results(_values_in(recorder, value))
        if len(results) == 1:
            return Choice(results[0])
        if results:
            return Choice(sentence=_ask_members(value, results, recorder, {name: value}, asking))
    return None


def latest(recorder: Recorder) -> object:
    """Return the root of a cell that failed, or None.

    It is the Value that was assigned last, or what came of it before the error: in the function
    that failed, say, or in the line.
    """
    assigned = next(reversed(recorder.latest().values()), None)
    last = recorder.last()
    if last is None or not operands(last):
        return assigned
    return last if assigned is None or id(assigned) in below([last]) else assigned


def _wanted(recorder: Recorder, variables: Mapping[str, object], name: str) -> Choice:
    """Look up a variable, or evaluate an expression such as ``sum(losses)``."""
    if name.isidentifier() and name not in variables:
        return Choice(sentence=f"--root {name}: no variable is called {name}.")
    try:
        value = eval(compile(name, EXPRESSION, "eval"), dict(variables))
    except Exception as error:
        return Choice(sentence=sentence(f"--root {name}", error))
    if recorder.is_value(value):
        return Choice(value)
    kind = type(value).__name__
    return Choice(sentence=f"--root {name}: {name} is of type {kind} and has no graph.")


def _results(values: list[object]) -> list[object]:
    """Return the computed ones among some values that no other of them was computed from."""
    inner = below(values)
    outer = {id(value): value for value in values if id(value) not in inner}
    return [value for value in outer.values() if operands(value)]


def _values_in(recorder: Recorder, value: object) -> list[object]:
    """Return the Values that stand in a tuple, list or dict; how it iterates is not asked."""
    members: Iterable[object] = ()
    if isinstance(value, dict):
        members = dict.values(value)
    elif isinstance(value, list):
        members = list.__iter__(value)
    elif isinstance(value, tuple):
        members = tuple.__iter__(value)
    return [item for item in members if recorder.is_value(item)]


def _ask_members(
    value: object,
    results: list[object],
    recorder: Recorder,
    variables: Mapping[str, object],
    asking: str,
) -> str:
    """Ask which of the results in a list or dict is meant; their sum is offered, not assumed."""
    name = next(
        (name for name, item in variables.items() if item is value and not name.startswith("_")), ""
    )
    if not name or isinstance(value, tuple):
        return _ask([_name(recorder, item) for item in results], asking)
    kind = type(value).__name__
    one, every = f"{name}[0]", name
    if isinstance(value, dict):
        key = next(key for key, item in dict.items(value) if item is results[0])
        one, every = f"{name}[{key!r}]", f"{name}.values()"
    option = f'"{one}"' if asking == MAGIC and (" " in one or "'" in one) else one
    said = f"{name} is a {kind} of {len(results)} results. Say which one: {asking.format(option)}"
    if not hasattr(type(results[0]), "__radd__"):  # sum() begins with 0 +
        if isinstance(value, dict):
            return f"{said}."
        every = f"{name}[1:],{name}[0]"
    return f"{said}; or differentiate their sum: {asking.format(f'sum({every})')}."


def _name(recorder: Recorder, value: object) -> str:
    origin = recorder.origin(value)
    if origin is None:
        return repr(value)
    return origin.names[0] if origin.names else origin.text or repr(value)


def _ask(names: list[str], asking: str) -> str:
    """Ask which of several results is meant.

    Examples
    --------
    >>> _ask(["loss", "acc"], MAGIC)
    'loss and acc are both results of this cell. Say which one: %%autograd --root loss.'
    """
    listed = names if len(names) <= NAMED_AT_MOST else names[: NAMED_AT_MOST - 1]
    more = len(names) - len(listed)
    *first, last = [*listed, f"{more} more"] if more else listed
    what = "both results" if len(names) == 2 else "all results"
    known = next((name for name in names if name.isidentifier()), None)
    todo = f"Say which one: {asking.format(known)}." if known else "Give the one you mean a name."
    return f"{', '.join(first)} and {last} are {what} of this cell. {todo}"
