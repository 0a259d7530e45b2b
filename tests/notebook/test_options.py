"""The options of the magic: what each does, its help, its completion; what is said of others."""

import pytest
from IPython.core.completer import provisionalcompleter

from glassgrad.notebook.options import OPTIONS, split
from glassgrad.notebook.recordings import Recording

CELL = "a, b = Value(2.0), Value(-3.0)\nc = a * b + a"


def messages(ran):
    (widget,) = ran.widgets
    return widget.graph["messages"]


def test_accumulate_adds_and_says_so(run, ip):
    run("a = Value(3.0)\n(a * a).backward()")
    ran = run("%%autograd --accumulate\nc = a * 2")
    assert ip.user_ns["a"].grad == 8.0
    (message,) = messages(ran)
    assert message.startswith("a.grad is 8, and this graph accounts for 2 of it")


def test_a_cell_that_is_run_again_clears_what_it_left_and_is_silent(run, ip):
    run("a = Value(3.0)")
    first = run("%%autograd\nc = a * a")
    again = run("%%autograd\nc = a * a")
    assert ip.user_ns["a"].grad == 6.0
    assert messages(again) == []
    assert first.widgets[0].comm is None  # its panel is gone
    assert again.widgets[0].comm is not None
    other = run("%%autograd\nd = a * 3")
    assert messages(other) == [
        "a.grad still held 6 from cell 4; all gradients were set to 0 first."
    ]
    assert again.widgets[0].comm is not None


def test_step_opens_at_the_first_step_of_backward(run):
    assert run(f"%%autograd --step\n{CELL}").widgets[0].step == 4
    assert run(f"%%autograd\n{CELL}").widgets[0].step == -1


def test_by_hand_leaves_the_gradients_to_the_learner(run, ip):
    run("a = Value(3.0)\n(a * a).backward()")
    ran = run("%%autograd --by-hand\nc = a * 2")
    assert ran.widgets[0].mode == "by hand"
    assert not ran.widgets[0].numbers["ran"]
    assert ip.user_ns["a"].grad == 0.0


def test_predict_opens_its_mode(run):
    ran = run(f"%%autograd --predict\n{CELL}")
    assert ran.widgets[0].numbers["ran"]
    assert (ran.widgets[0].mode, messages(ran)) == ("predict", [])


def test_precision_and_direction_are_those_of_the_picture(run):
    (widget,) = run(f"%%autograd --precision 7 --rankdir TB\n{CELL}").widgets
    assert (widget.precision, widget.rankdir) == (7, "TB")


def test_text_prints_columns(run):
    ran = run(f"%%autograd --text\n{CELL}")
    assert ran.widgets == []
    assert ran.texts[0].splitlines() == [
        "2  a, b = Value(2.0), Value(-3.0)   a       data  2   grad -2",
        "                                    b       data -3   grad  2",
        "3  c = a * b + a                    a * b   data -6   grad  1   "
        "d(a * b)/da = b, d(a * b)/db = a",
        "                                    c       data -4   grad  1   "
        "dc/d(a * b) = 1, dc/da = 1",
    ]


def test_text_shows_the_newest_run_and_the_failing_line(run):
    ran = run("%%autograd --text\nx = Value(2.0)\nfor _ in range(3):\n    x = x * x\nx.nothing()")
    lines = ran.texts[0].splitlines()
    assert lines[2].startswith("  4      x = x * x  (3 of 3)   x   data 256")
    assert lines[3] == "✗ 5  x.nothing()"


def test_as_binds_what_was_recorded(run, ip):
    run(f"%%autograd --as r\n{CELL}")
    recording = ip.user_ns["r"]
    assert isinstance(recording, Recording)
    assert recording.graph.root.label == "c"
    assert [(line.number, [node.label for node in line.nodes]) for line in recording.lines] == [
        (2, ["a", "b"]),
        (3, ["a * b", "c"]),
    ]
    assert recording.show(rankdir="TB").graph["code"]["first"] == 2
    with pytest.raises(TypeError, match="no option colour"):
        recording.show(colour="red")
    run("%%autograd --as r\nx = 'nothing'")
    assert "This cell made no Value" in ip.user_ns["r"].to_text()


