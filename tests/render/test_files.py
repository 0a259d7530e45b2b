"""Files: one per format, whole or not there, and one sentence where none can be written."""

import json
import os
import stat
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest
from graphviz.backend import dot_command

import glassgrad as gg
from glassgrad.render import files, picture
from glassgrad.render.image import to_png
from glassgrad.render.picture import NoProgramError

ALL = sorted(files.SUFFIXES)


@pytest.fixture
def product():
    a, b = gg.Value(2.0, label="a"), gg.Value(-3.0, label="b")
    c = a * b + a
    c.backward()
    return c


@pytest.fixture(params=["graph", "widget", "recording"])
def saved(request, product):
    """Each thing that can be saved."""
    if request.param == "graph":
        yield gg.graph(product)
    elif request.param == "recording":
        with gg.record() as recording:
            product = product * 1
        yield recording
    else:
        widget = gg.show(product)
        yield widget
        widget.close()


@pytest.mark.parametrize("suffix", [suffix for suffix in ALL if suffix != ".pdf"])
def test_every_format(saved, suffix, tmp_path):
    path = tmp_path / f"c{suffix}"
    assert saved.save(path) == path
    content = path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]
    if suffix == ".png":
        assert content.startswith(b"\x89PNG")
        return
    text = content.decode()
    assert text.endswith("\n")
    if suffix == ".svg":
        assert ElementTree.fromstring(text).tag.endswith("svg")
    if suffix == ".json":
        assert json.loads(text)["numbers"]["data"][:2] == [2.0, -3.0]
    assert {
        ".svg": "<title>value0</title>",
        ".html": "<!doctype html>",
        ".dot": "digraph {",
        ".txt": "data  2    grad -2",
        ".json": '"format": "glassgrad"',
        ".mmd": "flowchart LR",
        ".tex": "\\begin{align*}",
    }[suffix] in text


def test_a_picture_has_the_direction_of_the_widget(product, tmp_path):
    widget = gg.show(product, rankdir="TB")
    assert "rankdir=TB" in widget.save(tmp_path / "c.dot").read_text()
    svg = ElementTree.parse(widget.save(tmp_path / "c.svg")).getroot()
    assert float(svg.get("height").strip("pt")) > float(svg.get("width").strip("pt"))
    widget.close()


def test_a_page_is_the_widget_as_it_is_now(product, tmp_path):
    widget = gg.show(product, theme="dark")
    widget.step, widget.precision = 5, 7
    page = widget.save(tmp_path / "c.html").read_text()
    begin = page.index(">", page.index('id="traits"')) + 1
    traits = json.loads(page[begin : page.index("</script>", begin)])
    assert (traits["step"], traits["precision"], traits["theme"]) == (5, 7, "dark")
    assert traits["graph"] == widget.graph
    assert not {"layout", "tooltip", "tabbable", "_esm", "_css"} & set(traits)
    widget.close()


@pytest.mark.parametrize(
    "label", ["</script><b>", "<!-- <script>", "</noscript>", "${x} $text &amp;"]
)
def test_no_label_breaks_a_page(label, tmp_path):
    root = gg.Value(2.0, label=label) * 3
    page = gg.graph(root).save(tmp_path / "x.html").read_text()
    assert page.count("<!--") == 0
    assert page.count("</script>") == page.count("<script") == 3
    assert page.count("<noscript>") == page.count("</noscript>") == 1
    assert "<b>" not in page


