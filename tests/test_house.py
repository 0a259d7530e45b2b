"""Imports point one way, as the house is drawn in docs/architecture.md.

Each room names the rooms and the packages it may use; everything else is a wall.  Imports inside
functions count as well: late is not elsewhere.
"""

import ast
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "glassgrad"

# room: (rooms of ours, packages of others); the longest matching name is a file's room
HOUSE = {
    "engine": (set(), {"numpy"}),  # only inside what NumPy itself calls; test_packaging watches it
    # loaded only by those who compile or export a graph; test_packaging watches that
    "engine/replay": ({"engine"}, {"jax", "numba", "numpy", "torch"}),
    "engine/program": ({"engine", "engine/replay"}, {"numpy"}),
    "engine/interop": ({"engine", "engine/program", "engine/replay"}, set()),
    "nn": ({"engine", "optim"}, {"tqdm"}),
    "graphs/adapters/native": ({"engine", "engine/replay", "graphs"}, set()),
    # for large graphs
    "graphs/columns": ({"graphs", "graphs/adapters/native"}, {"numpy"}),
    "graphs/snapshot": ({"graphs"}, {"numpy"}),
    "graphs/derive": ({"graphs", "graphs/adapters/native", "graphs/snapshot"}, {"numpy"}),
    # graphviz: the type of what to_dot() returns
    "graphs": (
        {
            "graphs",
            "graphs/adapters/native",
            "graphs/columns",
            "graphs/derive",
            "graphs/snapshot",
        },
        {"graphviz"},
    ),
    "recording": ({"graphs"}, set()),
    "render": ({"graphs"}, {"graphviz"}),
    "checks": ({"engine", "graphs", "render"}, {"graphviz"}),
    "notebook": (
        {"checks", "engine", "graphs", "recording", "render"},
        {"IPython", "anywidget", "ipywidgets", "stack_data", "traitlets"},
    ),
}
HANDED_OVER = {("graphs/model.py", "render")}  # graph.to_svg() and its like, looked up by name
FILES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE)


def room_of(name: str) -> str:
    """Return the room of a file or module, named by its path below the package."""
    rooms = [room for room in HOUSE if name == room or name.startswith(f"{room}/")]
    return max(rooms, key=len, default=name.partition("/")[0])


def imported(path: Path) -> set[str]:
    """Return the dotted names of the modules that a file imports, wherever in the file."""
    package = ["glassgrad", *path.relative_to(SOURCE).parent.parts]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {f"{module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            names |= {
                ast.literal_eval(name) for name in node.args if isinstance(name, ast.Constant)
            }
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path):
    file = path.relative_to(SOURCE).as_posix()
    room = room_of(file.removesuffix(".py"))
    rooms, packages = HOUSE[room]
    ours = {name.removeprefix("glassgrad.") for name in imported(path) if "glassgrad." in name}
    others = {name.partition(".")[0] for name in imported(path)} - {"glassgrad"}

    reached = {room_of(name.replace(".", "/")) for name in ours}
    handed_over = {other for giver, other in HANDED_OVER if giver == file}
    assert reached - rooms - handed_over - {room} == set()
    assert others - packages - set(sys.stdlib_module_names) == set()


def test_every_room_is_in_the_plan():
    assert {path.relative_to(SOURCE).parts[0] for path in FILES} <= set(HOUSE)
