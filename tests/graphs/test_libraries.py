"""Tensors of PyTorch and boxes of autograd, read through their graphs of functions."""

import subprocess
import sys

import autograd.numpy as anp
import pytest
import torch
from autograd import grad

import glassgrad as gg
from glassgrad.graphs.drive import drive
from glassgrad.notebook.watch import Watch

KEPT = "Gradients are kept for leaves only; the others follow from the slopes."


def near(*numbers):
    return [pytest.approx(number, rel=1e-5) for number in numbers]


def exercise():
    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(-3.0, requires_grad=True)
    d = a * b
    return {"a": a, "b": b, "d": d, "c": d + a}


def test_exercise_of_torch():
    names = exercise()
    graph = gg.graph(names["c"], names)
    assert [(node.label, node.op, node.data, node.primitive) for node in graph.nodes] == [
        ("a", "", 2.0, None),
        ("b", "", -3.0, None),
        ("d", "*", -6.0, "mul"),
        ("c", "+", -4.0, "add"),
    ]
    assert [(edge.source, edge.target, edge.operand, edge.slope) for edge in graph.edges] == [
        (0, 2, 0, -3.0),
        (1, 2, 1, 2.0),
        (2, 3, 0, 1.0),
        (0, 3, 1, 1.0),
    ]
    assert [step.gradient for step in gg.steps(graph).backward] == [1.0, 1.0, 2.0, -2.0]
    assert not any(node.notes for node in graph.nodes)


def test_gradients_of_leaves_after_backward():
    names = exercise()
    names["c"].backward()
    graph = gg.graph(names["c"], names)
    assert [node.grad for node in graph.nodes] == [-2.0, 2.0, None, None]


def test_numbers_that_backward_freed_are_explained_once():
    x = torch.tensor(2.0, requires_grad=True)
    y = x.tanh() * 3 + x.exp()
    y.backward()
    graph = gg.graph(y, {"x": x, "y": y})
    assert graph.messages == (
        "backward() freed what was saved for 3 operations, so their slopes are unknown: "
        "look at the graph before it, or call backward(retain_graph=True).",
    )
    assert not any(node.notes for node in graph.nodes)
    assert graph.root.data == y.item()


def test_numbers_that_backward_retained_are_there():
    x = torch.tensor(2.0, requires_grad=True)
    y = x.tanh() * 3
    y.backward(retain_graph=True)
    graph = gg.graph(y, {"x": x, "y": y})
    assert graph.messages == (KEPT,)
    assert graph.edges[-2].slope == 3.0


def test_gradients_that_are_not_kept_follow_from_the_slopes():
    names = exercise()
    assert drive(names["c"]).error is None
    graph = gg.graph(names["c"], names)
    assert [node.grad for node in graph.nodes] == [-2.0, 2.0, 1.0, 1.0]
    assert graph.messages == (KEPT,)
    assert names["d"].retains_grad is False


def test_gradients_that_were_added_up_say_nothing_of_results():
    names = exercise()
    for _ in range(2):
        drive(names["c"])
    assert [node.grad for node in gg.graph(names["c"], names).nodes] == [-4.0, 4.0, None, None]


@pytest.mark.filterwarnings("error")
def test_pictures_of_tensors_warn_of_nothing():
    names = exercise()
    widget = gg.show(names["c"])
    for command in ("backward", "zero_grad", "backward"):
        widget._on_message(widget, {"command": command}, [])
        assert widget.error == ""
        widget.refresh()
        assert not Watch(names["c"]).differs(gg.graph(names["c"]))
    assert widget.numbers["grad"] == [-2.0, 2.0, 1.0, 1.0]
    widget._on_message(widget, {"command": "zero_grad"}, [])
    assert names["a"].grad is None
    widget.close()


def test_looking_changes_no_tensor():
    names = exercise()
    names["c"].retain_grad()
    gg.graph(names["c"], names)
    assert all(names[name].grad is None for name in "abc")
    names["c"].backward()
    assert [names[name].grad.item() for name in "abc"] == [-2.0, 2.0, 1.0]


