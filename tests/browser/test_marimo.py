"""The twins of the magic in marimo, which has no magics: a block, a function, a picture."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

NOTEBOOK = """\
import marimo

app = marimo.App()


@app.cell
def _():
    import glassgrad as gg
    from glassgrad import Value
    return Value, gg


@app.cell
def _(Value, gg):
    with gg.record() as r:
        a, b = Value(2.0), Value(-3.0)
        c = a * b + a
    r.show()
    return c, r


@app.cell
def _(Value, gg):
    @gg.traced
    def neuron(x, w):
        n = x * w
        return n.tanh()

    neuron(Value(2.0), Value(0.3)).backward()
    neuron.show()
    return (neuron,)


@app.cell
def _(c, gg):
    gg.show(c)
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture(scope="module")
def marimo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the notebook, in the dark, and yield its address."""
    folder = tmp_path_factory.mktemp("marimo")
    (folder / "notebook.py").write_text(NOTEBOOK)
    (folder / "pyproject.toml").write_text('[tool.marimo.display]\ntheme = "dark"\n')
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "marimo", "run", "--headless", "--no-token"),
            *("--host", "127.0.0.1", "notebook.py"),
        ],
        cwd=folder,
        env=os.environ | {"HOME": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = iter(process.stdout.readline, "")
    port = next(
        (found[1] for line in said if (found := re.search(r"http://\S+:(\d+)", line))), None
    )
    if port is None:
        pytest.fail("marimo did not start")
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.communicate(timeout=30)


def test_the_twins_of_the_magic(browser: Browser, marimo: str, screenshots: Path):
    page = browser.new_page(viewport={"width": 1280, "height": 1800}, color_scheme="light")
    outside: list[str] = []
    thrown: list[str] = []
    page.on("request", lambda request: outside.append(request.url))
    page.on("pageerror", lambda error: thrown.append(f"{error} {error.stack}"))
    page.goto(marimo)
    widgets = page.locator(".gg")
    expect(widgets).to_have_count(3, timeout=60_000)
    block, function, picture = (widgets.nth(index) for index in range(3))

    rows = block.locator(".gg-line")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("a, b = Value(2.0), Value(-3.0)")
    expect(rows.first).to_contain_text("b −3 · grad 2")
    expect(rows.last).to_contain_text("∂/∂a = b, ∂/∂b = a")
    expect(function.locator(".gg-line").last).to_contain_text("return n.tanh()")
    expect(picture.locator("[data-node]")).to_have_count(4)

    block.get_by_role("button", name="zero grads").click()  # the kernel answers
    expect(rows.first).to_contain_text("grad not run")
    expect(block).to_have_attribute("data-theme", "dark")  # as marimo's page, not as the system
    block.screenshot(path=screenshots / "marimo-dark.png")
    page.close()
    local = (marimo, marimo.replace("http", "ws", 1), "data:", "blob:")
    assert [url for url in outside if not url.startswith(local)] == []
    assert thrown == []
