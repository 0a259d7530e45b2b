"""Many values of one class, collected together: the usual kind of a large graph.

In flows a root; out flow its values in topological order with one *column* for each thing about
them, where `glassgrad.graphs.collect` would make a `Record` of each.  The usual value keeps its
one or two operands in a container, and its rule's closure holds them and the value itself; where
that is so is learnt once for all rules of one code.  A value of another form is described by its
adapter; what no column can hold (another class, a plain number, a cycle) is left to the general
walk.  Reading 65,818 values of micrograd's takes a third of the time in this way.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from operator import attrgetter
from types import FunctionType
from typing import Any, NamedTuple, Protocol, TypeAlias, cast, overload

from glassgrad.graphs.adapters import Names, Record, find
from glassgrad.graphs.adapters.closures import cells_of, contents, respelled
from glassgrad.graphs.adapters.dialect import Dialect, text

_OPEN = -1  # what stands for the id of a value whose operands are being walked
_UNUSUAL = 3  # operands in a container, or another sort of container
_MOST = 256  # codes of rules; a class has a dozen


_Odd: TypeAlias = tuple[Record, tuple[int, ...]]
"""What the adapter said of an unusual value, and the ids of its operands."""


class Rules(Protocol):
    """Rules that share their code."""

    def __getitem__(self, place: int, /) -> FunctionType:
        """Return one of them."""

    def __iter__(self) -> Iterator[FunctionType]:
        """Yield all of them."""

    def inside(self, cell: int) -> Sequence[object]:
        """Return what one cell holds in each of them."""

    def chosen(self, which: Sequence[object]) -> Rules:
        """Return those of them for which something holds."""


class Held(list[FunctionType]):
    """Rules as values hold them."""

    def inside(self, cell: int) -> Sequence[object]:
        """Return what one cell holds in each of them."""
        return [contents((cast(Any, rule.__closure__)[cell],))[0] for rule in self]

    def chosen(self, which: Sequence[object]) -> Held:
        """Return those of them for which something holds."""
        return Held(compress(self, which))


class Alike(NamedTuple):
    """Results whose rules share their code, one column for each thing about them."""

    ids: Sequence[int]
    """Their ids, in order."""

    operands: tuple[Sequence[int], ...]
    """The ids of their first operands, and of their second ones if they have two.

    Either none of them uses an operand twice, or each of them does.
    """

    rules: Rules
    """Their rules."""


class Columns(Sequence[Record]):
    """The records of values of one class, each made when it is asked for.

    Parameters
    ----------
    columns : mapping of str to list
        What is to be said about them, by the names of a `Record`'s attributes.
    results : bytearray
        For each value, whether it was computed from others.
    objects : sequence of object
        The values.
    groups : sequence of Alike
        Those results that are usual.
    odd : mapping of int to Record
        What the adapter said of those that are not.
    names : Names
        What the class calls the attributes that a rule may touch.
    start : float
        What gradients hold before any backward.
    """

    def __init__(
        self,
        columns: Mapping[str, list[Any]],
        results: bytearray,
        objects: Sequence[object],
        *,
        groups: Sequence[Alike],
        odd: Mapping[int, Record],
        names: Names,
        start: float,
    ) -> None:
        self.groups, self.results = groups, results
        self._objects, self._odd, self._names, self._start = objects, odd, names, start
        size = len(objects)
        self._columns = dict[str, list[Any]](columns)
        self._columns |= {"scope": [""] * size, "parameter": [False] * size}

    @classmethod
    def read(
        cls,
        dialect: Dialect,
        objects: list[object],
        groups: Sequence[Alike],
        odd: Mapping[int, Record],
    ) -> Columns:
        """Ask values what is to be said about them.

        Raises
        ------
        ValueError
            When a value says so little of its operation that its rule has to be asked.
        """
        s = dialect.spelling
        words = [*map(attrgetter(s.op), objects)]
        results = bytearray(len(objects))
        for group in groups:
            for id in group.ids:
                results[id] = 1
        labels = [getattr(item, s.label, "") for item in objects] if s.label else []
        columns = {
            "op": words if {*map(type, words)} == {str} else [*map(text, words)],
            "data": [*map(attrgetter(s.data), objects)],
            "grad": [*map(attrgetter(s.grad), objects)],
            "label": [*map(text, labels)] or [""] * len(objects),
        }
        for id, record in odd.items():
            results[id] = bool(record.operands)
            columns["op"][id] = record.op
        if "" in compress(columns["op"], results):
            raise ValueError
        return cls(
            columns, results, objects,
            groups=groups, odd=odd, names=dialect.names, start=s.start,
        )  # fmt: skip

    def column(self, name: str) -> list[Any]:
        """Return what the records say about one thing, in the order of the ids."""
        return self._columns[name]

    def __len__(self) -> int:
        return len(self._objects)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | Sequence[Record]:
        if isinstance(index, slice):
            return [self[id] for id in range(*index.indices(len(self)))]
        id = range(len(self))[index]
        if id in self._odd:
            return self._odd[id]
        op, label, data, grad = (
            self._columns[name][id] for name in ("op", "label", "data", "grad")
        )
        names, start = self._names, self._start
        group, place = self._found(id)
        if group is None:
            return Record(op, label, data, grad, names=names, start=start)
        operands = tuple(self._objects[column[place]] for column in group.operands)
        rule = group.rules[place]
        return Record(op, label, data, grad, operands, rule=rule, names=names, start=start)

    def operands(self, id: int) -> tuple[int, ...]:
        """Return the ids of the operands of a usual value."""
        group, place = self._found(id)
        return tuple(column[place] for column in group.operands) if group else ()

    def _found(self, id: int) -> tuple[Alike | None, int]:
        for group in self.groups if self.results[id] else ():
            place = bisect_left(group.ids, id)
            if place < len(group.ids) and group.ids[place] == id:
                return group, place
        return None, 0


class Found(NamedTuple):
    """What stands behind a root."""

    objects: list[object]
    """The values, in topological order."""

    records: Columns
    """What is to be said about them."""

    operands: Callable[[int], tuple[int, ...]]
    """Tells the ids of the operands of each."""


def alike(root: object) -> Found | None:
    """Collect what `root` was computed from, if all of it is of one class that columns can hold.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> class Value(SimpleNamespace):
    ...     __eq__, __hash__ = object.__eq__, object.__hash__
    >>> def doubled(x):
    ...     def rule():
    ...         x.grad += 2 * out.grad
    ...     out = Value(data=2 * x.data, grad=0.0, _prev={x}, _op="double", _backward=rule)
    ...     return out
    >>> found = alike(doubled(doubled(Value(data=1.0, grad=0.0, _prev=set(), _op="", _backward=0))))
    >>> found.records.column("data"), found.operands(2), found.records[2].op
    ([1.0, 2.0, 4.0], (1,), 'double')
    >>> alike(3) is None
    True
    """
    kind = type(root)
    if kind.__eq__ is not object.__eq__ or kind.__hash__ is not object.__hash__:
        return None  # the walk keeps values in a dictionary, and must not run somebody's code
    dialect = find(root)
    if not isinstance(dialect, Dialect) or not dialect.is_usual:
        return None
    layouts = _Layouts(kind)
    try:
        objects, odd = _walker(dialect.names.operands, dialect.names.rule)(root, layouts, dialect)
        groups = [*layouts.groups()]
        if any(_OPEN in column for group in groups for column in group.operands):
            return None  # a cycle
        if any(_OPEN in operands for _, operands in odd.values()):
            return None
        records = Columns.read(
            dialect, objects, groups, {id: record for id, (record, _) in odd.items()}
        )
    except Exception:  # whatever looking at somebody's object may raise, at one that is no value
        return None
    return Found(objects, records, lambda id: odd[id][1] if id in odd else records.operands(id))


class _Layout(NamedTuple):
    """How the closures of rules of one code are laid out, and where such values are taken down."""

    first: int
    """The cell of the first operand."""

    second: int
    """The cell of the second; that of the first again where there is one operand."""

    result: int
    """The cell of the value itself."""

    rows: list[Any]
    """One after the other: an id, the ids of two operands, and the rule."""

    twice: list[Any]
    """The same for values whose two cells hold one operand."""


class _Layouts(dict[int, "_Layout | None"]):
    """The layouts of all codes that rules of one class have, each learnt at its first rule."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def learn(self, rule: Any, value: object) -> _Layout | None:
        """Return the layout of the code of a rule that is met for the first time."""
        if len(self) >= _MOST:
            raise ValueError
        self[id(rule.__code__)] = found = self._layout(rule, value)
        return found

    def groups(self) -> Iterator[Alike]:
        """Yield what was taken down, by column."""
        for layout in filter(None, self.values()):
            for rows in (layout.rows, layout.twice):
                if rows:
                    ids, first, second, rules = (rows[column::4] for column in range(4))
                    alone = layout.first == layout.second
                    yield Alike(ids, (first,) if alone else (first, second), Held(rules))

    def _layout(self, rule: Any, value: object) -> _Layout | None:
        if type(rule) is not FunctionType or rule.__code__.co_argcount:
            return None
        taken = contents(rule.__closure__ or ())
        cells = cells_of(rule, self._kind).operands
        own = [cell for cell, item in enumerate(taken) if item is value]
        if len(cells) not in (1, 2) or len(own) != 1:
            return None
        return _Layout(cells[0], cells[-1], own[0], [], [])


