"""Slopes by measurement: differences in steps that fit, with an estimate of their own error.

In flows a function of one number; out flows a `Slope`, which knows how far it can be trusted and
whether the function has a kink there.  Extrapolation after C. J. F. Ridders, "Accurate computation
of F'(x) and F'(x) F''(x)", Advances in Engineering Software 4 (1982) 75-76.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, inf, isfinite, isnan, nan
from typing import NamedTuple

from glassgrad.graphs.recognise import agree

_SHRINK = 2.0  # from one step to the next
_ROWS = 12
_FIRST = 0.05  # the first step, as a share of the number or of 1
_NEAR = (1e-4, 1e-5, 1e-6)  # where a kink is looked for
_PATIENCE = 10.0  # so many times the estimated error is forgiven


class Slope(NamedTuple):
    """A measured slope.

    Examples
    --------
    >>> derivative(abs, 0.0).accepts(0.3), derivative(abs, 0.0).accepts(1.2)
    (True, False)
    """

    value: float
    """The slope; nan where the function has none."""

    error: float
    """How far off it may be."""

    left: float
    """The slope on the left side."""

    right: float
    """The slope on the right side."""

    @property
    def kink(self) -> bool:
        """Whether the two sides differ, so that every slope between them is right."""
        return self.left != self.right

    def accepts(self, slope: float) -> bool:
        """Whether a slope is right as far as this measurement can tell."""
        if isnan(self.value) or isnan(slope):
            return isnan(self.value) or not isfinite(self.error)
        low, high = min(self.left, self.right), max(self.left, self.right)
        slack = _PATIENCE * self.error + 1e-6 * max(1.0, abs(low), abs(high))
        return low - slack <= slope <= high + slack or agree(slope, self.value)


def derivative(function: Callable[[float], float], x: float) -> Slope:
    """Return the slope of a function at `x`.

    Parameters
    ----------
    function : callable
        From a float to a float; nan, inf and exceptions of arithmetic are understood.
    x : float
        Where.

    Examples
    --------
    >>> slope = derivative(lambda x: x**3, 2.0)
    >>> round(slope.value, 9), slope.error < 1e-6, slope.kink
    (12.0, True, False)
    """

    def f(x: float) -> float:
        try:
            return function(x)
        except (ArithmeticError, ValueError):
            return nan

    middle = f(x)
    if not isfinite(middle) or not isfinite(x):
        return Slope(nan, inf, nan, nan)
    scale = max(1.0, abs(x))
    sides = [_side(f, x, middle, scale, sign) for sign in (-1.0, 1.0)]
    if all(map(isfinite, sides)) and _kinked(f, x, middle, scale):
        left, right = sides
        return Slope((left + right) / 2, abs(right - left) * 1e-3, left, right)
    value, error = _sharpened(f, x)
    if not isfinite(value):  # the domain ends here: one side is all there is
        value = next(filter(isfinite, sides), nan)
        error = abs(value) * 1e-3
    return Slope(value, error, value, value)


def _sharpened(f: Callable[[float], float], x: float) -> tuple[float, float]:
    """Measure with steps that suit the number, then with steps that suit 1.

    Near 0 the second are better for exp and the first for 1/x; far from 0 it is the other way
    round for sin.  Wider steps may sharpen what narrower ones say, but not contradict it.
    """
    best, error = nan, inf
    for scale in sorted({abs(x) or 1.0, 1.0}):
        value, spread = _extrapolated(f, x, scale)
        agrees = abs(value - best) <= _PATIENCE * error + 1e-6 * abs(best)
        if isnan(best) or (agrees and spread < error):
            best, error = value, spread
    return best, error


def _side(f: Callable[[float], float], x: float, middle: float, scale: float, sign: float) -> float:
    """Return the slope on one side, from the two nearest points."""
    h = sign * _NEAR[-1] * scale
    return (4 * f(x + h) - f(x + 2 * h) - 3 * middle) / (2 * h)


def _kinked(f: Callable[[float], float], x: float, middle: float, scale: float) -> bool:
    """Whether the slopes of the two sides stay apart however small the step.

    A smooth function's sides differ by the step times its curvature, so the difference shrinks
    with the step; at a kink, or with one inside the smallest step, it stays.
    """
    gaps = []
    for near in _NEAR:
        h = near * scale
        gaps.append(abs(f(x + h) - 2 * middle + f(x - h)) / h)
    noise = 1e-15 * max(abs(middle), abs(f(x + scale * 1e-4))) / (_NEAR[-1] * scale)
    return gaps[-1] > max(1e-3 * gaps[0], 100 * noise, 1e-7) and gaps[-1] > 0.3 * gaps[0]


def _extrapolated(f: Callable[[float], float], x: float, scale: float) -> tuple[float, float]:
    """Return a slope from a ladder of central differences, and an estimate of its error."""
    best, error = nan, inf
    above: list[float] = []
    h = _FIRST * scale
    for _ in range(_ROWS):
        row = [(f(x + h) - f(x - h)) / (2 * h)]
        if not isfinite(row[0]):  # too far out for the domain
            above, h = [], h / _SHRINK
            continue
        power = _SHRINK**2
        for column, previous in enumerate(above):
            better = (power * row[column] - previous) / (power - 1)
            power *= _SHRINK**2
            rounding = 2e-16 * abs(f(x)) / h
            guess = max(abs(better - row[column]), abs(better - previous), rounding)
            row.append(better)
            if guess < error:
                best, error = better, guess
        # once rounding has the upper hand, smaller steps only make it worse
        if above and abs(row[-1] - above[-1]) > 2 * error and isfinite(error):
            break
        above, h = row, h / _SHRINK
    return best, error


def scaled_step(x: float, relative: float) -> float:
    """Return a step whose sum with `x` is exact, so that the division is by what was stepped.

    Examples
    --------
    >>> scaled_step(1e8, 1e-6)
    100.0
    """
    step = relative * max(1.0, abs(x))
    return copysign((x + step) - x, step)
