/**
 * Gradients that one backward() of this graph alone does not explain.
 *
 * In: structure, numbers and tape.  Out: which values hold too much, how much, and why: backward() ran
 * again without zeroing, or something was there before this graph.  What is not certain is not said: a
 * class whose rules are wrong leaves odd gradients too, and that is the grader's business.
 */

import type { Numbers, Structure } from "../contract";
import { abs, isFiniteNumber } from "../maths";
import { countedNodes, hasOperands } from "../nodes";
import { near } from "../replay";
import type { Tape } from "../tape";

export type Stale =
  /** All of them, after this many calls of backward(). */
  | { readonly why: "again"; readonly calls: number; readonly nodes: readonly number[] }
  /** Leaves that held something before. */
  | { readonly why: "before"; readonly nodes: readonly number[] };

/** More calls than this are not told apart. */
const MOST_CALLS = 20;

export function staleGradients(structure: Structure, numbers: Numbers, tape: Tape): Stale | null {
  if (!numbers.ran || !tape.complete) return null;
  const due = tape.gradients;
  const held = numbers.grad;
  const asked = countedNodes(structure);
  const isKnown = (node: number): boolean =>
    isFiniteNumber(due[node]) && isFiniteNumber(held[node] ?? null);
  if (!asked.every(isKnown)) return null;
  const off = asked.filter((node) => !isNear(held[node] as number, due[node] as number));
  if (off.length === 0) return null;
  const calls = callsOfBackward(structure, numbers, due as number[], asked);
  if (calls !== null) return { why: "again", calls, nodes: off };
  return off.every(
    (node) => !hasOperands(structure, node) && !isPartial(tape, node, held[node] as number),
  )
    ? { why: "before", nodes: off }
    : null;
}

const isNear = (a: number, b: number): boolean => near(a, b) || abs(a - b) < 1e-12;

/** Whether it is a part of what is due: then something is missing, and nothing is left over. */
function isPartial(tape: Tape, node: number, held: number): boolean {
  const amounts = (tape.received[node] ?? []).map(({ amount }) => amount ?? 0);
  if (held === 0) return true;
  if (amounts.length > 12) return false;
  for (let set = 0; set < 2 ** amounts.length; set++) {
    const part = amounts.filter((_, at) => ((set >> at) & 1) === 1).reduce((a, b) => a + b, 0);
    if (isNear(held, part)) return true;
  }
  return false;
}

/**
 * How many calls of backward() explain all gradients; null if none do.
 *
 * A class that keeps contributions apart adds the same once more at each call.  One that works as the
 * lecture's does sets the root to 1 and passes on whatever each value holds, old amounts included.
 */
function callsOfBackward(
  structure: Structure,
  { slope, grad }: Numbers,
  due: readonly number[],
  asked: readonly number[],
): number | null {
  const fits = (held: readonly number[]): boolean =>
    asked.every((node) => isNear(grad[node] as number, held[node] as number));
  let lecture: number[] = due.map(() => 0);
  for (let calls = 1; calls <= MOST_CALLS; calls++) {
    lecture = passed(structure, slope, lecture);
    if (calls === 1) continue;
    if (fits(lecture) || fits(due.map((once) => calls * once))) return calls;
  }
  return null;
}

/** The gradients after one more backward() as the lecture writes it. */
function passed(
  { nodes, edges, operandEdges, root }: Structure,
  slope: Numbers["slope"],
  before: readonly number[],
): number[] {
  const held = [...before];
  held[root] = 1;
  for (let node = nodes.id.length - 1; node >= 0; node--) {
    for (const edge of operandEdges[node] ?? []) {
      const operand = edges.source[edge] as number;
      held[operand] = (held[operand] as number) + (slope[edge] ?? 0) * (held[node] as number);
    }
  }
  return held;
}