@lru_cache(maxsize=64)
def _walker(operands: str, rule: str) -> Callable[..., Any]:
    """Return the walk for a class that calls its attributes so.

    It has them in its code: asking for an attribute whose name stands in a variable would take as
    long as all the rest of the walk.
    """
    return respelled(_walk, {"_prev": operands, "_backward": rule})


def _walk(  # noqa: PLR0912, PLR0915 — calls would take longer than what they do
    root: Any, layouts: _Layouts, dialect: Dialect
) -> tuple[list[object], dict[int, _Odd]]:
    """Walk depth first, operands in order; return values, and the records of unusual ones.

    Usual ones are put down by their layouts.  The stack holds values to be looked at and, below
    its operands, what is known of each value that is being walked: a tuple where it is usual.
    """
    kind, places, odd = type(root), dict[object, int](), dict[int, _Odd]()
    objects: list[object] = []
    stack: list[Any] = []
    item, here = root, 0
    while True:
        # a value that was not met before
        if type(item) is not kind:
            raise TypeError
        kept, rule = item._prev, item._backward
        box = type(kept)
        size = len(kept) if box is set or box is tuple or box is list else _UNUSUAL
        usual = size == 0
        if size == 1 or size == 2:  # noqa: PLR1714 — a tuple to look in takes longer
            key = id(rule.__code__)
            layout = layouts[key] if key in layouts else layouts.learn(rule, item)
            if layout is not None:
                first, second, result, rows, twice = layout
                cells = rule.__closure__
                x, y = cells[first].cell_contents, cells[second].cell_contents
                if size == 2:
                    a, b = kept
                    usual = (x is a and y is b) or (x is b and y is a and box is set)
                    usual = usual and first != second and cells[result].cell_contents is item
                else:
                    (a,) = kept
                    usual = x is a and y is a and cells[result].cell_contents is item
            if usual:
                a, b = places.get(x), places.get(y)
                if x is y:
                    rows = twice
                if a is None or b is None:
                    places[item] = _OPEN
                    stack.append((item, x, y, rule, rows))
                    if a is None and b is None:
                        stack.append(y)
                    item = x if a is None else y
                    continue
                rows += (here, a, b, rule)
        if usual:
            places[item] = here
            objects.append(item)
            here += 1
        else:
            places[item] = _OPEN
            record = dialect.record(item)
            stack.append([item, record])
            stack += reversed(record.operands)
        # values whose operands are all done
        while stack:
            item = stack.pop()
            if type(item) is tuple:
                item, x, y, rule, rows = item
                rows += (here, places[x], places[y], rule)
            elif type(item) is list:
                item, record = item
                odd[here] = (record, tuple([places[operand] for operand in record.operands]))
            elif item in places:
                continue
            else:
                break
            places[item] = here
            objects.append(item)
            here += 1
        else:
            return objects, odd
