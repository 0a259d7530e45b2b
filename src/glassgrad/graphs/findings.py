"""What reading a graph found out about its values: facts with a name, and their sentences.

In flow the facts, from the adapters and from the probe; out flow sentences for people, and the
facts themselves for whoever grades the class.  Each kind of fact has one row in the table, so that
a picture, a text and a report say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isnan

from glassgrad.graphs.numbers import plain


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact about one value.

    Parameters
    ----------
    node : int
        The id of the value.
    kind : str
        A row of `SENTENCES`, or of `QUIET`.
    operands : tuple of int, optional
        The ids of the values that it concerns.
    detail : str, optional
        Words that the row does not know: what was raised, what stands in ``data``.
    expected, got : float, optional
        The number that should be there, and the one that is.
    place : tuple of (str, int), optional
        File and line of the rule's code.

    Examples
    --------
    >>> Finding(2, "forgets", (0,)).sentence(["a", "b", "c"].__getitem__)
    "c's rule does not multiply by the gradient of c on the way to a: upstream × slope is due."
    """

    node: int
    kind: str
    operands: tuple[int, ...] = ()
    detail: str = ""
    expected: float = float("nan")
    got: float = float("nan")
    place: tuple[str, int] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        numbers = (None if isnan(number) else number for number in (self.expected, self.got))
        return (self.node, self.kind, self.operands, self.detail, *numbers, self.place)

    def sentence(self, name_of: Callable[[int], str]) -> str:
        """Say it in one sentence; ``""`` for a fact that nobody needs to be told."""
        words = {
            "name": name_of(self.node),
            "operands": _listed([name_of(operand) for operand in self.operands]),
            "detail": self.detail,
        }
        return self._filled(SENTENCES, words)

    @property
    def mark(self) -> str:
        """The few words that stand beside the edges that it concerns."""
        return self._filled(MARKS, {})

    def _filled(self, rows: Mapping[str, str], words: Mapping[str, str]) -> str:
        words = {**words, "expected": plain(self.expected), "got": plain(self.got)}
        # one pass, so that braces in somebody's label stay what they are
        return re.sub(r"\{(\w+)\}", lambda found: words[found[1]], rows.get(self.kind, ""))


SENTENCES: Mapping[str, str] = {
    # what is there instead of a number
    "data": "{name}.data{detail}",
    # what the rule does
    "raises": "{name}'s rule raised {detail}, so its slopes are unknown.",
    "endless": "{name}'s rule was stopped after {detail} steps, so its slopes are unknown.",
    "apart": "{name}'s rule cannot be run apart from {name} itself, so its slopes are unknown.",
    "odd": "{name}'s rule leaves a gradient that{detail}",
    "replaces": "{name}'s rule replaces the gradient of {operands}: with `+=` in place of `=`, "
    "what is used elsewhere keeps what it got there.",
    "forgets": "{name}'s rule does not multiply by the gradient of {name} on the way to "
    "{operands}: upstream × slope is due.",
    "silent": "{name}'s rule sends nothing to {operands}, where the slope is {expected}.",
    "slope": "{name}'s rule gives {operands} the slope {got}, where it is {expected}.",
    "stray": "{name}'s rule sends a gradient to a value that is not among its operands.",
    "elsewhere": "{name}'s rule belongs to other objects, as after copy.deepcopy: "
    "its slopes are unknown, and backward() would fill their gradients.",
    # what the value remembers
    "detached": "{name} says it is a {detail} and holds no operands, so no gradient passes it: "
    "make it with the operands it was computed from.",
    "dropped": "{name} keeps one operand of its {detail}: a plain number was not kept.",
    "unreadable": "{name} cannot be read: looking at it raised {detail}.",
    "stale": "{name} no longer follows from its operands: it holds {got}, and they give "
    "{expected} now. Compute it again.",
    # where the program left the graph
    "float": "{name} left the graph at {detail}: float({name}) is a number that no longer "
    "remembers it.",
    "int": "{name} left the graph at {detail}: int({name}) is a number that no longer "
    "remembers it.",
    "bool": "{name} decided which way the program went at {detail}: bool({name}).",
    "compared": "{name} was compared at {detail}: which way the program went depends on it.",
    "unsaved": "No number is kept for {name}, and it does not follow from others.",
    # in a folded picture
    "inside": "{detail}",
}
"""What is said, by kind.  ``{name}`` is the value, ``{operands}`` what it concerns."""

MARKS: Mapping[str, str] = {
    "replaces": "replaces",
    "forgets": "lacks × grad",
    "silent": "{got}, not {expected}",
    "slope": "{got}, not {expected}",
    "odd": "not a number",
}
"""What stands beside an edge that a fact concerns, by kind."""

QUIET = frozenset({"live", "freed"})
"""Kinds that are no news at a value: nearly every class reads ``data`` when backward runs, and
numbers that were freed are missing everywhere at once, so the graph says it."""


def _listed(names: list[str]) -> str:
    """Join names as a sentence does.

    Examples
    --------
    >>> _listed(["a", "b", "c"])
    'a, b and c'
    """
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last
