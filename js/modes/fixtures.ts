/** Graphs on which order and paths matter, and a mode's moment on any graph. */

import { parsed, type Row } from "../fixtures";
import { readingsAt } from "../scene/readings";
import { tapeOf } from "../tape";
import type { Moment } from "./mode";

const sum = (label: string, data: number, left: string, right: string): Row => ({
  label,
  data,
  rule: "add",
  operands: [
    [left, 1],
    [right, 1],
  ],
});
const product = (label: string, data: number, left: [string, number], right: [string, number]) =>
  ({ label, data, rule: "mul", operands: [left, right] }) satisfies Row;

/** `b = a + a; c = b + b` at 1: the shortest graph on which plain recursion is wrong. */
export const REUSED: readonly Row[] = [
  { label: "a", data: 1 },
  sum("b", 2, "a", "a"),
  sum("c", 4, "b", "b"),
];

/** `c = a + b; d = a * b; y = (c + d) + c * d` at 2 and 3. */
export const DIAMONDS: readonly Row[] = [
  { label: "a", data: 2 },
  { label: "b", data: 3 },
  sum("c", 5, "a", "b"),
  product("d", 6, ["a", 3], ["b", 2]),
  sum("e", 11, "c", "d"),
  product("f", 30, ["c", 6], ["d", 5]),
  sum("y", 41, "e", "f"),
];

/** `s = s + s`, so many times: 2ⁿ paths in n + 1 values. */
export const doublings = (count: number): readonly Row[] => [
  { label: "s0", data: 1 },
  ...Array.from({ length: count }, (_, at) => sum(`s${at + 1}`, 2 ** (at + 1), `s${at}`, `s${at}`)),
];

/** The moment at rest; with the gradients of `grads`, or as before backward. */
export function momentOf(rows: readonly Row[], grads: readonly (number | null)[] = []): Moment {
  const { structure, numbers: unrun } = parsed(rows);
  const held = rows.map((_, node) => grads[node] ?? null);
  const numbers = { ...unrun, ran: held.some((grad) => grad !== null), grad: held };
  const tape = tapeOf(structure, numbers);
  const readings = readingsAt(structure, numbers, tape, -1, 4);
  return { structure, numbers, tape, readings, pinned: -1, precision: 4, nudged: {} };
}
