"""A rule as an expression, written once: Python text in, every other form out.

In flows a piece of Python arithmetic such as ``"1 - out**2"``.  It is parsed once, and the tree
gives the source that the engine runs, numbers, plain text and LaTeX for people, and JSON for the
front end.  So a rule that is shown is the rule that was run.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

from glassgrad.engine import real

Tree: TypeAlias = "float | str | tuple[Tree, ...]"
"""A number, a variable, or a function's name followed by its arguments."""

_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.USub: "neg",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Eq: "eq",
    ast.And: "and",
}
_CONSTANTS: Mapping[str, float] = {"pi": math.pi}


class Expression:
    """One formula over the operands ``x``, ``y``, ``z`` and the result ``out``.

    Parameters
    ----------
    source : str
        A Python expression of numbers, ``pi``, variables, ``+ - * / **``, one comparison at a
        time, ``and``, ``a if condition else b`` and the functions of `glassgrad.engine.real`.

    Raises
    ------
    ValueError
        When `source` holds anything else.

    Examples
    --------
    >>> slope = Expression("1 - out**2")
    >>> slope.evaluate(out=0.5)
    0.75
    >>> slope.text
    '1 − {out}²'
    >>> slope.json
    ['sub', 1.0, ['pow', 'out', 2.0]]
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = _parse(ast.parse(source, mode="eval").body, source)

    def __repr__(self) -> str:
        return f"Expression({self.source!r})"

    def evaluate(self, **numbers: float | Sequence[float]) -> float:
        """Return the value at `numbers`, with the domain edges of `glassgrad.engine.real`.

        Examples
        --------
        >>> Expression("x / y").evaluate(x=1.0, y=0.0)
        inf
        """
        result: float = _evaluate(self.tree, numbers)
        return result

    @property
    def is_constant(self) -> bool:
        """Whether it takes none but constant values, as ``0 if x <= 0 else 1`` does."""
        return _is_constant(self.tree)

    @cached_property
    def code(self) -> str:
        """Python source that is fast and may raise where the domain ends.

        The engine runs it first; when Python refuses (``1 / 0``, ``log(0)``), it asks `evaluate`.
        """
        return _print(self.tree, _CODE)

    @cached_property
    def array_code(self) -> str:
        """Python source for arrays: every operand and result may be an array of numbers.

        The namespace (NumPy's, JAX's or PyTorch's) supplies ``where`` and the functions.
        """
        return _print(self.tree, _ARRAY_CODE)

    @cached_property
    def text(self) -> str:
        """A template for people, with ``{x}``, ``{y}`` and ``{out}`` to be filled in.

        Values at isolated points (``0 if y == 0 else ...``) are left out, as a textbook does.
        """
        return _print(self.tree, _TEXT)

    @cached_property
    def latex(self) -> str:
        r"""The formula in LaTeX, e.g. ``1 - out^{2}``."""
        return _print(self.tree, _LATEX)

    @cached_property
    def json(self) -> float | str | list[object]:
        """Nested lists that need no parser: a number, a variable, or ``[function, ...]``."""
        return _lists(self.tree)


def _parse(node: ast.AST, source: str) -> Tree:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as value):
            return float(value)
        case ast.Name(id=name):
            return _CONSTANTS.get(name, name)
        case ast.BinOp(left=left, op=op, right=right):
            return (_OPERATORS[type(op)], _parse(left, source), _parse(right, source))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _parse(operand, source)
            return -inner if isinstance(inner, float) else ("neg", inner)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return (_OPERATORS[type(op)], _parse(left, source), _parse(right, source))
        case ast.BoolOp(op=ast.And(), values=[left, right]):
            return ("and", _parse(left, source), _parse(right, source))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return ("where", *(_parse(part, source) for part in (test, body, orelse)))
        case ast.Call(func=ast.Name(id=name), args=args) if name in real.FUNCTIONS:
            return (name, *(_parse(argument, source) for argument in args))
    raise ValueError(f"{source!r} holds {ast.unparse(node)!r}, which no rule may use.")


def _evaluate(tree: Tree, numbers: Mapping[str, Any]) -> Any:
    if isinstance(tree, tuple):
        arguments = (_evaluate(argument, numbers) for argument in tree[1:])
        return real.FUNCTIONS[str(tree[0])](*arguments)
    return numbers[tree] if isinstance(tree, str) else tree


def _is_constant(tree: Tree) -> bool:
    if isinstance(tree, tuple) and tree[0] == "where":
        return _is_constant(tree[2]) and _is_constant(tree[3])
    return isinstance(tree, float)


def _lists(tree: Tree) -> float | str | list[object]:
    return [_lists(part) for part in tree] if isinstance(tree, tuple) else tree


# -- printing ---------------------------------------------------------------------------------
# A style says how a leaf and each function are written; `_print` adds the parentheses.

_ATOM = 100
_Style: TypeAlias = tuple[Callable[[float | str], str], Mapping[str, tuple[int, str]], str]


def _print(tree: Tree, style: _Style) -> str:
    return _printed(tree, style)[0]


def _printed(tree: Tree, style: _Style) -> tuple[str, int]:
    """Return the text of `tree` and how tightly it binds."""
    leaf, formats, call = style
    if not isinstance(tree, tuple):
        return leaf(tree), _ATOM if isinstance(tree, str) or tree >= 0 else 7
    name = str(tree[0])
    arguments = tree[1:]
    if style not in (_CODE, _ARRAY_CODE) and name == "where" and _is_isolated(arguments[0]):
        return _printed(arguments[2], style)
    special = _special(name, arguments, style)
    if special is not None:
        return special
    if name not in formats:
        return call.format(name, ", ".join(_print(a, style) for a in arguments)), _ATOM
    level, template = formats[name]
    parts = []
    for position, argument in enumerate(arguments):
        text, inner = _printed(argument, style)
        # the right side of - and / and the left side of ** need a tighter operand
        strict = position == 1 if name in ("sub", "div") else position == 0 and name == "pow"
        enclosed = level == _ATOM or (style is _LATEX and name == "pow" and position == 1)
        bare = enclosed or inner > level or (inner == level and not strict)
        parts.append(text if bare else f"({text})")
    return template.format(*parts), level


def _is_isolated(condition: Tree) -> bool:
    """Whether a condition holds at single points only: it asks for equality somewhere."""
    return isinstance(condition, tuple) and (
        condition[0] == "eq" or (condition[0] == "and" and any(map(_is_isolated, condition[1:])))
    )


def _special(name: str, arguments: tuple[Tree, ...], style: _Style) -> tuple[str, int] | None:
    """Squares: ``x * x`` in code (a power costs three times as much), ``x²`` in text."""
    if name != "pow" or not isinstance(arguments[1], float):
        return None
    base, power = arguments[0], arguments[1]
    if style in (_CODE, _ARRAY_CODE) and power == 2 and isinstance(base, str):
        return f"{base} * {base}", 6
    if style is _TEXT and power.is_integer():
        text, inner = _printed(base, style)
        digits = str(int(power)).translate(_SUPERSCRIPTS)
        return (text if inner == _ATOM else f"({text})") + digits, 8
    return None


_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def _number(value: float, pi: str) -> str:
    if value == math.pi:
        return pi
    return str(int(value)) if value.is_integer() else f"{value:.6g}"


def _in_code(leaf: float | str) -> str:
    return repr(leaf) if isinstance(leaf, float) else leaf


def _in_text(leaf: float | str) -> str:
    return _number(leaf, "π").replace("-", "−") if isinstance(leaf, float) else "{" + leaf + "}"


def _in_latex(leaf: float | str) -> str:
    return _number(leaf, r"\pi") if isinstance(leaf, float) else leaf


_CODE: _Style = (
    _in_code,
    {
        "where": (1, "{1} if {0} else {2}"),
        "and": (3, "{} and {}"),
        "gt": (4, "{} > {}"),
        "ge": (4, "{} >= {}"),
        "lt": (4, "{} < {}"),
        "le": (4, "{} <= {}"),
        "eq": (4, "{} == {}"),
        "add": (5, "{} + {}"),
        "sub": (5, "{} - {}"),
        "mul": (6, "{} * {}"),
        "div": (6, "{} / {}"),
        "neg": (7, "-{}"),
    },
    "{}({})",
)
_ARRAY_CODE: _Style = (
    _in_code,
    {
        "and": (3, "{} & {}"),
        "gt": (2, "{} > {}"),
        "ge": (2, "{} >= {}"),
        "lt": (2, "{} < {}"),
        "le": (2, "{} <= {}"),
        "eq": (2, "{} == {}"),
        **{name: _CODE[1][name] for name in ("add", "sub", "mul", "div", "neg")},
    },
    "{}({})",
)
_TEXT: _Style = (
    _in_text,
    {
        "where": (1, "{1} if {0} else {2}"),
        "and": (3, "{} and {}"),
        "gt": (4, "{} > {}"),
        "ge": (4, "{} ≥ {}"),
        "lt": (4, "{} < {}"),
        "le": (4, "{} ≤ {}"),
        "eq": (4, "{} = {}"),
        "add": (5, "{} + {}"),
        "sub": (5, "{} − {}"),
        "mul": (6, "{} · {}"),
        "div": (6, "{} / {}"),
        "neg": (7, "−{}"),
        "pow": (8, "{}^{}"),
        "abs": (_ATOM, "|{}|"),
    },
    "{}({})",
)
_LATEX: _Style = (
    _in_latex,
    {
        "where": (
            _ATOM,
            r"\begin{{cases}}{1} & \text{{if }} {0} \\ {2} & \text{{otherwise}}\end{{cases}}",
        ),
        "and": (3, r"{} \wedge {}"),
        "gt": (4, "{} > {}"),
        "ge": (4, r"{} \ge {}"),
        "lt": (4, "{} < {}"),
        "le": (4, r"{} \le {}"),
        "eq": (4, "{} = {}"),
        "add": (5, "{} + {}"),
        "sub": (5, "{} - {}"),
        "mul": (6, r"{} \cdot {}"),
        "div": (_ATOM, r"\frac{{{}}}{{{}}}"),
        "neg": (7, "-{}"),
        "pow": (8, "{}^{{{}}}"),
        "abs": (_ATOM, r"\left|{}\right|"),
        "sqrt": (_ATOM, r"\sqrt{{{}}}"),
    },
    r"\operatorname{{{}}}\left({}\right)",
)
