"""Which result of a cell is differentiated, and what is asked where there are several."""

import pytest

from .conftest import LEARNERS_CLASS


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


@pytest.mark.parametrize(
    "root", ['losses["two"]', "losses['two']", "\"losses['two']\"", "'losses[\"two\"]'"]
)
def test_a_root_is_an_expression_with_quotes_of_its_own(run, root):
    ran = run(
        f"%%autograd --root {root} --precision 5\na = Value(2.0)\n"
        "losses = {'one': a + 1, 'two': a + 2}"
    )
    assert ran.column("data")[ran.graph["title"]] == 4.0


def test_a_dict_is_not_asked_in_its_own_way(run):
    run(
        "class Told(dict):\n    def items(self):\n        print('asked')\n    values = keys = items"
    )
    ran = run("%%autograd\na = Value(2.0)\ntold = Told(one=a * 2, two=a + 2)\ntold;")
    assert ran.texts[0].startswith("told is a Told of 2 results. Say which one: ")
    assert ran.stdout == ""


def test_the_question_can_be_answered(run):
    ran = run("%%autograd --root acc\na = Value(2.0)\nloss = a * a\nacc = a + 1")
    assert ran.widgets[0].graph["title"] == "acc"


def test_the_value_that_the_cell_drove_answers_which_result_is_meant(run):
    ran = run("%%autograd\na = Value(2.0)\nloss, acc = a * a, a + 1\nloss.backward()")
    assert ran.widgets[0].graph["title"] == "loss"


def test_an_empty_cell_is_nothing_to_explain_but_says_so(run):
    for cell in ("", "\n\n", "# only a comment"):
        ran = run(f"%%autograd\n{cell}")
        assert ran.result.success
        assert ran.texts[0].startswith("This cell made no Value")


@pytest.mark.parametrize(
    "cell",
    [
        "print((a * 2).data)",
        "kept['loss'] = a * 2",
        "def f(x):\n    return (x * 2).data\nn = f(a)",
        "y = a * 2\ny = 3",
        "print([Value(1.0)])",
    ],
)
def test_of_a_cell_whose_values_have_no_name_nobody_says_that_it_made_none(run, cell):
    run("a, kept = Value(2.0), {}")
    (text,) = run(f"%%autograd\n{cell}").texts
    assert text.startswith("No variable of this cell is a Value, so there is nothing to diff")
    (text,) = run("%%autograd\nprint(max([a], key=id).data, (lambda x: x)(a).data)").texts
    assert text.startswith("This cell made no Value")


def test_a_sum_is_offered_that_works_for_the_class(run):
    run(LEARNERS_CLASS + "\n    def __add__(self, other):\n        return self * other\n")
    ran = run("%%autograd\na = Mine(2.0)\nparts = [a * a, a * Mine(3.0)]")
    (text,) = ran.texts
    offered = text.rpartition("--root ")[2].rstrip(".")
    assert offered == "sum(parts[1:],parts[0])"
    assert run(f"%%autograd --root {offered}\nparts = parts").graph["nodes"]["label"][-1] == offered
    assert "sum" not in run("%%autograd\nparts = {'a': a * a, 'b': a * Mine(3.0)}").texts[0]


def test_what_the_root_raised_is_said_without_a_place_of_ours(run):
    (text,) = run("%%autograd --root 1/0\na = Value(2.0)").texts
    assert text == "--root 1/0 raised ZeroDivisionError: division by zero."
