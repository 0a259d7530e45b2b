"""Numbers as people read them; ``js/format.test.ts`` asks the same of the front end."""

from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glassgrad.graphs.numbers import plain, typeset


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (2.0, "2"),
        (-4.0, "-4"),
        (0.7071067811865476, "0.7071"),
        (6.8813735870195432, "6.881"),
        (12345.678, "12346"),
        (65818.0, "65818"),
        (999949.0, "999949"),
        (999999.4, "1e6"),
        (1073741824.0, "1.074e9"),
        (0.0001, "0.0001"),
        (0.00009999, "9.999e-5"),
        (0.000099999, "0.0001"),
        (-1.5e-7, "-1.5e-7"),
        (5e-324, "4.941e-324"),
        (nan, "nan"),
        (inf, "inf"),
        (-inf, "-inf"),
    ],
)
def test_plain(number, text):
    assert plain(number) == text


@settings(deadline=None)
@given(st.floats(-1e308, 1e308))
def test_plain_is_the_number_to_four_digits(number):
    assert float(plain(number)) == pytest.approx(number, rel=5e-4, abs=1e-323)


def test_a_picture_has_a_real_minus():
    assert typeset(-1.5e-7) == "−1.5e−7"
