"""The magic without a notebook: a block and a function, recorded in plain Python.

``with gg.record() as r`` cannot rewrite a block that is running already. It takes what can be had
without that: the names that the block bound, the graphs behind their values, and the source, in
which each name has the line that assigned it last. ``@gg.traced`` rewrites the function, and hears
every expression as the magic does.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from types import FrameType, ModuleType, TracebackType
from typing import Any, Generic, Literal, ParamSpec, TypeVar, overload

from glassgrad.graphs import adapters
from glassgrad.notebook import roots
from glassgrad.notebook.gradients import Policy, differentiate
from glassgrad.notebook.panel import draw, with_messages
from glassgrad.notebook.recordings import Recording, code_of, dedented
from glassgrad.notebook.values import gradient
from glassgrad.recording import Recorder, Scope, Script
from glassgrad.recording.blocks import Block, block_at, hear
from glassgrad.recording.recompile import recompile

_P = ParamSpec("_P")
_R = TypeVar("_R")

BY_NAME = 'gg.record(root="{}")'


class record:  # noqa: N801 — it is used like a function
    """Record a block of code: what it computed, with gradients, names and lines.

    Parameters
    ----------
    root : str, optional
        The variable to differentiate, or an expression; by default the last result.
    backward : bool, optional
        Whether gradients are computed, unless the block does that itself.
    accumulate : bool, optional
        Whether gradients that were there before are added to, and not cleared.

    Notes
    -----
    A name that was used again has the line of its last assignment, and values that got no name
    have the line of the value they went into. ``@gg.traced`` and ``%%autograd`` know more, as they
    rewrite the code before it runs.

    Examples
    --------
    >>> import glassgrad as gg
    >>> with gg.record() as r:
    ...     a = gg.Value(3.0)
    ...     b = a * a
    >>> a.grad, r.graph.root.label
    (6.0, 'b')
    """

    def __init__(self, root: str = "", *, backward: bool = True, accumulate: bool = False) -> None:
        self._wanted = root
        self._policy = Policy(clear=not accumulate and backward, drive=backward)
        self._recording = Recording()
        self._block: Block | None = None
        self._recorder = Recorder("", (), is_readable)

    def __enter__(self) -> Recording:
        frame = sys._getframe(1)
        self._block = block_at(frame)
        source, sites = (self._block.source, self._block.sites) if self._block else ("", [])
        self._recorder = Recorder(source, sites, is_readable)
        self._before = self._recorder.meet(_variables(frame), gradient)
        return self._recording

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Literal[False]:
        frame, recorder = sys._getframe(1), self._recorder
        variables = _variables(frame)
        if self._block is not None:
            hear(self._block, recorder, variables, self._before)
        recorder.catch_up(self._before, variables, 0)
        failed = next(
            (link.tb_lineno for link in _links(traceback) if link.tb_frame is frame), None
        )
        self._finish(variables, failed if error is not None else None)
        recorder.close()
        return False

    def _finish(self, variables: Mapping[str, object], failed: int | None) -> None:
        recording, recorder = self._recording, self._recorder
        choice = (
            roots.choose(recorder, variables, None, self._wanted, BY_NAME)
            if failed is None
            else roots.Choice(roots.latest(recorder))
        )
        recording.message = _about(choice.sentence, "block")
        if choice.root is None:
            return
        message = ""
        if failed is None:
            done = differentiate(choice.root, recorder, self._policy, what="block")
            recording.error, message = done.error, done.message
        title = "" if self._wanted.isidentifier() else self._wanted
        drawn = draw(recorder, choice.root, variables, title, complete=False)
        recording.root, recording.graph = choice.root, with_messages(drawn.graph, message)
        if self._block is not None:
            block = self._block
            recording.code = code_of(dedented(block.lines), block.first, drawn, lambda _: failed)


class Traced(Generic[_P, _R]):
    """A function of which every call is recorded; made by ``@gg.traced``.

    The values of the last call are kept until the next one, so that its graph can be shown.
    """

    def __init__(self, function: Callable[_P, _R]) -> None:
        functools.update_wrapper(self, function)
        self._function: Any = function
        self._recompiled = again = recompile(function)
        script = Script(again.source.split("\n") if again is not None else ())
        self._scope = Scope(again.functions if again is not None else {}, script)
        self._recorder: Recorder | None = None
        self._root: object = None

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Call the function, and listen."""
        again = self._recompiled
        if again is None:
            recorder = Recorder("", (), is_readable)
            result: _R = self._function(*args, **kwargs)
        else:
            recorder = Recorder("", again.sites, is_readable, scope=self._scope)
            code = self._function.__code__
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            recorder.meet({**dict(zip(names, args, strict=False)), **kwargs}, gradient)
            try:
                result = again.function(self._function, recorder)(*args, **kwargs)
            finally:
                recorder.restore()
        self._recorder, self._root = recorder, result
        return result

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Bind to an object, as a function does."""
        bound: Any = self
        return self if instance is None else functools.partial(bound, instance)

    @property
    def recording(self) -> Recording:
        """The last call, with the gradients as they are now."""
        recorder, again = self._recorder, self._recompiled
        if recorder is None:
            return Recording(message=f"{self._function.__name__} has not been called yet.")
        choice = roots.choose(recorder, {}, self._root, "")
        if choice.root is None:
            return Recording(message=_about(choice.sentence, "function"))
        function = self._function
        if again is not None:
            recorder.assume({**function.__globals__, "closed over": function.__closure__})
        drawn = draw(recorder, choice.root, {})
        code = code_of(dedented(again.lines), again.first, drawn) if again is not None else None
        return Recording(drawn.graph, choice.root, code, "")

    def show(self, **options: Any) -> Any:
        """Return the live picture of the last call; see `Recording.show`."""
        return self.recording.show(**options)

    def to_text(self) -> str:
        """Return the last call as text; see `Recording.to_text`."""
        return self.recording.to_text()


@overload
def traced(function: Callable[_P, _R]) -> Traced[_P, _R]: ...
@overload
def traced() -> Callable[[Callable[_P, _R]], Traced[_P, _R]]: ...
def traced(function: Any = None) -> Any:
    """Record every call of a function: use it as a decorator.

    Parameters
    ----------
    function : callable
        It runs as it would without the decorator. Nothing is differentiated: call ``backward()``
        on its result, or on what is made of it.

    Returns
    -------
    Traced
        The function, with ``.recording``, ``.show()`` and ``.to_text()`` for its last call.

    Examples
    --------
    >>> import glassgrad as gg
    >>> @gg.traced
    ... def f(x):
    ...     y = x * x
    ...     return y + x
    >>> result = f(gg.Value(3.0))
    >>> result.backward()
    >>> [node.label for node in f.recording.graph.nodes]
    ['x', 'y', 'y + x']
    """
    return Traced if function is None else Traced(function)


def is_readable(value: object) -> bool:
    """Whether something is a Value of any class.

    Examples
    --------
    >>> import glassgrad as gg
    >>> is_readable(gg.Value(2.0)), is_readable(2.0), is_readable(gg.Value)
    (True, False, False)
    """
    # looking for attributes of a module or a class may import things or run code
    return not isinstance(value, ModuleType | type) and adapters.find(value) is not None


def _about(sentence: str, what: str) -> str:
    """Say of a block or a function what is said of a cell."""
    return sentence.replace("this cell", f"this {what}").replace("This cell", f"This {what}")


def _variables(frame: FrameType) -> dict[str, object]:
    return {**frame.f_globals, **frame.f_locals}


def _links(traceback: TracebackType | None) -> list[TracebackType]:
    links = []
    while traceback is not None:
        links.append(traceback)
        traceback = traceback.tb_next
    return links
