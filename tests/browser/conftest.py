"""One Jupyter server and one Chromium per session; every test opens pages of its own.

In go lists of cells or the names of lessons, out come open notebooks in JupyterLab or Notebook 7.
Every page fails its test when it asks for anything outside this machine, or when the widget's
own script throws: "works offline" is a promise, and this is where it is kept.
"""

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import pytest
from alone import WATCH
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

EXAMPLES = Path(__file__).parents[2] / "examples"
SCREENSHOTS = Path(__file__).parent / "screenshots"
APPS = {"lab": "lab/tree/{name}?reset", "notebook": "notebooks/{name}"}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")  # scripts/chromium looks for the same
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
KERNEL_IS_READY = """() => {
    const kernel = window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
    return kernel?.connectionStatus === "connected" && kernel.status === "idle";
}"""
END_KERNEL = "() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()"
START_UP = 90_000  # ms; a kernel on a busy machine with two cores is slow to start, not broken

expect.set_options(timeout=20_000)


@dataclass(frozen=True)
class Notebook:
    """A notebook open in one of the two apps, addressed by its code cells."""

    page: Page

    def cell(self, index: int) -> Locator:
        """Return code cell number ``index``, from 0."""
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(index)

    def output(self, index: int) -> Locator:
        """Return what code cell number ``index`` has put out."""
        return self.cell(index).locator(".jp-OutputArea-output")

    def widget(self, index: int) -> Locator:
        """Return the glassgrad widget below code cell number ``index``."""
        return self.cell(index).locator(".gg")

    def run(self, index: int) -> None:
        """Run code cell number ``index`` as a person does: click into it, Ctrl+Enter."""
        self.cell(index).locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")

    def run_all(self) -> None:
        """Choose *Run All Cells* from the menu."""
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.fail("No Chromium was found: run `make test` once, or set CHROMIUM=/path/to/it.")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def server_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder that the Jupyter server serves."""
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="session")
def server(server_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start Jupyter on a free port, with settings of its own, and yield its address."""
    home = tmp_path_factory.mktemp("jupyter")
    (home / "config" / "labconfig").mkdir(parents=True)
    (home / "config" / "labconfig" / "page_config.json").write_text(
        '{"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": true}}'
    )
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *("--ip=127.0.0.1", "--ServerApp.port=0", "--IdentityProvider.token="),
            "--LabApp.expose_app_in_browser=True",
            "--JupyterNotebookApp.expose_app_in_browser=True",
            f"--ServerApp.root_dir={server_root}",
        ],
        env=os.environ | {name: str(home / folder) for name, folder in folders.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    log: list[str] = []
    listening = threading.Event()

    def read_log() -> None:
        for line in process.stdout:
            log.append(line)
            if "http://127.0.0.1" in line:
                listening.set()
        listening.set()  # the server ended; whoever waits finds no address in the log

    reader = threading.Thread(target=read_log, daemon=True)
    reader.start()
    listening.wait(START_UP / 1000)
    address = re.search(r"http://127\.0\.0\.1:\d+", "".join(log))
    if address is None:
        process.kill()
        pytest.fail("Jupyter did not start:\n" + "".join(log[-40:]))
    yield address[0]
    process.terminate()
    process.wait(30)


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """Open an empty page; afterwards, fail on requests that left the machine and on our errors."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    ours = (server, server.replace("http", "ws", 1), "data:", "blob:")
    outside: list[str] = []
    thrown: list[str] = []

    def note(address: str) -> None:
        if not address.startswith(ours):
            outside.append(address)

    def note_error(error: str) -> None:
        if (
            "blob:" in error
        ):  # anywidget serves our script from there; Lab's own errors are not ours
            thrown.append(error)

    context.on("request", lambda request: note(request.url))
    context.on("weberror", lambda web: note_error(f"{web.error} {web.error.stack}"))
    page = context.new_page()
    page.on("websocket", lambda socket: note(socket.url))
    yield page
    context.close()
    assert not outside, f"the page asked the network for {outside[:3]}"
    assert not thrown, f"the widget threw {thrown[:3]}"


@pytest.fixture
def empty(browser: Browser) -> Iterator[Page]:
    """Return an empty page on which every listener is counted."""
    context = browser.new_context(viewport={"width": 1000, "height": 700}, has_touch=True)
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto("about:blank")
    yield page
    context.close()


@pytest.fixture(params=list(APPS))
def app(request: pytest.FixtureRequest) -> str:
    """Run the test in JupyterLab, then in Notebook 7."""
    return request.param


@pytest.fixture
def open_notebook(
    page: Page, server: str, server_root: Path, app: str, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Notebook]]:
    """Yield what opens code cells, a copy of a lesson or a notebook; end its kernel afterwards."""

    def open_notebook(*sources: str, lesson: str = "", notebook: Any = None) -> Notebook:
        if lesson:
            notebook = nbformat.read(EXAMPLES / lesson, as_version=4)
        elif notebook is None:
            notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)))
            notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
        name = re.sub(r"[^a-z0-9]+", "-", request.node.name).strip("-") + ".ipynb"
        nbformat.write(notebook, server_root / name)
        return _open(page, f"{server}/{APPS[app].format(name=name)}")

    yield open_notebook
    page.evaluate(END_KERNEL)


def _open(page: Page, address: str) -> Notebook:
    """Open a notebook and wait for its kernel; a cell run before that is never run."""
    page.goto(address)
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=START_UP)
    page.wait_for_function(KERNEL_IS_READY, timeout=START_UP)
    return Notebook(page)


@pytest.fixture(scope="session")
def screenshots() -> Path:
    """Return the folder for pictures to be looked at (git-ignored)."""
    SCREENSHOTS.mkdir(exist_ok=True)
    return SCREENSHOTS
