"""What a rule can change besides the objects that it is run on, and how all of that is put back.

In flow a rule and the classes of its values; out flow the classes, globals and containers that
their code mentions, and a block at whose end they hold what they held.  A rule runs on stand-ins
(`glassgrad.graphs.standins`), but a class has none: where ``Value.__init__`` counts its objects or
appends them to a tape, it counts those of a measurement as well.
"""

from __future__ import annotations

from collections import UserDict, UserList, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dis import get_instructions
from functools import lru_cache, partial
from itertools import count
from types import CellType, CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any, cast

from glassgrad.graphs.adapters.closures import contents
from glassgrad.graphs.adapters.held import ABSENT, held, namespace, slots_of, stored
from glassgrad.graphs.contained import LARGEST, again, keeps, members, put_back, size

_MOST = 10_000  # functions, classes and objects; a notebook has hundreds
_MEMBERS = 5_000  # of all containers together: they are copied whenever a rule runs
_COPY = 25  # members whose copies take as long as a container itself
_PLAIN = (SimpleNamespace, UserDict, UserList)  # Python's own, which keep attributes
_FOREIGN = frozenset({"builtins", "typing", "types", "functools", "collections"})


class Surroundings:
    """What can be reached from some functions and classes, as far as they come from one place.

    Functions of other modules are left alone: they are somebody's library, not somebody's rule.

    Parameters
    ----------
    rules : iterable of object
        Local rules: functions, methods, or whatever is called.
    kinds : iterable of type
        The classes of its values, whose objects have stand-ins.

    Examples
    --------
    >>> count = [0]
    >>> def rule():
    ...     count.append(1)
    >>> with Surroundings([rule], []).as_before():
    ...     rule()
    >>> count
    [0]
    """

    def __init__(self, rules: Iterable[object], kinds: Iterable[type]) -> None:
        self._kinds, rules = set(kinds), list(rules)
        self._homes = homes(self._kinds, *rules)
        self._globals: list[tuple[dict[str, Any], str]] = []  # those that code assigns
        self._cells: list[CellType] = []
        self._classes: list[type] = []
        self._objects: list[object] = []
        self._containers: list[Any] = []
        self._counters: list[tuple[count[Any], Callable[[object], object]]] = []
        self._room = _MEMBERS
        seen: dict[int, object] = {}  # held, so that identities stay their own
        waiting: deque[Any] = deque([*rules, *self._kinds])  # what is nearest comes first
        while waiting and len(seen) < _MOST:
            item = waiting.popleft()
            if id(item) not in seen:
                seen[id(item)] = item
                waiting += self._within(item)

    def _within(self, item: Any) -> Iterable[Any]:
        """Take down what can change of one thing, and return what it leads to."""
        if issubclass(type(item), type):  # `isinstance` asks a proxy what it stands for
            return self._of_class(item)
        function = plain_function(item)
        if function is not None:
            return [*self._of_function(function), *members(item)]
        found = [*members(item)]
        if keeps(item):
            self._room -= _COPY + (size(item) if size(item) <= LARGEST else 0)
            if self._room >= 0:
                self._containers.append(item)
        of_home = type(item).__module__ in self._homes or type(item) in _PLAIN
        if of_home and type(item) not in self._kinds:
            self._objects.append(item)
            found += [type(item), *held(item).values()]
            inside = namespace(item)
            self._count(inside, inside.__setitem__)
        return found

    def _of_class(self, kind: type) -> Iterable[Any]:
        if kind.__module__ not in self._homes:
            return ()
        self._classes.append(kind)
        self._count(vars(kind), partial(type.__setattr__, kind))
        return [type(kind), *kind.__bases__, *vars(kind).values()]

    def _of_function(self, function: FunctionType) -> Iterable[Any]:
        if module_of(function) not in self._homes:
            return ()
        world, closure = function.__globals__, function.__closure__ or ()
        self._globals += [(world, name) for name in assigned(function.__code__)]
        self._cells += closure
        if vars(function):
            self._objects.append(function)
        around = {name: world[name] for name in mentioned(function.__code__) if name in world}
        used = [*around.values()]
        self._globals += [(world, name) for name, item in around.items() if type(item) is count]
        self._count(around, world.__setitem__)
        for module in (x for x in around.values() if issubclass(type(x), ModuleType)):
            inside = namespace(module)
            self._globals += [(inside, name) for name in written(function.__code__)]
            used += [inside[name] for name in asked(function.__code__) if name in inside]
        for cell, item in zip(closure, contents(closure), strict=True):
            self._count({"cell_contents": item}, partial(setattr, cell))
        given = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        return [*used, *given, *contents(closure), *vars(function).values()]

    def _count(self, inside: Mapping[str, object], put: Callable[[str, object], object]) -> None:
        """Take down counters, which cannot be set back: while a rule runs, others stand in."""
        for name, item in inside.items():
            if type(item) is count:
                self._counters.append((item, partial(put, name)))

    @contextmanager
    def as_before(self) -> Iterator[None]:
        """Give everything back what it held when the block began."""
        undo: list[Callable[[], object]] = [
            *(partial(_set, world, name, world.get(name, ABSENT)) for world, name in self._globals),
            *(partial(_fill, cell, *contents((cell,))) for cell in self._cells),
            *(partial(_restore_class, kind, dict(vars(kind))) for kind in self._classes),
            *filter(None, map(put_back, self._containers)),
        ]
        try:
            with _attributes(self._objects):
                for counter, put in self._counters:
                    put(again(counter))
                yield
        finally:
            for step in undo:
                step()


