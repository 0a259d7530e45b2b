"""What `%%autograd` shows of a cell, and that the cell runs as it would alone."""

import pytest
from IPython.core.error import UsageError

from .conftest import LEARNERS_CLASS


def test_the_first_cell(run, ip):
    ran = run("%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a")
    assert ran.column("data") == {"a": 2.0, "b": -3.0, "a * b": -6.0, "c": -4.0}
    assert ran.column("grad") == {"a": -2.0, "b": 2.0, "a * b": 1.0, "c": 1.0}
    assert ran.places == {
        "a": (2, "Value(2.0)"),
        "b": (2, "Value(-3.0)"),
        "a * b": (3, "a * b"),
        "c": (3, "a * b + a"),
    }
    assert ran.code == {
        "first": 2,
        "lines": ["a, b = Value(2.0), Value(-3.0)", "c = a * b + a"],
        "failed": None,
        "marks": [{"line": 2, "nodes": [0, 1]}, {"line": 3, "nodes": [2, 3]}],
    }
    assert ip.user_ns["a"].grad == -2.0
    assert ran.result.success


def test_a_root_that_is_the_last_expression_is_shown_once(run, ip):
    ran = run("%%autograd\na = Value(2.0)\nb = a * a\nb")
    assert len(ran.widgets) == 1
    assert ran.stdout.endswith("]: Value(data=4.0, grad=1.0)\n")
    assert ran.result.result is ip.user_ns["b"] is ip.user_ns["_"]
    again = run("b")
    assert "b = a * a" in again.stdout


def test_a_semicolon_silences_the_output_and_not_the_picture(run, ip):
    ran = run("%%autograd\na = Value(2.0)\na * a;  # no output")
    assert (len(ran.widgets), ran.stdout, ran.result.result) == (1, "", None)
    assert ran.widgets[0].graph["title"] == "a * a"
    ran.widgets[0]._handle_custom_msg({"command": "zero_grad"}, [])
    assert ip.user_ns["a"].grad == 0.0


def test_reassigned_names_are_two_nodes(run):
    ran = run("%%autograd\na = Value(2.0)\nb = a * 2\na = Value(10.0)\nc = a * b")
    assert ran.labels.count("a") == 2
    assert ran.places["b"] == (3, "a * 2")


def test_a_class_of_ones_own(run, ip):
    ran = run(f"%%autograd\n{LEARNERS_CLASS}\nx = Mine(3.0)\ny = x * x")
    assert ran.labels == ["x", "y"]
    assert ip.user_ns["x"].grad == 6.0
    ran = run("%%autograd\nz = x * x\nz")
    assert ip.user_ns["x"].grad == 6.0
    assert ran.stdout.startswith("Out[3]: <__main__.Mine at")
    assert ran.widgets[0].graph["messages"][0].startswith("x.grad still held 6")


def test_a_cell_may_wait_at_its_top(run, ip):
    run("import asyncio\nasync def later(x):\n    await asyncio.sleep(0)\n    return x")
    ran = run("%%autograd\na = Value(2.0)\nb = await later(a * 3)\nawait later(b)")
    assert ran.column("data") == {"a": 2.0, "3": 3.0, "b": 6.0}
    assert ran.places["b"] == (3, "a * 3")
    assert ran.result.result is ip.user_ns["b"]
    assert run("%%autograd\na = 1\nawait later(a);").result.result is None


def test_waiting_is_refused_where_nobody_can_wait(ip):
    with pytest.raises(UsageError, match="This cell uses await outside of a function"):
        ip.run_cell_magic("autograd", "", "x = 1\nawait x")
    assert "x" not in ip.user_ns


def test_help_lists_the_options(ip):
    doc = ip.find_cell_magic("autograd").__doc__
    assert "%autograd [--root NAME] [--no-backward]" in doc
    assert "differentiate this variable" in doc


def test_transformers_of_others_see_the_cell(run, ip):
    import ast

    class Doubles(ast.NodeTransformer):
        def visit_Constant(self, node):
            return ast.Constant(node.value * 2) if node.value == 21 else node

    ip.ast_transformers.append(Doubles())
    ran = run("%%autograd\nx = 21\nx")
    ip.ast_transformers.pop()
    assert ran.result.result == 42


@pytest.mark.parametrize("setting", ["all", "last", "none", "last_expr_or_assign"])
def test_the_setting_of_what_is_shown_is_respected(run, ip, setting):
    ip.ast_node_interactivity = setting
    cell = "1\nx = 2\nif x:\n    3\nx = 4\n"
    bare, magic = run(cell), run(f"%%autograd --no-backward\n{cell}")

    def outputs(ran):
        return [line.split(": ")[1] for line in ran.stdout.splitlines() if ": " in line]

    assert outputs(magic) == outputs(bare)


def test_an_object_that_cannot_be_looked_at_does_not_break_the_cell(run, ip):
    run(
        "class Odd:\n    _prev = ()\n    data = 1.0\n    @property\n    def grad(self):\n"
        "        raise RuntimeError('not yet')\nodd = Odd()"
    )
    ran = run("%%autograd\na = Value(2.0)\nb = a * a\nother = Odd()")
    assert ran.result.success
    assert ip.user_ns["a"].grad == 4.0


def test_a_statement_too_deep_to_rewrite_still_runs(run, ip):
    ran = run("%%autograd\na = Value(1.0)\nb = " + " + ".join(["a"] * 800))
    assert ran.result.success
    assert ip.user_ns["a"].grad == 800.0
    assert ran.widgets[0].graph["title"] == "b"
