"""Objects that misbehave: one sentence or a right picture, in bounded time, never a hang."""

import copy
import gc
from queue import SimpleQueue
from types import SimpleNamespace

import numpy as np
import pytest
from dialects.structures import LocalGradients, Pairs, Recursive, Switch
from learner import value_class

import glassgrad as gg

SetValue, TupleValue = value_class(set), value_class(tuple)


def notes(graph):
    return [note for node in graph.nodes for note in node.notes]


# -- graphs that are no graphs --------------------------------------------------------------------


def test_cycle_in_a_dialect():
    a = Switch(1.0)
    b = a + 1
    a.children = (b,)
    graph = gg.graph(b)
    assert graph.messages[0].startswith("b is one of its own inputs (b → a → b)")
    assert [node.label for node in graph.nodes] == ["a", "1", "b"]


def test_thirty_doublings_are_read_and_measured_at_once():
    s = Recursive(1.0)
    for _ in range(30):
        s = s + s
    assert len(gg.graph(s)) == 31


def test_rules_that_recurse_are_measured_without_walking_every_path():
    class Value(TupleValue):
        def double(self):
            out = Value(self.data + self.data, (self,), "double")

            def rule():
                for _ in range(2):
                    self.grad += out.grad
                    self._backward()

            out._backward = rule
            return out

    s = Value(1.0)
    for _ in range(40):
        s = s.double()
    graph = gg.graph(s)
    assert {edge.slope for edge in graph.edges} == {2.0}
    assert gg.steps(graph).backward[-1].gradient == 2.0**40


def test_rule_without_an_end_is_stopped():
    x = TupleValue(1.0)
    y = TupleValue(2.0, (x,), "spin")

    def rule():
        while True:
            x.grad += y.grad

    y._backward = rule
    graph = gg.graph(y)
    assert notes(graph) == ["y's rule was stopped after 2,000 steps, so its slopes are unknown."]
    assert graph.edges[0].slope is None


def test_rule_that_jumps_to_itself_is_stopped():
    """``while True: pass`` is one instruction, and reaches no new line for a tracer to count."""
    x = TupleValue(1.0)
    y = TupleValue(2.0, (x,), "spin")

    def rule():
        while True:
            pass

    y._backward = rule
    assert notes(gg.graph(y)) == [
        "y's rule was stopped after 2,000 steps, so its slopes are unknown."
    ]


def test_million_foreign_values():
    x = LocalGradients(1.0)
    s = x
    for _ in range(1_000_000):
        s = LocalGradients(s.data + 1.0, (s,), (1.0,))
    graph = gg.graph(s, {})
    assert len(graph) == 1_000_001
    assert graph.root.data == 1_000_001.0
    assert "1,000,001 values; showing the 1,000 nearest" in graph.to_dot().source
    chain, s = s, None  # freed link by link: Python would recurse
    while chain._children:
        chain = chain._children[0]


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data", [np.float64(0.5), np.float32(0.5), np.int64(2), np.array(0.5), True, 2, 10**400]
)
def test_numbers_of_every_kind(data):
    x = TupleValue(data)
    graph = gg.graph(x * 1, {"x": x})
    assert graph.nodes[0].notes == ()
    assert type(graph.nodes[0].data) is float


def test_array_in_data():
    a = Switch(np.arange(3.0))
    b = a * a
    graph = gg.graph(b)
    assert notes(graph) == [
        f"{name}.data is an array, where a Value holds one number." for name in "ab"
    ]
    assert [edge.slope for edge in graph.edges] == [None]


def test_value_in_a_value():
    inner = Pairs(2.0)
    graph = gg.graph(Pairs(inner) * 3)
    assert any("is itself a Pairs" in note for note in notes(graph))


def test_ours_inside_theirs():
    """A learner's class takes our Value for a number, and wraps it."""
    ours, theirs = gg.Value(2.0), TupleValue(3.0)
    y = theirs * ours
    graph = gg.graph(y)
    assert len(graph.messages) == 1
    assert "mixes two classes called Value" in graph.messages[0]


def test_two_dialects_in_one_graph():
    """Somebody's operation over values of another class: each is read in its own dialect."""
    a, b = SetValue(2.0), Pairs(3.0)
    y = Switch(6.0, (a, b), "*")
    graph = gg.graph(y)
    assert [(node.label, node.data) for node in graph.nodes] == [("a", 2.0), ("b", 3.0), ("y", 6.0)]


