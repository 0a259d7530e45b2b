"""Drivers: found under any name, run within a budget, and compared with our own walk."""

import pytest
from dialects.spelled import SPELLED
from dialects.structures import STRUCTURES, Consumers, Recursive, Switch
from learner import value_class

import glassgrad as gg
from glassgrad.graphs.drive import drive, driver_of
from glassgrad.graphs.limits import EndlessError

DRIVEN = [dialect for dialect in (*SPELLED, *STRUCTURES) if dialect.driver]


@pytest.mark.parametrize("dialect", DRIVEN, ids=str)
def test_driver_is_found_under_its_name(dialect):
    result = dialect.cls(2.0) * dialect.cls(3.0)
    assert driver_of(result)[0] == dialect.driver


@pytest.mark.parametrize("dialect", [d for d in DRIVEN if d.works], ids=str)
def test_right_drivers_have_nothing_said_of_them(dialect):
    a, b = dialect.cls(2.0), dialect.cls(-3.0)
    c = a * b + a
    if hasattr(dialect.cls, "tape"):
        dialect.cls.tape[:] = [item for item in dialect.cls.tape if item is c or item.data == -6]
    driven = drive(c)
    assert (driven.error, driven.remark) == (None, "")
    assert {node.grad for node in gg.graph(c).nodes} == {-2.0, 1.0, 2.0}


def test_class_without_a_driver():
    class Value(value_class(set)):
        backward = None

    assert driver_of(Value(1.0)) is None
    assert drive(Value(1.0)).name == ""


def test_walk_of_two_to_the_thirty_is_stopped():
    s = Recursive(1.0)
    for _ in range(30):
        s = s + s
    driven = drive(s)
    assert isinstance(driven.error, EndlessError)
    assert driven.remark.startswith("backward() was stopped after ")
    assert "for 31 values" in driven.remark


def test_loop_without_an_end_is_stopped():
    class Value(value_class(tuple)):
        def backward(self):
            while True:
                self.grad = 1.0

    c = Value(1.0) + 1
    c.__class__ = Value
    driven = drive(c)
    assert "was stopped after" in driven.remark
    assert driven.remark.count("\n") == 0


def test_driver_over_a_cycle_is_stopped():
    a = Switch(1.0)
    b = a + 1
    a.children = (b,)

    class Endless(Switch):
        def backward(self):
            waiting = [self]
            while waiting:
                waiting.extend(waiting.pop().children)

    b.__class__ = Endless
    assert "The graph has a cycle." in drive(b).remark


def test_deep_recursion_is_an_error_of_the_drivers():
    cls = value_class(tuple)
    s = x = cls(1.0)
    for _ in range(3000):
        s = s + x
    assert isinstance(drive(s).error, RecursionError)


def test_exception_of_a_rule_is_handed_on():
    driven = drive(value_class(tuple, raising=True)(2.0) * 3)
    assert isinstance(driven.error, ZeroDivisionError)


def test_node_that_was_not_reached():
    class Value(value_class(tuple)):
        def backward(self):
            self.grad = 1.0
            self._backward()

    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    d = a * b
    c = d + 1
    c.__class__ = Value
    assert drive(c).remark == "backward() did not reach b: its gradient is 2, not 0."


def test_walk_that_runs_shared_values_again():
    class Value(value_class(tuple)):
        def backward(self):
            order = []

            def visit(value):
                for operand in value._prev:
                    visit(operand)
                order.append(value)

            visit(self)
            self.grad = 1.0
            for value in reversed(order):
                value._backward()

    x, k = Value(3.0, label="x"), Value(2.0, label="k")
    y = x * k
    y.label = "y"
    z = (y + x) * y
    z.__class__ = Value
    remark = drive(z).remark
    assert remark.startswith("backward() left ")
    assert "look at the order and at the visited set" in remark


def test_a_driver_is_not_blamed_for_a_wrong_rule():
    class Value(value_class(tuple)):
        def half(self):
            out = Value(self.data / 2, (self,), "half")

            def rule():
                self.grad += 0.5  # and not times out.grad

            out._backward = rule
            return out

    x, k = Value(3.0), Value(4.0)
    y = x.half() * k
    assert drive(y).remark == ""
    assert gg.graph(y).wrong_edges() == {0: "lacks × grad"}


def test_nothing_is_said_where_gradients_were_there_before():
    a = Consumers(2.0)
    b = a * a
    b.backward()
    assert drive(b).remark == ""


def test_debugger_gets_its_place_back():
    import sys

    def tracer(frame, event, argument):
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        drive(value_class(tuple)(2.0) * 3)
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)
