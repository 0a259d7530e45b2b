"""Shells and kernels to run cells in, and a twin of each cell to compare with."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from ipywidgets.widgets.widget import Widget, _instances
from jupyter_client.manager import KernelManager, start_new_kernel

from glassgrad.notebook.widget import GraphWidget

WIDGET = "application/vnd.jupyter.widget-view+json"
ANSI = re.compile(r"\x1b\[[0-9;]*m")
SECONDS = 120  # a limit against hanging

LEARNERS_CLASS = """
class Mine:
    def __init__(self, data, _children=(), _op=''):
        self.data, self.grad, self._op = data, 0.0, _op
        self._prev = set(_children)
        self._backward = lambda: None
    def __mul__(self, other):
        out = Mine(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        self.grad = 1.0
        self._backward()
"""
"""A class such as learners write, as far as these tests need it."""

ONCE = """
import sys, types
sys.modules["hooks"] = types.SimpleNamespace(fired=[])
for _event in ("pre_execute", "pre_run_cell", "post_run_cell", "post_execute"):
    get_ipython().events.register(
        _event, lambda *_, event=_event, hooks=sys.modules["hooks"]: hooks.fired.append(event)
    )
"""
FRESH = "from glassgrad import Value\nimport hooks\nhooks.fired.clear()\n"
PROBE = """
import hooks as _hooks, json as _json, re as _re
print(_json.dumps({
    "names": {
        _name: _re.sub("0x[0-9a-f]+", "", repr(_item))
        for _name, _item in globals().items()
        if not _name.startswith("_") and _name not in {"In", "get_ipython", "exit", "quit"}
    },
    "last": repr(globals().get("_")),
    "fired": _hooks.fired,
}))
"""


@dataclass
class Seen:
    """What a front end sees of one cell."""

    status: str = ""
    stdout: str = ""
    stderr: str = ""
    shown: list = field(default_factory=list)
    panels: list = field(default_factory=list)
    result: str | None = None
    error: tuple = ()
    traceback: list = field(default_factory=list)


class Kernel:
    """A real kernel."""

    def __init__(self, manager: KernelManager, client) -> None:
        self.manager, self.client = manager, client

    def run(self, code: str, **options) -> Seen:
        """Run a cell and collect its output."""
        seen = Seen()
        request = self.client.execute(code, **options)
        while True:
            message = self.client.get_iopub_msg(timeout=SECONDS)
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") != request:
                continue
            if kind == "stream":
                name = content["name"]
                setattr(seen, name, getattr(seen, name) + content["text"])
            elif kind == "display_data":
                (seen.panels if WIDGET in content["data"] else seen.shown).append(content["data"])
            elif kind == "execute_result":
                seen.result = content["data"]["text/plain"]
            elif kind == "error":
                seen.error = (content["ename"], content["evalue"])
                seen.traceback = [ANSI.sub("", text) for text in content["traceback"]]
            elif kind == "status" and content["execution_state"] == "idle":
                break
        while not seen.status:  # replies to other requests, such as those at the start, may wait
            reply = self.client.get_shell_msg(timeout=SECONDS)
            if reply["parent_header"]["msg_id"] == request:
                seen.status = reply["content"]["status"]
        return seen

    def state(self) -> dict:
        """Return the variables, ``_``, ``Out`` and the hooks that fired."""
        return json.loads(self.run(PROBE, store_history=False).stdout)


def start_kernel() -> Kernel:
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=SECONDS)
    return Kernel(manager, client)


@pytest.fixture(scope="session")
def kernels(tmp_path_factory) -> Iterator[tuple[Kernel, Kernel]]:
    """Two kernels that differ in nothing but the extension."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        bare, magic = start_kernel(), start_kernel()
    for kernel in (bare, magic):
        kernel.run(ONCE, store_history=False)
    magic.run("%load_ext glassgrad", store_history=False)
    yield bare, magic
    for kernel in (bare, magic):
        kernel.client.stop_channels()
        kernel.manager.shutdown_kernel(now=True)


@dataclass
class Twins:
    """The same cell, without the magic and with it."""

    bare: Seen
    magic: Seen
    bare_state: dict
    magic_state: dict


@pytest.fixture
def twins(kernels):
    """Return a function that runs a cell twice, in kernels that are otherwise alike."""

    def run(
        cell: str,
        setup: str = "",
        line: str = "%%autograd",
        instead: str = "",
        earlier: str = "",
    ) -> Twins:
        for kernel in kernels:
            kernel.run("%reset -f", store_history=False)
            kernel.run(FRESH + setup, store_history=False)
        bare, magic = kernels
        if earlier:  # a cell that is recorded as well
            bare.run(earlier)
            magic.run(f"{line}\n{earlier}")
            for kernel in kernels:
                kernel.run("hooks.fired.clear()", store_history=False)
        return Twins(
            bare.run(instead + cell), magic.run(f"{line}\n{cell}"), bare.state(), magic.state()
        )

    return run


FILE = re.compile(r"[^\s\"(]*?(ipykernel_\d+/)?\d+\.py")
LINE = re.compile(r"((?:Cell In\[\d+\]|cell\.py\"?), line |cell\.py:|at line )(\d+)")
ROW = re.compile(r"(?m)^(-+> | +)(\d+)(?= |$)")


def comparable(text: str, above: int = 0) -> str:
    """Return a part of a traceback without what two kernels cannot share.

    File names of cells go, and the numbers of a cell's lines shrink by the number of lines above.
    """

    def shrink(match: re.Match) -> str:
        return f"{match[1]}{int(match[2]) - above}"

    # IPython looks whether a bare cell waits by compiling it; the compiler warns then as well
    text = re.sub(r"(?m)^<>:\d+: .*\n", "", text)
    text = LINE.sub(shrink, FILE.sub("cell.py", text))
    if text.startswith("Cell In"):
        text = ROW.sub(shrink, text)
        text = re.sub(r"(?m)^ +0 %%autograd.*\n", "", text)  # the magic's own line
    return text


@pytest.fixture
def ip(monkeypatch) -> Iterator[InteractiveShell]:
    """A shell of a notebook's kind, in this process, with the extension."""
    monkeypatch.delattr("builtins._", raising=False)  # doctest leaves it, and IPython steps back
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "glassgrad")
    shell.run_cell("from glassgrad import Value", store_history=True)
    yield shell
    shell.run_line_magic("unload_ext", "glassgrad")
    InteractiveShell.clear_instance()


