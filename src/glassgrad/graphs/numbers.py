"""Numbers for people: the one place in Python where a float becomes short text.

The same form as in the widget (``js/format.ts``): four significant digits, no trailing zeros, an
exponent when a number is tiny or huge.
"""

from __future__ import annotations

from math import isinf, isnan

NOT_RUN = "not run"
"""What stands for a gradient before backward has run, which is not the same as 0."""

_DIGITS = 4
_TINY, _HUGE = 1e-4, 1e6  # below and from here on: an exponent


def plain(number: float, digits: int = _DIGITS) -> str:
    """Write a number for text, with a hyphen for a minus.

    Digits before the point are never rounded away: 65536 stays 65536, as on paper.

    Examples
    --------
    >>> plain(-4.0), plain(0.70710678), plain(65536.0), plain(1.5e-7), plain(2.0**30)
    ('-4', '0.7071', '65536', '1.5e-7', '1.074e9')
    """
    if isnan(number):
        return "nan"
    sign = "-" if number < 0 else ""
    return sign + ("inf" if isinf(number) else _size(abs(number), digits))


def apart(one: float, other: float) -> tuple[str, str]:
    """Write two numbers for text, with as many digits as it takes to tell them apart.

    Examples
    --------
    >>> apart(1.0, 2.0), apart(-0.37211, -0.37212)
    (('1', '2'), ('-0.37211', '-0.37212'))
    """
    written = ((plain(one, digits), plain(other, digits)) for digits in range(_DIGITS, 18))
    return next((pair for pair in written if pair[0] != pair[1]), (plain(one), plain(other)))


def typeset(number: float) -> str:
    """Write a number for a picture, with a real minus sign.

    Examples
    --------
    >>> typeset(-1.5e-7)
    '−1.5e−7'
    """
    return plain(number).replace("-", "−")


def counted(count: int, noun: str) -> str:
    """Count things.

    Examples
    --------
    >>> counted(65818, "value"), counted(1, "value")
    ('65,818 values', '1 value')
    """
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def _size(size: float, digits: int) -> str:
    mantissa, _, power = f"{size:.{digits - 1}e}".partition("e")
    rounded = float(f"{mantissa}e{power}")  # it decides: 999999.9 is 1e6 and not 1000000
    if rounded and not _TINY <= rounded < _HUGE:
        return f"{_trimmed(mantissa)}e{int(power)}"
    return _trimmed(f"{size:.{max(0, digits - 1 - int(power))}f}")


def _trimmed(decimal: str) -> str:
    return decimal.rstrip("0").rstrip(".") if "." in decimal else decimal
