"""One graph checked: the rule, the line, both numbers; everything of the user's stays as it was."""

import copy
import math

import pytest
from slips import SLIPS, build, compiled
from variants import VARIANTS

import glassgrad as gg
from glassgrad.checks.gradcheck import gradcheck
from glassgrad.checks.grader import check
from glassgrad.graphs.adapters.held import held

RIGHT = build("as it is")


def everything(root):
    """Return every attribute of every object behind a root."""
    found, waiting = {}, [root]
    while waiting:
        item = waiting.pop()
        if id(item) not in found:
            found[id(item)] = dict(vars(item))
            waiting += list(item._prev)
    return found


def shared(inner, x):
    return (inner + x) * inner


def by_name(name):
    return next(slip for slip in SLIPS if slip.name == name)


@pytest.mark.parametrize(
    ("name", "program", "says"),
    [
        ("tanh squares the whole", lambda x, y: x.tanh() * y, "squares the whole difference"),
        ("mul takes its own", lambda x, y: x * y + x, "swapped"),
        ("pow for squares", lambda x, y: x**3 * y, "holds for squares only"),
        ("log uses the result", lambda x, y: (x * x).log() + y, "divides by the result"),
        ("cube minus", lambda x, y: x.cube() * y, "wrong sign"),
        ("tanh assigns", lambda x, y: x.tanh() * x + y, "Use `+=`"),
        ("tanh without upstream", lambda x, y: x.tanh() * y, "out.grad"),
        ("not reversed", lambda x, y: x * y + x, "reversed"),
        ("append one indent left", lambda x, y: shared(x * y, x), "visited set"),
    ],
)
def test_wrong_graph_is_diagnosed(name, program, says):
    slip = by_name(name)
    cls = slip.build()
    root = program(cls(1.7), cls(-0.6))
    report = check(root)
    assert not report.passed, str(report)
    assert says in " ".join(problem.slip for problem in report.problems), str(report)
    if "visit" not in slip.line and "for" not in slip.line:
        assert slip.line in {problem.where.text for problem in report.problems}, str(report)


def test_wrong_edge_is_red_and_carries_both_numbers():
    cls = by_name("tanh squares the whole").build()
    x = cls(0.5)
    y = x.tanh() * 2.0
    report = check(y)
    (edge,) = report.marks
    assert report.graph.edges[edge].source == 0
    assert report.marks[edge] == "0.2893, not 0.7864"
    assert "0.2893, not 0.7864" in report.to_dot().source
    assert report.to_dot().source.count("#d92d20") >= 2


def test_rule_that_ran_often_is_one_problem():
    cls = by_name("tanh minus").build()
    x = cls(0.5)
    for _ in range(5):
        x = x.tanh()
    report = check(x)
    assert len(report.problems) == 1, str(report)
    assert "(5 times in this graph)" in report.problems[0].what


@pytest.mark.parametrize("name", [slip.name for slip in SLIPS if slip.name not in {
    "forgot return", "a float comes out", "neg takes other", "radd calls itself",
}])  # fmt: skip
def test_nothing_is_changed(name):
    cls = by_name(name).build()
    x, y = cls(1.7), cls(0.6)
    root = (x * y + x.tanh() * x).exp() + y
    x.grad, root.grad = 7.0, 3.0
    before = everything(root)
    check(root)
    assert everything(root) == before


@pytest.mark.parametrize("name", VARIANTS)
def test_nothing_is_changed_in_any_dialect(name):
    cls = VARIANTS[name]()
    x, y = cls(0.5), cls(-1.2)
    inner = x * y
    root = inner + x
    items = (x, y, inner, root)
    before = [{name: id(inside) for name, inside in held(item).items()} for item in items]
    check(root)
    gradcheck(root)
    after = [{name: id(inside) for name, inside in held(item).items()} for item in items]
    assert after == before


