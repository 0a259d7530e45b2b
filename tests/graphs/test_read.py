"""Reading objects of any class: dialects, bad input, strange objects, depth."""

import copy
import gc
import pickle
import weakref
from types import SimpleNamespace

import numpy as np
import pytest
from learner import value_class

import glassgrad as gg
from glassgrad.graphs.read import read

SetValue, TupleValue = value_class(set), value_class(tuple)


def leaf(**attributes):
    return SimpleNamespace(**{"data": 1.0, "grad": 0.0, "_prev": set(), **attributes})


# -- the function and the package -----------------------------------------------------------------


def test_function_is_not_hidden_by_a_package():
    import glassgrad.graphs.model
    import glassgrad.graphs.read
    import glassgrad.graphs.steps

    assert gg.graph is glassgrad.graphs.read.graph
    assert gg.steps is glassgrad.graphs.steps.steps
    assert gg.Graph is glassgrad.graphs.model.Graph


# -- the exercise, exactly ------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [gg.Value, SetValue, TupleValue])
def test_exercise(cls):
    a, b = cls(2.0), cls(-3.0)
    c = a * b + a
    c.backward()
    graph = gg.graph(c)
    assert [
        (node.id, node.label, node.op, node.data, node.grad, node.kind, node.primitive)
        for node in graph.nodes
    ] == [
        (0, "a", "", 2.0, -2.0, "leaf", None),
        (1, "b", "", -3.0, 2.0, "leaf", None),
        (2, "a * b", "*", -6.0, 1.0, "result", "mul"),
        (3, "c", "+", -4.0, 1.0, "result", "add"),
    ]
    assert [
        (edge.source, edge.target, edge.operand, edge.count, edge.slope, edge.flow)
        for edge in graph.edges
    ] == [
        (0, 2, 0, 1, -3.0, -3.0),
        (1, 2, 1, 1, 2.0, 2.0),
        (2, 3, 0, 1, 1.0, 1.0),
        (0, 3, 1, 1, 1.0, 1.0),
    ]
    assert graph.root.label == "c"
    assert graph.ran
    assert graph.operations == 2


def test_before_backward_nothing_flows():
    a = gg.Value(2.0)
    graph = gg.graph(a * 3)
    assert not graph.ran
    assert [edge.flow for edge in graph.edges] == [None, None]


def test_a_constant_that_somebody_looked_at_is_a_constant():
    a = gg.Value(2.0)
    c = (3 - a * 4).clamp(0, 1)
    before = gg.graph(c, {})
    waiting = [c]
    while waiting:
        waiting.extend(waiting.pop()._prev)
    assert gg.graph(c, {}) == before
    assert [node.label for node in before.nodes if node.kind == "constant"] == ["3", "4", "0", "1"]


def test_constants_are_nodes_and_stay_numbers():
    a = gg.Value(2.0)
    b = a * 3 + 1
    b.backward()
    graph = gg.graph(b)
    constants = [node for node in graph.nodes if node.kind == "constant"]
    assert [(node.label, node.data, node.grad) for node in constants] == [
        ("3", 3.0, 2.0),
        ("1", 1.0, 1.0),
    ]
    assert gg.graph(b) == graph


def test_gradient_of_an_exponent_is_unknown_where_there_is_none():
    x = gg.Value(-2.0)
    y = x**2
    y.backward()
    graph = gg.graph(y)
    assert (graph.nodes[0].grad, graph.nodes[1].grad) == (-4.0, None)
    assert [edge.slope for edge in graph.edges] == [-4.0, None]


# -- bad input: one sentence each -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (
            3,
            "3 is a plain number and has no graph. "
            "Wrap the inputs before you compute: a = Value(3).",
        ),
        (np.float32(0.5), "0.5 is a plain number"),
        (None, "None has no graph"),
        ([], "This list has no graph of its own"),
        (np.zeros(3), "This ndarray has no graph of its own"),
        ("x", "This str has no graph"),
        (gg.Value, "Value is a class and has no graph"),
        (SetValue, "Value is a class and has no graph"),
        (SimpleNamespace(data=2.0), "has data but does not remember its operands"),
    ],
)
@pytest.mark.parametrize("ask", [gg.graph, gg.steps, gg.draw_dot, gg.trace])
def test_what_has_no_graph_is_named_in_one_sentence(value, sentence, ask):
    with pytest.raises(TypeError) as caught:
        ask(value)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


# -- dialects ------------------------------------------------------------------------------------


def test_class_on_its_way_to_the_lectures():
    """Only data and prev: no gradient, no operation, no label."""
    a, b = SimpleNamespace(data=3.0, prev=set()), SimpleNamespace(data=-2.0, prev=set())
    c = SimpleNamespace(data=-6.0, prev=(a, b))
    graph = gg.graph(c, {"a": a, "b": b})
    assert [(node.label, node.grad) for node in graph.nodes] == [
        ("a", None),
        ("b", None),
        ("?", None),
    ]
    assert [edge.slope for edge in graph.edges] == [None, None]
    assert str(graph).count("not run") == 3


