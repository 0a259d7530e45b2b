"""Which slip explains these numbers?  A table of the slips that people make in a local rule.

In flow `Sample`s: the operands of one operation, the slopes it should have and those it has.  A
slip is a formula for the wrong number; it explains what was measured if it reproduces *every*
sample.  So the table is searched with numbers, and the source is only quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf, isnan

from glassgrad.engine.expression import Expression
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.graphs.recognise import agree


@dataclass(frozen=True, slots=True)
class Sample:
    """One operation at one point.

    Parameters
    ----------
    operands : tuple of float
        What it was computed from, plain numbers included.
    out : float
        The result.
    expected, got : tuple of float
        The slope of each operand: the right one, and the one that was measured.
    upstream : float, optional
        The gradient that had arrived at the result when its rule ran.
    """

    operands: tuple[float, ...]
    out: float
    expected: tuple[float, ...]
    got: tuple[float, ...]
    upstream: float = 1.0

    @property
    def numbers(self) -> dict[str, float]:
        """The names that a formula may use."""
        x, y, z, *_ = (*self.operands, *(float("nan"),) * 3)
        return {"x": x, "y": y, "z": z, "out": self.out}


# -- slips of one operation: (primitive, position) → (the wrong slope, what happened) ------------
# {line} stands for the learner's own line, in backticks.

_TANH = "the rule of tanh is 1 - t**2"
_OF_ONE: Mapping[tuple[str, int], tuple[tuple[str, str], ...]] = {
    ("tanh", 0): (
        ("(1 - out)**2", f"{{line}} squares the whole difference; {_TANH}."),
        ("1 - out", f"{{line}} forgets the square; {_TANH}."),
        ("1 + out**2", f"{{line}} has a plus where the minus belongs; {_TANH}."),
        ("1 - x**2", f"{{line}} squares the input; {_TANH}, with the result t."),
        ("1 - 2 * out", f"{{line}} doubles where it should square; {_TANH}."),
        ("out**2 - 1", f"{{line}} has the wrong sign; {_TANH}."),
        ("out**2", f"{{line}} leaves out the 1 -; {_TANH}."),
        ("1 - tanh(out)**2", f"{{line}} takes tanh a second time; {_TANH}, with the result t."),
        ("(1 - x)**2", f"{{line}} squares the whole difference, of the input; {_TANH}."),
        ("out * (1 - out)", "{line} is the rule of the sigmoid; that of tanh is 1 - t**2."),
    ),
    ("sigmoid", 0): (
        ("x * (1 - x)", "{line} uses the input; the rule is s * (1 - s), with the result s."),
        ("out * (1 - x)", "{line} uses the input; the rule is s * (1 - s), with the result s."),
        ("1 - out", "{line} leaves out the factor s; the rule is s * (1 - s)."),
        ("out - 1", "{line} leaves out a factor and turns the sign; the rule is s * (1 - s)."),
        ("1 - out**2", "{line} is the rule of tanh; that of the sigmoid is s * (1 - s)."),
        ("out * (1 + out)", "{line} has a plus where the minus belongs; the rule is s * (1 - s)."),
        ("out * (1 - out)**2", "{line} squares too much; the rule is s * (1 - s)."),
    ),
    ("exp", 0): (
        ("x", "{line} uses the input; the slope of exp is its result, out.data."),
        ("x * exp(x - 1)", "{line} is the power rule; the slope of exp is its result, out.data."),
        ("x * out", "{line} has a factor too many; the slope of exp is its result alone."),
        ("exp(out)", "{line} takes exp a second time; the slope is the result itself, out.data."),
    ),
    ("log", 0): (
        ("1 / out", "{line} divides by the result; the slope of log is 1 / x, with the input x."),
        ("out", "{line} uses the result; the slope of log is 1 / x, with the input x."),
        ("x", "{line} multiplies by the input; the slope of log is 1 / x."),
        ("1 / x**2", "{line} squares too much; the slope of log is 1 / x."),
    ),
    ("sin", 0): (
        ("out", "{line} uses the sine itself; its slope is the cosine."),
        ("cos(out)", "{line} takes the cosine of the result; it belongs to the input."),
    ),
    ("cos", 0): (
        ("sin(x)", "{line} has lost the minus; the slope of cos is -sin(x)."),
        ("out", "{line} uses the cosine itself; its slope is -sin(x)."),
    ),
    ("sqrt", 0): (
        ("0.5 * out", "{line} multiplies by the root; the slope is 0.5 / root."),
        ("1 / out", "{line} forgets the factor 0.5; the slope is 0.5 / root."),
        ("0.5 / x", "{line} divides by the input; the slope is 0.5 / root."),
    ),
    ("relu", 0): (
        ("out", "{line} passes the value; the slope is 1 where the input is positive, else 0."),
        ("1", "{line} passes everything; where the input is negative the slope is 0."),
        ("1 if x <= 0 else 0", "{line} asks the wrong way round; the slope is 1 above 0."),
        ("x", "{line} multiplies by the input; the slope is 1 where it is positive, else 0."),
    ),
    ("abs", 0): (
        ("1", "{line} passes everything; where the input is negative the slope is -1."),
        ("out", "{line} multiplies by the result; the slope is the sign of the input."),
        ("1 if x > 0 else 0", "{line} is the rule of relu; below 0 the slope of abs is -1."),
    ),
    ("neg", 0): (("1", "{line} passes the gradient on unchanged; the sign of it flips."),),
    ("sub", 1): (
        ("1", "{line} has the wrong sign: what is subtracted receives minus the gradient."),
    ),
    ("mul", 0): (
        ("1 / y", "{line} divides where it should multiply: each factor receives the other."),
        ("x + y", "{line} adds the factors; each factor receives the other one."),
        ("x * y", "{line} uses the whole product; each factor receives the other factor."),
    ),
    ("mul", 1): (
        ("1 / x", "{line} divides where it should multiply: each factor receives the other."),
        ("x + y", "{line} adds the factors; each factor receives the other one."),
        ("x * y", "{line} uses the whole product; each factor receives the other factor."),
    ),
    ("div", 0): (
        ("y", "{line} multiplies by the denominator; the slope is 1 / y."),
        ("1 / y**2", "{line} squares the denominator of the numerator's slope; it is 1 / y."),
        ("-1 / y", "{line} has the wrong sign; the slope is 1 / y."),
    ),
    ("div", 1): (
        ("-x / y", "{line} forgets the square; the slope is -x / y**2."),
        ("x / y**2", "{line} has lost the minus; the slope is -x / y**2."),
        ("-1 / y**2", "{line} forgets the numerator; the slope is -x / y**2."),
        ("-x * y**2", "{line} multiplies by the square; the slope is -x / y**2."),
        ("1 / y", "{line} repeats the numerator's slope; the denominator's is -x / y**2."),
        ("x", "{line} is the rule of a product; the slope is -x / y**2."),
    ),
    ("pow", 0): (
        ("x**(y - 1)", "{line} forgets the factor: the power comes down, n * x**(n - 1)."),
        ("y * x**y", "{line} forgets to lower the power; the rule is n * x**(n - 1)."),
        ("y * x", "{line} holds for squares only; the rule is n * x**(n - 1)."),
        ("2 * x", "{line} holds for squares only; the rule is n * x**(n - 1)."),
        ("(y - 1) * x**(y - 1)", "{line} lowers the factor too; the rule is n * x**(n - 1)."),
        ("(y - 1) * x**y", "{line} swaps the two; the rule is n * x**(n - 1)."),
        ("y * x**(y + 1)", "{line} raises the power; the rule is n * x**(n - 1)."),
        ("y", "{line} keeps the factor alone; the rule is n * x**(n - 1)."),
        ("out * log(x)", "{line} is the slope of the exponent; the rule is n * x**(n - 1)."),
    ),
    ("pow", 1): (
        ("0", "{line} forgets the exponent: x**y grows with y too, by x**y * log(x)."),
        ("out", "{line} leaves out the logarithm; the slope of an exponent is x**y * log(x)."),
        ("x * y**(x - 1)", "{line} is the power rule; the slope of an exponent is x**y * log(x)."),
        ("y * x**(y - 1)", "{line} is the power rule; the slope of an exponent is x**y * log(x)."),
    ),
}  # fmt: skip

# -- slips of any operation ----------------------------------------------------------------------

_Wrong = Callable[[Sample, int], float]


def _sibling(sample: Sample, position: int) -> float:
    return sample.expected[1 - position] if len(sample.expected) == 2 else float("nan")


def _operand(number: int) -> _Wrong:
    def wrong(sample: Sample, position: int) -> float:
        return sample.operands[number] if number < len(sample.operands) else float("nan")

    return wrong


_OF_ANY: tuple[tuple[_Wrong, str], ...] = (
    (lambda s, i: 0.0, "Nothing reaches {name}: its share is never added to {name}.grad."),
    (lambda s, i: -s.expected[i], "{line} has the wrong sign."),
    (_sibling, "{line} takes the share of the other operand: the two are swapped."),
    (lambda s, i: 2 * s.expected[i], "{line} counts twice."),
    (lambda s, i: 1.0, "{line} passes the gradient on unchanged: the local slope is missing."),
    (lambda s, i: s.expected[i] ** 2, "{line} squares the slope."),
    (lambda s, i: s.expected[i] / 2, "{line} counts half."),
    (lambda s, i: 1 / s.expected[i], "{line} is upside down: it should be one divided by that."),
    (lambda s, i: s.out, "{line} uses the result where the slope belongs."),
    (lambda s, i: s.out * s.expected[i], "{line} multiplies by the result as well."),
    (_operand(0), "{line} uses the first operand where the slope belongs."),
    (_operand(1), "{line} uses the second operand where the slope belongs."),
    (lambda s, i: 1 + s.expected[i], "{line} adds where it should multiply."),
    (lambda s, i: inf, "{line} overflows at this point."),
)
_UPSTREAM: tuple[tuple[_Wrong, str], ...] = (
    (
        lambda s, i: s.expected[i] / s.upstream,
        "{line} leaves out the gradient from above: multiply by that of the result, out.grad.",
    ),
    (
        lambda s, i: s.expected[i] / s.upstream + s.upstream,
        "{line} adds the gradient from above; the chain rule multiplies by it.",
    ),
    (
        lambda s, i: s.expected[i] * s.upstream,
        "{line} multiplies by the gradient from above twice.",
    ),
    (
        lambda s, i: s.expected[i] / s.upstream**2,
        "{line} divides by the gradient from above; the chain rule multiplies by it.",
    ),
    (lambda s, i: s.upstream, "{line} passes the gradient on without the local slope."),
)

# -- slips of the result itself ------------------------------------------------------------------

_FORWARD: Mapping[str, tuple[tuple[str, str], ...]] = {
    "sub": (
        ("y - x", "{line} subtracts the wrong way round."),
        ("x + y", "{line} adds."),
    ),
    "add": (("x - y", "{line} subtracts."), ("x * y", "{line} multiplies.")),
    "mul": (
        ("x + y", "{line} adds."),
        ("x / y", "{line} divides."),
        ("x * x", "{line} uses self twice."),
    ),
    "div": (
        ("y / x", "{line} divides the wrong way round."),
        ("x * y", "{line} multiplies."),
        ("1 / y", "{line} leaves out the numerator."),
        ("x", "{line} does not divide."),
    ),
    "pow": (
        ("y**x", "{line} swaps the base and the exponent."),
        ("x * y", "{line} multiplies."),
        ("x**2", "{line} squares, whatever the exponent."),
    ),
    "neg": (("x", "{line} keeps the sign."), ("1 / x", "{line} is the reciprocal.")),
    "tanh": (
        ("1 / tanh(x)", "{line} is upside down."),
        ("tanh(x / 2)", "{line} needs exp(2 * x), not exp(x)."),
        ("(exp(x) - exp(-x)) / 2", "{line} is the hyperbolic sine: divide by the cosine."),
        ("sigmoid(x)", "{line} is the sigmoid."),
    ),
    "sigmoid": (
        ("1 - sigmoid(x)", "{line} has lost the minus: it is 1 / (1 + exp(-x))."),
        ("tanh(x)", "{line} is tanh."),
    ),
    "exp": (("x**2.718281828", "{line} raises x to e, where e should be raised to x."),),
    "relu": (
        ("x if x < 0 else 0", "{line} keeps the negative side."),
        ("x", "{line} never stops anything."),
        ("abs(x)", "{line} is the absolute value."),
    ),
    "log": (
        ("log10(x)", "{line} is the logarithm to base 10."),
        ("log2(x)", "{line} is the logarithm to base 2."),
    ),
}  # fmt: skip
_REFLECTED = "{method} computes {swapped}; the number is on the left."


BOTH = "{line} gives one operand the share of the other one as well."
"""The slip whose line is that of the other operand."""


def _takes_both(slot: int, samples: Sequence[Sample]) -> bool:
    return all(
        len(s.got) == 2 and agree(s.got[slot], sum(s.expected)) and s.got[1 - slot] == 0
        for s in samples
    )


@cache
def _formula(source: str) -> Expression:
    return Expression(source)


def of_slope(primitive: str, position: int, slot: int, samples: Sequence[Sample]) -> str:
    """Return the sentence of the slip that explains the slopes of one operand, or ``""``.

    Parameters
    ----------
    primitive : str
        The row of the table, ``""`` if unknown.
    position : int
        The operand's place in the row.
    slot : int
        Its place among the samples' slopes, where plain numbers have none.
    samples : sequence of Sample
        All that was measured, right ones included.

    Examples
    --------
    >>> t = 0.46211715726000974
    >>> sample = Sample((0.5,), t, (1 - t**2,), ((1 - t) ** 2,))
    >>> of_slope("tanh", 0, 0, [sample])
    '{line} squares the whole difference; the rule of tanh is 1 - t**2.'
    """
    if any(sample.upstream != 1 for sample in samples):
        return _first((wrong, says) for wrong, says in _UPSTREAM if _fits(wrong, slot, samples))
    if _takes_both(slot, samples):
        return BOTH
    for source, says in _OF_ONE.get((primitive, position), ()):
        if all(agree(_formula(source).evaluate(**s.numbers), s.got[slot]) for s in samples):
            return says
    return _first((wrong, says) for wrong, says in _OF_ANY if _fits(wrong, slot, samples))


def of_result(
    primitive: str, reflected: bool, samples: Sequence[Sample], got: Sequence[float]
) -> str:
    """Return the sentence of the slip that explains wrong results, or ``""``.

    Examples
    --------
    >>> of_result("sub", False, [Sample((5.0, 2.0), 3.0, (), ())], [-3.0])
    '{line} subtracts the wrong way round.'
    """
    row = PRIMITIVES.get(primitive)
    if reflected and row is not None and _swapped(row.forward, samples, got):
        return _REFLECTED
    for source, says in _FORWARD.get(primitive, ()):
        numbers = (_formula(source).evaluate(**sample.numbers) for sample in samples)
        if all(map(agree, numbers, got)):
            return says
    if all(map(agree, (-sample.out for sample in samples), got)):
        return "{line} has the wrong sign."
    return ""


def _swapped(forward: Expression, samples: Sequence[Sample], got: Sequence[float]) -> bool:
    turned = [forward.evaluate(x=s.operands[1], y=s.operands[0]) for s in samples]
    return all(map(agree, turned, got))


def _fits(wrong: _Wrong, slot: int, samples: Iterable[Sample]) -> bool:
    return all(_agrees(wrong, slot, sample) for sample in samples)


def _agrees(wrong: _Wrong, slot: int, sample: Sample) -> bool:
    try:
        number = wrong(sample, slot)
    except (ZeroDivisionError, OverflowError):
        return False
    return not isnan(number) and agree(number, sample.got[slot])


def _first(found: Iterable[tuple[_Wrong, str]]) -> str:
    return next((says for _, says in found), "")
