"""How a class that nobody has seen before spells a Value, found out from its objects.

In flows one object; out flows the `Dialect` of its class, or None where it is no Value.  Operands
are found by identity: they are what the result holds, be it in a container, in attributes of their
own, in a Function object or in the closure of its rule.  Where two attributes hold values, as
``parents`` and ``children`` do, the neighbours are asked as well: their rules and their numbers
tell which way the data flowed.  Names only break ties, and serve for leaves, which hold nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from numbers import Number
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any
from weakref import ReferenceType, WeakKeyDictionary

from glassgrad.graphs.adapters.dialect import Dialect, Path, Spelling
from glassgrad.graphs.adapters.evidence import score
from glassgrad.graphs.adapters.held import held
from glassgrad.graphs.adapters.source import gradients_start, local_rule

DATA = ("data", "value", "val", "_data", "_value", "number", "num", "scalar", "primal", "v", "x")
GRAD = ("grad", "gradient", "_grad", "grade", "grad_value", "adjoint", "derivative", "g")
OPERANDS = (
    "_prev", "prev", "_children", "children", "parents", "_parents", "operands", "_operands",
    "inputs", "_inputs", "args", "_args", "_kids", "kids", "came_from", "_creator", "creator",
    "backward_fn", "deps", "depends_on", "sources", "src", "_src", "terms",
)  # fmt: skip
OP = ("_op", "op", "_oper", "oper", "operation", "_operation", "operator", "opp", "op_name", "func")
LABEL = ("label", "name", "_label", "_name")
RULE = ("_backward", "backward", "_backprop", "backprop", "grad_fn", "_grad_fn", "backward_fn")
METHODS = ("backward", "_backward", "vjp", "grad", "propagate", "__call__")

_CONTAINERS = (list, tuple, set, frozenset, dict)
_NO_VALUES = (
    type, ModuleType, FunctionType, MethodType, BuiltinFunctionType, str, bytes, Number,
    *_CONTAINERS,
)  # fmt: skip
_TELLING_GRAD = ("grad", "deriv", "adjoint")
_TELLING_RULE = ("back", "grad", "prop", "rule", "vjp", "derive", "chain")
_MOST_ATTRIBUTES = 64  # what holds more is something else, and looking through it takes time
_SAMPLE = 48  # neighbours asked
_FIRST = 8  # members of a container looked at

_DIALECTS: WeakKeyDictionary[type, Dialect] = WeakKeyDictionary()


def dialect_of(value: object) -> Dialect | None:
    """Return how the class of `value` spells things, or None where that is no class of Values.

    A class is studied once; again only while nobody has seen a result of it, or when one of its
    objects does not fit.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a = SimpleNamespace(number=3.0, slope=0.0, made_of=[])
    >>> b = SimpleNamespace(number=9.0, slope=0.0, made_of=[a, a], op="*")
    >>> spelling = dialect_of(b).spelling
    >>> spelling.data, spelling.paths
    ('number', (('made_of',),))
    >>> dialect_of("text") is None
    True
    """
    kind = type(value)
    if issubclass(kind, _NO_VALUES):
        return None
    known = _DIALECTS.get(kind)
    fits = known is not None and known.spelling.settled and known.reads(value)
    if known is not None and fits and not known.may_learn(value):
        return known
    try:
        spelling = _study(value)
    except Exception:  # whatever somebody's object raises when it is looked at: it is no Value
        return None
    if spelling is None:
        return None
    if known is not None and fits:
        known.seen |= held(value).keys()
        if not spelling.settled:  # a leaf tells less than the result that was studied
            return known
    found = Dialect(spelling, known.seen if known is not None and fits else held(value).keys())
    _DIALECTS[kind] = found
    return found


@dataclass(frozen=True, slots=True)
class Candidate:
    """One place where operands may be: several paths where each holds one of them."""

    paths: tuple[Path, ...]
    ordered: bool

    def operands(self, value: object) -> list[object]:
        """Return what stands there, values of any class."""
        kind = type(value)
        return [item for path in self.paths for item in members(follow(value, path), kind)]


def _study(value: object) -> Spelling | None:
    inside = held(value)
    if not inside or len(inside) > _MOST_ATTRIBUTES:
        return None
    data = _data_name(inside)
    grad = _first(inside, GRAD, _may_be_gradient) or _telling(inside, _TELLING_GRAD)
    if not data:
        return None
    op = _first(inside, OP, lambda item: not isinstance(item, Number))
    rule, form = _rule_attribute(inside), "attribute"
    chosen = _operands(value, data, grad, op, rule)
    differentiates = bool(grad or rule or op)
    paths = chosen.paths if chosen else ()
    if not chosen:
        paths = _guessed(inside)
        if not (paths or grad):
            return None
    elif not differentiates and not _is_usual(inside, paths):
        return None  # a tree, a linked list: objects that hold others of their class
    carried = len(paths[0]) > 1 if paths else False
    if not rule or (carried and not isinstance(inside[paths[0][0]], FunctionType)):
        rule, form = _rule_elsewhere(value, paths, grad)
    return Spelling(
        data,
        grad,
        op,
        _first(inside, LABEL, lambda item: item is None or isinstance(item, str | Number)),
        paths,
        rule,
        form,  # type: ignore[arg-type]
        _slopes_attribute(inside, {name for path in paths for name in path[:1]} | {grad, data}),
        gradients_start(type(value), grad),
        settled=chosen is not None,
    )


# -- names ----------------------------------------------------------------------------------------


def _data_name(inside: Mapping[str, object]) -> str:
    """Return what holds the number: a usual name, else the first number that is no gradient."""
    for name in DATA:
        if name in inside:
            return name
    return next(
        (
            name
            for name, item in inside.items()
            if isinstance(item, Number)
            and not isinstance(item, bool)
            and not any(telling in name.lower() for telling in _TELLING_GRAD)
        ),
        "",
    )


def _first(
    inside: Mapping[str, object], names: Iterable[str], fits: Callable[[object], bool]
) -> str:
    return next((name for name in names if name in inside and fits(inside[name])), "")


def _telling(inside: Mapping[str, object], words: Iterable[str]) -> str:
    return next(
        (
            name
            for name, item in inside.items()
            if any(word in name.lower() for word in words) and _may_be_gradient(item)
        ),
        "",
    )


def _may_be_gradient(item: object) -> bool:
    return not callable(item) and not isinstance(item, str | bool | list | tuple | set | dict)


def _rule_attribute(inside: Mapping[str, object]) -> str:
    """Return the attribute of an object that is its local rule."""
    functions = [name for name, item in inside.items() if _is_rule(item)]
    return next(
        (name for name in RULE if name in functions),
        next(
            (name for name in functions if any(word in name.lower() for word in _TELLING_RULE)),
            functions[0] if len(functions) == 1 else "",
        ),
    )


def _is_rule(item: object) -> bool:
    return callable(item) and not isinstance(item, type) and not is_value(item)


def _rule_elsewhere(value: object, paths: tuple[Path, ...], grad: str) -> tuple[str, str]:
    """Return the rule of a class whose objects hold none: a Function object's, or a method."""
    if paths and len(paths[0]) > 1:
        carrier = type(follow(value, paths[0][:-1]))
        name = next((name for name in METHODS if callable(getattr(carrier, name, None))), "")
        return name, "function"
    return local_rule(type(value), grad), "method"


