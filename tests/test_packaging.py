"""What a user installs: pure wheels with the front end inside, and a light import."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BUNDLE = {"glassgrad/static/index.js", "glassgrad/static/theme.css"}
PAGE = {"glassgrad/notebook/page.html", "glassgrad/notebook/page.js"}
LATE = {"IPython", "anywidget", "graphviz", "ipywidgets", "numpy", "traitlets"}


def build(kind: str, source: Path, out: Path, **environment: str) -> Path:
    """Build the ``wheel`` or the ``sdist`` of `source` into `out` and return its path."""
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "--outdir", out, source],
        check=True,
        capture_output=True,
        env=os.environ | environment,
    )
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory) -> Path:
    """Build the wheel from the sdist, on a PATH without Node: users need none."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return build("wheel", source, tmp_path_factory.mktemp("wheel"), PATH="")


def test_sdist_carries_the_bundle_and_the_types(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in BUNDLE | PAGE | {"glassgrad/py.typed"}} <= names
    assert {"LICENSE", "README.md", "js/index.ts", "scripts/build.mjs", "Makefile"} <= names
    assert not any(name.startswith(("node_modules", ".venv", ".ci")) for name in names)


def test_wheel_is_pure_and_complete(wheel):
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        sizes = {name: archive.getinfo(name).file_size for name in BUNDLE}
    assert BUNDLE | PAGE | {"glassgrad/py.typed"} <= names
    assert min(sizes.values()) > 0
    assert sizes["glassgrad/static/index.js"] < 150_000  # every saved notebook carries it
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {"glassgrad"}


def test_wheel_works_where_it_is_unpacked(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = (
        "import tempfile\n"
        "import glassgrad as gg\n"
        "a, b = gg.Value(2.0), gg.Value(-3.0)\n"
        "c = a * b + a\n"
        "c.backward()\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    assert gg.show(c).save(folder + '/c.html').stat().st_size > 150_000\n"
        "print(gg.__file__, c.data, a.grad, b.grad)\n"
    )
    printed = python(program, PYTHONPATH=str(tmp_path))
    assert printed.split() == [str(tmp_path / "glassgrad" / "__init__.py"), "-4.0", "-2.0", "2.0"]


def test_import_is_light():
    program = "import sys, glassgrad; print(*sorted(m for m in sys.modules if '.' not in m))"
    assert LATE & set(python(program).split()) == set()


def test_value_alone_is_light():
    program = (
        "import sys, glassgrad as gg\n"
        "a = gg.Value(2.0)\n"
        "(a * a).tanh().backward()\n"
        "print(*sorted(m for m in sys.modules if '.' not in m))\n"
    )
    assert LATE & set(python(program).split()) == set()


def test_version_is_the_package_version():
    program = "import glassgrad, importlib.metadata as m; print(m.version('glassgrad'))"
    printed = python(program).strip()
    assert f'version = "{printed}"' in (ROOT / "pyproject.toml").read_text()


def python(program: str, **environment: str) -> str:
    """Run `program` in a fresh interpreter, away from the checkout, and return what it printed."""
    return subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(sys.prefix),
        env=os.environ | environment,
    ).stdout