@pytest.mark.parametrize(
    ("function", "primitive"),
    [
        (torch.tanh, "tanh"), (torch.exp, "exp"), (torch.relu, "relu"), (torch.sigmoid, "sigmoid"),
        (torch.log, "log"), (torch.sqrt, "sqrt"), (torch.sin, "sin"), (torch.neg, "neg"),
        (torch.abs, "abs"), (lambda x: x**3, "pow"), (lambda x: x * 4, "mul"),
        (lambda x: x / 4, "div"),
    ],
)  # fmt: skip
def test_operations_have_our_names(function, primitive):
    x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    y = function(x)
    graph = gg.graph(y)
    assert graph.root.primitive == primitive
    assert graph.root.data == y.item()
    y.backward()
    assert graph.edges[0].slope == pytest.approx(x.grad.item())


def test_operations_without_a_row():
    x = torch.tensor(0.7, requires_grad=True)
    y = torch.special.i0(x)
    root = gg.graph(y).root
    assert (root.op, root.primitive) == ("i0", None)


def test_numbers_that_a_function_did_not_keep():
    b = torch.tensor(-3.0, requires_grad=True)
    c = (b - 1).tanh()
    graph = gg.graph(c)
    assert "a plain number was not kept" in graph.nodes[1].notes[-1]


def test_vectors_inside():
    w = torch.ones(3, requires_grad=True)
    loss = (w * 2).sum()
    graph = gg.graph(loss)
    assert graph.root.data == 6.0
    assert graph.nodes[0].notes == ("w.data is an array, where a Value holds one number.",)
    with pytest.raises(TypeError, match="This Tensor has no graph of its own"):
        gg.graph(w)


def test_thirty_doublings():
    s = torch.tensor(1.0, requires_grad=True)
    for _ in range(30):
        s = s + s
    graph = gg.graph(s)
    assert len(graph) == 31
    assert gg.steps(graph).backward[-1].gradient == 2.0**30


def test_deep_graph():
    x = torch.tensor(1.0, requires_grad=True)
    s = x
    for _ in range(5000):
        s = s + x
    assert len(gg.graph(s)) == 5001


def test_parameters_and_modules():
    torch.manual_seed(0)
    layer = torch.nn.Linear(1, 1)
    y = layer(torch.tensor([2.0]))
    graph = gg.graph(y)
    assert graph.root.data == pytest.approx(y.item())
    assert len(graph) > 2


def test_backward_of_a_tensor_is_its_own():
    names = exercise()
    driven = drive(names["c"])
    assert (driven.error, driven.remark) == (None, "")
    assert names["a"].grad.item() == -2.0
    drive(names["c"])  # it frees nothing: a picture of it can be read, and the user's own can run
    names["c"].backward()
    assert names["a"].grad.item() == -6.0


def test_boxes_of_autograd():
    graphs = []

    def function(x):
        h = anp.tanh(x * x)
        z = h - anp.exp(x)
        graphs.append(gg.graph(z, {"x": x, "h": h, "z": z}))
        return z

    slope = grad(function)(0.5)
    (graph,) = graphs
    assert [(node.label, node.op) for node in graph.nodes] == [
        ("x", ""), ("x * x", "*"), ("h", "tanh"), ("exp(x)", "exp"), ("z", "-"),
    ]  # fmt: skip
    assert [node.data for node in graph.nodes] == near(
        0.5, 0.25, 0.24491866240370913, 1.6487212707001282, -1.403802608296419
    )
    assert gg.steps(graph).backward[-1].gradient == pytest.approx(slope)


def test_file_called_autograd_is_somebodys_own(tmp_path):
    """A learner's module may well be called autograd, and is read as any other."""
    (tmp_path / "autograd.py").write_text(
        "class Value:\n"
        "    def __init__(self, data, prev=()):\n"
        "        self.data, self.grad, self._prev = data, 0.0, prev\n"
    )
    program = (
        "import autograd, glassgrad as gg\n"
        "a = autograd.Value(2.0)\n"
        "print(len(gg.graph(autograd.Value(4.0, (a, a)))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "2\n"


def test_nothing_is_imported_before_it_is_there():
    program = (
        "import sys, glassgrad as gg\n"
        "a = gg.Value(2.0)\n"
        "gg.graph(a * a)\n"
        "print([name for name in ('torch', 'autograd', 'numpy') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
