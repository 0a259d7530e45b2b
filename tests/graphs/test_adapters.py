"""Adapters of others: registered by hand, and announced by packages."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

import glassgrad as gg
from glassgrad.graphs import adapters
from glassgrad.graphs.adapters import Record


class Entry:
    __module__ = "somebodys.library.values"

    def __init__(self, number, operands=(), slopes=None):
        self.line = (number, operands, slopes)


class EntryAdapter:
    def reads(self, value):
        return isinstance(value, Entry)

    def record(self, value):
        number, operands, slopes = value.line
        return Record(op="*" if operands else "", data=number, operands=operands, slopes=slopes)


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setattr(adapters, "_BY_MODULE", dict(adapters._BY_MODULE))
    return gg.register_adapter


def product():
    a, b = Entry(2.0), Entry(5.0)
    return Entry(10.0, (a, b), (5.0, 2.0))


@pytest.mark.parametrize("module", ["somebodys.library.values", "somebodys.library", "somebodys"])
def test_registered_for_a_module_or_a_package(registered, module):
    registered(module, EntryAdapter())
    graph = gg.graph(product(), {})
    assert [node.label for node in graph.nodes] == ["2", "5", "2 * 5"]
    assert graph.root.primitive == "mul"
    assert [edge.slope for edge in graph.edges] == [5.0, 2.0]


def test_longest_name_is_asked_first(registered):
    class Other(EntryAdapter):
        def record(self, value):
            return super().record(value)._replace(label="other")

    registered("somebodys", EntryAdapter())
    registered("somebodys.library", Other())
    assert gg.graph(product()).root.label == "other"


def test_adapter_that_declines(registered):
    class Declining(EntryAdapter):
        def reads(self, value):
            raise RuntimeError("not mine")

    registered("somebodys", Declining())
    with pytest.raises(TypeError, match="This Entry has no graph"):
        gg.graph(product())


def test_adapter_that_raises_while_it_records(registered):
    class Broken(EntryAdapter):
        def record(self, value):
            raise KeyError("number")

    registered("somebodys", Broken())
    (node,) = gg.graph(product()).nodes
    assert node.notes == (f"{node.label} cannot be read: looking at it raised KeyError: 'number'.",)


def test_symbol_and_row_that_a_library_vouches_for(registered):
    class Vouching(EntryAdapter):
        def record(self, value):
            return super().record(value)._replace(symbol="⊗")

    registered("somebodys", Vouching())
    root = gg.graph(product()).root
    assert (root.symbol, root.primitive) == ("⊗", None)


def test_slopes_may_be_unknown(registered):
    registered("somebodys", EntryAdapter())
    a = Entry(2.0)
    graph = gg.graph(Entry(7.0, (a, 3.5), (None, None)))
    assert [edge.slope for edge in graph.edges] == [None, None]


def test_package_announces_its_adapter(registered, monkeypatch):
    point = SimpleNamespace(name="somebodys.library", load=EntryAdapter)
    monkeypatch.setattr(adapters, "_announcements", lambda: {point.name: point})
    assert len(gg.graph(product())) == 3


def test_installed_package_is_found(tmp_path):
    """A package with an entry point, as pip leaves it behind."""
    (tmp_path / "plates.py").write_text(
        "from glassgrad.graphs.adapters import Record\n"
        "class Plate:\n"
        "    def __init__(self, size): self.size = size\n"
        "class Adapter:\n"
        "    def reads(self, value): return isinstance(value, Plate)\n"
        "    def record(self, value): return Record(label='plate', data=value.size)\n"
        "ADAPTER = Adapter()\n"
    )
    about = tmp_path / "plates-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: plates\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[glassgrad.adapters]\nplates = plates:ADAPTER\n")
    program = "import plates, glassgrad as gg; print(gg.graph(plates.Plate(3.0)).root.label)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "plate\n"
