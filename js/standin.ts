/**
 * Answers commands on a page that has no kernel, such as an exported file.
 *
 * In: commands, and the traits of a model that nobody else changes.  Out: changed traits, as the
 * kernel would have assigned them.  The rules of the user's class are not here, but their slopes are:
 * every gradient is computed from those.
 */

import { encoded } from "./checks";
import type { Command } from "./commands";
import { apart, joined, type Numbers, parseGraph, parseNumbers, type Structure } from "./contract";
import { callsOf, replay } from "./replay";
import { type Known, plus, tapeOf, times } from "./tape";

/** What the stand-in uses of a host's model. */
interface Traits {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
}

/** A move as it stands in the `progress` trait; see `notebook/by_hand.py`. */
type Move = Readonly<Record<string, unknown>>;

interface Moment {
  readonly grads: readonly Known[];
  readonly moves: readonly Move[];
}

/** What a command makes of the gradients; null when it does not apply. */
export function obey(
  structure: Structure,
  numbers: Numbers,
  { grads, moves }: Moment,
  command: Command,
): Moment | null {
  const { nodes, edges, operandEdges, indexOf } = structure;
  if (command.command === "zero_grad") {
    return { grads: grads.map(() => 0), moves: [...moves, { do: "zero_grad" }] };
  }
  if (command.command === "backward") {
    const { gradients } = tapeOf(structure, numbers);
    const sums = grads.map((grad, node) => plus(grad, gradients[node]));
    return { grads: sums, moves: [...moves, { do: "backward" }] };
  }
  if (!("node" in command)) return null;
  const node = indexOf.get(command.node);
  if (node === undefined) return null;
  const held = [...grads];
  const id = nodes.id[node];
  if (command.command === "set_grad") {
    held[node] = command.grad;
    return { grads: held, moves: [...moves, { do: "set", node: id, grad: encoded(command.grad) }] };
  }
  const receivers = (operandEdges[node] ?? []).map((edge) => edges.source[edge] as number);
  const before = new Map(receivers.map((operand) => [operand, grads[operand] ?? null]));
  for (const edge of operandEdges[node] ?? []) {
    const operand = edges.source[edge] as number;
    held[operand] = plus(held[operand], times(numbers.slope[edge], grads[node]));
  }
  const sent = [...before]
    .filter(([operand]) => nodes.kind[operand] !== "constant")
    .map(([operand, was]) => ({
      node: nodes.id[operand],
      before: encoded(was),
      after: encoded(held[operand] ?? null),
    }));
  const move = { do: "run", node: id, grad: encoded(grads[node] ?? null), sent };
  return { grads: held, moves: [...moves, move] };
}

const ALONE = "Some of its rules are not known to this page, and there is no kernel to ask.";

/** The numbers with other data at some leaves, as the kernel would send them. */
function replayed(
  structure: Structure,
  numbers: Numbers,
  data: Readonly<Record<string, number>>,
): Record<string, unknown> | null {
  const changes = Object.entries(data).flatMap(([id, value]): [number, number][] => {
    const node = structure.indexOf.get(Number(id));
    return node === undefined ? [] : [[node, value]];
  });
  const found = replay(structure, numbers, callsOf(structure, numbers), new Map(changes));
  if (!("numbers" in found)) return null;
  const { data: column, grad, slope } = found.numbers;
  return {
    data: Array.from(column, encoded),
    grad: grad.map(encoded),
    slope: slope.map(encoded),
  };
}

/** Makes the stand-in of a model. */
export function createStandIn(model: Traits): (command: Command) => void {
  const history: { numbers: Record<string, unknown>; moves: readonly Move[] }[] = [];
  const put = (numbers: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(apart(numbers))) model.set(name, value);
  };
  return (command) => {
    const structure = parseGraph(model.get("graph"));
    if (structure.folds) {
      model.set(
        "error",
        "This picture is folded. What it holds is not here, and there is no kernel to ask.",
      );
      model.save_changes();
      return;
    }
    const raw = joined((name) => model.get(name));
    const numbers = parseNumbers(raw, structure);
    const progress = (model.get("progress") ?? {}) as Record<string, unknown>;
    const isOn = model.get("mode") === "by hand";
    const moves = (isOn ? (progress["by hand"] ?? []) : []) as readonly Move[];
    if (moves.length === 0) history.length = 0;
    const finish = (next: (typeof history)[number]): void => {
      put(next.numbers);
      if (isOn) model.set("progress", { ...progress, "by hand": next.moves });
      model.save_changes();
    };
    if (command.command === "undo" || command.command === "restore") {
      const back = command.command === "undo" ? history.pop() : history[0];
      if (command.command === "restore") history.length = 0;
      if (back) finish(back);
      return;
    }
    if (command.command === "what_if") {
      model.set("nudged", { data: command.data, error: ALONE, numbers: {} });
      model.save_changes();
      return;
    }
    if (command.command === "set_data") {
      put({ ...raw, ...replayed(structure, numbers, command.data) });
      model.save_changes();
      return;
    }
    const grads = numbers.grad.map((grad) => grad ?? 0);
    const next = obey(structure, numbers, { grads, moves }, command);
    if (!next) return;
    history.push({ numbers: raw, moves });
    const ran = next.grads[structure.root] !== 0;
    const grad = next.grads.map((held) => encoded(ran ? held : held || null));
    finish({ numbers: { ...raw, ran, grad }, moves: next.moves });
  };
}
