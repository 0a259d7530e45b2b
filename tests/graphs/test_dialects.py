"""Every dialect of Value that people write reads as the same graph."""

import pytest
from dialects.spelled import SPELLED
from dialects.structures import STRUCTURES

import glassgrad as gg

DIALECTS = [*SPELLED, *STRUCTURES]


def each(where=lambda dialect: True):
    chosen = [dialect for dialect in DIALECTS if where(dialect)]
    return pytest.mark.parametrize("dialect", chosen, ids=str)


def test_there_are_many():
    assert len(DIALECTS) >= 40
    assert len({dialect.name for dialect in DIALECTS}) == len(DIALECTS)


def exercise(dialect):
    names = {"a": dialect.cls(2.0), "b": dialect.cls(-3.0)}
    names["d"] = names["a"] * names["b"]
    names["c"] = names["d"] + names["a"]
    return names


@each()
def test_values_operands_and_names(dialect):
    names = exercise(dialect)
    graph = gg.graph(names["c"], names)
    assert sorted(node.label for node in graph.nodes) == ["a", "b", "c", "d"]
    numbers = {node.label: node.data for node in graph.nodes}
    assert numbers == {"a": 2.0, "b": -3.0, "d": -6.0, "c": -4.0}
    name = graph.node_columns.label.__getitem__
    links = [(name(edge.source), name(edge.target), edge.count) for edge in graph.edges]
    assert sorted(links) == [("a", "c", 1), ("a", "d", 1), ("b", "d", 1), ("d", "c", 1)]
    times, plus = dialect.ops
    assert [node.op for node in graph.nodes if node.label in "dc"] == [times, plus]
    assert graph.messages == ()
    assert not dialect.works or not any(node.notes for node in graph.nodes)


@each(lambda dialect: dialect.ordered)
def test_order(dialect):
    names = exercise(dialect)
    graph = gg.graph(names["c"], names)
    assert [node.label for node in graph.nodes] == ["a", "b", "d", "c"]
    assert [(edge.source, edge.operand) for edge in graph.edges] == [(0, 0), (1, 1), (2, 0), (0, 1)]


@each(lambda dialect: not dialect.ordered)
def test_order_that_nobody_knows(dialect):
    names = exercise(dialect)
    assert {edge.operand for edge in gg.graph(names["c"], names).edges} == {None}


@each()
def test_slopes(dialect):
    names = exercise(dialect)
    graph = gg.graph(names["c"], names)
    name = graph.node_columns.label.__getitem__
    slopes = {(name(edge.source), name(edge.target)): edge.slope for edge in graph.edges}
    known = {("a", "d"): -3.0, ("b", "d"): 2.0, ("d", "c"): 1.0, ("a", "c"): 1.0}
    assert slopes == (known if dialect.slopes else dict.fromkeys(known))
    if dialect.slopes:
        grads = {name(step.node): step.gradient for step in gg.steps(graph).backward}
        assert grads == {"a": -2.0, "b": 2.0, "d": 1.0, "c": 1.0}


@each(lambda dialect: dialect.ordered and dialect.slopes and all(dialect.ops))
def test_rows_of_the_table(dialect):
    names = exercise(dialect)
    assert [node.primitive for node in gg.graph(names["c"], names).nodes] == [
        None,
        None,
        "mul",
        "add",
    ]


@each(lambda dialect: dialect.square and dialect.works)
def test_value_used_twice(dialect):
    x = dialect.cls(3.0)
    graph = gg.graph(x * x)
    assert len(graph) == 2
    assert sum(edge.count for edge in graph.edges) == 2
    total = [edge.slope for edge in graph.edges]
    assert not dialect.slopes or sum(total) == 6.0


@each(lambda dialect: dialect.works)
def test_constants(dialect):
    v = dialect.cls(2.0)
    graph = gg.graph(v * 3)
    numbers = [(node.data, node.kind) for node in graph.nodes]
    kind = {"wrapped": "leaf", "kept": "constant"}.get(dialect.constant)
    assert ((3.0, kind) in numbers) is (kind is not None)
    assert (2.0, "leaf") in numbers
    notes = [note for node in graph.nodes for note in node.notes]
    dropped = ["× keeps one operand of its ×: a plain number was not kept."]
    assert notes == (dropped if dialect.constant == "dropped" else [])


@each()
def test_gradients_before_backward(dialect):
    names = exercise(dialect)
    graph = gg.graph(names["c"], names)
    assert not graph.ran
    assert {node.grad for node in graph.nodes} == {dialect.grad}
    assert graph.start == dialect.start
    assert str(graph).count("not run") == 4


@each(lambda dialect: dialect.works and dialect.driver)
def test_gradients_after_backward(dialect):
    names = exercise(dialect)
    if hasattr(dialect.cls, "tape"):
        dialect.cls.tape[:] = [names["d"], names["c"]]
    getattr(names["c"], dialect.driver)()
    graph = gg.graph(names["c"], names)
    assert graph.ran
    assert {node.label: node.grad for node in graph.nodes} == {"a": -2, "b": 2, "d": 1, "c": 1}


@each(lambda dialect: dialect.label)
def test_own_labels(dialect):
    x = dialect.cls(3.0)
    setattr(x, dialect.label, "mine")
    assert gg.graph(x).root.label == "mine"


@each()
def test_leaf_alone(dialect):
    x = dialect.cls(3.0)
    graph = gg.graph(x)
    assert [(node.label, node.data, node.grad) for node in graph.nodes] == [
        ("x", 3.0, dialect.grad)
    ]
    assert not graph.ran
