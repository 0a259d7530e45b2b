"""Many values at once, or each alone: the graph is the same, whatever is among them."""

import math

import pytest
from dialects.spelled import SPELLED
from dialects.structures import STRUCTURES
from everything import (
    CHANGES,
    CLASSES,
    NUMBERS,
    STEPS,
    Right,
    each_alone,
    of_every_operation,
    program,
    told,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from learner import value_class
from slips import SLIPS

import glassgrad as gg
from glassgrad.graphs import collect as collecting
from glassgrad.graphs import majority as measuring
from glassgrad.graphs.alike import alike
from glassgrad.graphs.collect import collect
from glassgrad.graphs.probe import Probe

DIALECTS = [*SPELLED, *STRUCTURES]


def together(root, names):
    """Read a graph as if there were so many values that columns are worth their while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "_FEWEST", 1)
        patch.setattr(measuring, "_MANY", 1)
        return told(gg.graph(root, names))


def in_a_loop(root, names):
    """Read a graph with the rules of one code in a loop."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measuring, "_FEWEST", 1)
        return told(gg.graph(root, names))


def comparable(record):
    """Return a record with its rule's code: some rules are made for whoever asks."""
    return record._replace(rule=getattr(record.rule, "__code__", record.rule))


def assert_same(root, names=()):
    names = dict(names)
    expected = each_alone(root, names)
    assert together(root, names) == expected
    assert in_a_loop(root, names) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collecting, "alike", lambda _: None)
        walked = collect(root)
        assert together(root, names) == expected
    found = alike(root)
    if found is not None:
        assert [*map(id, found.objects)] == [*map(id, walked.objects)]
        assert [*map(comparable, found.records)] == [*map(comparable, walked.records)]
        assert [*map(found.operands, range(len(found.objects)))] == walked.operands


@settings(deadline=None, max_examples=300)
@given(
    cls=st.sampled_from(CLASSES),
    numbers=st.lists(NUMBERS, min_size=1, max_size=6),
    steps=STEPS,
    changes=CHANGES,
)
def test_any_program(cls, numbers, steps, changes):
    values = program(cls, numbers, steps)
    for place, number in changes[:2]:  # so that results no longer follow from their operands
        values[place % len(values)].data = number
    assert_same(values[-1], {"a": values[0], "z": values[-1]})


@pytest.mark.parametrize("dialect", DIALECTS, ids=str)
def test_every_dialect(dialect):
    a, b = dialect.cls(2.0), dialect.cls(-3.0)
    c = (a * b + a) * (b + a) + a * b
    assert_same(c, {"a": a, "c": c})
    if dialect.square:
        assert_same(c * c + c)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_every_slip(slip):
    assert_same(of_every_operation(slip.build()))


def products(count):
    """Return `count` products of leaves, and the sum of them all."""
    made = [Right(1.0 + i / 7) * Right(2.0 - i / 9) for i in range(count)]
    return made, sum(made, Right(0.0))


def test_formulas_are_measured_by_column():
    _, root = products(600)
    collected = collect(root)
    few, many = measuring.majority(collected, collected.column("data"), Probe())
    assert few == {}
    assert sorted((known.row.symbol, len(known.ids)) for known in many) == [("+", 600), ("×", 600)]


def test_what_is_wrong_is_found_among_many_that_are_right():
    made, root = products(600)
    wrong, stale, silent, infinite = made[100], made[200], made[300], made[400]
    other = made[500]
    x, y = wrong._prev

    def _backward():
        x.grad += 5.0 * wrong.grad
        y.grad += x.data * wrong.grad

    wrong._backward = _backward
    stale.data += 1.0
    infinite.data = math.inf
    silent._backward = Right(1.0)._backward
    other._backward = made[0]._backward
    names = {"wrong": wrong, "stale": stale, "silent": silent, "infinite": infinite, "other": other}
    graph = gg.graph(root, {**names, "root": root})
    label = graph.node_columns.label
    found = {(label[f.node], f.kind) for f in told(graph).findings}
    assert {name for name, _ in found if name in names} == set(names)
    assert told(graph) == each_alone(root, {**names, "root": root})
    assert graph.node_columns.primitive.count("mul") == 600 - 5


def test_manners_are_told_by_a_value_that_can_tell_them():
    """The first slope is 0 and shows nothing; the rule of all replaces gradients all the same."""
    cls = value_class(set)

    def doubled(x, factor):
        out = cls(x.data * factor.data, (x, factor), "*")

        def _backward():
            x.grad = factor.data * out.grad
            factor.grad = x.data * out.grad

        out._backward = _backward
        return out

    made = [doubled(cls(float(i)), cls(float(i))) for i in range(30)]
    kinds = [f.kind for f in told(gg.graph(sum(made, cls(0.0)), {})).findings]
    assert kinds.count("replaces") >= 29
