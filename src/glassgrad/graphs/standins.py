"""Stand-ins: what a rule is run on, so that nobody's values are written to.

In flow a value, its operands and its local rule; out flows the same rule, bound to copies.  The
code is the user's own; where it says ``self``, ``other`` and ``out`` it meets a stand-in of the
same class with the same attributes.  So a rule may raise half way, and another thread may read the
originals meanwhile: they are never touched.

Operands stand in as leaves, without rules and operands of their own, so that a rule which goes on
to call theirs comes to an end at once.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from functools import partial
from itertools import count
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any
from weakref import ReferenceType

from glassgrad.graphs.adapters import Names
from glassgrad.graphs.adapters.closures import contents
from glassgrad.graphs.adapters.held import ABSENT, held, namespace, slots_of, stored
from glassgrad.graphs.contained import again
from glassgrad.graphs.surroundings import homes, mentioned, module_of

_ATOMS = (type, ModuleType, BuiltinFunctionType, str, bytes, int, float, complex)
_LARGEST = 10_000  # members that are looked through, of all containers together
_DEEPEST = 6  # objects inside objects


class NotApartError(Exception):
    """No stand-in can be made for an object of this class."""


class StandIns:
    """Stand-ins for one value and its operands, and for whatever mentions them.

    Parameters
    ----------
    value : object
        The result.
    operands : sequence of object
        What it was computed from, each once.
    names : Names
        What its class calls things.

    Raises
    ------
    NotApartError
        When the class's objects cannot be copied.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a, b = SimpleNamespace(grad=7.0), SimpleNamespace(grad=8.0)
    >>> def rule():
    ...     a.grad += 3.0
    >>> others = StandIns(b, [a], Names())
    >>> others.bound(rule)()
    >>> a.grad, others.operands[0].grad
    (7.0, 10.0)
    """

    def __init__(self, value: object, operands: Sequence[object], names: Names) -> None:
        self._names = names
        self._kinds = {type(value), *map(type, operands)}
        self._homes = homes(self._kinds)
        self._room = _LARGEST
        self._others: dict[int, object] = {}
        self._originals: list[object] = []  # held, so that identities stay their own
        self.strays: list[object] = []
        """Stand-ins for values that the rule knows and that are neither of these."""
        self.operands = [self._leaf(operand) for operand in operands]
        self.value = self._stand(value)
        for name, item in held(value).items():
            if name not in (names.data, names.grad):
                put(self.value, name, self.bound(item))

    def bound(self, item: Any, depth: int = 0) -> Any:
        """Return `item` with every value in it replaced by its stand-in; itself if there is none.

        Functions are bound anew: their closures, defaults and the globals they mention.
        """
        known = self._others.get(id(item), ABSENT)
        if known is not ABSENT:
            return known
        if issubclass(type(item), _ATOMS) or item is None or depth > _DEEPEST:
            return item
        if depth == 0:
            self._homes |= homes([], item)
        if type(item) in self._kinds:
            stray = self._leaf(item)
            self.strays.append(stray)
            return stray
        found = self._rebuilt(item, depth + 1)
        self._remember(item, found)
        return found

    def _rebuilt(self, item: Any, depth: int) -> Any:
        if issubclass(type(item), FunctionType):
            return self._function(item, depth)
        if issubclass(type(item), MethodType):
            owner = self.bound(item.__self__, depth)
            return MethodType(self.bound(item.__func__, depth), owner)
        if issubclass(type(item), partial):
            args = [self.bound(part, depth) for part in item.args]
            words = {name: self.bound(part, depth) for name, part in item.keywords.items()}
            return partial(self.bound(item.func, depth), *args, **words)
        if type(item) is count:
            return again(item)
        if issubclass(type(item), ReferenceType):
            other = self.bound(item(), depth)
            return item if other is item() else ReferenceType(other)
        if type(item) in (tuple, list, set, frozenset, dict):
            return self._container(item, depth) if self._has_room(len(item)) else item
        return self._carrier(item, depth)

    def _container(self, item: Any, depth: int) -> Any:
        if type(item) is dict:
            return {self.bound(k, depth): self.bound(v, depth) for k, v in item.items()}
        parts = [self.bound(part, depth) for part in item]
        same = all(x is y for x, y in zip(parts, item, strict=True))
        return item if same else type(item)(parts)

    def _has_room(self, members: int) -> bool:
        """Whether so many more may be looked through: a rule may mention somebody's data."""
        fits = members <= self._room
        self._room -= members if fits else 0
        return fits

    def _carrier(self, item: Any, depth: int) -> Any:
        """Copy an object that is no value but holds some, as a Function object does."""
        inside = held(item)
        if not inside or hasattr(type(item), "__array__"):
            return item
        parts = {name: self.bound(part, depth) for name, part in inside.items()}
        if all(parts[name] is part for name, part in inside.items()):
            return item
        try:
            copy = copied(item)
        except NotApartError:  # as a cached function, which needs no copy where it has no values
            if all(_is_same(parts[name], part) for name, part in inside.items()):
                return item
            raise
        for name, part in parts.items():
            put(copy, name, part)
        return copy

    def _function(self, function: FunctionType, depth: int) -> FunctionType:
        inside = contents(function.__closure__ or ())
        cells = [CellType() for _ in inside]
        world: dict[str, Any] = {}
        copy = FunctionType(function.__code__, world, function.__name__, None, tuple(cells))
        self._remember(function, copy)  # it may mention itself
        taken = [self.bound(item, depth) for item in inside]
        defaults = self.bound(function.__defaults__, depth)
        around = self._globals(function, depth)
        changed = any(x is not y for x, y in zip(taken, inside, strict=True))
        if not changed and defaults is function.__defaults__ and not around:
            return function
        for cell, item in zip(cells, taken, strict=True):
            cell.cell_contents = item
        world |= function.__globals__ | around
        copy.__defaults__ = defaults
        copy.__kwdefaults__ = self.bound(function.__kwdefaults__, depth)
        copy.__dict__.update({k: self.bound(v, depth) for k, v in function.__dict__.items()})
        return copy

    def _globals(self, function: FunctionType, depth: int) -> dict[str, Any]:
        """Return those globals of a function that need stand-ins, or lead to what does."""
        world = function.__globals__
        names = mentioned(function.__code__)
        inside = {}
        if module_of(function) in self._homes:
            for name in names & world.keys():
                other = self.bound(world[name], depth)
                if other is not world[name]:
                    inside[name] = other
        if "print" in names and world.get("print", builtins.print) is builtins.print:
            inside["print"] = _silent  # the user did not run it
        return inside

    def _stand(self, item: object) -> object:
        other = copied(item)
        self._remember(item, other)
        return other

    def _leaf(self, item: object) -> object:
        known = self._others.get(id(item))
        if known is not None:
            return known
        other, names = self._stand(item), self._names
        inside = held(other)
        if names.rule in inside:
            put(other, names.rule, _silent)
        if names.operands in inside:
            links = inside[names.operands]
            empty = type(links) in (tuple, list, set, frozenset)
            put(other, names.operands, type(links)() if empty else None)
        return other

    def _remember(self, item: object, other: object) -> None:
        self._originals.append(item)
        self._others[id(item)] = other


