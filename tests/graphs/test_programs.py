"""Random programs: a learner's class reads as the graph of ours, and looking leaves no trace."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from learner import value_class

import glassgrad as gg

NUMBERS = st.floats(-2, 2)
PLACES = st.integers(0, 30)
INSTRUCTIONS = st.one_of(
    st.tuples(st.sampled_from(["add", "mul"]), PLACES, PLACES),
    st.tuples(st.sampled_from(["add number", "mul number"]), PLACES, NUMBERS),
    st.tuples(st.sampled_from(["tanh", "relu"]), PLACES, st.none()),
)
PROGRAMS = st.tuples(
    st.lists(NUMBERS, min_size=1, max_size=4),
    st.lists(INSTRUCTIONS, min_size=1, max_size=12),
)
CONTAINERS = st.sampled_from([set, tuple, list, frozenset])

RUN = {
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "add number": lambda x, number: x + number,
    "mul number": lambda x, number: x * number,
    "tanh": lambda x, _: x.tanh(),
    "relu": lambda x, _: x.relu(),
    "pow": lambda x, number: x**number,
}


def run(program, cls):
    """Run a program; an instruction takes the values that it names from the end."""
    leaves, instructions = program
    values = [cls(number) for number in leaves]
    for name, place, other in instructions:
        x = values[-1 - place % len(values)]
        y = values[-1 - other % len(values)] if name in ("add", "mul") else other
        values.append(RUN[name](x, y))
    return values


def names_of(values):
    return {f"v{index}": value for index, value in enumerate(values)}


def same(first, second):
    return first == pytest.approx(second, rel=1e-9, abs=1e-12, nan_ok=True)


@settings(deadline=None)
@given(program=PROGRAMS, container=CONTAINERS)
def test_learners_class_reads_as_ours(program, container):
    theirs, ours = run(program, value_class(container)), run(program, gg.Value)
    theirs[-1].backward()
    ours[-1].backward()
    read, expected = gg.graph(theirs[-1], names_of(theirs)), gg.graph(ours[-1], names_of(ours))

    for column in ("op", "symbol", "label", "primitive"):
        assert getattr(read.node_columns, column) == getattr(expected.node_columns, column)
    for column in ("source", "target", "operand", "count"):
        assert getattr(read.edge_columns, column) == getattr(expected.edge_columns, column)
    assert same(read.node_columns.data, expected.node_columns.data)
    assert same(read.edge_columns.slope, expected.edge_columns.slope)
    for mine, node in zip(expected.nodes, read.nodes, strict=True):
        if mine.kind != "constant":
            assert same(node.grad, mine.grad)


@settings(deadline=None)
@given(program=PROGRAMS)
def test_tape_ends_with_the_gradients_of_backward(program):
    values = run(program, gg.Value)
    values[-1].backward()
    graph = gg.graph(values[-1])
    for step in gg.steps(graph).backward:
        assert same(step.gradient, graph.nodes[step.node].grad)


@settings(deadline=None)
@given(program=PROGRAMS)
def test_ids_are_a_topological_order(program):
    graph = gg.graph(run(program, gg.Value)[-1])
    assert all(edge.source < edge.target for edge in graph.edges)
    assert graph.root.id == len(graph) - 1


@settings(deadline=None)
@given(program=PROGRAMS)
def test_flows_into_a_value_sum_to_its_gradient(program):
    values = run(program, gg.Value)
    values[-1].backward()
    graph = gg.graph(values[-1])
    received = [0.0] * len(graph)
    received[-1] = 1.0
    for edge in reversed(graph.edges):
        received[edge.source] += edge.flow
    assert same(received, [node.grad for node in graph.nodes])


def attributes(values):
    """Return everything that the objects hold, in their dictionaries and slots, by identity."""
    return [
        {name: id(item) for name, item in (*getattr(value, "__dict__", {}).items(), *slots(value))}
        for value in values
    ]


def slots(value):
    for base in type(value).__mro__:
        for name in base.__dict__.get("__slots__", ()):
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name, getattr(value, name)


@settings(deadline=None)
@given(
    program=PROGRAMS,
    container=CONTAINERS,
    assigning=st.booleans(),
    raising=st.booleans(),
    run_before=st.booleans(),
)
def test_looking_changes_nothing(program, container, assigning, raising, run_before):
    values = run(program, value_class(container, assigning=assigning, raising=raising))
    if run_before and not raising:
        values[-1].backward()
    before = attributes(values)
    graph = gg.graph(values[-1])
    str(graph), graph.to_json(), graph.to_dot(), gg.steps(values[-1])
    assert attributes(values) == before


@settings(deadline=None)
@given(program=PROGRAMS)
def test_looking_at_ours_changes_nothing(program):
    values = run(program, gg.Value)
    values[-1].backward()
    before = attributes(values)
    graph = gg.graph(values[-1])
    str(graph), graph.to_json(), graph.to_dot(), gg.steps(values[-1])
    assert attributes(values) == before


@settings(deadline=None)
@given(number=st.floats(0.1, 3), power=st.sampled_from([-2, -1, -0.5, 0.5, 1, 2, 3, 3.0]))
def test_power_of_a_learners_class_has_the_rule_of_ours(number, power):
    x, y = value_class(set)(number), gg.Value(number)
    read, expected = gg.graph(x**power), gg.graph(y**power)
    assert read.root.primitive == expected.root.primitive == "pow"
    assert math.isclose(read.edges[0].slope, expected.edges[0].slope)
    assert len(read) == 2