@contextmanager
def untouched(objects: Sequence[object]) -> Iterator[None]:
    """Give every attribute of `objects`, and all around them, back what it held when it began.

    For code that cannot run on stand-ins, such as a class's own ``backward()``.
    """
    functions = filter(None, (plain_function(x) for item in objects for x in held(item).values()))
    rules = {function.__code__: function for function in functions}
    with Surroundings(rules.values(), map(type, objects)).as_before(), _attributes(objects):
        yield


def homes(kinds: Iterable[type], *rules: object) -> frozenset[str]:
    """Return the modules whose code belongs to classes and their rules.

    Examples
    --------
    >>> class Value: ...
    >>> homes([Value]) == homes([Value], homes) == {Value.__module__}
    True
    """
    functions = filter(None, map(plain_function, rules))
    found = {kind.__module__ for kind in kinds} | {*map(module_of, functions)}
    return frozenset(found - _FOREIGN)


def module_of(function: FunctionType) -> str:
    """Return the module that a function was defined in; ``""`` for none.

    Examples
    --------
    >>> module_of(module_of)
    'glassgrad.graphs.surroundings'
    """
    return str(function.__globals__.get("__name__", ""))


def plain_function(item: Any) -> FunctionType | None:
    """Return the function behind a method, a property, a partial or such; None for anything else.

    Examples
    --------
    >>> class Point:
    ...     @property
    ...     def x(self): ...
    >>> plain_function(vars(Point)["x"]).__name__
    'x'
    >>> plain_function(3) is None
    True
    """
    for _ in range(10):  # a partial of a method of a partial
        kind = type(item)
        if kind is FunctionType:
            return cast(FunctionType, item)
        if issubclass(kind, staticmethod | classmethod | MethodType):
            item = item.__func__
        elif issubclass(kind, partial):
            item = item.func
        elif issubclass(kind, property):
            item = item.fget
        else:
            return None
    return None


@lru_cache(maxsize=1024)
def mentioned(code: CodeType) -> frozenset[str]:
    """Return the globals that code, or a function inside it, reads."""
    return _named(code, "LOAD_GLOBAL", "LOAD_NAME")


@lru_cache(maxsize=1024)
def assigned(code: CodeType) -> frozenset[str]:
    """Return the globals that code, or a function inside it, assigns or deletes."""
    return _named(code, "STORE_GLOBAL", "DELETE_GLOBAL")


@lru_cache(maxsize=1024)
def asked(code: CodeType) -> frozenset[str]:
    """Return the attributes that code, or a function inside it, reads."""
    return _named(code, "LOAD_ATTR", "LOAD_METHOD")


@lru_cache(maxsize=1024)
def written(code: CodeType) -> frozenset[str]:
    """Return the attributes that code, or a function inside it, assigns or deletes."""
    return _named(code, "STORE_ATTR", "DELETE_ATTR")


def _named(code: CodeType, *does: str) -> frozenset[str]:
    inner = (_named(item, *does) for item in code.co_consts if isinstance(item, CodeType))
    return frozenset(x.argval for x in get_instructions(code) if x.opname in does).union(*inner)


# -- putting back ---------------------------------------------------------------------------------


@contextmanager
def _attributes(objects: Sequence[object]) -> Iterator[None]:
    before = [(item, dict(namespace(item)), _slots(item)) for item in objects]
    try:
        yield
    finally:
        for item, attributes, slots in before:
            inside = namespace(item)
            if attributes or inside:
                for name in inside.keys() - attributes.keys():
                    del inside[name]
                inside.update(attributes)
            for slot, content in slots:
                if content is not ABSENT:
                    slot.__set__(item, content)
                elif stored(slot, item) is not ABSENT:
                    slot.__delete__(item)


def _slots(item: object) -> list[tuple[Any, object]]:
    return [(slot, stored(slot, item)) for slot in slots_of(type(item))]


def _set(world: dict[str, Any], name: str, content: object) -> None:
    if content is ABSENT:
        world.pop(name, None)
    else:
        world[name] = content


def _fill(cell: CellType, *content: object) -> None:
    if content:
        (cell.cell_contents,) = content


def _restore_class(kind: type, before: dict[str, object]) -> None:
    now = dict(vars(kind))
    for name in now.keys() - before.keys():
        type.__delattr__(kind, name)
    for name, content in before.items():
        if now.get(name, ABSENT) is not content:
            type.__setattr__(kind, name, content)
