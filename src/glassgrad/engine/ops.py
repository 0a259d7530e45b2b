"""The table of primitives: one row per operation, each rule written once, as an expression.

The engine, the tooltips, the checks, the exports and the documentation all read these rows.
Adding an operation is adding a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from glassgrad.engine.expression import Expression


@dataclass(frozen=True, slots=True, eq=False)
class Primitive:
    """One operation and its local rule.

    Parameters
    ----------
    name : str
        The row's name, and that of its function: ``"mul"``, ``"tanh"``.
    op : str
        What ``Value._op`` says, in micrograd's spelling: ``"*"``, ``"ReLU"``.
    symbol : str
        What the disc of the picture shows: ``"×"``, ``"tanh"``.
    forward : Expression
        The result, from the operands ``x``, ``y`` and ``z``.
    partials : tuple of Expression
        The slope of the result against each operand, in order; may also use ``out``.
    says : str
        The backward rule in one clause, for a sentence about a step.
    kink : Expression or None
        Non-zero where the slope jumps, so that no finite difference is trusted there.
    variadic : bool
        Whether ``x`` stands for any number of operands, which share the one partial.

    Examples
    --------
    >>> mul = PRIMITIVES["mul"]
    >>> mul.symbol, mul.arity, [partial.source for partial in mul.partials]
    ('×', 2, ['y', 'x'])
    """

    name: str
    op: str
    symbol: str
    forward: Expression
    partials: tuple[Expression, ...]
    says: str
    kink: Expression | None = None
    variadic: bool = False

    @property
    def arity(self) -> int:
        """The number of operands that the expressions name: 1, 2 or 3."""
        return len(self.partials)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the operands in the expressions, in order: ``("x", "y")``."""
        return ("x", "y", "z")[: self.arity]

    def partial(self, position: int) -> Expression:
        """Return the slope against the operand at `position`."""
        return self.partials[0 if self.variadic else position]

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Pickle as the row's name: there is one row per operation in every process."""
        return _row, (self.name,)


def _row(name: str) -> Primitive:
    return PRIMITIVES[name]


def _primitive(
    name: str,
    forward: str,
    *partials: str,
    says: str,
    op: str | None = None,
    symbol: str | None = None,
    kink: str | None = None,
    variadic: bool = False,
) -> Primitive:
    return Primitive(
        name=name,
        op=op or name,
        symbol=symbol or op or name,
        forward=Expression(forward),
        partials=tuple(map(Expression, partials)),
        says=says,
        kink=Expression(kink) if kink else None,
        variadic=variadic,
    )


