"""A Plan as a pure function for JAX.

Each rule is a ``jax.custom_jvp`` of the table's expressions, so that every transformation of JAX
sees the slopes that the table has, also at the edges of a domain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from glassgrad.engine.ops import Primitive
from glassgrad.engine.replay.pieces import Pieces, Source
from glassgrad.engine.replay.recording import Floats, Recording
from glassgrad.engine.replay.rules import Rules
from glassgrad.engine.replay.schedule import Elementwise, Group, Operand, Plan, schedule

jax: Any = import_module("jax")
jnp: Any = import_module("jax.numpy")

Array: TypeAlias = Any  # of JAX, which has its types for itself

MOST_GROUPS = 256
"""More than these are run as a loop: tracing and compiling a group takes some milliseconds."""


def _sign(x: Array) -> Array:
    return jnp.where(x > 0, 1.0, jnp.where(x < 0, -1.0, 0.0))


RULES = Rules(
    {
        "where": jnp.where,
        "pow": jnp.power,
        "sign": _sign,
        "sigmoid": jax.nn.sigmoid,
        "erf": jax.scipy.special.erf,
        "asin": jnp.arcsin,
        "acos": jnp.arccos,
        "atan": jnp.arctan,
        "atan2": jnp.arctan2,
        "asinh": jnp.arcsinh,
        "acosh": jnp.arccosh,
        "atanh": jnp.arctanh,
        **{
            name: getattr(jnp, name)
            for name in (
                "abs", "maximum", "minimum", "exp", "expm1", "log", "log1p", "log2", "log10",
                "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "hypot",
            )
        },
    }
)  # fmt: skip


def function(plan: Plan) -> Callable[..., Array]:
    """Return ``f(values)``, or ``f(parameters, values)`` if the recording has parameters."""
    recording = plan.recording
    one_row = _loop(recording) if plan.groups > MOST_GROUPS else _groups(plan)
    # vectorize maps over the batch; what has none, as the parameters, stays one for all rows
    run = jnp.vectorize(one_row, signature="(p),(n)->()")

    def of_inputs(values: Array) -> Array:
        values = _checked(values, recording.inputs, "inputs")
        return run(jnp.zeros(0, values.dtype), values)

    def of_both(parameters: Array, values: Array) -> Array:
        parameters = _checked(parameters, recording.parameters, "parameters")
        return run(parameters, _checked(values, recording.inputs, "inputs"))

    return of_both if recording.parameters else of_inputs


def _checked(values: Array, count: int, what: str) -> Array:
    values = jnp.asarray(values, jnp.result_type(float, values))
    if values.ndim == 0 or values.shape[-1] != count:
        raise ValueError(
            f"The function has {count} {what}; got an array of the shape {values.shape}. "
            "Its last axis holds one number for each."
        )
    return values


def _constant(numbers: Floats, dtype: Any) -> Array:
    """Return numbers as an array that knows the mesh in use, which ``jnp.asarray`` does not."""
    return jnp.zeros(numbers.shape, dtype) + jnp.asarray(numbers, dtype)


# -- a wide graph: its groups, one after the other ------------------------------------------------


def _groups(plan: Plan) -> Callable[[Array, Array], Array]:
    groups = schedule(plan)
    where = Pieces(groups)
    steps = [_step(group, where) for group in groups.groups]
    read_root = _reader(where.source(np.array(groups.root)))

    def one_row(parameters: Array, values: Array) -> Array:
        fixed = _constant(groups.numbers[plan.recording.given :], values.dtype)
        pieces = [values, parameters, fixed]
        for step in steps:
            pieces.append(step(pieces))
        return read_root(pieces)

    return one_row


def _step(group: Group, where: Pieces) -> Callable[[list[Array]], Array]:
    if isinstance(group, Elementwise):
        readers = [_reader(where.source(x.cells)) for x in group.operands if x.numbers is None]
        rule = _rule(group)
        return lambda pieces: rule(*[read(pieces) for read in readers])

    read_x, read_y = (_factor(operand, where) for operand in (group.x, group.y))

    def products(pieces: list[Array]) -> Array:
        return jnp.einsum(
            "srt,sct->src", read_x(pieces), read_y(pieces), precision="highest"
        ).ravel()

    return products


def _factor(operand: Operand, where: Pieces) -> Callable[[list[Array]], Array]:
    numbers = operand.numbers
    if numbers is None:
        return _reader(where.source(operand.cells))
    return lambda pieces: _constant(numbers, pieces[0].dtype)


def _reader(source: Source) -> Callable[[list[Array]], Array]:
    take = source.positions if source.whole is None else source.whole

    def read(pieces: list[Array]) -> Array:
        joined = [pieces[piece] for piece in source.pieces]
        array = joined[0] if len(joined) == 1 else jnp.concatenate(joined)
        return array[take]

    return read


def _rule(group: Elementwise) -> Callable[..., Array]:
    """Return the rule as a function of the operands that have cells."""
    primitive = group.primitive
    forward = RULES.forward(primitive)
    slopes = [
        RULES.slope(primitive, position)
        for position, operand in enumerate(group.operands)
        if operand.numbers is None
    ]

    def operands(read: Sequence[Array]) -> list[Array]:
        left = iter(read)
        return [
            next(left) if operand.numbers is None else _constant(operand.numbers, read[0].dtype)
            for operand in group.operands
        ]

    def result(*read: Array) -> Array:
        return forward(*operands(read))

    def derivative(read: Sequence[Array], tangents: Sequence[Array]) -> tuple[Array, Array]:
        out = rule(*read)
        every = operands(read)
        terms = [
            slope(*every, out) * tangent for slope, tangent in zip(slopes, tangents, strict=True)
        ]
        return out, sum(terms[1:], terms[0])

    rule: Callable[..., Array] = jax.custom_jvp(result)
    rule.defjvp(derivative)  # type: ignore[attr-defined]
    return rule


# -- a long thin graph: a loop over its instructions ----------------------------------------------


def _loop(recording: Recording) -> Callable[[Array, Array], Array]:
    """Return the graph as two loops, one of them the sweep.

    JAX's own derivative of the first loop would keep the whole table for each instruction.
    """
    missing = recording.size  # a cell more, for operands that are not there
    operands = np.where(recording.operands < 0, missing, recording.operands)
    cells = np.arange(recording.leaves, recording.size)
    tape = (recording.operation, operands, cells)
    forwards = [_of_three(primitive) for primitive in recording.primitives]
    slopes = [_slopes_of_three(primitive) for primitive in recording.primitives]

    def fill(parameters: Array, values: Array) -> Array:
        def step(table: Array, instruction: Array) -> tuple[Array, None]:
            operation, operands, cell = instruction
            x, y, z = table[operands]
            return table.at[cell].set(jax.lax.switch(operation, forwards, x, y, z)), None

        fixed = _constant(recording.numbers[recording.given :], values.dtype)
        empty = jnp.zeros(recording.size + 1 - recording.leaves, values.dtype)
        table = jnp.concatenate([values, parameters, fixed, empty])
        return jax.lax.scan(step, table, tape)[0]

    def sweep(table: Array, grad: Array) -> tuple[Array, Array]:
        def step(grads: Array, instruction: Array) -> tuple[Array, None]:
            operation, operands, cell = instruction
            x, y, z = table[operands]
            slope = jax.lax.switch(operation, slopes, x, y, z, table[cell])
            return grads.at[operands].add(grads[cell] * slope), None

        grads = jnp.zeros_like(table).at[recording.root].set(grad)
        grads = jax.lax.scan(step, grads, tape, reverse=True)[0]
        return grads[recording.inputs : recording.given], grads[: recording.inputs]

    def forward(parameters: Array, values: Array) -> tuple[Array, Array]:
        table = fill(parameters, values)
        return table[recording.root], table

    one_row: Callable[..., Array] = jax.custom_vjp(lambda *given: forward(*given)[0])
    one_row.defvjp(forward, sweep)  # type: ignore[attr-defined]
    return one_row


def _of_three(primitive: Primitive) -> Callable[..., Array]:
    forward, arity = RULES.forward(primitive), primitive.arity
    return lambda *operands: jnp.asarray(forward(*operands[:arity]), operands[0].dtype)


def _slopes_of_three(primitive: Primitive) -> Callable[..., Array]:
    arity = primitive.arity
    slopes = [RULES.slope(primitive, position) for position in range(arity)]

    def of_three(x: Array, y: Array, z: Array, out: Array) -> Array:
        every = [slope(*(x, y, z)[:arity], out) for slope in slopes]
        return jnp.array([*every, *[0.0] * (3 - arity)], x.dtype)

    return of_three