@pytest.mark.parametrize(
    ("op", "label", "shown"), [(None, None, "?"), ((), 7, "7"), ("no-op", "", "no-op")]
)
def test_odd_operations_and_labels(op, label, shown):
    a = leaf()
    graph = gg.graph(leaf(_prev=[a], _op=op, label=label), {})
    assert graph.root.label == shown


class Bare:
    """What a class has when it has nothing but the attributes."""

    def __init__(self, data, prev=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, set(prev), op


def test_a_class_first_met_with_an_integer_beyond_the_floats():
    cls = value_class(set)
    graph = gg.graph(cls(10**400) - cls(1), {})
    assert [node.op for node in graph.nodes] == ["", "", "", "*", "+"]


def test_order_that_nobody_knows_stays_unknown():
    a, b = Bare(5.0), Bare(2.0)
    c = Bare(3.0, (a, b), "-")

    def rule():
        a.grad += c.grad
        b.grad -= c.grad

    c._backward = rule
    graph = gg.graph(c)
    assert [node.data for node in graph.nodes] == [2.0, 5.0, 3.0]
    assert [(edge.operand, edge.slope) for edge in graph.edges] == [(None, -1.0), (None, 1.0)]
    assert (graph.root.label, graph.root.symbol, graph.root.primitive) == ("c", "−", None)


def test_constant_that_the_class_left_out_is_shown():
    class Value(SetValue):
        def __mul__(self, other):
            out = Value(self.data * other, [self], "*")

            def _backward():
                self.grad += other * out.grad

            out._backward = _backward
            return out

    v = Value(2.0)
    graph = gg.graph(v * 3)
    assert [(node.label, node.kind) for node in graph.nodes] == [
        ("v", "leaf"),
        ("3", "constant"),
        ("v * 3", "result"),
    ]
    assert [(edge.operand, edge.slope) for edge in graph.edges] == [(0, 3.0), (1, 2.0)]
    assert graph.root.primitive == "mul"


def test_operation_that_is_not_what_its_name_says():
    """A quotient made of a product keeps the inverse as its operand; "/" would be a lie."""
    a, b = TupleValue(6.0), TupleValue(4.0)
    y = a * b**-1
    y._op = "/"
    graph = gg.graph(y)
    assert graph.root.primitive is None
    assert graph.root.symbol == "÷"
    assert [edge.slope for edge in graph.edges if edge.target == graph.root.id] == [0.25, 6.0]
    gradients = {graph.nodes[step.node].label: step.gradient for step in gg.steps(y).backward}
    assert (gradients["a"], gradients["b"]) == (0.25, -0.375)


def test_user_made_operation_on_ours():
    import math

    x = gg.Value(0.5)
    y = gg.Value(math.exp(x.data), (x,), "exp")

    def _backward():
        x.grad += y.data * y.grad

    y._backward = _backward
    graph = gg.graph(y)
    assert graph.root.primitive == "exp"
    assert graph.edges[0].slope == math.exp(0.5)
    assert x.grad == y.grad == 0.0


def test_subclass_of_ours():
    class Scalar(gg.Value):
        pass

    a = Scalar(2.0)
    assert gg.graph(a * a).root.primitive == "mul"


def test_own_label_wins_over_the_variable():
    a = SetValue(2.0, label="first")
    assert gg.graph(a).root.label == "first"


# -- strange objects ------------------------------------------------------------------------------


def test_cycle_is_named_and_the_rest_is_drawn():
    a = SetValue(1.0)
    b = a + 1
    b._prev = {b}
    graph = gg.graph(b)
    assert graph.messages == (
        "b is one of its own inputs (b → b), so no order exists: the link that closes the circle "
        "is left out. Look at where _prev is assigned.",
    )
    assert len(graph) == 1


def test_cycle_of_two_names_both():
    a = SetValue(1.0)
    b = a + 1
    a._prev = {b}
    graph = gg.graph(b)
    (message,) = graph.messages
    assert message.startswith("b is one of its own inputs (b → a → b)")
    assert [node.label for node in graph.nodes] == ["a", "1", "b"]
    assert json_is_readable(graph)


def json_is_readable(graph):
    return graph.to_json() and str(graph) and graph.to_dot().source


def test_long_cycle_is_shortened():
    values = [SetValue(float(i), label=f"v{i}") for i in range(100)]
    for i, value in enumerate(values):
        value._prev = {values[(i + 1) % 100]}
    (message,) = gg.graph(values[0]).messages
    assert "(v0 → v1 → v2 → … → v98 → v99 → v0)" in message


def test_two_classes_of_one_name():
    old, new = value_class(set), value_class(set)
    a, b = old(2.0), new(3.0)
    y = b * a
    graph = gg.graph(y)
    assert graph.messages == (
        "y mixes two classes called Value: the cell that defines it was run again after a was "
        "made. Run the cells from that one down.",
    )
    assert graph.root.data == 6.0
    assert (a.grad, b.grad) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("data", "number", "words"),
    [
        (SetValue(2.0), 2.0, "v.data is itself a Value, where a Value holds a plain number."),
        (None, None, "v.data is None, where a Value holds a number."),
        (
            1 + 1.73j,
            None,
            "v.data is the complex number (1+1.73j), where a Value holds a real one.",
        ),
        (np.zeros(3), None, "v.data is an array, where a Value holds one number."),
        ("2", None, "v.data is a str, where a Value holds a number."),
    ],
)
def test_data_that_is_no_number(data, number, words):
    v = SetValue(data)
    node = gg.graph(v).root
    assert node.notes == (words,)
    assert node.data == number if number is not None else node.data != node.data


