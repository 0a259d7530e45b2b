"""``%%autograd``: a cell in, the same cell out, with a picture of what it computed.

The cell runs once, and whatever it prints, returns or raises is what it would have been. Around
that stand four steps: run the cell, choose its root, differentiate, show.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, magics_class, no_var_expand
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from glassgrad.graphs import adapters
from glassgrad.notebook import panel, roots
from glassgrad.notebook.cell import Outcome, run
from glassgrad.notebook.display import ValueFormatter, has_front_end
from glassgrad.notebook.gradients import Differentiated, differentiate
from glassgrad.notebook.tracebacks import show_as_bare
from glassgrad.notebook.values import sentence
from glassgrad.notebook.widget import GraphWidget

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from glassgrad.notebook.shell import Shell


OPTIONS: Mapping[str, Mapping[str, object]] = {
    "--root": {"metavar": "NAME", "default": "", "help": "differentiate this variable"},
    "--no-backward": {"action": "store_true", "help": "compute no gradients"},
}
"""The options of ``%%autograd``, as `argparse` wants them."""

_F = TypeVar("_F", bound=Callable[..., object])

# functions of IPython that have no types
_argument: Any = argument
_magic_arguments: Any = magic_arguments
_parse: Callable[..., Namespace] = parse_argstring
_display: Callable[[object], object] = display


def _takes(options: Mapping[str, Mapping[str, object]]) -> Callable[[_F], _F]:
    """Return a decorator that gives a magic its options, and the help that lists them."""

    def decorate(function: _F) -> _F:
        for name in reversed(list(options)):
            function = _argument(name, **options[name])(function)
        decorated: _F = _magic_arguments("%autograd")(function)
        return decorated

    return decorate


@magics_class
class AutogradMagics(Magics):
    """The magics of glassgrad.

    Parameters
    ----------
    shell : Shell
        The shell they are registered with.
    formatter : ValueFormatter
        Told about a value that has its picture already.
    """

    def __init__(self, shell: Shell, formatter: ValueFormatter) -> None:
        super().__init__(cast("InteractiveShell", shell))
        self._ip = shell
        self._formatter = formatter

    @_takes(OPTIONS)
    @no_var_expand
    @cell_magic
    def autograd(self, line: str, cell: str) -> object:
        """Run the cell, compute the gradients of its result, and draw how they came about.

        The cell behaves as it would without this line. Afterwards backward() runs on its last
        expression, or else on the result that was assigned last, unless the cell ran it itself.
        Every value and gradient is drawn, beside the line that made it.
        """
        options = _options(line)
        outcome = run(self._ip, cell, _is_readable)
        try:
            self._explain(outcome, options, cell)
        except Exception as error:  # the cell has run; what goes wrong from here on is not its own
            _display(panel.Text(sentence("Drawing this cell", error)))
        finally:
            outcome.recorder.close()
        if outcome.error is not None:
            show_as_bare(self._ip, outcome.error, outcome.filename, ran=outcome.ran)
            raise outcome.error
        return outcome.value if outcome.shown else None

    def _explain(self, outcome: Outcome, options: Namespace, cell: str) -> None:
        """Show what the cell computed, or say why there is nothing to show."""
        recorder, variables = outcome.recorder, self._ip.user_ns
        done = Differentiated()
        if outcome.error is None:
            choice = roots.choose(recorder, variables, outcome.value, options.root)
            if choice.sentence:
                _display(panel.Text(choice.sentence))
                return
            root = choice.root
            if not options.no_backward:
                done = differentiate(root, recorder)
        else:  # no gradients: the result is not the one that the cell was after
            root = roots.latest(recorder) if isinstance(outcome.error, Exception) else None
            if root is None:
                return
        graph = panel.with_message(panel.draw(recorder, root, variables), done.message)
        returned = root is outcome.value and outcome.shown
        if has_front_end(self._ip):
            # somebody else keeps it: Out, or a variable
            kept = returned or any(root is item for item in variables.values())
            code = panel.code(outcome, cell)
            _display(GraphWidget(root, graph, code, weak=kept, error=done.error))
        else:
            _display(panel.as_text(graph, done.error))
        if returned:
            self._formatter.already_shown(root)


def _options(line: str) -> Namespace:
    """Read the options, or say in one sentence what is wrong with them."""
    try:
        return _parse(AutogradMagics.autograd, line)
    except (UsageError, ValueError) as error:
        raise UsageError(f"%%autograd: {error}. Its options are listed by %%autograd?") from None


def _is_readable(value: object) -> bool:
    """Whether something is a Value of any class."""
    # looking for attributes of a module or a class may import things or run code
    return not isinstance(value, ModuleType | type) and adapters.find(value) is not None
