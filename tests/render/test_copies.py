"""LaTeX and Mermaid: what the front end writes too, and what no label may become."""

import re
from dataclasses import replace

import pytest
from learner import value_class
from regenerate import COPIES, copies, text_of

import glassgrad as gg
from glassgrad.graphs.model import Graph


def test_the_texts_are_those_of_the_front_end():
    assert text_of(copies()) == COPIES.read_text()  # js/copy.test.ts holds the other side to it


@pytest.mark.parametrize("name", ["\\input{secret}", "$x$ %", "a b", "class", "\n\\end{align*}"])
def test_no_name_is_a_command_of_latex(name):
    a = gg.Value(2.0, label=name)
    text = gg.graph(a * 3).to_latex()
    assert text == "\\begin{align*}\nv_{0} &= 2 \\\\\nv_{2} &= v_{0} \\cdot 3 = 6\n\\end{align*}\n"


def test_names_that_differ_by_a_line_stay_apart():
    a, b = gg.Value(2.0, label="x1"), gg.Value(3.0, label="x_1")
    text = gg.graph(a * b).to_latex()
    assert "v_{2} &= x_{1} \\cdot \\mathrm{x\\_1} = 6" in text
    assert "x_{1} &= 3" in gg.graph(b * 2).to_latex()


def test_a_number_with_a_sign_or_a_power_stands_in_brackets():
    a = gg.Value(2.0, label="a")
    text = gg.graph(a * -0.5 + 1e-9).to_latex()
    assert "a \\cdot (-0.5) = -1" in text
    assert "v_{2} + (1 \\cdot 10^{-9}) = -1" in text


def test_an_operation_that_nobody_knows_is_a_number():
    kind = value_class(set)
    a = kind(2.0)
    b = kind(7.0, (a,), "mystery")
    assert gg.graph(b, {"a": a, "b": b}).to_latex() == (
        "\\begin{align*}\na &= 2 \\\\\nb &= 7\n\\end{align*}\n"
    )


@pytest.mark.parametrize("label", ['"]; click n0 "javascript:alert(1)"', "<b>", "`x`", "a\nb", "#"])
def test_no_label_leaves_its_quotes_in_mermaid(label):
    text = gg.graph(gg.Value(2.0, label=label)).to_mermaid()
    heading, card, end = text.split("\n")
    assert (heading, end) == ("flowchart LR", "")
    assert re.fullmatch(r'  n0\["[\w#; ]*<br/>data 2"\]', card)


@pytest.mark.parametrize("write", [Graph.to_latex, Graph.to_mermaid])
def test_a_large_graph_says_what_is_missing(write):
    total = gg.Value(0.0)
    for _ in range(700):
        total = total + 1.0
    first = write(gg.graph(total)).split("\n")[0]
    assert re.fullmatch("%%? 1,401 values; these are the 1,000 nearest the last.", first)


def test_mermaid_has_a_direction(tmp_path):
    widget = gg.show(gg.Value(2.0) * 3, rankdir="TB")
    assert widget.save(tmp_path / "x.mmd").read_text().startswith("flowchart TB\n")
    widget.close()


@pytest.mark.parametrize(("symbol", "made"), [("−", ""), ("+", "x + y = ")])
def test_operands_in_an_order_that_nobody_knows_make_no_difference(symbol, made):
    x, y = gg.Value(5.0), gg.Value(3.0)
    graph = gg.graph(x - y if symbol == "−" else x + y, {"x": x, "y": y})
    edges = replace(graph.edge_columns, operand=(None, None))
    text = replace(graph, edge_columns=edges).to_latex()
    assert f"v_{{2}} &= {made}{graph.root.data:g}\n" in text
