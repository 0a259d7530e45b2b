"""Writes docs/operations.md from the table: ``python tests/engine/reference.py``."""

from pathlib import Path

from glassgrad.engine.methods import method_names
from glassgrad.engine.ops import PRIMITIVES

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"

HEAD = """\
# Operations

Every row of the engine's table: what it computes, its slope against each operand, and the rule in
words. `out` is the result. Each is a function of the module and a method of `Value`; functions take
plain numbers too. Values at single points, such as the slope of `x**0` at 0, follow PyTorch and are
left out here. This page is written from `glassgrad.engine.ops`.

| function | of a Value | result | slopes | rule |
|---|---|---|---|---|
"""


def page():
    """Return the page."""
    return HEAD + "".join(map(row, PRIMITIVES.values()))


def row(primitive):
    """Return one line of its table."""
    plain = {name: name for name in ("x", "y", "z", "out")}
    slopes = [partial.text.format(**plain) for partial in primitive.partials]
    cells = (
        f"`gg.{primitive.name}`",
        ", ".join(f"`{name}`" for name in method_names(primitive) if not name.startswith("_r")),
        primitive.forward.text.format(**plain),
        "; ".join(slopes) + (" for each" if primitive.variadic else ""),
        primitive.says,
    )
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