def test_class_check_leaves_no_trace():
    attributes = dict(vars(RIGHT))
    check(RIGHT)
    assert dict(vars(RIGHT)) == attributes


def test_right_graph_passes_whatever_ran_before():
    a, b = RIGHT(2.0), RIGHT(-3.0)
    c = a * b + a
    c.backward()
    c.backward()
    assert check(c).passed
    assert (a.grad, b.grad) != (0.0, 0.0)


@pytest.mark.parametrize("name", VARIANTS)
def test_graph_of_a_right_class_passes(name):
    cls = VARIANTS[name]()
    x, y = cls(0.5), cls(-1.2)
    report = check((x * y + x) * (x * y))
    assert report.passed, str(report)


def test_deep_copy_is_told():
    a, b = RIGHT(2.0), RIGHT(3.0)
    report = check(copy.deepcopy(a * b))
    assert not report.passed
    assert "belongs to other objects" in str(report)


def test_two_classes_of_one_name_are_told():
    old = build("as it is")
    a, b = old(2.0), RIGHT(3.0)
    b._prev = (a,)
    report = check(b)
    assert not report.passed
    assert "two classes called Value" in str(report)


def test_cycle_is_told():
    a = RIGHT(1.0)
    b = a + 1.0
    a._prev = (b,)
    report = check(b)
    assert not report.passed
    assert "one of its own inputs" in str(report)


@pytest.mark.parametrize("length", [3_000, 20_000])
def test_deep_graph_is_checked_and_the_recursion_noted(length):
    x = RIGHT(1.0)
    y = x
    for _ in range(length):
        y = y + x
    report = check(y)
    assert report.passed
    assert any("RecursionError" in note.what for note in report.notes)


def test_driver_that_never_returns_is_stopped():
    cls = build("endless", ("            visit(self)\n".removeprefix("    "),
                            "        while True:\n            pass\n"))  # fmt: skip
    assert not check(cls).passed
    report = check(cls(2.0) * cls(3.0))
    assert not report.passed
    assert "does not come to an end" in str(report)


def test_driver_that_walks_every_path_is_stopped():
    cls = by_name("no visited set").build()
    y = cls(1.0)
    for _ in range(30):
        y = y + y
    assert "does not come to an end" in str(check(y))


def test_free_function_as_driver():
    source = VARIANTS["the exercise"]
    cls = source()
    driver = cls.__dict__["backward"]
    del cls.backward
    assert check(cls, backward=driver).passed
    report = check(cls)
    assert [problem.what for problem in report.problems] == ["Value has no backward()"]


@pytest.mark.parametrize("thing", [None, 3, "text", [1.0], math])
def test_what_has_no_graph_is_refused(thing):
    with pytest.raises(TypeError):
        check(thing)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("class Value:\n    def __init__(self):\n        pass\n", "so nothing can be computed"),
        ("class Value:\n    def __init__(self, data):\n        pass\n", "keeps its number in no"),
        ("class Value:\n    def __init__(self, data):\n        self.data = data\n", "no gradient"),
    ],
)
def test_class_that_is_hardly_begun(source, says):
    report = check(compiled("begun", source, "Value"))
    assert not report.passed
    assert says in str(report)


def test_operation_made_by_hand_is_left_alone():
    x = gg.Value(1.3)
    out = gg.Value(x.data**5, (x,), "fifth")

    def fifth():
        x.grad += 5 * x.data**4 * out.grad

    out._backward = fifth
    report = check(out * 2.0)
    assert report.passed
    assert report.unchecked == ("fifth",)  # nobody knows how to run it again


def test_what_has_no_name_is_called_after_its_number():
    class Bare:
        def __init__(self, data, _prev=()):
            self.data, self.grad, self._prev = data, 0.0, _prev

    report = check(Bare(4.0, (Bare(2.0),)))
    assert report.subject == "Bare(4) (a graph of 2 values)"
    assert report.unchecked == ("Bare(4) (an operation without a name)",)
