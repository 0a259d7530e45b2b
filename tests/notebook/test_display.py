"""Loading and unloading the extension, and a Value at the end of a cell."""

import subprocess
import sys

import pytest
from IPython.terminal.interactiveshell import TerminalInteractiveShell

import glassgrad as gg
from glassgrad.notebook.display import load, unload

EVENTS = ("pre_execute", "pre_run_cell", "post_run_cell", "post_execute")


def hooks(ip):
    """Everything that an extension could add to a shell."""
    formatter = ip.display_formatter
    return {
        "cell magics": set(ip.magics_manager.magics["cell"]),
        "line magics": set(ip.magics_manager.magics["line"]),
        "magics": set(ip.magics_manager.registry),
        "events": {name: list(ip.events.callbacks[name]) for name in EVENTS},
        "formatters": {
            kind: dict(printer.type_printers)
            for kind, printer in {
                **formatter.formatters,
                "bundle": formatter.mimebundle_formatter,
            }.items()
        },
        "ast": list(ip.ast_transformers),
        "input": [*ip.input_transformers_cleanup, *ip.input_transformers_post],
        "completers": list(ip.Completer.custom_matchers),
        "custom": ip.custom_exceptions,
        "attributes": set(vars(ip)),
    }


def test_unloading_removes_everything_and_loading_twice_changes_nothing(ip):
    loaded = hooks(ip)
    load(ip)
    assert hooks(ip) == loaded
    unload(ip)
    clean = hooks(ip)
    assert "autograd" not in clean["cell magics"] | clean["line magics"]
    assert "glassgrad" not in repr(clean)
    unload(ip)
    assert hooks(ip) == clean
    load(ip)
    assert set(hooks(ip)["cell magics"]) - set(clean["cell magics"]) == {"autograd"}
    assert hooks(ip)["events"] == loaded["events"] | {
        "post_run_cell": ip.events.callbacks["post_run_cell"]
    }
    assert len(ip.events.callbacks["post_run_cell"]) == 1 + len(clean["events"]["post_run_cell"])


def test_a_shell_that_was_reloaded_is_as_a_shell_that_was_loaded(ip):
    loaded = {kind: repr(found) for kind, found in hooks(ip).items()}
    ip.run_line_magic("reload_ext", "glassgrad")
    for kind, found in hooks(ip).items():
        assert len(repr(found)) == len(loaded[kind])


def test_completions_of_somebody_else_stay(ip):
    def theirs(_context):
        return {"completions": []}

    ip.Completer.custom_matchers.append(theirs)
    unload(ip)
    assert hooks(ip)["completers"] == [theirs]


def test_an_unloaded_shell_runs_cells_that_wait_as_any_other(ip, run):
    unload(ip)
    assert not run("%%autograd\nawait x").result.success
    assert run("import asyncio\nawait asyncio.sleep(0, 3)").result.result == 3


def test_loading_twice_still_shows_one_picture(ip, run):
    load(ip)
    ip.run_line_magic("load_ext", "glassgrad")
    assert len(run("%%autograd\na = Value(2.0)\nb = a * a\nb").widgets) == 1


def test_a_magic_of_somebody_else_stays(ip):
    def autograd(line, cell):
        return "mine"

    ip.register_magic_function(autograd, "cell")
    unload(ip)
    assert ip.run_cell_magic("autograd", "", "x") == "mine"
    ip.magics_manager.magics["cell"].pop("autograd")


def test_a_value_at_the_end_of_a_cell_is_a_picture(ip):
    ip.run_cell("a = Value(2.0)\nb = a * a")
    data, _ = ip.display_formatter.format(ip.user_ns["b"])
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"].startswith("b = a * a")
    assert "image/svg+xml" in data


def test_a_class_derived_from_value_is_a_picture_too(ip):
    class Named(gg.Value):
        pass

    data, _ = ip.display_formatter.format(Named(2.0))
    assert "application/vnd.jupyter.widget-view+json" in data


def test_other_objects_are_none_of_our_business(ip):
    assert ip.display_formatter.format(3.0) == ({"text/plain": "3.0"}, {})


@pytest.fixture
def terminal():
    shell = TerminalInteractiveShell.instance()
    load(shell)
    yield shell
    unload(shell)
    TerminalInteractiveShell.clear_instance()


def test_a_terminal_shows_text(terminal, capsys):
    terminal.run_cell("from glassgrad import Value\na = Value(2.0)\nb = a * a\nb")
    assert "Value(data=4.0, grad=0.0)" in capsys.readouterr().out
    terminal.run_cell("%%autograd\nc = a * 3\n")
    assert "c = a * 3" in capsys.readouterr().out


def test_loading_imports_no_numpy():
    code = (
        "import sys\nfrom IPython.core.interactiveshell import InteractiveShell\n"
        "ip = InteractiveShell.instance()\nbefore = 'numpy' in sys.modules\n"
        "ip.run_line_magic('load_ext', 'glassgrad')\n"
        "assert ('numpy' in sys.modules) == before"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
