"""Where a Value left the graph is known afterwards."""

import math

import numpy as np

from glassgrad import Value
from glassgrad.engine.notes import notes


def whats(value):
    return [note.what for note in notes(value)]


def test_each_way_out_is_noted_with_its_line():
    v = Value(2.0)
    float(v)
    int(v)
    math.exp(v)
    np.float64(v)
    assert bool(v)
    assert whats(v) == ["float", "int", "float", "float", "bool"]
    first = notes(v)[0]
    assert first.filename == __file__
    assert notes(v)[1].line == first.line + 1


def test_a_comparison_is_noted_on_both_sides():
    a, b = Value(1.0), Value(2.0)
    assert a < b
    assert a >= 1
    assert whats(a) == ["compared", "compared"]
    assert whats(b) == ["compared"]
    assert notes(b)[0].line + 1 == notes(a)[1].line
    assert notes(a)[0].filename == __file__


def test_a_loop_is_one_note_and_memory_is_bounded():
    v = Value(1.0)
    for _ in range(100):
        float(v)
    assert whats(v) == ["float"]
    for line in range(100):
        exec(compile("\n" * line + "float(v)", "cell", "exec"))
    assert len(notes(v)) == 16


def test_arithmetic_backward_and_copies_of_arrays_note_nothing():
    a, b = Value(1.0), Value(2.0)
    y = (np.array([a, b]) @ np.array([b, 3.0])).tanh() + np.float64(2) * a
    y.backward()
    y.zero_grad()
    repr(y)
    assert notes(a) == notes(b) == notes(y) == ()
