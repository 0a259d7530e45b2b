"""What `%%autograd` shows, and how it chooses."""

import gc
import sys
import weakref

import pytest
from IPython.core.error import UsageError
from ipywidgets.widgets.widget import Widget

LEARNERS_CLASS = """
class Mine:
    def __init__(self, data, _children=(), _op=''):
        self.data, self.grad, self._op = data, 0.0, _op
        self._prev = set(_children)
        self._backward = lambda: None
    def __mul__(self, other):
        out = Mine(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()
"""


def data(ran, column="data"):
    (widget,) = ran.widgets
    return dict(zip(ran.labels, widget.numbers[column], strict=True))


def source(ran):
    (widget,) = ran.widgets
    nodes = widget.graph["nodes"]
    return dict(zip(nodes["label"], zip(nodes["line"], nodes["text"], strict=True), strict=True))


def test_the_first_cell(run, ip):
    ran = run("%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a")
    assert data(ran) == {"a": 2.0, "b": -3.0, "a * b": -6.0, "c": -4.0}
    assert data(ran, "grad") == {"a": -2.0, "b": 2.0, "a * b": 1.0, "c": 1.0}
    assert source(ran) == {
        "a": (2, "Value(2.0)"),
        "b": (2, "Value(-3.0)"),
        "a * b": (3, "a * b"),
        "c": (3, "a * b + a"),
    }
    assert ran.widgets[0].graph["code"] == {
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
    assert source(ran)["b"] == (3, "a * 2")


def test_a_loop_marks_its_line_once_for_each_iteration(run):
    ran = run("%%autograd\nx = Value(2.0)\nfor i in range(3):\n    x = x * x\n")
    assert ran.widgets[0].graph["code"]["marks"] == [
        {"line": 2, "nodes": [0]},
        {"line": 4, "nodes": [1, 2, 3], "runs": [[1], [2], [3]]},
    ]


def test_what_a_function_computes_belongs_to_the_line_that_calls_it(run):
    ran = run("%%autograd\ndef f(x):\n    return (x + 1) * x\na = Value(2.0)\n\ny = f(a)\n")
    assert {line for line, _ in source(ran).values()} == {4, 6}
    assert source(ran)["a"][0] == 4


def test_what_was_there_before_belongs_to_no_line(run):
    run("a = Value(2.0)\nb = a * 3")
    ran = run("%%autograd\nc = b * a")
    assert {label for label, (line, _) in source(ran).items() if line is None} == {"a", "3", "b"}
    assert source(ran)["c"] == (2, "b * a")


def test_lines_of_ipython_run_too(run, ip, capfd):
    ran = run("%%autograd\na, b = Value(2.0), Value(-3.0)\n%time y = a*b\n!echo hi\n")
    assert "Wall time" in ran.stdout
    assert "hi" in ran.stdout + capfd.readouterr().out
    assert ran.widgets[0].graph["title"] == "y"
    assert source(ran)["y"][0] == 3
    assert ran.widgets[0].graph["code"]["lines"][1:] == ["%time y = a*b", "!echo hi"]


@pytest.mark.parametrize(
    ("cell", "root"),
    [
        ("c = a * b\nd = c * a", "d"),
        ("c = a * b\nd = c * a\nc", "c"),
        ("c = a * b\nd = Value(1.0)", "c"),
        ("c = d = a * b", "c"),
        ("c = a * b\nc = c + a", "c"),
        ("(c := a * b)", "c"),
        ("c = a * b\n(a, c)", "c"),
        ("x = Value(1.0)\ny = Value(2.0)", "y"),
        ("for p in (a, b):\n    p.data += 1\nc = a * b", "c"),
        ("exec('c = a * b')", "c"),
        ("c = a * b\nd = 3\nprint(d)", "c"),
    ],
)
def test_root(run, cell, root):
    run("a, b = Value(2.0), Value(-3.0)")
    assert run(f"%%autograd\n{cell}").widgets[0].graph["title"] == root


@pytest.mark.parametrize(
    ("line", "cell", "sentence"),
    [
        (
            "",
            "loss = a * b\nacc = a + b",
            "loss and acc are both results of this cell. Say which one: %%autograd --root loss.",
        ),
        (
            "",
            "a * b, a + b",
            "a * b and a + b are both results of this cell. Give the one you mean a name.",
        ),
        (
            "",
            "[a + 1, a + 2, a + 3, a + 4, a + 5]",
            "a + 1, a + 2, a + 3 and 2 more are all results of this cell. "
            "Give the one you mean a name.",
        ),
        ("--root loss", "c = a * b", "--root loss: no variable is called loss."),
        ("--root n", "n = 3", "--root n: n is of type int and has no graph."),
        (
            "",
            "n = 3",
            "This cell made no Value, so there is nothing to differentiate. "
            "Did you mean --lift, which turns the numbers assigned here into Values?",
        ),
        (
            "",
            "n = str(3)",
            "This cell made no Value, so there is nothing to differentiate. "
            "Wrap the inputs before you compute: a = Value(2.0).",
        ),
        (
            "",
            "losses = [a * b, a + b]",
            "losses is a list of 2 results. Say which one: %%autograd --root losses[0]; or "
            "differentiate their sum: %%autograd --root sum(losses).",
        ),
        (
            "",
            "losses = {'one': a * b, 'two': a + b}\nlosses",
            "losses is a dict of 2 results. Say which one: "
            "%%autograd --root \"losses['one']\"; or "
            "differentiate their sum: %%autograd --root sum(losses.values()).",
        ),
    ],
)
def test_no_root_is_one_sentence_and_nothing_lost(run, ip, line, cell, sentence):
    run("a, b = Value(2.0), Value(-3.0)")
    ran = run(f"%%autograd {line}\nprint('printed')\n{cell}")
    assert (ran.texts, ran.widgets) == ([sentence], [])
    assert ran.result.success
    assert "printed" in ran.stdout
    assert ip.user_ns["a"].grad == 0.0


def test_the_question_can_be_answered(run):
    ran = run("%%autograd --root acc\na = Value(2.0)\nloss = a * a\nacc = a + 1")
    assert ran.widgets[0].graph["title"] == "acc"


def test_no_backward(run):
    ran = run("%%autograd --no-backward\na = Value(2.0)\nb = a * a")
    assert not ran.widgets[0].numbers["ran"]


@pytest.mark.parametrize(
    ("calls", "grad", "told"),
    [
        ("b.backward()", 6.0, "ran b.backward() (line 4); the gradients are what this call left."),
        (
            "b.backward()\nb.backward()",
            12.0,
            "ran b.backward() (line 4), then b.backward() (line 5); the gradients are what these "
            "calls left.",
        ),
        (
            "c = b + a\nb.backward()\nc.backward()",
            13.0,
            "ran b.backward() (line 5), then c.backward() (line 6); the gradients are what these "
            "calls left.",
        ),
        (
            "b.grad = 1.0\nb._backward()",
            6.0,
            "ran b._backward() (line 5); the gradients are what this call left.",
        ),
        (
            "def go(): b.backward()\ngo()",
            6.0,
            "ran b.backward() (line 4); the gradients are what this call left.",
        ),
        (
            "getattr(b, 'backward')()",
            6.0,
            "ran backward itself; the gradients are what it left.",
        ),
    ],
)
def test_a_cell_that_ran_backward_is_not_run_again(run, ip, calls, grad, told):
    ran = run(f"%%autograd\na = Value(3.0)\nb = a * a\n{calls}\nb")
    assert ip.user_ns["a"].grad == grad
    assert ran.widgets[0].graph["messages"] == [f"This cell {told}"]


def test_the_value_that_the_cell_drove_answers_which_result_is_meant(run):
    ran = run("%%autograd\na = Value(2.0)\nloss, acc = a * a, a + 1\nloss.backward()")
    assert ran.widgets[0].graph["title"] == "loss"


def test_gradients_from_before_are_cleared_and_it_is_said(run, ip):
    run("a = Value(3.0)\nb = a * a\nb.backward()")
    ran = run("%%autograd\nc = a * 2")
    assert ip.user_ns["a"].grad == 2.0
    assert ran.widgets[0].graph["messages"] == [
        "a.grad still held 6 from before this cell; all gradients were set to 0 first."
    ]
    ran = run("%%autograd\nb")
    assert ip.user_ns["a"].grad == 6.0
    assert ran.widgets[0].graph["messages"] == [
        "a.grad and b.grad still held gradients from before this cell; "
        "all gradients were set to 0 first."
    ]


def test_a_class_of_ones_own(run, ip):
    ran = run(f"%%autograd\n{LEARNERS_CLASS}\nx = Mine(3.0)\ny = x * x")
    assert ran.labels == ["x", "y"]
    assert ip.user_ns["x"].grad == 6.0
    ran = run("%%autograd\nz = x * x\nz")
    assert ip.user_ns["x"].grad == 6.0
    assert ran.stdout.startswith("Out[3]: <__main__.Mine at")
    assert ran.widgets[0].graph["messages"][0].startswith("x.grad still held 6")


def test_an_error_in_the_learners_backward_is_a_sentence_in_the_picture(run):
    run(LEARNERS_CLASS + "    def backward(self):\n        raise RuntimeError('not yet')")
    ran = run("%%autograd\nx = Mine(3.0)\ny = x * x")
    assert ran.result.success
    assert ran.widgets[0].error.startswith("backward() raised RuntimeError: not yet")


def test_an_error_shows_what_was_computed_so_far(run, ip):
    ran = run("%%autograd\na = Value(2.0)\nb = a * 3\nmissing + b\nc = b * 2")
    assert isinstance(ran.result.error_in_exec, NameError)
    assert "----> 4 missing + b" in ran.stdout
    assert "glassgrad" not in ran.stdout
    assert "skipping" not in ran.stdout
    (widget,) = ran.widgets
    assert widget.graph["title"] == "b"
    assert widget.graph["code"]["failed"] == 4
    assert not widget.numbers["ran"]
    assert "showtraceback" not in vars(ip)
    assert vars(ran.result.error_in_exec) == {}


def test_an_error_before_any_value_shows_only_the_error(run):
    ran = run("%%autograd\nx = 1\nmissing")
    assert (ran.widgets, ran.texts) == ([], [])


def test_an_error_that_the_caller_catches_leaves_nothing_behind(run, ip):
    run(
        "try:\n    get_ipython().run_cell_magic('autograd', '', '1 / 0')\n"
        "except ZeroDivisionError:\n    pass"
    )
    ran = run("later")
    assert "NameError" in ran.stdout
    assert "showtraceback" not in vars(ip)


@pytest.mark.parametrize("cell", ["x = Value(1.0)\ny = x *", "if 1:\nx = 1", "x = 1\nreturn"])
def test_a_syntax_error_has_no_frames(run, cell):
    ran = run(f"%%autograd\n{cell}")
    assert not ran.result.success
    assert "Cell In[2], line 3" in ran.stdout
    assert "glassgrad" not in ran.stdout
    assert ran.widgets == []


def test_a_line_is_counted_as_the_user_sees_it(run):
    ran = run("%%autograd\n\n\nx = 1\nx / 0")
    assert "----> 5 x / 0" in ran.stdout


def test_a_cell_may_wait_at_its_top(run, ip):
    run("import asyncio\nasync def later(x):\n    await asyncio.sleep(0)\n    return x")
    ran = run("%%autograd\na = Value(2.0)\nb = await later(a * 3)\nawait later(b)")
    assert data(ran) == {"a": 2.0, "3": 3.0, "b": 6.0}
    assert source(ran)["b"] == (3, "a * 3")
    assert ran.result.result is ip.user_ns["b"]
    assert run("%%autograd\na = 1\nawait later(a);").result.result is None


def test_waiting_is_refused_where_nobody_can_wait(ip):
    with pytest.raises(UsageError, match="This cell uses await outside of a function"):
        ip.run_cell_magic("autograd", "", "x = 1\nawait x")
    assert "x" not in ip.user_ns


@pytest.mark.parametrize("line", ["--rot x", "loss", "--root", "--root 'x"])
def test_a_wrong_option_is_one_sentence(run, ip, line):
    with pytest.MonkeyPatch.context() as patch:
        shown = []
        patch.setattr(ip, "show_usage_error", lambda error: shown.append(str(error)))
        ran = run(f"%%autograd {line}\nx = 1")
    assert not ran.result.success
    (sentence,) = shown
    assert sentence.startswith("%%autograd: ")
    assert sentence.endswith("; %%autograd? lists the options.")
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


def test_a_user_of_a_debugger_sees_only_the_users_frames(run):
    run("%%autograd\ndef f(x):\n    return 1 / x\nf(0)")
    names = []
    frame = sys.last_traceback.tb_next
    while frame is not None:
        names.append(frame.tb_frame.f_code.co_name)
        frame = frame.tb_next
    assert names == ["<module>", "f"]


def test_nothing_of_ours_is_left_in_the_users_namespace(run, ip):
    before = set(ip.user_ns)
    run("%%autograd\na = Value(2.0)\nb = a * a\nnames = dir()")
    new = {name for name in set(ip.user_ns) - before if not name.startswith("_")}
    assert new == {"a", "b", "names"}
    assert not any("glassgrad" in name for name in ip.user_ns["names"])


def test_nothing_keeps_the_users_graph(run, ip):
    run("%%autograd\na = Value(2.0)\nb = a * a\nb")
    gone = weakref.ref(ip.user_ns["b"])
    run("%reset -f")
    ip.last_execution_result = None
    gc.collect()
    assert gone() is None


def test_a_thousand_graphs_leave_nothing_behind(run, ip):
    run("a = Value(2.0)\nkept = []")
    for _ in range(3):
        run("%%autograd\nb = a * a\nc = b.tanh()\nc;")
    gone = [weakref.ref(ip.user_ns[name]) for name in "bc"]
    run("del b, c\nNone")
    run("%reset -f out")
    ip.last_execution_result = None
    Widget.close_all()
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


def test_no_function_of_the_cell_stays_changed(run, ip):
    cell = (
        "def f(x):\n    y = x * 2\n    return y + 1\n"
        "class Layer:\n    def __call__(self, x):\n        return x * 3\n"
        "v = Layer()(f(Value(1.0)))"
    )
    run(cell)
    plain = [ip.user_ns["f"].__code__, ip.user_ns["Layer"].__call__.__code__]
    run(f"%%autograd\n{cell}")
    magic = [ip.user_ns["f"].__code__, ip.user_ns["Layer"].__call__.__code__]
    assert [code.co_consts for code in magic] == [code.co_consts for code in plain]
    assert [code.co_code for code in magic] == [code.co_code for code in plain]


def test_a_functions_own_lines_are_shown_beside_the_line_that_calls_it(run):
    ran = run(
        "%%autograd\ndef f(x):\n    h = x + 1\n    return h * x\n\n"
        "a = Value(2.0)\ny = f(a)\nz = f(y)"
    )
    marks = {mark["line"]: mark for mark in ran.widgets[0].graph["code"]["marks"]}
    named = {
        line: [[ran.labels[node] for node in run] for run in mark.get("runs", [mark["nodes"]])]
        for line, mark in marks.items()
    }
    assert named[3] == [["h"], ["h"]]
    assert named[4] == [["y"], ["z"]]
    assert named[7] == [["1", "h", "y"]]
    assert {line for line, _ in source(ran).values()} == {6, 7, 8}


def test_comprehensions_and_generators_have_runs(run):
    ran = run(
        "%%autograd\nw = [Value(1.0), Value(2.0)]\n"
        "def squares(values):\n    for v in values:\n        yield v * v\n"
        "parts = [v * 3 for v in w]\ntotal = sum(squares(parts), Value(0.0))"
    )
    marks = {mark["line"]: mark for mark in ran.widgets[0].graph["code"]["marks"]}
    assert len(marks[6]["runs"]) == 2
    assert len(marks[5]["runs"]) == 2
    assert "runs" not in marks[7]


def test_a_function_can_be_pickled_by_value_while_its_cell_runs(run):
    import marshal

    ran = run(
        "%%autograd\nimport pickle\ndef f(x):\n    return x * 2\n"
        "consts = pickle.loads(pickle.dumps(f.__code__.co_consts))\nv = f(Value(3.0))"
    )
    assert ran.result.success
    assert marshal.dumps(run("f.__code__").result.result)


def test_generators_of_the_learner_that_outlive_a_cell_are_left_alone(run):
    run(
        "%%autograd\ndef g(x):\n    while True:\n        yield x * 2\n"
        "i = g(Value(2.0))\nv = next(i)"
    )
    assert run("next(i).data").result.result == 4.0


def test_the_magics_line_is_shown_as_it_was_typed(run):
    ran = run("%%autograd --no-backward\nx = 'typed'\nmissing")
    assert "1 %%autograd --no-backward\n      2 x = 'typed'\n----> 3 missing" in ran.stdout


def test_an_empty_cell_is_nothing_to_explain_but_says_so(run):
    for cell in ("", "\n\n", "# only a comment"):
        ran = run(f"%%autograd\n{cell}")
        assert ran.result.success
        assert ran.texts[0].startswith("This cell made no Value")


def test_the_magic_belongs_on_the_first_line(run, ip):
    with pytest.MonkeyPatch.context() as patch:
        shown = []
        patch.setattr(ip, "show_usage_error", lambda error: shown.append(str(error)))
        ran = run("import math\n%%autograd\ny = 1")
    assert not ran.result.success
    assert "%%autograd" in shown[0]
    assert "first" in ip.find_cell_magic("autograd").__doc__


def test_a_generator_that_outlives_its_cell_still_works(run, ip):
    run("%%autograd\na = Value(2.0)\nlater = (a * i for i in range(3))\nb = a * 1")
    assert run("[v.data for v in later]").result.result == [0.0, 2.0, 4.0]


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