def test_check_shows_the_report_in_place(run):
    ran = run(f"%%autograd --check\n{CELL}")
    (report,) = ran.texts
    assert "passed" in report


def test_check_names_values_as_the_cell_does(run):
    run(
        "class Plain:\n    def __init__(self, data, _prev=()):\n"
        "        self.data, self.grad, self._prev = data, 0.0, _prev\n"
        "        self._backward = lambda: None\n"
        "def twice(a):\n    out = Plain(a.data * 2, (a,))\n"
        "    def rule():\n        a.grad += 3 * out.grad\n    out._backward = rule\n"
        "    return out"
    )
    ran = run("%%autograd --check\na = Plain(2.0)\na = twice(twice(a))\na = twice(a)\na.data")
    (report,) = ran.texts
    assert report.startswith("a (a graph of 4 values): 1 gradient wrong")
    assert "twice(a) sends a wrong gradient to a (3 times in this graph)" in report
    assert "?" not in report


def test_check_says_which_operation_it_could_not_check(run):
    run(
        "class Bare:\n    def __init__(self, data, _prev=()):\n"
        "        self.data, self.grad, self._prev = data, 0.0, _prev"
    )
    (report,) = run("%%autograd --check\na = Bare(2.0)\nb = Bare(4.0, (a,))").texts
    assert report.endswith("Not checked: b (an operation without a name).")


def test_numeric_measures_each_input_with_the_lectures_formula(run):
    ran = run("%%autograd --numeric 0.001\nx = Value(3.0)\ny = 3 * x**2 - 4 * x + 5")
    measured = ran.widgets[0].graph["code"]["measured"]
    by_name = dict(zip(ran.labels, measured["slope"], strict=True))
    assert measured["h"] == 0.001
    assert by_name["x"] == pytest.approx(14.003)
    assert by_name["y"] is None
    assert run("%%autograd --numeric\nz = x * 2").widgets[0].graph["code"]["measured"]["h"] == 1e-4


def test_numeric_reads_a_class_of_ones_own_and_changes_nothing(run, ip):
    run(
        "class Mine:\n"
        "    def __init__(self, data, _prev=(), _op=''):\n"
        "        self.data, self.grad, self._prev, self._op = data, 0.0, _prev, _op\n"
        "        self._backward = lambda: None\n"
        "    def __mul__(self, other):\n"
        "        out = Mine(self.data * other.data, (self, other), '*')\n"
        "        def _backward():\n"
        "            self.grad += other.data * out.grad\n"
        "            other.grad += self.data * out.grad\n"
        "        out._backward = _backward\n"
        "        return out\n"
        "    def odd(self):\n"
        "        out = Mine(self.data % 7, (self,), 'odd')\n"
        "        return out\n"
        "    def backward(self):\n"
        "        self.grad = 1.0\n"
        "        self._backward()\n"
    )
    ran = run("%%autograd --numeric 0.5\nx = Mine(3.0)\ny = x * x")
    assert ran.widgets[0].graph["code"]["measured"]["slope"][0] == 6.5
    assert (ip.user_ns["x"].data, ip.user_ns["y"].data) == (3.0, 9.0)
    ran = run("%%autograd --numeric\nz = x.odd()")
    assert any("--numeric is not available for x" in text for text in messages(ran))


LECTURE = (
    "h = 0.0001\n"
    "a = 2.0; b = -3.0; c = 10.0\n"
    "d1 = a*b + c\n"
    "c += h\n"
    "d2 = a*b + c\n"
    "print('slope', (d2 - d1) / h)"
)


def test_lift_makes_the_cells_of_the_lecture_differentiable(run, ip):
    ran = run("%%autograd --lift\na, b = 2.0, -3.0\nc = 10\nd = a*b + c")
    assert {name: ip.user_ns[name].grad for name in "abcd"} == {
        "a": -3.0,
        "b": 2.0,
        "c": 1.0,
        "d": 1.0,
    }
    assert ran.labels == ["a", "b", "a*b", "c", "d"]
    assert "slope Value(data=" in run(f"%%autograd --lift --root d2\n{LECTURE}").stdout