_ROWS = (
    _primitive(
        "add", "x + y", "1", "1",
        op="+", says="a sum hands its gradient to each operand unchanged",
    ),
    _primitive(
        "sub", "x - y", "1", "-1",
        op="-", symbol="−", says="the first operand receives the gradient, the second its negative",
    ),
    _primitive(
        "mul", "x * y", "y", "x",
        op="*", symbol="×", says="each factor receives the other factor times the gradient",
    ),
    _primitive(
        "div", "x / y", "1 / y", "-out / y",
        op="/", symbol="÷",
        says="the numerator receives the gradient divided by the denominator, "
        "the denominator minus the quotient times that",
    ),
    # PyTorch's edges: x**0 has slope 0 even at 0, and 0**y none in y where it is 0 or 1
    _primitive(
        "pow", "x**y", "0 if y == 0 else y * x**(y - 1)",
        "0 if x == 0 and y >= 0 else out * log(x)",
        op="**", symbol="xʸ", says="the power comes down as a factor and the exponent drops by one",
    ),
    _primitive(
        "neg", "-x", "-1", op="neg", symbol="−", says="the sign of the gradient flips",
    ),
    _primitive(
        "abs", "abs(x)", "sign(x)", symbol="|x|", kink="x == 0",
        says="the gradient keeps its sign where the input is positive and flips where it is not",
    ),
    _primitive(
        "exp", "exp(x)", "out", symbol="eˣ", says="the gradient is multiplied by the result itself",
    ),
    _primitive(
        "expm1", "expm1(x)", "out + 1", says="the gradient is multiplied by the result plus one",
    ),
    _primitive("log", "log(x)", "1 / x", says="the gradient is divided by the input"),
    _primitive(
        "log1p", "log1p(x)", "1 / (1 + x)", says="the gradient is divided by one plus the input",
    ),
    _primitive(
        "log2", "log2(x)", "1 / (x * log(2))", says="the gradient is divided by the input × ln 2",
    ),
    _primitive(
        "log10", "log10(x)", "1 / (x * log(10))",
        says="the gradient is divided by the input × ln 10",
    ),
    _primitive(
        "sqrt", "sqrt(x)", "1 / (2 * out)", symbol="√",
        says="the gradient is divided by twice the root",
    ),
    _primitive("sin", "sin(x)", "cos(x)", says="the gradient is multiplied by the cosine"),
    _primitive("cos", "cos(x)", "-sin(x)", says="the gradient is multiplied by minus the sine"),
    _primitive(
        "tan", "tan(x)", "1 + out**2", says="the gradient is multiplied by one plus the square "
        "of the result",
    ),
    _primitive(
        "asin", "asin(x)", "1 / sqrt(1 - x**2)",
        says="the gradient is divided by the root of one minus the input squared",
    ),
    _primitive(
        "acos", "acos(x)", "-1 / sqrt(1 - x**2)",
        says="the negative gradient is divided by the root of one minus the input squared",
    ),
    _primitive(
        "atan", "atan(x)", "1 / (1 + x**2)",
        says="the gradient is divided by one plus the input squared",
    ),
    _primitive(
        "atan2", "atan2(x, y)",
        "0 if x == 0 and y == 0 else y / (x**2 + y**2)",
        "0 if x == 0 and y == 0 else -x / (x**2 + y**2)",
        says="each coordinate turns the angle by the other one over the squared radius",
    ),
    _primitive("sinh", "sinh(x)", "cosh(x)", says="the gradient is multiplied by the cosh"),
    _primitive("cosh", "cosh(x)", "sinh(x)", says="the gradient is multiplied by the sinh"),
    _primitive(
        "tanh", "tanh(x)", "1 - out**2",
        says="the gradient is multiplied by one minus the square of the result",
    ),
    _primitive(
        "asinh", "asinh(x)", "1 / hypot(x, 1)",
        says="the gradient is divided by the root of the input squared plus one",
    ),
    _primitive(
        "acosh", "acosh(x)", "1 / (sqrt(x - 1) * sqrt(x + 1))",
        says="the gradient is divided by the root of the input squared minus one",
    ),
    _primitive(
        "atanh", "atanh(x)", "1 / (1 - x**2)",
        says="the gradient is divided by one minus the input squared",
    ),
    _primitive(
        "sigmoid", "sigmoid(x)", "out * (1 - out)", symbol="σ",
        says="the gradient is multiplied by the result times one minus the result",
    ),
    _primitive(
        "relu", "0 if x <= 0 else x", "0 if x <= 0 else 1",
        op="ReLU", kink="x == 0",
        says="the gradient passes where the input is positive and stops where it is not",
    ),
    _primitive(
        "leaky_relu", "0.01 * x if x <= 0 else x", "0.01 if x <= 0 else 1",
        symbol="LReLU", kink="x == 0",
        says="the gradient passes where the input is positive; a hundredth of it does elsewhere",
    ),
    _primitive(
        "elu", "expm1(x) if x < 0 else x", "exp(x) if x < 0 else 1",
        symbol="ELU",
        says="the gradient passes where the input is positive and fades as exp(x) elsewhere",
    ),
    _primitive(
        "gelu", "0.5 * x * (1 + erf(x / sqrt(2)))",
        "0.5 * (1 + erf(x / sqrt(2))) + x * exp(-x**2 / 2) / sqrt(2 * pi)",
        symbol="GELU",
        says="the gradient is multiplied by the normal distribution plus the input times its "
        "density",
    ),
    _primitive(
        "softplus", "maximum(x, 0) + log1p(exp(-abs(x)))", "sigmoid(x)",
        says="the gradient is multiplied by the sigmoid of the input",
    ),
    _primitive(
        "silu", "x * sigmoid(x)", "sigmoid(x) + out * (1 - sigmoid(x))",
        symbol="SiLU",
        says="the gradient is multiplied by s + out · (1 − s), where s is the sigmoid of the input",
    ),
    _primitive(
        "erf", "erf(x)", "2 / sqrt(pi) * exp(-x**2)",
        says="the gradient is multiplied by the bell curve 2/√π · exp(−x²)",
    ),
    _primitive(
        "hypot", "hypot(x, y)", "x / out", "y / out",
        says="each side receives its share of the length",
    ),
    # on a tie both operands are the answer: PyTorch gives each one half
    _primitive(
        "minimum", "minimum(x, y)",
        "0.5 if x == y else (1 if x < y else 0)", "0.5 if x == y else (1 if y < x else 0)",
        symbol="min", kink="x == y", says="the smaller operand receives the whole gradient",
    ),
    _primitive(
        "maximum", "maximum(x, y)",
        "0.5 if x == y else (1 if x > y else 0)", "0.5 if x == y else (1 if y > x else 0)",
        symbol="max", kink="x == y", says="the larger operand receives the whole gradient",
    ),
    _primitive(
        "clamp", "minimum(maximum(x, y), z)",
        "1 if y <= x and x <= z else 0", "1 if x < y and y < z else 0",
        "1 if x > z else (1 if z < y else 0)",
        kink="x == y", says="the gradient passes between the bounds and stops outside them",
    ),
    _primitive(
        "sum", "sum(x)", "1", symbol="Σ", variadic=True,
        says="a sum hands its gradient to each operand unchanged",
    ),
)  # fmt: skip

PRIMITIVES: Mapping[str, Primitive] = MappingProxyType({row.name: row for row in _ROWS})
"""Every primitive, by name."""