def _slopes_attribute(inside: Mapping[str, object], taken: set[str]) -> str:
    """Return the attribute that holds one number, or one function, per operand."""
    lists = [
        name
        for name, item in inside.items()
        if name not in taken and isinstance(item, tuple | list)
    ]
    full = [name for name in lists if _is_per_operand(inside[name])]
    named = [name for name in lists if any(word in name.lower() for word in _TELLING_GRAD)]
    return next(iter([*full, *named]), "")


def _is_per_operand(item: Any) -> bool:
    return bool(item) and (
        all(isinstance(part, Number) for part in item) or all(_is_rule(part) for part in item)
    )


def _is_usual(inside: Mapping[str, object], paths: tuple[Path, ...]) -> bool:
    """Whether operands are kept as the lecture does, in a container of a usual name."""
    name = paths[0][0] if paths else ""
    return name in OPERANDS and isinstance(inside.get(name), _CONTAINERS)


def _guessed(inside: Mapping[str, object]) -> tuple[Path, ...]:
    """Return where a leaf would hold operands if it had any; the next result will tell."""
    for name in OPERANDS:
        item = inside.get(name, 0)
        if item is None or (isinstance(item, _CONTAINERS) and all(x is None for x in item)):
            return ((name,),)
    return ()


# -- operands -------------------------------------------------------------------------------------


def _operands(value: object, data: str, grad: str, op: str, rule: str) -> Candidate | None:
    """Return where the objects of this class hold their operands, as far as `value` can show."""
    sample, found = [value], list(_candidates(value, {data, grad}))
    seen = {id(value)}
    for item in sample:  # grows while it is walked
        for candidate in found if item is value else _candidates(item, {data, grad}):
            if candidate not in found:
                found.append(candidate)
            for operand in candidate.operands(item):
                if id(operand) not in seen and len(sample) < _SAMPLE:
                    seen.add(id(operand))
                    sample.append(operand)
    if not found:
        return _only_in_closure(value, rule)
    names = (data, op, rule)
    alone = [candidate for candidate in found if len(candidate.paths) == 1]
    singles = _grouped(alone, value, sample)
    return max(
        [*([singles] if singles else []), *alone],
        key=lambda candidate: (
            sum(score(item, candidate.operands(item), names) for item in sample)
            + _hint(candidate.paths[0][-1]) + _hint(candidate.paths[0][0]),
            candidate.ordered,
        ),
    )  # fmt: skip


