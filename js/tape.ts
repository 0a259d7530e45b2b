/**
 * The tape: what happens forward and backward, one step per value.
 *
 * In flow a structure and its numbers; out flow the steps in the order in which they run.  The
 * gradients here are computed from the slopes alone, from 1 at the root, so that a tape can be
 * stepped before backward has run and does not depend on what is left in `grad`.
 */

import type { Numbers, Structure } from "./contract";
import { abs, max } from "./maths";

/** A gradient, a slope or a product of them; null where it is unknown. */
export type Known = number | null;

/** Sums and products are unknown where a part of them is. */
export const plus = (a: Known | undefined, b: Known | undefined): Known =>
  typeof a === "number" && typeof b === "number" ? a + b : null;

export const times = (a: Known | undefined, b: Known | undefined): Known =>
  typeof a === "number" && typeof b === "number" ? a * b : null;

/** Whether two are one number but for rounding; what is unknown contradicts nothing. */
export const agree = (a: Known | undefined, b: Known | undefined): boolean =>
  typeof a !== "number" ||
  typeof b !== "number" ||
  Object.is(a, b) ||
  abs(a - b) < 1e-9 * max(1, abs(b));

/** What one use of an operand sends back to it: slope × gradient. */
export interface Contribution {
  readonly edge: number;
  /** The result that sends. */
  readonly from: number;
  /** The operand that receives. */
  readonly operand: number;
  readonly position: number | null;
  readonly slope: Known;
  readonly amount: Known;
  /** How many contributions the operand had received before this one. */
  readonly earlier: number;
  /** The operand's running total before and after this contribution. */
  readonly before: Known;
  readonly total: Known;
}

export interface ForwardStep {
  readonly node: number;
}

export interface BackwardStep {
  readonly node: number;
  /** The node's whole gradient, which this step passes on. */
  readonly gradient: Known;
  readonly contributions: readonly Contribution[];
}

export interface Tape {
  readonly forward: readonly ForwardStep[];
  readonly backward: readonly BackwardStep[];
  /** Per node: the gradient after the last step. */
  readonly gradients: readonly Known[];
  /** Per node: what arrived, in order. */
  readonly received: readonly (readonly Contribution[])[];
  /** Whether the whole graph is drawn; if not, gradients miss what lies outside. */
  readonly complete: boolean;
}

/** Compute both directions of a graph's tape. */
export function tapeOf(structure: Structure, numbers: Numbers): Tape {
  const { nodes, edges, operandEdges, root } = structure;
  const size = nodes.id.length;
  const gradients: Known[] = new Array(size).fill(0);
  const received = Array.from({ length: size }, (): Contribution[] => []);
  gradients[root] = 1;

  const send = (edge: number, from: number, gradient: Known): Contribution => {
    const operand = edges.source[edge] as number;
    const slope = numbers.slope[edge] ?? null;
    const amount = times(slope, gradient);
    const before = gradients[operand] as Known;
    const total = plus(before, amount);
    const arrivals = received[operand] as Contribution[];
    const earlier = arrivals.length;
    const position = edges.operand[edge] ?? null;
    const sent = { edge, from, operand, position, slope, amount, earlier, before, total };
    gradients[operand] = total;
    arrivals.push(sent);
    return sent;
  };

  const backward: BackwardStep[] = [];
  for (let node = size - 1; node >= 0; node--) {
    const gradient = gradients[node] as Known;
    const contributions = (operandEdges[node] ?? []).map((edge) => send(edge, node, gradient));
    backward.push({ node, gradient, contributions });
  }
  return {
    forward: nodes.id.map((_, node) => ({ node })),
    backward,
    gradients,
    received,
    complete: structure.total === size,
  };
}

export type Step =
  | ({ readonly pass: "forward"; readonly index: number } & ForwardStep)
  | ({ readonly pass: "backward"; readonly index: number } & BackwardStep);

/** The step at a position of the `step` trait: forward from 0, backward after that, else null. */
export function stepAt(tape: Tape, position: number): Step | null {
  const index = position - tape.forward.length;
  const forward = tape.forward[position];
  if (forward) return { pass: "forward", index: position, ...forward };
  const backward = tape.backward[index];
  return backward ? { pass: "backward", index, ...backward } : null;
}

/**
 * The gradient each node holds once the step at `position` is done.
 *
 * undefined where nothing has arrived yet, null where what arrived is unknown.
 */
export function heldAt(tape: Tape, position: number): (Known | undefined)[] {
  const held: (Known | undefined)[] = new Array(tape.forward.length).fill(undefined);
  const done = position - tape.forward.length + 1;
  const [first] = tape.backward;
  if (done > 0 && first) held[first.node] = first.gradient;
  for (const { contributions } of tape.backward.slice(0, max(0, done))) {
    for (const { operand, total } of contributions) held[operand] = total;
  }
  return held;
}

/** What flows along an edge: slope × the gradient of its result; null before backward has run. */
export function flowOf(structure: Structure, numbers: Numbers, edge: number): Known {
  const sum = numbers.flows.get(edge);
  if (sum !== undefined) return sum;
  const gradient = numbers.grad[structure.edges.target[edge] as number];
  return numbers.ran ? times(numbers.slope[edge], gradient) : null;
}
