"""Commands from the page, and gradients moved by hand: on our Values and on a learner's class."""

import json
from pathlib import Path

import pytest

import glassgrad as gg
from glassgrad.notebook.commands import COMMANDS, MODES, understood

PROTOCOL = json.loads((Path(__file__).parents[1] / "data" / "protocol.json").read_text())


class Learner:
    """The class of the lecture, with `=` where `+=` belongs in its product."""

    def __init__(self, data, children=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, set(children), op
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
            self.grad = other.data * out.grad
            other.grad = self.data * out.grad

        out._backward = _backward
        return out

    def broken(self):
        out = Learner(self.data, (self,), "broken")

        def _backward():
            self.grad += out.grad
            raise ValueError("no such slope")

        out._backward = _backward
        return out


def send(widget, command, **fields):
    """Send what the front end sends."""
    widget._handle_custom_msg({"command": command, **fields}, [])


def ids(widget):
    """Return the ids of the values, by what they are called."""
    nodes = widget.graph["nodes"]
    return dict(zip(nodes["label"], nodes["id"], strict=True))


@pytest.fixture(params=[gg.Value, Learner], ids=["ours", "learner"])
def kind(request):
    return request.param


def shown(kind):
    a, b = kind(2.0), kind(-3.0)
    p = a * b
    c = p + a
    widget = gg.show(c, mode="by hand")
    return widget, ids(widget), (a, b, p, c)


def test_the_manual_sequence_of_the_lecture(kind):
    widget, id, (a, b, p, c) = shown(kind)
    send(widget, "set_grad", node=id["c"], grad=1.0)
    send(widget, "run_rule", node=id["c"])
    assert (p.grad, a.grad, b.grad) == (1.0, 1.0, 0.0)
    send(widget, "run_rule", node=id["p"])
    assert (a.grad, b.grad) == ((-2.0, 2.0) if kind is gg.Value else (-3.0, 2.0))
    last = widget.progress["by hand"][-1]
    assert (last["do"], last["node"], last["grad"]) == ("run", id["p"], 1.0)
    assert {"node": id["a"], "before": 1.0, "after": a.grad} in last["sent"]
    assert widget.error == ""
    assert widget.numbers["grad"][id["c"]] == 1.0
    assert c.grad == 1.0


def test_out_of_order_is_allowed(kind):
    widget, id, (a, b, p, _) = shown(kind)
    send(widget, "run_rule", node=id["p"])
    assert (a.grad, b.grad, p.grad) == (0.0, 0.0, 0.0)
    assert widget.progress["by hand"] == [
        {
            "do": "run",
            "node": id["p"],
            "grad": 0.0,
            "sent": [
                {"node": id["a"], "before": 0.0, "after": 0.0},
                {"node": id["b"], "before": 0.0, "after": 0.0},
            ],
        }
    ]


def test_undo_and_restore_give_back_what_was_there_before_the_mode(kind):
    a, b = kind(2.0), kind(-3.0)
    c = a + b
    a.grad, b.grad, c.grad = 7.0, 8.0, 9.0
    widget = gg.show(c, mode="by hand")
    id = ids(widget)
    send(widget, "zero_grad")
    send(widget, "set_grad", node=id["c"], grad=1)
    send(widget, "run_rule", node=id["c"])
    assert (a.grad, b.grad, c.grad) == (1.0, 1.0, 1.0)
    send(widget, "undo")
    assert (a.grad, b.grad, c.grad) == (0.0, 0.0, 1.0)
    assert [move["do"] for move in widget.progress["by hand"]] == ["zero_grad", "set"]
    send(widget, "restore")
    assert (a.grad, b.grad, c.grad) == (7.0, 8.0, 9.0)
    assert widget.progress["by hand"] == []
    send(widget, "undo")
    assert (a.grad, widget.error) == (7.0, "")


def test_entering_the_mode_again_begins_anew():
    widget, id, (*_, c) = shown(gg.Value)
    send(widget, "set_grad", node=id["c"], grad=1.0)
    widget.mode = ""
    widget.mode = "by hand"
    send(widget, "restore")
    assert c.grad == 1.0


def test_a_rule_that_raises_changes_nothing_and_says_so():
    a = Learner(2.0)
    c = a.broken()
    c.grad = 1.0
    widget = gg.show(c, mode="by hand")
    send(widget, "run_rule", node=ids(widget)["c"])
    assert widget.error.startswith("The rule of c raised ValueError: no such slope (line ")
    assert (a.grad, c.grad) == (0.0, 1.0)
    assert widget.progress.get("by hand", []) == []


def test_a_backward_that_raises_is_no_move():
    c = Learner(2.0) + Learner(3.0)
    widget = gg.show(c, mode="by hand")
    send(widget, "backward")
    assert widget.error.startswith("Learner has no method that runs the whole backward pass")
    assert widget.progress["by hand"] == []


def test_what_has_no_rule_says_so():
    widget, id, _ = shown(gg.Value)
    send(widget, "run_rule", node=id["a"])
    assert widget.error == "a has no rule of its own that can be run alone."
    send(widget, "run_rule", node=99)
    assert widget.error == "There is no value number 99 in this graph."


def test_a_class_that_keeps_slopes_instead_of_rules():
    class Sloped:
        __slots__ = ("_children", "_local_grads", "data", "grad")

        def __init__(self, data, children=(), local_grads=()):
            self.data, self.grad = data, 0
            self._children, self._local_grads = children, local_grads

        def __mul__(self, other):
            return Sloped(self.data * other.data, (self, other), (other.data, self.data))

    a, b = Sloped(2.0), Sloped(5.0)
    c = a * b
    widget = gg.show(c, mode="by hand")
    send(widget, "set_grad", node=2, grad=3.0)
    send(widget, "run_rule", node=2)
    assert (a.grad, b.grad) == (15.0, 6.0)


def test_infinite_gradients_travel():
    a = gg.Value(2.0)
    b = a * a
    widget = gg.show(b, mode="by hand")
    b.grad = float("inf")
    send(widget, "run_rule", node=1)
    move = widget.progress["by hand"][0]
    assert (move["grad"], move["sent"][0]["after"]) == ("Infinity", "Infinity")
    json.dumps(widget.progress, allow_nan=False)


def test_outside_the_mode_nothing_is_kept():
    a = gg.Value(3.0)
    widget = gg.show(a * a)
    send(widget, "backward")
    assert (a.grad, widget.progress) == (6.0, {})
    send(widget, "undo")
    assert a.grad == 6.0


def test_the_protocol_is_what_both_sides_know():
    assert list(MODES) == PROTOCOL["modes"]
    assert {message["command"] for message in PROTOCOL["commands"]} == set(COMMANDS)
    for message in PROTOCOL["commands"]:
        assert not isinstance(understood(message), str)


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"command": "run_rule"}, "The page asked for run_rule with node None."),
        ({"command": "run_rule", "node": True}, "run_rule with node True."),
        ({"command": "set_grad", "node": 1, "grad": "1"}, "set_grad with grad '1'."),
        ({"command": "x" * 99}, "xxx…, which this kernel does not know."),
        ([1, 2], "None, which this kernel does not know."),
    ],
)
def test_malformed_messages_change_nothing(message, said):
    widget, _, (a, *_) = shown(gg.Value)
    widget._handle_custom_msg(message, [])
    assert said in widget.error
    assert a.grad == 0.0
