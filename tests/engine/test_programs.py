"""Random programs, every primitive, against PyTorch in double precision."""

from hypothesis import given, settings
from random_programs import compare, programs


@given(programs())
@settings(max_examples=2_000, deadline=None)
def test_values_first_and_second_derivatives_are_those_of_pytorch(program):
    compare(*program)