def test_lift_leaves_counts_indices_and_truth_alone(run, ip):
    run(
        "%%autograd --lift\nn, k, yes, x = 3, 1, True, 2.0\nw = [x, x]\n"
        "for i in range(n):\n    x = x * w[k]"
    )
    assert {name: type(ip.user_ns[name]).__name__ for name in ("n", "k", "yes", "x")} == {
        "n": "int",
        "k": "int",
        "yes": "bool",
        "x": "Value",
    }


def test_lift_uses_the_learners_own_class(run, ip):
    run("class Value(Value):\n    pass")
    run("%%autograd --lift\na = 2.0\nb = a * a")
    assert type(ip.user_ns["b"]).__name__ == "Value"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("--rot x", "there is no option --rot, did you mean --root"),
        ("--nothing", "there is no option --nothing, did you mean --no-backward"),
        ("loss", "loss belongs to no option, to differentiate it write --root loss"),
        ("--root", "--root needs a name"),
        ("--precision 99", "--precision needs a whole number from 1 to 17"),
        ("--rankdir UP", "--rankdir needs LR or TB"),
        ("--numeric zero", "--numeric needs a step such as 0.001"),
        ("--numeric 0", "--numeric needs a step such as 0.001"),
        ("--as 1x", "--as needs a name for a variable"),
        ("--root 'x", "no closing quotation"),
    ],
)
def test_a_wrong_option_is_one_sentence_and_nothing_runs(run, ip, line, what):
    with pytest.MonkeyPatch.context() as patch:
        shown = []
        patch.setattr(ip, "show_usage_error", lambda error: shown.append(str(error)))
        ran = run(f"%%autograd {line}\nx = 1")
    assert not ran.result.success
    assert shown == [f"%%autograd: {what}; %%autograd? lists the options."]
    assert "x" not in ip.user_ns


def test_help_lists_every_option(ip):
    doc = ip.find_cell_magic("autograd").__doc__
    for option, row in OPTIONS.items():
        assert option in doc
        assert row.help.split()[0] in doc
    assert "<" not in doc


def complete(ip, text):
    with provisionalcompleter():
        return [found.text for found in ip.Completer.completions(text, len(text))]


def test_completion(ip, run):
    run("alpha = Value(1.0)\nbeta = 3")
    assert complete(ip, "%%autograd --ro") == ["--root"]
    assert "--lift" in complete(ip, "%%autograd --text --")
    assert "--text" not in complete(ip, "%%autograd --text --")
    assert complete(ip, "%%autograd --rankdir ") == ["LR", "TB"]
    assert complete(ip, "%autograd --root al") == ["alpha"]
    assert "beta" not in complete(ip, "%%autograd --root ")
    assert "alpha" in complete(ip, "%%autograd\nx = al")
    assert "--root" not in complete(ip, "x = 1 --ro")


def test_the_line_magic_differentiates_an_expression(run, ip):
    run("a, b = Value(2.0), Value(-3.0)")
    ran = run("x = 1\n%autograd a * b")
    assert ran.widgets[0].graph["title"] == "a * b"
    assert ip.user_ns["a"].grad == -3.0
    assert ran.result.result.data == -6.0
    assert "Value(data=-6.0, grad=1.0)" in ran.stdout
    ran = run("%autograd --text --as r -a * b")
    assert ran.texts[0].startswith("-a * b ")
    assert ip.user_ns["r"].graph.root.data == 6.0


def test_the_line_magic_wants_an_expression(run, ip):
    with pytest.MonkeyPatch.context() as patch:
        shown = []
        patch.setattr(ip, "show_usage_error", lambda error: shown.append(str(error)))
        run("%autograd")
        run("%autograd --numeric")
    assert len(shown) == 2
    assert all("give it something to differentiate" in sentence for sentence in shown)


def test_options_end_where_the_expression_begins():
    assert split("--root c --no-backward f(x) - 1") == ("--root c --no-backward", "f(x) - 1")
    assert split("--numeric 0.1 a") == ("--numeric 0.1", "a")
    assert split("--numeric -a") == ("--numeric", "-a")
