"""Pictures: labels that cannot break them, and machines without Graphviz."""

import shutil
import subprocess
import sys
from xml.etree import ElementTree

import graphviz
import pytest
from graphviz.backend import dot_command
from hypothesis import given, settings
from hypothesis import strategies as st
from learner import value_class

import glassgrad as gg
from glassgrad.render import picture as picture_module

HOSTILE = [
    "P(x|y) {0} <b>",
    "<lambda> <map>",
    "<img src=x onerror=alert(1)>",
    "</script>",
    r"\n \N \G \L \\ \E",
    "\"quoted\" 'twice'",
    "& &amp; &#92;N",
    "%s {label} ${x}",
    "日本 ∂ é",
]


def texts(svg):
    """Return what a reader of the picture sees, piece by piece; the room behind it is not seen."""
    root = ElementTree.fromstring(svg)
    return [node.text.rstrip("\xa0") for node in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("label", HOSTILE)
@pytest.mark.parametrize("cls", [gg.Value, value_class(set)])
def test_label_appears_literally(label, cls):
    a = cls(1.0, label=label)
    assert label in texts(gg.graph(a * 2).to_svg())


@pytest.mark.parametrize("op", HOSTILE)
def test_operation_appears_literally(op):
    value = value_class(tuple)
    a = value(1.0)
    b = value(1.0, (a,), op)
    assert op in texts(gg.graph(b).to_svg())


@settings(max_examples=30, deadline=None)
@given(label=st.text(max_size=12))
def test_no_label_breaks_the_picture(label):
    svg = gg.graph(gg.Value(1.0, label=label)).to_svg()
    assert "data" in texts(svg)


def test_picture_shows_names_numbers_and_signs():
    a, b = gg.Value(2.0), gg.Value(-3.0)
    c = a * b + a
    c.backward()
    svg = gg.graph(c).to_svg()
    shown = texts(svg)
    assert [text for text in shown if text in ("a", "b", "a * b", "c", "×", "+")]
    for text in ("a", "b", "a * b", "c", "×", "+", "−6", "−4"):
        assert any(text == piece.strip() for piece in shown), text
    assert "#b4540a" in svg
    assert "#1f6fc5" in svg
    assert "not run" not in shown


def test_before_backward_the_picture_says_not_run():
    shown = texts(gg.graph(gg.Value(2.0) * 3).to_svg())
    assert shown.count("not run") == 3


def test_edge_along_which_a_rule_does_wrong_is_red_broken_and_says_why():
    value = value_class(set, assigning=True)
    x = value(0.5)
    lines = gg.graph(x.tanh() * x, {"x": x}).to_dot().source.splitlines()
    (wrong,) = [line for line in lines if "label=<replaces>" in line]
    assert "value0 -> op1" in wrong
    assert "#d92d20" in wrong
    assert "style=dashed" in wrong


def test_shared_value_is_drawn_once():
    a, b = gg.Value(1.0), gg.Value(2.0)
    s = a + b
    source = gg.graph(s * s).to_dot().source
    assert source.count("<b>s&#160;") == 1
    assert source.count("-> op3") == 2


def test_numbers_of_numpy_read_as_numbers():
    import numpy as np

    value = value_class(set)
    shown = texts(gg.graph(value(np.float64(0.5))).to_svg())
    assert any("0.5" in text for text in shown)
    assert not any("np" in text for text in shown)


def test_large_graph_is_cut_with_a_sentence():
    total = gg.Value(0.0)
    for _ in range(1200):
        total = total + 1.0
    dot = gg.draw_dot(total)
    assert "2,401 values; showing the 1,000 nearest total." in dot.source
    assert dot.source.count("<table") == 1000


# -- draw_dot and trace ---------------------------------------------------------------------------


def test_draw_dot_is_the_lectures():
    a = gg.Value(2.0)
    dot = gg.draw_dot(a * a, format="png", rankdir="TB")
    assert isinstance(dot, graphviz.Digraph)
    assert dot.format == "png"
    assert "rankdir=TB" in dot.source
    assert dot.pipe()[:4] == b"\x89PNG"


def test_draw_dot_takes_a_graph():
    graph = gg.graph(gg.Value(2.0) * 3)
    assert gg.draw_dot(graph).source == graph.to_dot().source


def test_draw_dot_writes_a_file(tmp_path):
    path = gg.draw_dot(gg.Value(2.0) * 3).render("graph", directory=tmp_path)
    assert path.endswith("graph.svg")
    assert (tmp_path / "graph.svg").read_text().rstrip().endswith("</svg>")


@pytest.mark.parametrize(
    ("options", "words"), [({"rankdir": "XY"}, "'LR' or 'TB'"), ({"format": "bmpx"}, "bmpx")]
)
def test_draw_dot_refuses_what_it_does_not_know(options, words):
    with pytest.raises(ValueError, match=words):
        gg.draw_dot(gg.Value(2.0), **options)


@pytest.mark.parametrize("cls", [gg.Value, value_class(set), value_class(tuple)])
def test_trace_returns_the_users_objects(cls):
    a, b = cls(2.0), cls(-3.0)
    d = a * b
    c = d + a
    nodes, edges = gg.trace(c)
    assert nodes == {a, b, c, d}
    assert edges == {(a, d), (b, d), (d, c), (a, c)}


def test_trace_has_a_value_for_a_number():
    nodes, _ = gg.trace(gg.Value(2.0) * 3)
    assert sorted(node.data for node in nodes) == [2.0, 3.0, 6.0]


# -- programs -------------------------------------------------------------------------------------


@pytest.fixture
def no_program(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)


@pytest.fixture
def only_bundled(monkeypatch):
    """A machine without a system Graphviz."""
    which = shutil.which
    monkeypatch.setattr(
        shutil,
        "which",
        lambda name, **options: None if str(name) == "dot" else which(name, **options),
    )


def test_bundled_program_draws_and_is_forgotten(only_bundled):
    usual = dot_command.DOT_BINARY
    assert "</svg>" in gg.graph(gg.Value(2.0)).to_svg()
    assert usual == dot_command.DOT_BINARY


def test_program_is_forgotten_when_drawing_fails(only_bundled):
    usual = dot_command.DOT_BINARY
    broken = picture_module.Picture(body=["this is not DOT {"])
    with pytest.raises(subprocess.CalledProcessError):
        broken.pipe(format="svg")
    assert usual == dot_command.DOT_BINARY


def test_system_program_comes_first(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name, **_: f"/bin/{name}")
    with picture_module.dot_program():
        assert str(dot_command.DOT_BINARY) == "dot"


def test_without_a_program_one_sentence(no_program):
    graph = gg.graph(gg.Value(2.0))
    with pytest.raises(
        RuntimeError, match=r"A picture needs Graphviz.*pip install 'glassgrad\[static\]'"
    ):
        graph.to_svg()


def test_without_a_program_a_notebook_shows_the_tree(no_program):
    a = gg.Value(2.0)
    bundle = gg.draw_dot(a)._repr_mimebundle_()
    assert bundle == {"text/plain": "a    data 2    grad not run"}


def test_with_a_program_a_notebook_shows_both():
    a = gg.Value(2.0)
    bundle = gg.draw_dot(a)._repr_mimebundle_()
    assert sorted(bundle) == ["image/svg+xml", "text/plain"]
    assert "a" in texts(bundle["image/svg+xml"])


def test_drawing_warns_nobody(capfd):
    gg.draw_dot(gg.Value(-2.0, label="∂日本")).pipe()
    assert capfd.readouterr().err == ""


def test_reading_a_graph_does_not_load_graphviz():
    program = (
        "import sys, glassgrad as gg; str(gg.graph(gg.Value(2.0) * 3));"
        "print('graphviz' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_layout_of_a_long_chain_on_one_leaf_is_kept_within_bounds():
    a = gg.Value(1.0)
    short, long = a, a
    for turn in range(200):
        long = long + a
        short = short + a if turn < 20 else short
    assert "nslimit=0.02" in gg.graph(long).to_dot().source
    assert "nslimit" not in gg.graph(short).to_dot().source
    assert gg.graph(long).to_svg().count('class="node"') > 400
