"""From a row of the table to the method of `Value` that runs it.

There is one template per arity; a row's expressions are put in as source, so that ``x.tanh()``
costs what a hand-written method costs.  A node keeps its operands and its local slopes as floats,
in slots: no closure, set or dict per node.  A plain number next to a Value stays a float in the
node and becomes a Value of its own only when somebody asks for ``_prev``.
"""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from glassgrad.engine import real
from glassgrad.engine.backward import Extremes
from glassgrad.engine.ops import Primitive
from glassgrad.engine.scope import stand_for_number


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A primitive together with what stands at its operands: a Value (v) or a number (c).

    ``v * 3`` has the form ``mul``, ``"vc"``; the number is kept in the node's second slope slot,
    which that form does not use.
    """

    primitive: Primitive
    places: str

    def __reduce__(self) -> tuple[object, tuple[str, str]]:
        """Pickle as two names, so that forms stay unique in a process."""
        return form, (self.primitive.name, self.places)


_FORMS: dict[tuple[str, str], Form] = {}


def form(name: str, places: str) -> Form:
    """Return the one `Form` of the primitive called `name` with operands at `places`."""
    return _FORMS[name, places]


def register(made: Form) -> Form:
    """Remember a form, so that `form` finds it."""
    _FORMS[made.primitive.name, made.places] = made
    return made


HAND = Form.__new__(Form)
"""The form of a leaf, and of a node whose operation is the user's own."""


def at(primitive: Primitive, *operands: float) -> tuple[float, ...]:
    """Return the result and each partial at a point, with IEEE edges: the slow, total way.

    Examples
    --------
    >>> from glassgrad.engine.ops import PRIMITIVES
    >>> at(PRIMITIVES["div"], 1.0, 0.0)
    (inf, inf, -inf)
    """
    variables: dict[str, Any]
    if primitive.variadic:
        variables = {"x": operands}
    else:
        variables = dict(zip(primitive.variables, operands, strict=True))
    out = primitive.forward.evaluate(**variables)
    slopes = [partial.evaluate(out=out, **variables) for partial in primitive.partials]
    if primitive.variadic:
        slopes *= len(operands)
    if not all(map(math.isfinite, (*operands, out, *slopes))):
        Extremes.meet()
    return (out, *slopes)


_UNARY = '''
def {method}(self):
    """{doc}"""
    x = self.data
    try:
        out = {forward}
        {compute_x}
    except (ArithmeticError, ValueError):  # outside the domain or the range of a float
        out, slope_x = at(primitive, x)
    {look_x}
    node = new(self.__class__)
    node.data = out
    node.grad = 0.0
    node._form = unary
    node._a = self
    node._b = None
    node._slope_a = {slope_x}
    node._pending = 0
    return node
'''

_BINARY = '''
def {method}(self, other):
    """{doc}"""
    x = self.data
    own = self.__class__
    kind = other.__class__
    if kind is own or (kind is not float and isinstance(other, Operators)):
        y = other.data
        try:
            out = {forward}
            {compute_x}
            {compute_y}
        except (ArithmeticError, ValueError):  # outside the domain or the range of a float
            out, slope_x, slope_y = at(primitive, x, y)
        {look}
        node = new(own)
        node._form = both
        node._b = other
        node._slope_b = {slope_y}
    else:
        y = other if kind is float else number(other)
        if y is None:
            return NotImplemented
        try:
            out = {forward}
            {compute_x}
        except (ArithmeticError, ValueError):
            out, slope_x, _ = at(primitive, x, y)
        {look_x}
        node = new(own)
        node._form = number_second
        node._b = None
        node._slope_b = y
    node.data = out
    node.grad = 0.0
    node._a = self
    node._slope_a = {slope_x}
    node._pending = 0
    return node
'''

_REFLECTED = '''
def {method}(self, other):
    """{doc}"""
    x = other if other.__class__ is float else number(other)
    if x is None:
        return NotImplemented
    y = self.data
    try:
        out = {forward}
        {compute_y}
    except (ArithmeticError, ValueError):  # outside the domain or the range of a float
        out, _, slope_y = at(primitive, x, y)
    {look_y}
    node = new(self.__class__)
    node.data = out
    node.grad = 0.0
    node._form = number_first
    node._a = self
    node._b = None
    node._slope_a = {slope_y}
    node._slope_b = x
    node._pending = 0
    return node
'''

# More than two operands: they and their slopes are kept as tuples, numbers become Values at once.
_WIDE = '''
def {method}(self, {parameters}):
    """{doc}"""
    operands = []
    for operand in (self, {parameters}):
        if not isinstance(operand, Operators):
            x = number(operand)
            if x is None:
                raise TypeError(f"{method} needs Values or numbers; got {{operand!r}}.")
            operand = constant(self.__class__, x)
        operands.append(operand)
    out, *slopes = at(primitive, *[operand.data for operand in operands])
    node = leaf(self.__class__, out)
    node._form = wide
    node._a = tuple(operands)
    node._slope_b = tuple(slopes)
    return node
'''


def leaf(kind: type[Any], data: float) -> Any:
    """Make a Value of class `kind` without operands, past its constructor."""
    node = object.__new__(kind)
    node.data = data
    node.grad = 0.0
    node._form = HAND
    node._a = node._b = node._slope_a = node._slope_b = None
    node._pending = 0
    return node


