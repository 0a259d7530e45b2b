"""glassgrad: a glass box around backpropagation, in a notebook.

>>> import glassgrad as gg
>>> a, b = gg.Value(2.0), gg.Value(-3.0)
>>> c = a * b + a
>>> c.backward()
>>> a.grad, b.grad
(-2.0, 2.0)

In a notebook, ``%load_ext glassgrad`` lets a Value draw itself and brings ``%%autograd``.
Names load when they are first used, so that importing this costs next to nothing; their types
stand in ``__init__.pyi``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__version__ = "0.1.0"

_HOME = {
    "Value": "engine.value",
    "grad": "engine.transforms",
    "hessian": "engine.transforms",
    "jvp": "engine.transforms",
    "pause_gc": "engine.memory",
    "postpone_gc": "engine.memory",
    "scope": "engine.blocks",
    "Program": "engine.program",
    "compile": "engine.program",
    "to_jax": "engine.interop",
    "to_torch": "engine.interop",
    "Graph": "graphs.model",
    "Tape": "graphs.steps",
    "graph": "graphs.read",
    "steps": "graphs.steps",
    "register_adapter": "graphs.adapters",
    "check": "checks.grader",
    "gradcheck": "checks.gradcheck",
    "draw_dot": "render.draw",
    "trace": "render.draw",
    "GraphWidget": "notebook.widget",
    "explore": "notebook.explore",
    "live": "notebook.live",
    "show": "notebook.show",
    "Recording": "notebook.recordings",
    "record": "notebook.twins",
    "traced": "notebook.twins",
}
"""Where each public name lives; the functions of the table are found by themselves."""

_MODULES = {"nn", "optim"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = import_module(f"{__name__}.{name}")
    elif not name.startswith("_") and name in _functions():
        value = _functions()[name]
    else:
        raise AttributeError(f"glassgrad has no {name!r}; dir(glassgrad) lists what it has.")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES, *_functions()})


def _functions() -> dict[str, Any]:
    from glassgrad.engine.functions import FUNCTIONS

    return dict(FUNCTIONS)


def load_ipython_extension(ip: InteractiveShell) -> None:
    """Let Values draw themselves and add ``%%autograd``: called by ``%load_ext glassgrad``."""
    from glassgrad.notebook.display import load

    load(ip)


def unload_ipython_extension(ip: InteractiveShell) -> None:
    """Remove everything again: called by ``%unload_ext glassgrad``."""
    from glassgrad.notebook.display import unload

    unload(ip)