def copied(item: object) -> object:
    """Return a new object of the same class with the same attributes, running none of its code.

    Raises
    ------
    NotApartError
        When the class is derived from one that keeps more than attributes, or would notice.
    """
    kind = type(item)
    if hasattr(kind, "__del__"):  # it would run for the copy too
        raise NotApartError
    base = SimpleNamespace if issubclass(kind, SimpleNamespace) else object
    try:
        copy: object = base.__new__(kind)
    except TypeError:
        raise NotApartError from None
    inside = namespace(item)
    if inside:
        namespace(copy).update(inside)
    for slot in slots_of(kind):
        content = stored(slot, item)
        if content is not ABSENT:
            slot.__set__(copy, content)
    return copy


def put(item: object, name: str, content: object) -> None:
    """Set an attribute of a stand-in where it is stored, without its class's own say."""
    for slot in slots_of(type(item)):
        if slot.__name__ == name:
            slot.__set__(item, content)
            return
    namespace(item)[name] = content


def take(item: object, name: str) -> object:
    """Return what is stored in an attribute; None where it is not there."""
    inside = namespace(item)
    return inside[name] if name in inside else held(item).get(name)


def _is_same(other: Any, item: Any) -> bool:
    """Whether no stand-in is inside; dictionaries are copied in any case."""
    if type(item) is not dict or other is item:
        return other is item
    pairs = zip(other.items(), item.items(), strict=True)
    return len(other) == len(item) and all(
        k is key and _is_same(v, content) for (k, v), (key, content) in pairs
    )


def _silent(*_: object, **__: object) -> None:
    """Stand in for ``print``, and for the rules of operands."""