def test_names_are_as_a_shell_takes_them(product, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    graph = gg.graph(product)
    assert graph.save("~/home.TXT") == tmp_path / "home.TXT"
    assert graph.save("here.txt") == Path("here.txt")
    assert (tmp_path / "home.TXT").read_text() == (tmp_path / "here.txt").read_text()


def test_a_file_is_replaced_and_keeps_its_permissions_and_its_link(product, tmp_path):
    path, link = tmp_path / "c.txt", tmp_path / "link.txt"
    path.write_text("before")
    path.chmod(0o640)
    link.symlink_to(path)
    gg.graph(product).save(link)
    assert link.is_symlink()
    assert "data" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_of_any_other(product, tmp_path):
    (tmp_path / "other").write_text("")
    path = gg.graph(product).save(tmp_path / "c.txt")
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode


def test_what_fails_leaves_what_was_there(product, tmp_path, monkeypatch):
    path = tmp_path / "c.txt"
    path.write_text("before")

    def full(_file, _content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match=r"^c.txt could not be written .*no space left on device"):
        gg.graph(product).save(path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of its own to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "error", "sentence"),
    [
        (3, TypeError, r"save\(\) needs the name of a file, such as 'graph.svg'; got 3\."),
        (None, TypeError, r"save\(\) needs the name of a file, .* got None\."),
        ("picture", ValueError, r"'picture' does not say which format .*: end the name with \.svg"),
        (".svg", ValueError, r"'.svg' does not say which format it should have"),
        ("c.bmp", ValueError, r"c\.bmp would be in a format that there is not: end .* or \.txt\."),
        ("nowhere/c.svg", FileNotFoundError, r"c\.svg was not saved, .* no folder 'nowhere'"),
        ("c\0.svg", ValueError, r"c\0\.svg could not be written in the folder .*null (byte|char)"),
        ("c\ud800.svg", ValueError, r"could not be written in the folder .*surrogates"),
        (
            f"{'c' * 300}.svg",
            OSError,
            r"^c+\.svg could not be written in .*name too long",
        ),
        ("folder.svg", IsADirectoryError, r"'folder.svg' is a folder: give the file another name"),
    ],
)
def test_a_wrong_name_gets_one_sentence(path, error, sentence, here, product):
    (here / "folder.svg").mkdir()
    widget = gg.show(product)
    for saved in (gg.graph(product), widget):
        with pytest.raises(error, match=sentence) as raised:
            saved.save(path)
        assert str(raised.value).count("\n") == 0
    widget.close()
    assert [item.name for item in here.iterdir()] == ["folder.svg"]


def test_without_graphviz_a_sentence_names_what_to_install(product, tmp_path, monkeypatch):
    monkeypatch.setattr(picture, "_bundled", lambda: None)
    monkeypatch.setattr(picture, "has_dot", lambda: False)
    for name in ("c.svg", "c.png"):
        with pytest.raises(NoProgramError, match=rf"^{name} needs Graphviz.*'glassgrad\[static\]'"):
            gg.graph(product).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    for suffix in (".html", ".dot", ".json", ".txt"):
        assert gg.graph(product).save(tmp_path / f"c{suffix}").stat().st_size > 0
    assert "<pre>product = a * b + a" in (tmp_path / "c.html").read_text()
    assert "data:image/svg" not in (tmp_path / "c.html").read_text()


@pytest.fixture
def own_program(tmp_path, monkeypatch):
    """A program of the name that Graphviz has, which writes down what it is asked."""
    program = tmp_path / "bin" / dot_command.DOT_BINARY
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "%PDF $*"\nexec cat\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.usefixtures("own_program")
def test_a_pdf_is_drawn_by_graphviz_itself(product, tmp_path):
    content = gg.graph(product).save(tmp_path / "c.pdf").read_text()
    asked, _, dot = content.partition("\n")
    assert asked == "%PDF -Kdot -Tpdf"
    assert dot.startswith("digraph {")


def test_without_graphviz_itself_a_pdf_is_refused(product, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoProgramError, match=r"install Graphviz, or save as \.svg or \.html"):
        gg.graph(product).save(tmp_path / "c.pdf")
    assert list(tmp_path.iterdir()) == []


def test_a_picture_of_many_values_has_fewer_dots_to_an_inch():
    total = gg.Value(0.0)
    sizes = []
    for count in (60, 60):
        for _ in range(count):
            total = total + 1.0
        png, svg = to_png(gg.graph(total)), ElementTree.fromstring(gg.graph(total).to_svg())
        sizes.append(struct.unpack(">I", png[16:20])[0] / float(svg.get("width").strip("pt")))
    assert sizes == pytest.approx([192 / 72, 96 / 72], rel=0.01)
