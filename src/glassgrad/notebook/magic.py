"""``%%autograd``: a cell in, the same cell out, with a picture of what it computed.

The cell runs once, and whatever it prints, returns or raises is what it would have been. Around
that stand four steps: run the cell, choose its root, differentiate, show.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, cast

from IPython.core.error import UsageError
from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
from IPython.display import display

from glassgrad.notebook import roots
from glassgrad.notebook.cell import Outcome, Request, run, run_at_once
from glassgrad.notebook.code import Code
from glassgrad.notebook.display import ValueFormatter, has_front_end
from glassgrad.notebook.gradients import Policy, differentiate
from glassgrad.notebook.ledger import LEDGER, Cell
from glassgrad.notebook.lifting import lift_with
from glassgrad.notebook.numeric import measure
from glassgrad.notebook.options import parse, split, takes_options
from glassgrad.notebook.panel import Text, draw, namer, with_messages
from glassgrad.notebook.panels import Panels, cell_of
from glassgrad.notebook.recordings import Recording, code_of
from glassgrad.notebook.tracebacks import failing_line, show_as_bare
from glassgrad.notebook.twins import is_readable
from glassgrad.notebook.values import sentence
from glassgrad.notebook.widget import GraphWidget
from glassgrad.recording import Functions

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from glassgrad.notebook.shell import Shell

# a function of IPython that has no types
_display: Callable[[object], object] = display

NO_EXPRESSION = "%autograd: give it something to differentiate, such as %autograd a * b."


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
        self._ledger = LEDGER
        self._panels = Panels()
        self._functions = Functions()

    @takes_options("%autograd")
    @no_var_expand
    @line_cell_magic
    def autograd(self, line: str, cell: str | None = None) -> object:
        """Run the cell, compute the gradients of its result, and draw how they came about.

        The cell behaves as it would without this line. Afterwards backward() runs on its last
        expression, or else on the result that was assigned last, unless the cell ran it itself.
        Every value and gradient is drawn, beside the line that made it. It has to be the first
        line of the cell; ``%autograd expression`` does the same for one expression anywhere.
        """
        if cell is None:
            words, expression = split(line)
            if not expression:
                raise UsageError(NO_EXPRESSION)
            options = parse(AutogradMagics.autograd, words, "%autograd")
            request = self._request(expression, options, first=1)
            return self._finish(run_at_once(self._ip, request), options)
        options = parse(AutogradMagics.autograd, line, "%%autograd")
        outcome = run_at_once(self._ip, self._request(cell, options))
        return self._finish(outcome, options, line, cell)

    async def waiting(self, line: str, cell: str) -> object:
        """Do the same for a cell that waits; see `glassgrad.notebook.waiting`."""
        options = parse(AutogradMagics.autograd, line, "%%autograd")
        outcome = await run(self._ip, self._request(cell, options), waiting=True)
        return self._finish(outcome, options, line, cell)

    def _request(self, body: str, options: Namespace, first: int = 2) -> Request:
        lift = lift_with(self._ip.user_ns) if options.lift else None
        return Request(body, is_readable, lift, first, self._functions)

    def _finish(
        self, outcome: Outcome, options: Namespace, line: str = "", cell: str | None = None
    ) -> object:
        """Show what the cell computed, and let it end as it did."""
        try:
            self._explain(outcome, options, cell)
        except Exception as error:  # the cell has run; what goes wrong from here on is not its own
            _display(Text(sentence("Drawing this cell", error)))
        finally:
            outcome.recorder.close()
        if outcome.error is not None:
            head = "" if cell is None else f"%%autograd {line}".rstrip()
            show_as_bare(self._ip, outcome.error, outcome.filename, ran=outcome.ran, head=head)
            raise outcome.error
        return outcome.value if outcome.shown else None

    def _explain(self, outcome: Outcome, options: Namespace, cell: str | None) -> None:
        """Show what the cell computed, or say why there is nothing to show."""
        if outcome.error is None:
            outcome.recorder.catch_up(outcome.before, self._ip.user_ns, 0)
        running = cell_of(self._ip, outcome.text, outcome.number)
        choice = self._choose(outcome, options.root)
        if choice.sentence:
            _display(Text(choice.sentence))
        root = choice.root
        if root is None:
            if options.bind:
                self._bind(options.bind, Recording(message=choice.sentence or "The cell failed."))
            return
        recording = self._record(outcome, options, root, cell, running)
        if options.bind:
            self._bind(options.bind, recording)
        returned = root is outcome.value and outcome.shown
        if options.text or not has_front_end(self._ip):
            _display(Text(recording.to_text()))
        else:
            kept = returned or any(root is item for item in self._ip.user_ns.values())
            assert recording.graph is not None
            widget = GraphWidget(
                root,
                recording.graph,
                recording.code,
                weak=kept,
                error=recording.error,
                **_traits(options),
            )
            if options.step:
                widget.step = len(widget.graph["nodes"]["id"])
            self._panels.replace(running, widget)
            _display(widget)
        if options.check and outcome.error is None:
            from glassgrad.checks.roots import check_root

            recorder, variables = outcome.recorder, self._ip.user_ns
            name_of = namer(recorder, root, variables, _title(options))
            _display(check_root(root, None, name_of, recorder.traces(variables)))
        if returned:
            self._formatter.already_shown(root)

    def _choose(self, outcome: Outcome, wanted: str) -> roots.Choice:
        recorder, variables = outcome.recorder, self._ip.user_ns
        if outcome.error is not None:  # the result is not the one that the cell was after
            is_plain = isinstance(outcome.error, Exception)
            return roots.Choice(roots.latest(recorder) if is_plain else None)
        choice = roots.choose(recorder, variables, outcome.value, wanted)
        if choice.sentence == roots.NO_VALUE and outcome.numbers:
            return roots.Choice(sentence=roots.NO_VALUE_BUT_NUMBERS)
        return choice

    def _record(
        self, outcome: Outcome, options: Namespace, root: object, cell: str | None, running: Cell
    ) -> Recording:
        """Differentiate the root, and gather all there is to show."""
        recorder, variables = outcome.recorder, self._ip.user_ns
        message = error = ""
        if outcome.error is None:
            policy = Policy(
                clear=not options.accumulate and not options.no_backward,
                drive=not options.no_backward and not options.by_hand,
            )
            if policy.clear or policy.drive:
                done = differentiate(root, recorder, policy, ledger=self._ledger, cell=running)
                message, error = done.message, done.error
        drawn = draw(recorder, root, variables, _title(options))
        graph = drawn.graph
        code = None
        messages = [message]
        if cell is not None:
            failed = partial(failing_line, outcome.error)
            code = code_of(cell.rstrip().split("\n"), 2, drawn, failed, outcome.filename)
        if options.numeric is not None:
            measured = measure(root, graph, options.numeric)
            messages.append(measured.sentence)
            code = code or Code([])
            code = code.with_slopes(measured.h, measured.slopes)
        return Recording(with_messages(graph, *messages), root, code, "", error)

    def _bind(self, name: str, recording: Recording) -> None:
        self._ip.user_ns[name] = recording


def _title(options: Namespace) -> str:
    """Return what the root is called, where that is an expression."""
    wanted: str = options.root
    return "" if wanted.isidentifier() else wanted


def _traits(options: Namespace) -> Mapping[str, object]:
    modes = {"by hand": options.by_hand, "predict": options.predict}
    mode = next((mode for mode, asked in modes.items() if asked), "")
    return {
        "precision": options.precision,
        "rankdir": options.rankdir,
        "mode": mode,
    }
