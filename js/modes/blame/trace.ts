/**
 * From a number that surprises to its first cause.
 *
 * In: the moment and a node.  Out: a cause, the node at which it is, and the route there.  A gradient
 * is followed towards the result, data towards the inputs: always to the first value at which all
 * that went in was well and what came out was not.  Pure.
 */

import { abs, isFiniteNumber, isNan } from "../../maths";
import { isConstant } from "../../names";
import { near } from "../../replay";
import type { Contribution, Known } from "../../tape";
import type { Moment } from "../mode";

/** Below and above these a gradient is called vanishing and exploding. */
export const SMALL = 1e-4;
export const LARGE = 1e4;
/** A tanh or sigmoid whose slope is below this is saturated. */
export const FLAT = 0.01;

export type Cause =
  /** Nothing surprising. */
  | "sound"
  /** Unknown, because a rule on the way is. */
  | "unknown"
  /** relu at an input that is not positive. */
  | "dead relu"
  /** tanh, sigmoid or the like where it is flat, to the last digit. */
  | "saturated"
  /** The other factor is exactly 0. */
  | "zero factor"
  /** The local slope is 0 for another reason. */
  | "flat"
  /** Contributions that add up to 0. */
  | "cancel"
  /** Its product with the gradient is smaller than any number. */
  | "underflow"
  /** `grad` is 0 though the slopes give something else: backward has not come here. */
  | "not reached"
  /** `grad` is not what the slopes give: something was there before. */
  | "left over"
  /** Many slopes that are small, or large, multiplied. */
  | "vanishing"
  | "exploding"
  /** The first value that is not finite, made from numbers that are. */
  | "first non-finite"
  /** An input that is not finite. */
  | "given"
  /** 0 × inf. */
  | "zero times inf"
  /** inf − inf. */
  | "inf minus inf"
  /** A slope that is not finite where the data are. */
  | "pole";

/** A cause with where it is and how one comes there. */
export interface Verdict {
  readonly cause: Cause;
  /** The number that was asked about. */
  readonly about: "data" | "grad";
  /** The node that was asked about. */
  readonly node: number;
  readonly value: Known;
  /** The node at which the cause is. */
  readonly at: number;
  /** Its operand on the route, −1 where the cause is the node itself. */
  readonly operand: number;
  /** The edges from the node to the cause, in the order of the walk. */
  readonly route: readonly number[];
  /** The slopes along the route. */
  readonly slopes: readonly number[];
  /** Further routes that end too. */
  readonly others: number;
}

/** The gradient that is asked about: what backward left, else what the slopes give. */
export const gradientOf = ({ numbers, tape }: Moment, node: number): Known =>
  numbers.ran ? (numbers.grad[node] ?? null) : (tape.gradients[node] ?? null);

const isOdd = (value: Known): boolean =>
  value !== null &&
  (!isFiniteNumber(value) || value === 0 || abs(value) < SMALL || abs(value) >= LARGE);

/** The nodes whose gradients or data are worth a question, the result's side first. */
export function suspects(moment: Moment): readonly number[] {
  const { structure, numbers, tape } = moment;
  const found = [...structure.nodes.id.keys()].filter((node) => {
    if (!isFiniteNumber(numbers.data[node])) return true;
    if (isConstant(structure, node)) return false;
    const gradient = gradientOf(moment, node);
    return isOdd(gradient) || (tape.complete && isMissed(moment, node));
  });
  return found.reverse();
}

/** Whether backward left nothing here although the slopes give something. */
function isMissed({ numbers, tape }: Moment, node: number): boolean {
  const due = tape.gradients[node] ?? null;
  return numbers.ran && numbers.grad[node] === 0 && due !== null && due !== 0;
}

