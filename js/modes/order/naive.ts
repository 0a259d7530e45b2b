/**
 * Backpropagation by plain recursion, as one would first write it:
 *
 *     def backward(v):
 *         for operand, slope in v:
 *             operand.grad += slope * v.grad
 *             backward(operand)
 *
 * In: structure and slopes.  Out: what it does, send by send, and what every value holds in the end.
 * On a tree that is right.  Where a value is used twice, its rule runs before its gradient is whole,
 * and then again with everything it holds: that is what a topological order is for.
 */

import type { Numbers, Structure } from "../../contract";
import { isConstant } from "../../names";
import { hasOperands } from "../../nodes";
import { type Known, plus, times } from "../../tape";

/** One run of a value's rule. */
export interface Run {
  readonly node: number;
  /** The gradient it reads. */
  readonly read: Known;
  /** The results that have not sent anything yet, or not all of it. */
  readonly missing: readonly number[];
  /** Whether some of those have sent a part. */
  readonly begun: boolean;
  /** How many times the rule had run before. */
  readonly earlier: number;
  /** The number of the first send it makes. */
  readonly from: number;
}

/** One contribution. */
export interface Send {
  readonly edge: number;
  /** The number of the run that makes it. */
  readonly run: number;
  readonly amount: Known;
  /** What the operand holds afterwards. */
  readonly total: Known;
}

export interface Recursion {
  readonly runs: readonly Run[];
  readonly sends: readonly Send[];
  /** Per node: what it holds in the end, or when the recursion was cut. */
  readonly totals: readonly Known[];
  /** Whether there was more to do than `MOST_SENDS`. */
  readonly cut: boolean;
  /** How many sends it takes in all: one for every path from the root to every value. */
  readonly needed: bigint;
  /** The number of the first run that reads too early, −1 when none does. */
  readonly firstEarly: number;
}

/** A recursion that sends more than this is cut: on deep graphs it would never end. */
export const MOST_SENDS = 2000;

export function recurse(structure: Structure, { slope }: Numbers): Recursion {
  const { nodes, edges, operandEdges, consumerEdges, root } = structure;
  const size = nodes.id.length;
  const totals: Known[] = new Array(size).fill(0);
  totals[root] = 1;
  const sent = new Set<number>();
  const ran: number[] = new Array(size).fill(0);
  const runs: Run[] = [];
  const sends: Send[] = [];
  const stack: { run: number; node: number; next: number }[] = [];

  const enter = (node: number): void => {
    if (!hasOperands(structure, node)) return;
    const waiting = (consumerEdges[node] ?? []).filter((edge) => !sent.has(edge));
    const missing = [...new Set(waiting.map((edge) => edges.target[edge] as number))];
    const read = totals[node] ?? null;
    const begun = (consumerEdges[node] ?? []).some(
      (edge) => sent.has(edge) && missing.includes(edges.target[edge] as number),
    );
    runs.push({ node, read, missing, begun, earlier: ran[node] as number, from: sends.length });
    ran[node] = (ran[node] as number) + 1;
    stack.push({ run: runs.length - 1, node, next: 0 });
  };
  enter(root);
  while (stack.length > 0 && sends.length < MOST_SENDS) {
    const top = stack.at(-1) as (typeof stack)[number];
    const edge = operandEdges[top.node]?.[top.next];
    if (edge === undefined) {
      stack.pop();
      continue;
    }
    top.next += 1;
    const operand = edges.source[edge] as number;
    if (isConstant(structure, operand)) continue;
    const amount = times(slope[edge], totals[top.node]);
    const total = plus(totals[operand], amount);
    totals[operand] = total;
    sent.add(edge);
    sends.push({ edge, run: top.run, amount, total });
    enter(operand);
  }
  return {
    runs,
    sends,
    totals,
    cut: stack.some(({ node, next }) => next < (operandEdges[node] ?? []).length),
    needed: neededFor(structure),
    firstEarly: runs.findIndex(({ missing }) => missing.length > 0),
  };
}

/** How many sends the recursion makes, without making them. */
function neededFor(structure: Structure): bigint {
  const { nodes, edges, consumerEdges, root } = structure;
  const visits: bigint[] = new Array(nodes.id.length).fill(0n);
  visits[root] = 1n;
  for (let node = root - 1; node >= 0; node--) {
    if (isConstant(structure, node)) continue;
    const from = (consumerEdges[node] ?? []).map((edge) => visits[edges.target[edge] as number]);
    visits[node] = from.reduce<bigint>((sum, count) => sum + (count ?? 0n), 0n);
  }
  return visits.reduce((sum, count) => sum + count, 0n) - 1n;
}

/** What every value holds after some of the sends. */
export function heldAfter(
  { nodes, edges, root }: Structure,
  { sends }: Recursion,
  done: number,
): readonly Known[] {
  const held: Known[] = new Array(nodes.id.length).fill(0);
  held[root] = 1;
  for (const { edge, total } of sends.slice(0, done)) held[edges.source[edge] as number] = total;
  return held;
}
