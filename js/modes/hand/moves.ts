/**
 * Moves made by hand, and what is to be thought of them.
 *
 * In: the moves of this session with what each did, as the kernel reports them (or the page's
 * stand-in, where there is no kernel).  Out: a verdict on each run of a rule (was the gradient that
 * it passed on whole?) and the move that would come next.  Pure; the gradients themselves are in
 * `numbers`.
 */

import { decimal } from "../../checks";
import type { Structure } from "../../contract";
import { isConstant } from "../../names";
import { isComputed } from "../../nodes";
import { agree, type Known } from "../../tape";

/** What one run changed in one operand. */
export interface Receipt {
  readonly node: number;
  readonly before: Known;
  readonly after: Known;
}

/** Nodes are meant by their index. */
export type Move =
  | {
      readonly do: "run";
      readonly node: number;
      /** The gradient that the rule passed on. */
      readonly grad: Known;
      readonly sent: readonly Receipt[];
    }
  | { readonly do: "set"; readonly node: number; readonly grad: Known }
  | { readonly do: "zero_grad" }
  | { readonly do: "backward" };

/** Reads moves that came on the `progress` trait; null when they do not fit the graph. */
export function readMoves(value: unknown, structure: Structure): readonly Move[] | null {
  try {
    return Array.isArray(value) ? value.map((move) => readMove(move, structure)) : null;
  } catch {
    return null;
  }
}

function readMove(move: Record<string, unknown>, structure: Structure): Move {
  const gradient = (value: unknown): Known => (value === null ? null : decimal(value, "move"));
  const drawn = (id: unknown): number | undefined => structure.indexOf.get(id as number);
  const known = (id: unknown): number => {
    const node = drawn(id);
    if (node === undefined) throw new TypeError("not drawn");
    return node;
  };
  if (move.do === "zero_grad" || move.do === "backward") return { do: move.do };
  const about = { node: known(move.node), grad: gradient(move.grad) };
  if (move.do === "set") return { do: "set", ...about };
  if (move.do !== "run") throw new TypeError("no move");
  const receipts = move.sent as readonly Record<string, unknown>[];
  const sent = receipts.flatMap(({ node: id, before, after }): Receipt[] => {
    const node = drawn(id);
    if (node === undefined) return [];
    return [{ node, before: gradient(before), after: gradient(after) }];
  });
  return { do: "run", ...about, sent };
}

/** Why what a run passed on was right, or not. */
export type Verdict =
  /** The gradient was whole. */
  | "whole"
  /** Consumers had not contributed yet. */
  | "early"
  /** The rule had run before, so its contributions count twice. */
  | "again"
  /** Everybody had contributed, but somebody wrongly. */
  | "misled"
  /** The root's gradient had not been set. */
  | "unset"
  /** There was something in the gradient that no move put there. */
  | "leftover";

export interface Judged {
  readonly verdict: Verdict;
  /** The consumers that are to blame: late ones, or wrong ones. */
  readonly by: readonly number[];
}

/** Where all moves together have led. */
export interface Position {
  /** Per move: the verdict on a run, null on other moves. */
  readonly judged: readonly (Judged | null)[];
  /** Per node: how its last run is judged; undefined while it has not run. */
  readonly runs: readonly (Verdict | undefined)[];
  /** Whether the whole backward pass ran, so that all rules have. */
  readonly driven: boolean;
}

/** Judges every move. */
export function judge(structure: Structure, moves: readonly Move[]): Position {
  const size = structure.nodes.id.length;
  let runs: (Verdict | undefined)[] = new Array(size).fill(undefined);
  let due: Known[] = new Array(size).fill(0);
  let driven = false;
  const judged = moves.map((move): Judged | null => {
    if (move.do === "zero_grad") {
      runs = new Array(size).fill(undefined);
      due = new Array(size).fill(0);
      driven = false;
    } else if (move.do === "backward") driven = true;
    else if (move.do === "set") due[move.node] = move.grad;
    else {
      const verdict = driven ? AGAIN : judgeRun(structure, runs, due[move.node] ?? null, move);
      // What passed on 0 too early did no harm: the rule may run again.
      const harmless = move.grad === 0 && verdict.verdict !== "whole";
      if (!harmless) runs[move.node] = verdict.verdict;
      for (const { node, after } of move.sent) due[node] = after;
      return verdict;
    }
    return null;
  });
  return { judged, runs, driven };
}

const AGAIN: Judged = { verdict: "again", by: [] };

function judgeRun(
  structure: Structure,
  runs: readonly (Verdict | undefined)[],
  due: Known,
  { node, grad }: Move & { do: "run" },
): Judged {
  if (runs[node] !== undefined) return AGAIN;
  if (!agree(grad, due)) return { verdict: "leftover", by: [] };
  if (node === structure.root) return { verdict: grad === 0 ? "unset" : "whole", by: [] };
  const consumers = consumersOf(structure, node);
  const late = consumers.filter((consumer) => runs[consumer] === undefined);
  if (late.length > 0) return { verdict: "early", by: late };
  const wrong = consumers.filter((consumer) => runs[consumer] !== "whole");
  return wrong.length > 0 ? { verdict: "misled", by: wrong } : { verdict: "whole", by: [] };
}

/** The results that use a node, each once, in the order in which backward visits them. */
export const consumersOf = (
  { consumerEdges, edges }: Structure,
  node: number,
): readonly number[] => [
  ...new Set((consumerEdges[node] ?? []).map((edge) => edges.target[edge] as number)),
];

/** Whether everything that uses a node has run, so that its gradient is what it will be. */
export const isWhole = (structure: Structure, { runs, driven }: Position, node: number): boolean =>
  driven || consumersOf(structure, node).every((consumer) => runs[consumer] !== undefined);

/** The move that would come next in the lecture's order; null when all is done. */
export type Suggestion =
  | { readonly do: "zero_grad" }
  | { readonly do: "set"; readonly node: number }
  | { readonly do: "run"; readonly node: number };

export function suggest(
  structure: Structure,
  grads: readonly Known[],
  moves: readonly Move[],
  position: Position,
): Suggestion | null {
  const { root } = structure;
  if (moves.length === 0 && grads.some((grad) => grad !== null && grad !== 0)) {
    return { do: "zero_grad" };
  }
  if (position.driven) return null;
  if (position.runs[root] === undefined && grads[root] !== 1) return { do: "set", node: root };
  for (let node = root; node >= 0; node--) {
    const isOpen = isComputed(structure, node) && !isConstant(structure, node);
    if (isOpen && position.runs[node] === undefined) return { do: "run", node };
  }
  return null;
}