@dataclass
class Ran:
    """What a cell in a shell of this process showed."""

    result: object
    stdout: str
    texts: list[str]
    widgets: list[GraphWidget]

    @property
    def labels(self) -> list[str]:
        """The names in the only picture."""
        return self.graph["nodes"]["label"]

    @property
    def graph(self) -> dict:
        """The structure of the only picture."""
        (widget,) = self.widgets
        return widget.graph

    @property
    def code(self) -> dict:
        """The code beside it."""
        return self.graph["code"]

    @property
    def places(self) -> dict:
        """By name, the line and the text of each value."""
        nodes = self.graph["nodes"]
        return dict(
            zip(nodes["label"], zip(nodes["line"], nodes["text"], strict=True), strict=True)
        )

    def column(self, name: str) -> dict:
        """Return numbers, ``"data"`` or ``"grad"``, by the name of the value."""
        (widget,) = self.widgets
        return dict(zip(self.labels, widget.numbers[name], strict=True))

    def named(self, block: dict) -> dict:
        """Return what each line of a block made: the names, run by run."""
        return {
            mark["line"]: [
                [self.labels[node] for node in run] for run in mark.get("runs", [mark["nodes"]])
            ]
            for mark in block["marks"]
        }


@pytest.fixture
def run(ip):
    """Return a function that runs a cell in the shell and collects what it displays."""

    def run(cell: str) -> Ran:
        with capture_output() as captured:
            result = ip.run_cell(cell, store_history=True)
        data = [output.data for output in captured.outputs]
        return Ran(
            result,
            ANSI.sub("", captured.stdout),
            [item["text/plain"] for item in data if WIDGET not in item],
            [_instances[item[WIDGET]["model_id"]] for item in data if WIDGET in item],
        )

    yield run
    Widget.close_all()


@pytest.fixture
def sees_the_same(run, ip):
    """Return what compares the ``seen`` of a cell, which reads code, with that of its bare twin."""

    def compare(defining: str, cell: str) -> None:
        run(f"# bare\n{defining}")
        bare = run(f"# bare\n{cell}")
        assert bare.result.success
        seen = ip.user_ns.pop("seen")
        run(f"%%autograd --no-backward\n{defining}")
        ran = run(f"%%autograd --no-backward\n{cell}")
        assert ran.result.success, ran.stdout
        assert ip.user_ns.pop("seen") == seen

    return compare