@pytest.mark.parametrize("data", [np.float64(0.5), np.float32(0.5), np.array(0.5), np.array([0.5])])
def test_numpy_scalars_are_numbers(data):
    node = gg.graph(leaf(data=data), {}).root
    assert (node.data, node.label, node.notes) == (0.5, "0.5", ())
    assert type(node.data) is float


def test_int_beyond_the_floats():
    assert gg.graph(leaf(data=-(10**400))).root.data == float("-inf")


def test_copy_whose_rules_belong_to_the_original():
    a, b = SetValue(2.0), SetValue(3.0)
    original = a * b
    y = copy.deepcopy(original)
    graph = gg.graph(y)
    assert graph.root.notes[0].startswith("y's rule belongs to other objects")
    assert [edge.slope for edge in graph.edges] == [None, None]
    assert (original.grad, a.grad, b.grad) == (0.0, 0.0, 0.0)
    assert [node.notes for node in gg.graph(original).nodes] == [()] * 3


def test_class_that_cannot_be_hashed():
    class Value(TupleValue):
        def __eq__(self, other):
            return self.data == other.data

        __hash__ = None

    a, b = Value(2.0), Value(2.0)
    graph = gg.graph(a + b)
    assert [edge.source for edge in graph.edges] == [0, 1]
    with pytest.raises(TypeError, match=r"defines __eq__ without __hash__"):
        gg.trace(a + b)


def test_objects_that_allow_no_weak_reference():
    class Value:
        __slots__ = ("_backward", "_op", "_prev", "data", "grad")

        def __init__(self, data, prev=(), op=""):
            self.data, self.grad, self._prev, self._op = data, 3.0, prev, op

    a = Value(2.0)
    b = Value(4.0, (a, a), "+")

    def rule():
        a.grad += 2 * b.grad

    b._backward = rule
    reading = read(b)
    assert [edge.slope for edge in reading.graph.edges] == [1.0, 1.0]
    assert reading.value(0) is None
    assert (a.grad, b.grad) == (3.0, 3.0)
    assert not hasattr(a, "_backward")


def test_graph_keeps_nobody_alive():
    a = SetValue(2.0)
    b = a * a
    reading, alive = read(b), weakref.ref(a)
    assert reading.value(0) is a
    del a, b
    gc.collect()
    assert alive() is None
    assert reading.value(0) is None
    assert reading.graph.root.data == 4.0


def test_reused_identities_never_show_an_old_value():
    for number in range(100):
        a = SetValue(float(number))
        assert [node.data for node in gg.graph(a + 1, {}).nodes] == [number, 1.0, number + 1]


def test_graph_is_plain_data():
    a = SetValue(float("nan"))
    graph = gg.graph(a * a)
    again = pickle.loads(pickle.dumps(graph))
    assert again == graph == copy.deepcopy(graph)
    assert hash(again) == hash(graph)


def test_equality_sees_every_part():
    a, b = gg.Value(2.0), gg.Value(2.0)
    graph = gg.graph(a * b, {"a": a, "b": b})
    assert graph == gg.graph(b * a, {"a": b, "b": a})
    assert graph != gg.graph(a + b, {"a": a, "b": b})
    assert graph != gg.graph(a * b, {"x": a, "b": b})
    a.backward()
    assert graph != gg.graph(a * b, {"a": a, "b": b})
    assert graph != 3


def test_object_whose_attributes_raise_is_no_value():
    class Lazy:
        @property
        def data(self):
            raise RuntimeError("not connected")

    with pytest.raises(TypeError, match="This Lazy has no graph"):
        gg.graph(Lazy())