/** Follows the number of a node that surprises most: data that are not finite, else the gradient. */
export function blame(moment: Moment, node: number): Verdict {
  const data = moment.numbers.data[node] as number;
  if (!isFiniteNumber(data)) return blameData(moment, node);
  if (isConstant(moment.structure, node)) return verdict(moment, node, "sound", "data", []);
  const gradient = gradientOf(moment, node);
  if (gradient === null) return verdict(moment, node, "unknown", "grad", []);
  if (isOdd(gradient)) return blameGradient(moment, node, gradient);
  return data === 0 && isRule(moment, node, "relu")
    ? { ...verdict(moment, node, "dead relu", "data", []), operand: onlyOperand(moment, node) }
    : verdict(moment, node, "sound", "grad", []);
}

// -- gradients ---------------------------------------------------------------------------------------

function blameGradient(moment: Moment, node: number, gradient: number): Verdict {
  if (isMissed(moment, node)) return verdict(moment, node, "not reached", "grad", []);
  const due = moment.tape.gradients[node] ?? null;
  if (due !== null && !near(due, gradient)) return verdict(moment, node, "left over", "grad", []);
  if (!isFiniteNumber(gradient)) return blameNonFinite(moment, node);
  if (gradient === 0) return blameZero(moment, node);
  const route = strongest(moment, node);
  return verdict(moment, node, abs(gradient) < 1 ? "vanishing" : "exploding", "grad", route);
}

/** Follows a gradient of 0 to the first slope that is 0. */
function blameZero(moment: Moment, node: number): Verdict {
  const { tape, structure } = moment;
  const route: number[] = [];
  let here = node;
  let others = 0;
  for (;;) {
    const received = tape.received[here] ?? [];
    if (received.length === 0) return verdict(moment, node, "sound", "grad", route);
    if (received.some(({ amount }) => amount !== 0)) {
      const cause = received.some(({ amount }) => amount === null) ? "unknown" : "cancel";
      return { ...verdict(moment, node, cause, "grad", route), at: here, others };
    }
    const next = likeliest(received);
    others += received.length - 1;
    route.push(next.edge);
    if (next.slope !== 0 && tape.gradients[next.from] === 0 && next.from !== structure.root) {
      here = next.from;
      continue;
    }
    return { ...verdict(moment, node, zeroCause(moment, next), "grad", route), others };
  }
}

/** Of contributions that are all 0, one whose own slope is 0, so that the walk is short. */
const likeliest = (received: readonly Contribution[]): Contribution =>
  received.find(({ slope }) => slope === 0) ?? (received[0] as Contribution);

/** What makes one contribution 0. */
function zeroCause(moment: Moment, { slope, from }: Contribution): Cause {
  if (slope !== 0) return "underflow";
  if (isRule(moment, from, "relu")) return "dead relu";
  if (isRule(moment, from, ...SQUASHING)) return "saturated";
  return isRule(moment, from, "mul") ? "zero factor" : "flat";
}

const SQUASHING = ["tanh", "sigmoid", "erf", "atan"];

/** Follows a gradient that is not finite to the last value whose own gradient still was. */
function blameNonFinite(moment: Moment, node: number): Verdict {
  const { tape, numbers } = moment;
  const route: number[] = [];
  let here = node;
  for (;;) {
    const bad = (tape.received[here] ?? []).find(({ amount }) => !isFiniteNumber(amount));
    if (!bad) {
      const cause = (tape.received[here] ?? []).length > 1 ? "inf minus inf" : "unknown";
      return { ...verdict(moment, node, cause, "grad", route), at: here };
    }
    route.push(bad.edge);
    if (!isFiniteNumber(tape.gradients[bad.from] ?? null)) {
      here = bad.from;
      continue;
    }
    const end = verdict(moment, node, "pole", "grad", route);
    if (isFiniteNumber(bad.slope)) return { ...end, cause: "exploding" };
    // A slope is made of data: where those are not finite, they come first.
    const source = spoiler(moment, bad.from);
    if (source !== null) return follow(moment, end, source);
    const isVoid = tape.gradients[bad.from] === 0 || numbers.data[bad.operand] === 0;
    return isVoid && isNan(bad.amount) ? { ...end, cause: "zero times inf" } : end;
  }
}

