"""What to call a value: the user's own names, so that nobody has to set labels by hand.

In flow what is known about each value; out flow display names.  A value's own label wins, then the
variable it is bound to, then its source text, then an expression over the names of its operands if
that stays short, and at last the symbol of its operation.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import compress
from pathlib import Path

from glassgrad.graphs.adapters import KNOWN_AS, known_as

LONGEST = 24
"""The longest expression that still serves as a name, in characters."""

_PACKAGE = str(Path(__file__).parents[1])
_NO_NAMES: Mapping[str, object] = {}

_ATOM = 5
_INFIX = {"add": ("+", 1), "sub": ("-", 1), "mul": ("*", 2), "div": ("/", 2)}
_NEGATIVE, _POWER = 3, 4
_TIGHTNESS = ((r"\*\*", _POWER), (r"(?<!\*)\*(?!\*)|/", 2), (r"[-+]", 1))


def callers_names() -> Mapping[str, object]:
    """Return the local and global names where this package was called from.

    Examples
    --------
    >>> alpha = 1.0
    >>> callers_names()["alpha"]
    1.0
    """
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(_PACKAGE):
        if frame.f_back is None:
            return _NO_NAMES
        frame = frame.f_back
    return {
        **frame.f_locals,
        **frame.f_globals,
        **frame.f_locals,
    }  # local names come first, and win


def lookup(names: Mapping[str, object]) -> Lookup:
    """Return what tells the first of `names` that stands for an object, or ``""``.

    Names that begin with an underscore are a notebook's own, and ``self`` names everything.

    Examples
    --------
    >>> a = object()
    >>> lookup({"_": a, "a": a, "b": a})(a)
    'a'
    """
    return Lookup(names)


class Lookup:
    """Tells names of objects; made by `lookup`."""

    def __init__(self, names: Mapping[str, object]) -> None:
        self._names = names

    @cached_property
    def by_identity(self) -> dict[int, str]:
        """Names by what they are known by, looked for at the first question: then that is known."""
        found = {id(None): ""}
        for name, candidate in self._names.items():
            if name.isidentifier() and not name.startswith("_") and name != "self":
                found.setdefault(id(known_as(candidate)), name)
        return found

    def __call__(self, item: object) -> str:
        """Return the name of an object."""
        if type(item) in KNOWN_AS:
            item = known_as(item)
        return self.by_identity.get(id(item), "")

    def all(self, items: Sequence[object]) -> list[str]:
        """Return the name of each of many objects, of which few have one.

        Examples
        --------
        >>> a = object()
        >>> lookup({"a": a}).all([a, object(), a])
        ['a', '', 'a']
        """
        names = [""] * len(items)
        some: Iterable[int] = range(len(items))
        if KNOWN_AS.keys().isdisjoint(map(type, items)):
            some = compress(some, map(self.by_identity.__contains__, map(id, items)))
        for place in some:
            names[place] = self(items[place])
        return names


def expression(primitive: str, op: str, operands: Sequence[str]) -> str:
    """Write an operation over the names of its operands, as the user would have.

    Parameters
    ----------
    primitive : str
        The row of the table that the numbers agree with, or ``""``.
    op : str
        The operation as the user's class spells it.
    operands : sequence of str
        The names.

    Returns
    -------
    str
        ``""`` where an operand has no name, the operation is unknown, or it gets too long.

    Examples
    --------
    >>> expression("mul", "*", ["a + b", "c"]), expression("relu", "ReLU", ["h"])
    ('(a + b) * c', 'relu(h)')
    >>> expression("pow", "**2", ["d"]), expression("", "/", ["a", "b"])
    ('d**2', '')
    """
    if not all(operands) or sum(map(len, operands)) > LONGEST:
        return ""
    text = _written(primitive, op, operands)
    return text if len(text) <= LONGEST else ""


def _written(primitive: str, op: str, operands: Sequence[str]) -> str:
    if primitive in _INFIX:
        sign, level = _INFIX[primitive]
        left, right = operands
        # the right side of an operator needs a tighter operand: a - (b - c)
        return f"{_tight(left, level)} {sign} {_tight(right, level + 1)}"
    if primitive == "neg":
        return f"-{_tight(operands[0], _NEGATIVE)}"
    if primitive == "pow":
        power = operands[1] if len(operands) == 2 else op.strip("*^ ()")
        return f"{_tight(operands[0], _ATOM)}**{_tight(power, _POWER)}"
    name = primitive or op
    return f"{name}({', '.join(operands)})" if name.isidentifier() else ""


def _tight(text: str, level: int) -> str:
    return text if _tightness(text) >= level else f"({text})"


@lru_cache(maxsize=4096)
def _tightness(text: str) -> int:
    """Tell how tightly an expression binds; 0 where it is no arithmetic that we can read."""
    outside, before = text, ""
    while outside != before:  # take out what stands in brackets, from the innermost
        before, outside = outside, re.sub(r"[(\[][^()\[\]]*[)\]]", "", outside)
    if re.fullmatch(r"[\w.]*", outside):
        return _ATOM
    if not re.fullmatch(r"[\w. *+/-]+", outside):
        return 0
    found = [level for pattern, level in _TIGHTNESS if re.search(pattern, outside)]
    return min(found, default=0)
