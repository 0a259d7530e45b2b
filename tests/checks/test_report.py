"""The report: text in the voice of the house, HTML that is only text, a picture."""

import re
import sys
from html.parser import HTMLParser

import pytest
from learner import value_class
from slips import SLIPS, build

import glassgrad as gg
from glassgrad.checks.grader import check
from glassgrad.checks.report import Place, Problem, Report


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in ("br", "img", "path", "polygon", "ellipse"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()


def by_name(name):
    return next(slip for slip in SLIPS if slip.name == name).build()


def test_text_reads_as_promised():
    lines = str(check(by_name("tanh assigns"))).splitlines()
    assert re.fullmatch(
        r"Value \(your class, <tanh assigns>\): 1 gradient wrong, \d fragile, \d+ checks passed",
        lines[0],
    )
    assert lines[1] == ""
    assert re.fullmatch(
        r"✗ tanh loses a contribution when its input is used twice +line \d+", lines[2]
    )
    assert lines[3] == "    x.tanh() * x at x = 0.5:  expected x.grad 0.8553, got 0.3932"
    assert lines[4] == (
        "    `self.grad = (1 - t**2) * out.grad` replaces what was there. Use `+=`."
    )


def test_number_on_the_left_reads_as_promised():
    text = str(check(by_name("rsub turned")))
    assert "`__rsub__` computes self - other; the number is on the left." in text
    assert "5 - x at x = 2:  expected 3, got -3" in text


def test_html_is_escaped_closed_and_loads_nothing():
    hostile = Problem(
        "<script>alert(1)</script>", where=Place(1, "<img src=x onerror=alert(1)>", "<cell>"),
        trial="<a>", expected="&", got="</li>", slip='"quoted" <b>',
    )  # fmt: skip
    report = Report("<style>", (hostile,), unchecked=("<i>",))
    html = report._repr_mimebundle_()["text/html"]
    tags = Tags()
    tags.feed(html)
    assert set(tags.seen) <= {"div", "style", "b", "ul", "li", "span", "code", "p"}
    assert tags.open == []
    assert html.count("<style>") == 1
    assert "src=" not in re.sub(r"&lt;.*?&gt;", "", html)


def test_code_in_a_sentence_is_set_as_code():
    problem = Problem("wrong", slip="`a < b` replaces what was there. Use `+=`.")
    html = Report("Value", (problem,))._repr_mimebundle_()["text/html"]
    assert "<code>a &lt; b</code> replaces what was there. Use <code>+=</code>." in html
    assert "`" not in html


def test_report_of_a_slip_shows_its_graph():
    report = check(by_name("tanh squares the whole"))
    shown = report._repr_mimebundle_()
    assert shown["text/plain"] == str(report)
    assert "0.2893, not 0.7864" in shown["text/html"].replace("−", "-")
    assert "<svg" in shown["text/html"]
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", shown["text/html"])


def test_picture_of_a_wrong_order_has_the_names_of_the_trial():
    report = check(by_name("naive recursion"))
    labels = {node.label for node in report.graph.nodes}
    assert {"x", "k", "x * k"} <= labels
    assert "x.grad 66" in report.problems[0].got


def test_passed_report_has_no_picture():
    report = check(gg.Value)
    assert "<svg" not in report._repr_mimebundle_()["text/html"]
    assert report.to_dot() is None


def test_severities_decide_what_fails():
    fragile, missing = Problem("f", "fragile"), Problem("m", "missing")
    report = Report("x", (fragile, missing), 3)
    assert (report.problems, report.notes, report.passed) == ((missing,), (fragile,), False)
    assert report.summary == "x: 1 missing, 1 fragile, 3 checks passed"
    assert str(report).index("✗ m") < str(report).index("! f")


def test_checks_need_no_ipython(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("glassgrad.checks")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "IPython", None)  # an import of it would raise
    from glassgrad.checks.grader import check as again

    assert again(gg.Value).passed


def test_prints_of_the_class_are_dropped(capsys):
    cls = build("loud", ("        visit(self)\n", "        print(self)\n        visit(self)\n"))
    assert check(cls).passed
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("text", ["{line} {x}", "a {0} b"])
def test_braces_in_names_stay_what_they_are(text):
    a = gg.Value(2.0)
    a.label = text
    assert check(a * a).passed


def test_the_two_numbers_are_totals_over_both_uses():
    class Value(value_class(set)):
        def __add__(self, other):
            out = Value(self.data + other.data, (self, other), "+")

            def rule():
                self.grad = out.grad
                other.grad = out.grad

            out._backward = rule
            return out

    assert set(gg.check(Value).marks.values()) == {"1, not 2"}