/** Goes on from the end of a verdict's route to where the data went wrong. */
const follow = (moment: Moment, end: Verdict, source: Verdict): Verdict => ({
  ...source,
  about: "grad",
  node: end.node,
  value: gradientOf(moment, end.node),
  route: [...end.route, ...source.route],
});

/** The route along which most of a gradient comes. */
function strongest(moment: Moment, node: number): number[] {
  const route: number[] = [];
  let here = node;
  for (;;) {
    const received = moment.tape.received[here] ?? [];
    if (received.length === 0) return route;
    const size = ({ amount }: Contribution): number => abs(amount ?? 0);
    const most = received.reduce((a, b) => (size(b) > size(a) ? b : a));
    route.push(most.edge);
    here = most.from;
  }
}

// -- data --------------------------------------------------------------------------------------------

const blameData = (moment: Moment, node: number): Verdict =>
  firstNonFinite(moment, node) ?? verdict(moment, node, "sound", "data", []);

/** What spoiled the slopes of a value: an operand that is not finite, else the value itself. */
function spoiler(moment: Moment, node: number): Verdict | null {
  const { structure, numbers } = moment;
  const { operandEdges, edges } = structure;
  const operandOf = (edge: number): number => edges.source[edge] as number;
  const bad = (operandEdges[node] ?? []).find(
    (edge) => !isFiniteNumber(numbers.data[operandOf(edge)]),
  );
  if (bad === undefined) return firstNonFinite(moment, node);
  const found = firstNonFinite(moment, operandOf(bad)) as Verdict;
  return { ...found, route: [bad, ...found.route] };
}

/** Follows data that are not finite back to the first; null where they are finite. */
function firstNonFinite(moment: Moment, node: number): Verdict | null {
  const { structure, numbers } = moment;
  const { operandEdges, edges } = structure;
  if (isFiniteNumber(numbers.data[node])) return null;
  const route: number[] = [];
  let here = node;
  for (;;) {
    const operands = operandEdges[here] ?? [];
    const carriesNan = (edge: number): boolean => isNan(numbers.data[edges.source[edge] as number]);
    const bad = operands.filter(
      (edge) => !isFiniteNumber(numbers.data[edges.source[edge] as number]),
    );
    const [first] = bad;
    const end = { ...verdict(moment, node, "given", "data", route), at: here };
    if (first === undefined)
      return operands.length > 0 ? { ...end, cause: "first non-finite" } : end;
    // Infinities that make a nan are told by themselves; where they come from is the next question.
    const isNew = isNan(numbers.data[here]) && !bad.some(carriesNan);
    if (isNew) return { ...end, cause: madeNan(moment, here) };
    route.push(first);
    here = edges.source[first] as number;
  }
}

/** How infinities made nan. */
function madeNan(moment: Moment, node: number): Cause {
  if (isRule(moment, node, "mul")) return "zero times inf";
  return isRule(moment, node, "add", "sub", "sum") ? "inf minus inf" : "first non-finite";
}

// -- parts -------------------------------------------------------------------------------------------

function isRule({ structure: { nodes } }: Moment, node: number, ...rows: string[]): boolean {
  const [row = ""] = (nodes.rule[node] ?? "").split(" ");
  return rows.includes(row);
}

const onlyOperand = ({ structure: { operandEdges, edges } }: Moment, node: number): number =>
  edges.source[operandEdges[node]?.[0] ?? -1] ?? -1;

/** A verdict whose cause is at the end of a route towards the result. */
function verdict(
  moment: Moment,
  node: number,
  cause: Cause,
  about: "data" | "grad",
  route: readonly number[],
): Verdict {
  const { structure, numbers } = moment;
  const last = route.at(-1);
  const at = last === undefined ? node : (structure.edges.target[last] as number);
  const operand = last === undefined ? -1 : (structure.edges.source[last] as number);
  const value = about === "data" ? (numbers.data[node] as number) : gradientOf(moment, node);
  const slopes = route.map((edge) => numbers.slope[edge] ?? Number.NaN);
  return { cause, about, node, value, at, operand, route, slopes, others: 0 };
}
