"""Other numbers at some leaves: asked about, written, refused; the user's values stay theirs."""

import math

import pytest

import glassgrad as gg
from glassgrad import Value
from glassgrad.notebook import trial


class Learner:
    """The lecture's class; its tanh keeps `t` in the closure, as everybody writes it."""

    def __init__(self, data, _children=(), _op=""):
        self.data, self.grad = data, 0.0
        self._prev, self._op = set(_children), _op
        self._backward = lambda: None

    def __add__(self, other):
        out = Learner(self.data + other.data, (self, other), "+")

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Learner(self.data * other.data, (self, other), "*")

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Learner(t, (self,), "tanh")

        def _backward():
            self.grad += (1 - t**2) * out.grad

        out._backward = _backward
        return out

    def swish(self):
        s = 1 / (1 + math.exp(-self.data))
        out = Learner(self.data * s, (self,), "swish")

        def _backward():
            self.grad += (s + out.data * (1 - s)) * out.grad

        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()

        def visit(value):
            if value not in seen:
                seen.add(value)
                for child in value._prev:
                    visit(child)
                order.append(value)

        visit(self)
        self.grad = 1.0
        for value in reversed(order):
            value._backward()


def sends(root, command, data):
    """Send a command as the page does; return the widget."""
    widget = gg.show(root)
    widget._on_message(widget, {"command": command, "data": data}, [])
    return widget


def test_a_question_changes_nothing_of_the_users():
    a, b = Value(2.0), Value(-3.0)
    c = a * b + a
    c.backward()
    widget = sends(c, "what_if", {"0": 3.0})
    assert widget.nudged["numbers"]["data"] == [3.0, -3.0, -9.0, -6.0]
    assert widget.nudged["numbers"]["grad"] == [-2.0, 3.0, 1.0, 1.0]
    assert widget.nudged["numbers"]["slope"] == [-3.0, 3.0, 1.0, 1.0]
    assert (a.data, c.data, b.grad, widget.numbers["data"][0]) == (2.0, -4.0, 2.0, 2.0)


def test_keeping_writes_and_computes_again():
    a = Value(2.0)
    y = (a * a).tanh()
    y.backward()
    y.backward()
    widget = sends(y, "set_data", {"0": 0.5})
    assert widget.error == ""
    assert (a.data, y.data) == (0.5, math.tanh(0.25))
    assert a.grad == pytest.approx((1 - math.tanh(0.25) ** 2) * 2 * 0.5)
    assert widget.numbers["data"][0] == 0.5


def test_without_backward_no_gradient_appears():
    a = Value(2.0)
    y = a * 3
    sends(y, "set_data", {"0": 5.0})
    assert (y.data, a.grad) == (15.0, 0.0)


def test_a_learners_class_that_reads_its_numbers_again_is_written():
    a, b = Learner(2.0), Learner(-3.0)
    c = a * b + a
    c.backward()
    widget = sends(c, "set_data", {"0": 4.0})
    assert widget.error == ""
    assert (a.data, c.data, a.grad, b.grad) == (4.0, -8.0, -2.0, 4.0)


def test_a_rule_that_remembers_old_numbers_is_found_out_and_all_is_put_back():
    a = Learner(0.5)
    y = a.tanh()
    y.backward()
    before = (a.data, y.data, a.grad, y.grad)
    widget = sends(y, "set_data", {"0": 1.5})
    assert widget.error.startswith("The rules of Learner remember the numbers from when")
    assert (a.data, y.data, a.grad, y.grad) == before


def next_of(value, times=[]):  # noqa: B006 — that is what it counts in
    """An operation beside the class; it counts its calls and prints."""
    times.append(1)
    print("next")
    out = Learner(value.data + 1, (value,), "next")

    def _backward():
        value.grad += out.grad

    out._backward = _backward
    return out


@pytest.mark.parametrize("operation", [Learner.swish, next_of])
def test_an_operation_that_no_table_has_is_computed_by_its_own_code(operation, capsys):
    def y_of(x):
        a = Learner(x)
        return a, operation(a * a) * a

    (a, y), (b, expected) = y_of(1.5), y_of(-0.5)
    y.backward()
    expected.backward()
    times = len(next_of.__defaults__[0])
    capsys.readouterr()
    widget = sends(y, "what_if", {"0": -0.5})
    assert widget.nudged["error"] == ""
    assert widget.nudged["numbers"]["data"][-1] == pytest.approx(expected.data)
    assert widget.nudged["numbers"]["grad"][0] == pytest.approx(b.grad)
    assert a.data == 1.5
    assert (len(next_of.__defaults__[0]), capsys.readouterr().out) == (times, "")


def test_an_operation_that_is_written_as_its_rule_does_is_kept():
    a = Learner(0.5)
    y = next_of(a)
    y.backward()
    assert sends(y, "set_data", {"0": 1.0}).error == ""
    assert (a.data, y.data, a.grad) == (1.0, 2.0, 1.0)


@pytest.mark.parametrize("command", ["what_if", "set_data"])
def test_an_unknown_rule_is_said(command):
    a = Learner(0.5)
    y = Learner(a.data + 1, (a,), "odd")  # by no method that could be called again

    def rule():
        a.grad += y.grad

    y._backward = rule
    widget = sends(y, command, {"0": 1.0})
    said = widget.error or widget.nudged["error"]
    assert "is not known here, so nobody can say" in said
    assert (a.data, y.data) == (0.5, 1.5)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"1": 4.0}, "Value number 1 is no input"),
        ({"7": 4.0}, "Value number 7 is no input"),
        ({"a": 4.0}, "Value number a is no input"),
        ({"0": "4"}, "can only be changed to a finite number, not to 4."),
        ({"0": math.inf}, "can only be changed to a finite number, not to inf."),
    ],
)
def test_what_cannot_be_changed_is_said(data, said):
    a = Value(2.0)
    y = a * a
    assert said in sends(y, "set_data", data).error
    assert a.data == 2.0


def test_a_value_used_twice_and_a_power_of_a_foreign_class():
    a = Learner(3.0)
    y = a * a
    graph = trial.what_if(gg.graph(y), {0: 5.0})
    assert graph.root.data == 25.0
    assert sum(edge.slope for edge in graph.edges) == 10.0


def test_a_sum_of_many():
    parts = [Value(float(i)) for i in range(4)]
    y = gg.sum(parts)
    graph = trial.what_if(gg.graph(y), {0: 10.0})
    assert graph.root.data == 16.0


def test_attempts_follow_the_quiz():
    a = Value(2.0)
    widget = gg.show(a * a)
    attempt = {"node": 0, "name": "a", "answer": 4.0, "right": True}
    widget.progress = {"predict": {"attempts": [attempt]}}
    assert widget.attempts == [attempt]
