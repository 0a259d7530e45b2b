"""Whatever a class does, a check comes to an end and says something."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slips import RIGHT as SOURCE
from slips import build, compiled

import glassgrad as gg
from glassgrad.checks.grader import check

LINES = SOURCE.splitlines(keepends=True)
ODD = {
    "getattr answers everything": (
        "    def __repr__(self):",
        "    def __getattr__(self, name):\n        return self.__dict__.get(name, 0.5)\n\n"
        "    def __repr__(self):",
    ),
    "a property raises": (
        "    def __repr__(self):",
        "    @property\n    def secret(self):\n        raise RuntimeError('no')\n\n"
        "    def __repr__(self):",
    ),
    "a method leaves the process": (
        "    def __repr__(self):",
        "    def quit(self):\n        raise SystemExit(Value)\n\n    def __repr__(self):",
    ),
    "equality gives a Value": (
        "    def __repr__(self):",
        "    def __eq__(self, other):\n        return Value(1.0)\n\n"
        "    __hash__ = object.__hash__\n\n    def __repr__(self):",
    ),
    "truth raises": (
        "    def __repr__(self):",
        "    def __bool__(self):\n        raise TypeError('ambiguous')\n\n    def __repr__(self):",
    ),
    "representation raises": ('return f"Value(data={self.data})"', "raise ValueError('x')"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_class_is_checked(name):
    cls = build(name, ODD[name])
    assert str(check(cls)).startswith("Value (your class")
    assert check(cls(2.0) * cls(3.0)).graph is not None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("rule for ever", "self.grad += (1 - t**2) * out.grad",
         "while True:\n                pass"),
        ("forward for ever", "t = math.tanh(self.data)", "while True:\n            pass"),
        ("swallows everything", "self.grad += (1 - t**2) * out.grad",
         "try:\n                while True:\n                    pass\n"
         "            except Exception:\n                pass"),
    ],
)  # fmt: skip
def test_endless_class_is_stopped(name, old, new):
    report = check(build(name, (old, new)))
    assert not report.passed
    assert "does not come to an end" in str(report)


@settings(max_examples=15, deadline=None)
@given(line=st.integers(5, len(LINES) - 1))
def test_class_with_any_line_missing_gets_a_report(line):
    source = "".join(LINES[:line] + LINES[line + 1 :])
    try:
        cls = compiled(f"without {line}", source, "Value")
    except SyntaxError:
        return
    report = check(cls)
    assert all(problem.what and problem.slip for problem in report.problems), str(report)
    assert "text/html" in report._repr_mimebundle_()


def test_result_that_is_nan_is_wrong():
    report = check(build("nan", ("t = math.tanh(self.data)", "t = math.nan")))
    assert [problem.what for problem in report.problems] == ["x.tanh() has the wrong result"]
    assert report.problems[0].got == "nan"


def test_class_of_arrays_is_refused_in_words():
    cls = compiled(
        "arrays",
        "class Tensor:\n    def __init__(self, data):\n        self.data = [data]\n"
        "        self.grad = None\n",
        "Tensor",
    )
    report = gg.check(cls)
    assert "keeps its number in no attribute" in str(report)


def test_recursion_limit_and_tracing_are_given_back():
    import sys

    tracer, limit = sys.gettrace(), sys.getrecursionlimit()
    check(build("radd", ("return self + other", "return other + self")))
    assert (sys.gettrace(), sys.getrecursionlimit()) == (tracer, limit)
