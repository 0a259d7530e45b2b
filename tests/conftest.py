"""What several rooms' tests share: a kernel that runs notebooks as a person would."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

KERNEL_SECONDS = 300  # for one cell, on a busy machine; a limit against hanging, not a measurement


@pytest.fixture
def run_notebook(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[nbformat.NotebookNode], nbformat.NotebookNode]:
    """Return a function that runs a notebook in a fresh kernel; a failing cell fails the test."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))  # nobody's start-up files

    def run(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
        resources = {"metadata": {"path": str(tmp_path)}}
        client = NotebookClient(
            notebook, kernel_name="python3", timeout=KERNEL_SECONDS, resources=resources
        )
        return client.execute()

    return run


def pytest_collection_modifyitems(items):
    """Put the browser's tests last: Playwright keeps an event loop running once it has started.

    So the Makefile lets no process take files out of this order.
    """
    items.sort(key=lambda item: "browser" in item.path.parts)