def test_class_defined_again():
    def cell():
        class Value:
            def __init__(self, value, kids=()):
                self.value, self.gradient, self.kids = value, 0.0, kids

            def __add__(self, other):
                other = other if isinstance(other, Value) else Value(other)
                return Value(self.value + getattr(other.value, "value", other.value), (self, other))

        return Value

    old, new = cell(), cell()
    a, b = old(2.0), new(3.0)
    y = b + a
    assert gg.graph(y).messages == (
        "y mixes two classes called Value: the cell that defines it was run again after a was "
        "made. Run the cells from that one down.",
    )


# -- objects ---------------------------------------------------------------------------------------


def test_operand_that_is_no_value():
    y = TupleValue(2.0, (TupleValue(1.0), "text", None), "f")
    graph = gg.graph(y, {})
    assert "'text'" not in str(graph)
    assert any("is a str" in note for note in notes(graph))


def test_property_that_raises():
    class Value(TupleValue):
        @property
        def label(self):
            raise RuntimeError("no label yet")

        @label.setter
        def label(self, label):
            pass

    a = Value(2.0)
    b = a + a
    assert len(gg.graph(b)) == 2


def test_attributes_that_are_made_up():
    class Everything:
        def __getattr__(self, name):
            return Everything()

    with pytest.raises(TypeError, match="This Everything has no graph"):
        gg.graph(Everything())


def test_getattribute_that_raises():
    class Closed:
        def __getattribute__(self, name):
            raise RuntimeError("closed")

    with pytest.raises(TypeError, match="This Closed has no graph"):
        gg.graph(Closed())


@pytest.mark.parametrize(
    "thing",
    [
        SimpleNamespace(val=1, left=SimpleNamespace(val=2, left=None, right=None), right=None),
        SimpleNamespace(data=1, next=None, prev=SimpleNamespace(data=2, next=None, prev=None)),
        SimpleNamespace(size=3.0, parts=[1, 2]),
        lambda: 3,
        gc,
        gg.graph,
        np.float64,
        {"data": 2.0},
        range(3),
        object(),
    ],
)
def test_other_objects_are_no_values(thing):
    with pytest.raises(TypeError) as caught:
        gg.graph(thing)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("cls", [SetValue, Pairs, Switch, LocalGradients])
def test_deep_copies(cls):
    a, b = cls(2.0), cls(3.0)
    copied = gg.graph(copy.deepcopy(a * b))
    assert [node.data for node in copied.nodes] == [2.0, 3.0, 6.0]
    borrowed = [note for note in notes(copied) if "belongs to other objects" in note]
    assert len(borrowed) == (cls is SetValue)


def test_class_that_notices_its_end_is_not_copied():
    ended = []

    class Value(TupleValue):
        def __del__(self):
            ended.append(self.data)

        def helper(self):
            return 2.0

        def twice(self):
            out = Value(2 * self.data, (self,), "twice")

            def rule():
                self.grad += self.helper() * out.grad

            out._backward = rule
            return out

    x = Value(3.0)
    y = x.twice()
    graph = gg.graph(y)
    assert ended == []
    assert notes(graph) == [
        "y's rule cannot be run apart from y itself, so its slopes are unknown."
    ]


def test_value_that_is_a_float():
    class Value(float):
        def __new__(cls, number, prev=()):
            made = super().__new__(cls, number)
            made.data, made.grad, made._prev = float(number), 0.0, prev
            return made

    a = Value(2.0)
    b = Value(4.0, (a, a))
    with pytest.raises(TypeError, match="is a plain number and has no graph"):
        gg.graph(b)


def test_rule_of_an_object_that_is_gone():
    import weakref

    class Value(TupleValue):
        def minus(self):
            out = Value(-self.data, (self,), "neg")
            me = weakref.ref(out)

            def rule():
                self.grad += -1 * me().grad

            out._backward = rule
            return out

    x = Value(3.0)
    graph = gg.graph(x.minus())
    assert [edge.slope for edge in graph.edges] == [-1.0]
    assert graph.root.primitive == "neg"


def test_unreadable_operand():
    class Value(TupleValue):
        pass

    a = Value(2.0)
    b = a + a
    del a.data
    graph = gg.graph(b)
    assert graph.nodes[0].data != graph.nodes[0].data
    assert notes(graph)


def test_collections_are_not_heard_of_while_somebodys_code_is_counted():
    """At the limit of a recursion there is no room for one more call, not even for ours."""
    gg.postpone_gc()  # second derivatives, which another test may have asked for, end it
    there = list(gc.callbacks)
    queue = SimpleQueue()  # a list would hold afterwards what it held before
    x = TupleValue(1.0)
    y = TupleValue(2.0, (x,), "f")
    y._backward = lambda: queue.put(list(gc.callbacks))
    gg.graph(y)
    heard = [queue.get() for _ in range(queue.qsize())]
    assert heard
    assert all(len(inside) < len(there) for inside in heard)
    assert gc.callbacks == there