def _candidates(value: object, without: set[str]) -> Iterator[Candidate]:
    """Yield every place of an object where other values are, and not the object itself."""
    for name, item in held(value).items():
        if name in without:
            continue
        path = (name,)
        if _holds_values(item, value, usual=name in OPERANDS):
            yield Candidate((path,), not isinstance(item, set | frozenset))
        elif _is_carrier(item):
            for inner, part in held(item).items():
                if _holds_values(part, value, usual=False):
                    ordered = not isinstance(part, set | frozenset)
                    yield Candidate(((*path, inner),), ordered)


def _holds_values(item: object, value: object, usual: bool) -> bool:
    """Whether values are there; a list with the object itself in it is a walk that was kept."""
    first = list(islice(members(item, type(value)), _FIRST))
    return bool(first) and (usual or not any(part is value for part in first))


def _is_carrier(item: object) -> bool:
    """Whether an attribute may be a Function object: something that is no value and no number."""
    if isinstance(item, FunctionType):
        return bool(item.__dict__)
    return not isinstance(item, _NO_VALUES) and item is not None and not is_value(item)


def _grouped(alone: list[Candidate], value: object, sample: list[object]) -> Candidate | None:
    """Put places that hold one value each together: ``left`` and ``right``."""
    single = [
        candidate.paths[0]
        for candidate in alone
        if all(len(candidate.operands(item)) <= 1 for item in sample)
        and not _is_container(value, sample, candidate.paths[0])
    ]
    same = [path for path in single if path[:-1] == single[0][:-1]]
    return Candidate(tuple(same), True) if len(same) > 1 else None


def _is_container(value: object, sample: list[object], path: Path) -> bool:
    return any(isinstance(follow(item, path), _CONTAINERS) for item in (value, *sample))


def _only_in_closure(value: object, rule: str) -> Candidate | None:
    """Say that only the closure of the rule holds values, if it does."""
    function = held(value).get(rule) if rule else None
    if not isinstance(function, FunctionType):
        return None
    for cell in function.__closure__ or ():
        try:
            item = cell.cell_contents
        except ValueError:
            continue
        if item is not value and type(item) is type(value):
            return Candidate((), True)
    return None


def _hint(name: str) -> int:
    """Tell what a name suggests, for when nothing else does."""
    plain = name.strip("_").lower()
    if any(word in plain for word in ("consumer", "user", "used_by", "next", "output", "out")):
        return -1
    return 1 if name in OPERANDS[:2] or plain in ("parents", "operands", "inputs") else 0


def follow(value: object, path: Path) -> object:
    """Return what stands at the end of a path, or None."""
    for name in path:
        value = held(value).get(name)
        if value is None:
            return None
    return value


def members(item: object, kind: type) -> Iterator[object]:
    """Yield the values in an attribute: itself, or members of a container, or of pairs in one."""
    if isinstance(item, ReferenceType):
        item = item()
    if _is_like(item, kind):
        yield item
    elif isinstance(item, dict):
        yield from (part for pair in item.items() for part in pair if _is_like(part, kind))
    elif isinstance(item, _CONTAINERS):
        for part in item:
            inner = part() if isinstance(part, ReferenceType) else part
            if _is_like(inner, kind):
                yield inner
            elif isinstance(inner, tuple | list) and len(inner) == 2:
                yield from (half for half in inner if _is_like(half, kind))


def _is_like(item: object, kind: type) -> bool:
    """Whether an object is a value beside one of class `kind`."""
    return type(item) is kind or type(item).__name__ == kind.__name__ or is_value(item)


def is_value(item: Any) -> bool:
    """Whether an object looks like a Value of some class: a number, and something beside it.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> is_value(SimpleNamespace(data=2.0, grad=0.0)), is_value(SimpleNamespace(mass=None))
    (True, False)
    """
    if item is None or isinstance(item, _NO_VALUES) or hasattr(type(item), "__array__"):
        return False
    kind = type(item)
    inside = held(item)
    known = _DIALECTS.get(kind)
    if known is not None and known.spelling.data in inside:
        return True
    if not inside or len(inside) > _MOST_ATTRIBUTES or not _data_name(inside):
        return False
    return any(
        name in OPERANDS or name in GRAD or any(word in name.lower() for word in _TELLING_GRAD)
        for name in inside
    )
