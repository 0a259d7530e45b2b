"""Reads the values of one class, once it is known how that class spells things.

In flow a `Spelling`, found by `glassgrad.graphs.adapters.study`, and objects of the class; out
flow their `Record`s.  A container such as a set forgets the order of the operands and that one of
them was used twice; the local rule's closure still knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from numbers import Number, Real
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, Literal, TypeAlias, cast
from weakref import ReferenceType

from glassgrad.graphs.adapters import Names, Record
from glassgrad.graphs.adapters.closures import SIGNS, cells_of, contents, made_by, maker_name
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.adapters.rules import each, given, wanted

Path: TypeAlias = tuple[str, ...]
"""From a value to where its operands are: ``("_prev",)``, or ``("creator", "inputs")``."""

_SIGNS = frozenset(SIGNS.values())
_FEW = 4  # operands that are looked for in a closure; sums of more keep them in a list


@dataclass(frozen=True, slots=True)
class Spelling:
    """What one class calls things; ``""`` where it has no such thing.

    Parameters
    ----------
    data, grad, op, label : str
        Names of attributes.
    paths : tuple of path
        Where the operands are; several where each has an attribute of its own.  Empty where only
        the rule's closure knows them.
    rule : str
        The attribute, method or function that is the local rule.
    form : {"attribute", "method", "function"}
        Whose that is: the object's, the class's, or that of the first step of the path.
    slopes : str
        The attribute that holds local slopes, or functions that give them, one per operand.
    start : float
        What gradients hold before any backward.
    settled : bool
        Whether the operands were seen, and not just guessed at a leaf.
    """

    data: str
    grad: str = ""
    op: str = ""
    label: str = ""
    paths: tuple[Path, ...] = ()
    rule: str = ""
    form: Literal["attribute", "method", "function"] = "attribute"
    slopes: str = ""
    start: float = 0.0
    settled: bool = False


class Dialect:
    """An adapter for the values of one class.

    Parameters
    ----------
    spelling : Spelling
        How the class spells things.
    seen : collection of str, optional
        The attributes of the objects that were studied.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a = SimpleNamespace(value=2.0, kids=())
    >>> dialect = Dialect(Spelling(data="value", paths=(("kids",),)))
    >>> dialect.record(SimpleNamespace(value=4.0, kids=(a, a))).operands == (a, a)
    True
    """

    def __init__(self, spelling: Spelling, seen: Iterable[str] = ()) -> None:
        self.spelling = s = spelling
        self.seen = set(seen)
        first = s.paths[0] if s.paths else ("",)
        self.names = Names(s.data, s.grad or "grad", first[0], s.rule)
        self._direct = len(s.paths) == 1 and len(first) == 1
        self._attribute = s.rule if s.form == "attribute" else ""
        wanted_at_once = (s.data, s.grad, s.op, s.label, self._attribute, first[0])
        # one call for all of them; what the class does not have is asked for as data, and dropped
        self._fetch = attrgetter(*(name or s.data for name in wanted_at_once))
        self._has = tuple(map(bool, wanted_at_once))
        self._usual: Callable[[object], tuple[Any, ...]] | None = None
        if self._direct and s.grad and s.op and self._attribute and not s.slopes:
            self._usual = attrgetter(s.data, s.grad, s.op, self._attribute, first[0])
        self._cells: dict[int, tuple[CodeType, tuple[int, int]]] = {}

    @property
    def is_usual(self) -> bool:
        """Whether a value keeps operands, rule, gradient and operation in attributes of its own."""
        return self._usual is not None

    def reads(self, value: object) -> bool:
        """Whether an object has what this class had when it was studied."""
        inside = held(value)
        first = [path[0] for path in self.spelling.paths]
        return self.spelling.data in inside and all(name in inside for name in first)

    @property
    def is_complete(self) -> bool:
        """Whether a result was studied, and its rule or its slopes were found."""
        s = self.spelling
        return s.settled and bool(s.rule or s.slopes)

    def may_learn(self, value: object) -> bool:
        """Whether an object holds more than those that were studied, and the rule is missing.

        A method that is written before its rule makes values that hold none, and so does a class
        whose rules are attached from outside.
        """
        return not self.is_complete and not held(value).keys() <= self.seen

    def record(self, value: object) -> Record:
        """Describe one value."""
        if self._usual is not None:
            found = self._result_of_two(value, self._usual)
            if found is not None:
                return found
        s = self.spelling
        data, grad, op, label, rule, raw = self._attributes(value)
        if not s.paths:
            operands, ordered, partials = _taken_along(rule, value), True, None
        else:
            kept = raw if self._direct else self._followed(value)
            operands, ordered, partials = _operands(kept, type(value))
        if type(op) is not str:
            op = "" if op is None else text(op)
        if not op and operands and s.form == "function":
            op = type(_end(value, s.paths[0][:-1])).__name__
        if type(label) is not str:
            label = "" if label is None else text(label)
        if not operands:
            return Record(op, label, data, grad, names=self.names, start=s.start)
        remarks: tuple[tuple[str, str], ...] = ()
        if type(rule) is FunctionType and rule.__closure__ and len(operands) <= _FEW:
            if not op:
                op = _made_as(rule, type(value))
            if not ordered or len(operands) == 1:
                known = _recovered(rule, op, operands, type(value))
                operands, ordered = (known, True) if known else (operands, ordered)
            if _belongs_elsewhere(rule, value, operands):
                rule, remarks = None, (("elsewhere", ""),)
        if not ordered:
            operands, ordered = _settled(operands, self.names), len(operands) < 2
        slopes, run = None, None
        if not remarks:
            slopes = self._slopes(value, operands, partials) if s.slopes or partials else None
            run = None if slopes else self._rule(value, operands, partials, rule)
        return Record(
            op, label, data, grad, operands, ordered, None, "", slopes, run, self.names, s.start,
            remarks,
        )  # fmt: skip

    def _result_of_two(
        self, value: object, fetch: Callable[[object], tuple[Any, ...]]
    ) -> Record | None:
        """Describe the result of two values, in the order of its rule; None for anything else.

        That is nearly everything in a large graph, and half of the time that collecting it took.
        """
        try:
            data, grad, op, rule, raw = fetch(value)
            closure = rule.__closure__
            known = self._cells.get(id(rule.__code__))
            if known is None or known[0] is not rule.__code__:
                known = self._places(rule, type(value))
            first, second = known[1]
            x, y = closure[first].cell_contents, closure[second].cell_contents
            a, b = raw
        except Exception:  # another form of rule, a leaf, one operand, a property that raises
            return None
        if not (x is a and y is b) and not (x is b and y is a and type(raw) is set):
            return None
        if type(op) is not str or not op or type(raw) not in (set, tuple, list):
            return None
        label = getattr(value, self.spelling.label, "") if self.spelling.label else ""
        if type(label) is not str:
            label = text(label)
        return Record(
            op, label, data, grad, (x, y), True, None, "", None, rule, self.names,
            self.spelling.start,
        )  # fmt: skip

    def _places(self, rule: FunctionType, kind: type) -> tuple[CodeType, tuple[int, int]]:
        """Return where a rule without arguments keeps its two operands; raise if it does not."""
        first, second = () if rule.__code__.co_argcount else cells_of(rule, kind).operands
        found = self._cells[id(rule.__code__)] = (rule.__code__, (first, second))
        return found

    def _attributes(self, value: object) -> Sequence[Any]:
        try:
            found: Sequence[Any] = self._fetch(value)
        except Exception:  # this object lacks one of them, or a property of it raises
            inside, s = held(value), self.spelling
            names = (s.data, s.grad, s.op, s.label, self._attribute, self.names.operands)
            return [inside.get(name) if name else None for name in names]
        return [item if has else None for item, has in zip(found, self._has, strict=True)]

    def _followed(self, value: object) -> object:
        """Return what stands at the end of the paths; one operand each where there are several."""
        ends = [_end(value, path) for path in self.spelling.paths]
        return ends[0] if len(ends) == 1 else tuple(end for end in ends if end is not None)

    def _slopes(
        self, value: object, operands: Sequence[object], partials: Sequence[object] | None
    ) -> tuple[float, ...] | None:
        """Return the local slopes that the class keeps, if they are numbers."""
        kept = partials or getattr(value, self.spelling.slopes, None)
        if not isinstance(kept, tuple | list) or len(kept) != len(operands):
            return None
        return tuple(map(float, kept)) if all(isinstance(x, Real) for x in kept) else None

    def _rule(
        self,
        value: Any,
        operands: tuple[object, ...],
        partials: Sequence[object] | None,
        rule: Any,
    ) -> Callable[[], object] | None:
        """Return the local rule as a function without arguments."""
        s = self.spelling
        if not s.grad:
            return None
        functions = partials or (held(value).get(s.slopes) if s.slopes else None)
        if functions and isinstance(functions, tuple | list) and all(map(callable, functions)):
            return each(cast("Sequence[Any]", functions), value, operands, s.grad)
        if s.form == "method":
            rule = getattr(value, s.rule, None)
        elif s.form == "function":
            rule = getattr(_end(value, s.paths[0][:-1]), s.rule, None)
        if not callable(rule):
            return None
        if type(rule) is FunctionType and not rule.__code__.co_argcount:
            return cast("Callable[[], object]", rule)
        argument = wanted(rule)
        if argument is None:
            return None
        if not argument and s.form != "function":
            return cast("Callable[[], object]", rule)
        return given(rule, argument, value, operands, s.grad)


# -- operands -------------------------------------------------------------------------------------


def _operands(
    raw: object, kind: type
) -> tuple[tuple[object, ...], bool, tuple[object, ...] | None]:
    """Return operands, whether their order is known, and what stands beside each in a pair."""
    container = type(raw)
    if raw is None or container is str:
        return (), True, None
    if container is set or container is tuple or container is list or container is frozenset:
        items = cast("Iterable[Any]", raw)
        for item in items:
            if type(item) is not kind:
                break
        else:  # nearly always: nothing but values
            return tuple(items), container is tuple or container is list, None
    elif isinstance(raw, dict):
        items = raw.items() if any(type(key) is kind for key in raw) else raw.values()
    elif isinstance(raw, Iterable) and type(raw) is not kind and not hasattr(raw, "__array__"):
        items = raw
    else:
        return (raw,), True, None
    whole = [item() if isinstance(item, ReferenceType) else item for item in items]
    pairs = [_pair(item) for item in whole if item is not None]
    operands = tuple(operand for operand, _ in pairs)
    beside = tuple(partial for _, partial in pairs)
    kept = beside if beside and all(partial is not None for partial in beside) else None
    return operands, not isinstance(raw, set | frozenset), kept


def _pair(item: Any) -> tuple[object, object]:
    """Take a (partial, node) pair apart, in either order."""
    if isinstance(item, tuple | list) and len(item) == 2:
        first, second = item
        if isinstance(first, Real) or callable(first):
            return second, first
        if isinstance(second, Real) or callable(second):
            return first, second
    return item, None


def _end(value: object, path: Path) -> object:
    for name in path:
        value = getattr(value, name, None)
    return value


def _taken_along(rule: Any, value: object) -> tuple[object, ...]:
    """Return the values that a rule took along, where the class keeps its operands nowhere else."""
    if type(rule) is not FunctionType or not rule.__closure__:
        return ()
    items, cells = contents(rule.__closure__), cells_of(rule, type(value))
    kind = type(value)
    return tuple(
        items[place]
        for place in (*cells.operands, *cells.rest)
        if (type(items[place]) is kind and items[place] is not value)
        or (place == cells.wrapped and isinstance(items[place], Real))
    )


def _recovered(
    rule: FunctionType, op: str, operands: tuple[object, ...], kind: type
) -> tuple[object, ...] | None:
    """Return the operands in order, repeats and plain numbers included, as the rule knows them.

    A number that `op` already names, as ``"**2"`` does, is part of the operation.
    """
    cells = cells_of(rule, kind)
    closure = cast("tuple[Any, ...]", rule.__closure__)
    known: list[object] = []
    for place in cells.operands:
        item = _content_of(closure[place])
        for operand in operands:
            if item is operand:
                known.append(item)
                break
        else:
            if is_operand(item, op, place == cells.wrapped):
                known.append(item)
    missing = [item for item in operands if not any(item is other for other in known)]
    if missing:
        rest = [_content_of(closure[place]) for place in cells.rest]
        found = [item for item in missing if any(item is other for other in rest)]
        if len(missing) > 1 or not found:
            return None
        known += found
    return tuple(known)


def is_operand(item: object, op: str, wrapped: bool) -> bool:
    """Whether what a rule took along is a plain number that counts as an operand.

    Parameters
    ----------
    item : object
        What a parameter of the method that made the rule was.
    op : str
        What the class calls the operation; a number that it names is part of the operation.
    wrapped : bool
        Whether that parameter is called ``other``.

    Examples
    --------
    >>> is_operand(2, "**2", True), is_operand(2, "**", True), is_operand(2, "clamp", False)
    (False, True, False)
    """
    binary = wrapped or op.strip() in _SIGNS
    return binary and isinstance(item, Real) and str(item) not in op


def _content_of(cell: Any) -> object:
    try:
        return cast(object, cell.cell_contents)
    except ValueError:  # never assigned
        return None


def _belongs_elsewhere(rule: FunctionType, value: object, operands: Sequence[object]) -> bool:
    """Whether a rule knows values of this class, but neither this one nor its operands."""
    kind, known = type(value), False
    for cell in rule.__closure__ or ():
        item = _content_of(cell)
        if type(item) is kind:
            if item is value:
                return False
            for operand in operands:
                if item is operand:
                    return False
            known = True
    return known


def _settled(operands: tuple[object, ...], names: Names) -> tuple[object, ...]:
    """Order what has no order by what it says, so that the same program gives the same graph."""

    def key(item: object) -> tuple[str, ...]:
        inside = held(item)
        return tuple(text(inside.get(name)) for name in ("label", "name", "_op", "op", names.data))

    return tuple(sorted(operands, key=key))


# -- words ----------------------------------------------------------------------------------------


def text(item: object) -> str:
    """Return a string, a number or the name of a function as text; anything else says nothing.

    Examples
    --------
    >>> text("mul"), text(3), text(abs), text(None)
    ('mul', '3', 'abs', '')
    """
    if isinstance(item, Enum):
        item = item.value if isinstance(item.value, str) else item.name
    if isinstance(item, str | Number):
        return str(item)
    name = getattr(item, "__name__", "") if callable(item) else ""
    return name if isinstance(name, str) else ""


def _made_as(rule: FunctionType, kind: type) -> str:
    """Return the operation of a class that does not name it: the method that made the rule."""
    if made_by(rule, kind) is None:
        return ""
    name = maker_name(rule)
    return SIGNS.get(name, name)
