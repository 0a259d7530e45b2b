"""The error of a difference quotient against its step: the V of the first lesson, as an SVG.

In flow points; out flows the text of a picture that needs no library.  On the right of the V the
step is too large and the curve is not straight; on the left it is too small and the digits of the
difference are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from math import isfinite, log10
from typing import NamedTuple

from glassgrad.checks.numeric import scaled_step

STEPS = tuple(10.0 ** (-n / 2) for n in range(2, 31))
"""The steps: two per power of ten, from 0.1 to 1e-15, as a share of the number."""

_WIDTH, _HEIGHT, _LEFT, _TOP = 460, 250, 56, 30
_FLOOR = 1e-17  # an error of 0 has no logarithm


class Point(NamedTuple):
    """One step and what it gives.

    Examples
    --------
    >>> first = points(lambda x: x * x, 3.0, 6.0)[0]
    >>> round(first.step, 6), round(first.forward, 6), round(first.central, 6)
    (0.3, 0.3, 0.0)
    """

    step: float
    """The step h."""

    forward: float
    """How far (f(x + h) - f(x)) / h is off."""

    central: float
    """How far (f(x + h) - f(x - h)) / 2h is off."""


def points(f: Callable[[float], float], x: float, slope: float) -> tuple[Point, ...]:
    """Return the errors of two difference quotients for steps from 0.1 to 1e-15.

    Parameters
    ----------
    f : callable
        From a float to a float.
    x : float
        Where.
    slope : float
        The slope to compare with.

    Examples
    --------
    >>> from math import exp
    >>> found = points(exp, 0.0, 1.0)
    >>> best = min(found, key=lambda point: point.forward)
    >>> 1e-9 < best.step < 1e-6
    True
    """
    return tuple(_points(f, x, slope))


def _points(f: Callable[[float], float], x: float, slope: float) -> Iterator[Point]:
    middle = f(x)
    for relative in STEPS:
        h = scaled_step(x, relative)
        if h == 0:  # x + h is x: no step at all
            return
        forward, central = (f(x + h) - middle) / h, (f(x + h) - f(x - h)) / (2 * h)
        if isfinite(forward) and isfinite(central):
            yield Point(h, abs(forward - slope), abs(central - slope))


def curve_svg(name: str, found: Sequence[Point]) -> str:
    """Return the plot of errors against steps, both logarithmic.

    Examples
    --------
    >>> svg = curve_svg("<a>", points(lambda x: x * x, 3.0, 6.0))
    >>> svg.startswith("<svg"), svg.count("<polyline"), "&lt;a&gt;" in svg
    (True, 2, True)
    """
    title = f"error of the measured slope of {name} against the step h"
    if not found:
        return ""
    x_low, x_high = log10(found[-1].step), log10(found[0].step)
    errors = [max(e, _FLOOR) for point in found for e in (point.forward, point.central)]
    y_low, y_high = log10(min(errors)), log10(max(errors))

    def at(step: float, error: float) -> str:
        across = (log10(step) - x_low) / ((x_high - x_low) or 1)
        up = (log10(max(error, _FLOOR)) - y_low) / ((y_high - y_low) or 1)
        return (
            f"{_LEFT + across * (_WIDTH - _LEFT - 16):.1f},{_TOP + (1 - up) * (_HEIGHT - 70):.1f}"
        )

    forward = " ".join(at(point.step, point.forward) for point in found)
    central = " ".join(at(point.step, point.central) for point in found)
    bottom, right = _HEIGHT - 40, _WIDTH - 16
    words = 'font-size="11" fill="currentColor" font-family="sans-serif"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'width="{_WIDTH}" aria-label="{escape(title)}"><title>{escape(title)}</title>'
        f'<text x="{_LEFT}" y="16" {words}>{escape(title)}</text>'
        f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="currentColor" '
        'stroke-opacity=".5"/>'
        f'<text x="{_LEFT}" y="{bottom + 16}" {words}>h = {found[-1].step:.0e}</text>'
        f'<text x="{right}" y="{bottom + 16}" text-anchor="end" {words}>{found[0].step:.0e}</text>'
        f'<text x="{_LEFT - 4}" y="{_TOP + 8}" text-anchor="end" {words}>{max(errors):.0e}</text>'
        f'<text x="{_LEFT - 4}" y="{bottom}" text-anchor="end" {words}>{min(errors):.0e}</text>'
        f'<polyline points="{forward}" fill="none" stroke="#b4540a" stroke-width="2"/>'
        f'<polyline points="{central}" fill="none" stroke="#4d8fdb" stroke-width="2" '
        'stroke-dasharray="5 3"/>'
        f'<text x="{_LEFT}" y="{_HEIGHT - 6}" {words}>'
        '<tspan fill="#b4540a">━</tspan> (f(x + h) − f(x)) / h&#160;&#160;&#160;'
        '<tspan fill="#4d8fdb">╍</tspan> (f(x + h) − f(x − h)) / 2h</text></svg>'
    )