def constant(kind: type[Any], number: float) -> Any:
    """Make a Value of class `kind` for a plain number next to Values."""
    node = leaf(kind, number)
    stand_for_number(node)
    return node


_DUNDER = {
    "add": "__add__",
    "sub": "__sub__",
    "mul": "__mul__",
    "div": "__truediv__",
    "pow": "__pow__",
    "neg": "__neg__",
}


_SHAPES = {1: "unary", 2: "binary"}
_PLACES = {"unary": ("v",), "binary": ("vv", "vc", "cv"), "wide": ("*",)}
_TEMPLATES = {"unary": (_UNARY,), "binary": (_BINARY, _REFLECTED), "wide": (_WIDE,)}


def method_names(primitive: Primitive) -> tuple[str, ...]:
    """Return what the methods of a row are called: ``("__add__", "__radd__")``, ``("tanh",)``.

    Examples
    --------
    >>> from glassgrad.engine.ops import PRIMITIVES
    >>> method_names(PRIMITIVES["sub"]), method_names(PRIMITIVES["hypot"])
    (('__sub__', '__rsub__'), ('hypot', '_rhypot'))
    """
    name = _DUNDER.get(primitive.name, primitive.name)
    if primitive.arity != 2:
        return (name,)
    reflected = f"__r{name[2:]}" if name.startswith("__") else f"_r{name}"
    return name, reflected


def methods(
    primitive: Primitive, operators: type[Any], number: Callable[[object], float | None]
) -> Mapping[str, Callable[..., Any]]:
    """Make the methods of one row.

    Parameters
    ----------
    primitive : Primitive
        The row.
    operators : type
        The class that they belong to: what is not one is a plain number.
    number : callable
        Turns a plain number into a float, anything else into None.

    Returns
    -------
    mapping
        From method name to function.
    """
    shape = "wide" if primitive.variadic or primitive.arity > 2 else _SHAPES[primitive.arity]
    forms = {}
    for places in _PLACES[shape]:
        forms[places] = register(Form(primitive, places))
    namespace: dict[str, Any] = {
        **real.FAST,
        "at": at,
        "meet_extreme": Extremes.meet,
        "new": object.__new__,
        "number": number,
        "primitive": primitive,
        "Operators": operators,
        "unary": forms.get("v"),
        "both": forms.get("vv"),
        "number_second": forms.get("vc"),
        "number_first": forms.get("cv"),
        "wide": forms.get("*"),
        "leaf": leaf,
        "constant": constant,
    }
    made = {}
    for name, template in zip(method_names(primitive), _TEMPLATES[shape], strict=True):
        source = template.format(
            method=name,
            doc=f"Return {primitive.forward.source}; {primitive.says}.",
            forward=primitive.forward.code,
            parameters="*others" if primitive.variadic else ", ".join(primitive.variables[1:]),
            look=_look(primitive, "xy"),
            look_x=_look(primitive, "x"),
            look_y=_look(primitive, "y"),
            **_slopes(primitive),
        )
        lines = source.splitlines(keepends=True)
        made[name] = _compiled(name, "".join(filter(str.strip, lines)), namespace)
    return made


def _slopes(primitive: Primitive) -> dict[str, str]:
    """Return source for each slope: a line that computes it, and what is stored then.

    A slope that is a number, an operand or the result needs no line.
    """
    source = {}
    for variable, partial in zip("xy", (*primitive.partials, *primitive.partials), strict=False):
        name = f"slope_{variable}"
        computed = isinstance(partial.tree, tuple)
        source[f"compute_{variable}"] = f"{name} = {partial.code}" if computed else ""
        source[name] = name if computed else partial.code
    return source


_SUMS_AND_PRODUCTS = {"add", "sub", "mul", "neg"}


def _look(primitive: Primitive, operands: str) -> str:
    """Return source that tells when one of `operands`, or a slope against one, is inf or nan.

    A finite number minus itself is 0; inf and nan give nan, which is true.  Sums and products need
    no look: what is infinite there makes the result inf or nan, and so on until it meets another
    operation, which looks at its operands, or the root, where the sweep looks.  The same goes for
    a slope that is the result.
    """
    if primitive.name in _SUMS_AND_PRODUCTS:
        return ""
    computed = [
        f"slope_{variable}"
        for variable, partial in zip("xy", primitive.partials, strict=False)
        if variable in operands and isinstance(partial.tree, tuple) and not partial.is_constant
    ]
    looked_at = [v for v in primitive.variables if v in operands]
    extreme = " or ".join(f"{name} - {name}" for name in (*looked_at, *computed))
    return f"if {extreme}: meet_extreme()"


def _compiled(name: str, source: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    filename = f"<glassgrad Value.{name}>"
    # so that inspect.getsource and a debugger show what runs
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    made: dict[str, Any] = {}  # apart: the method exp must not hide the exp that it calls
    exec(compile(source, filename, "exec"), namespace, made)
    function: Callable[..., Any] = made[name]
    function.__qualname__ = f"Value.{name}"
    function.__module__ = "glassgrad.engine.value"
    return function
