"""No small slip passes the grader, and nothing that is right fails: PyTorch says which is which."""

import pytest
from mutants import is_right, mutants
from slips import RIGHT, compiled

from glassgrad.checks.grader import check

SAMPLE = [*mutants("set")[::26], *mutants("tuple")[7::78]]


def test_the_class_without_a_slip_is_right():
    assert is_right(compiled("right", RIGHT, "Value"))


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda mutant: mutant.name)
def test_mutant_passes_where_pytorch_agrees_with_it(mutant):
    cls = mutant.build()
    report = check(cls)
    assert report.passed == is_right(cls), f"{report}\n\n{mutant.source}"
