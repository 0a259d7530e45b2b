/**
 * Computes a graph again from its rules, with other numbers at some of its leaves.
 *
 * In flow a structure, its numbers and the changed leaves; out flow new numbers, or the first value
 * whose rule is not known here.  Only what depends on a changed leaf is computed; everything else
 * keeps the number that the kernel sent.  No page needs a kernel for this.
 */

import type { Expression, Numbers, Rule, Structure } from "./contract";
import { abs, max } from "./maths";
import { ruleOf, usesOf } from "./nodes";
import { evaluate } from "./rules";
import { tapeOf } from "./tape";

/** One value as the application of a rule: which edge and which operand stand for each variable. */
export interface Call {
  readonly node: number;
  readonly rule: Rule;
  readonly edges: readonly number[];
  readonly operands: readonly number[];
}

/** What other numbers at some leaves lead to. */
export type Replay =
  | { readonly numbers: Numbers }
  /** A value that depends on them and whose rule is not known, or not wholly drawn. */
  | { readonly unknown: number };

/** Numbers this near are the same one, computed twice in another order. */
const NEAR = 1e-6;

export const near = (a: number, b: number): boolean =>
  Object.is(a, b) || a === b || abs(a - b) < NEAR * max(abs(a), abs(b));

/** The numbers of the variables of a call, and of its result. */
type Env = Record<string, number>;

/** Per node the application of its rule; null for leaves and where it is not known. */
export const callsOf = (structure: Structure, numbers: Numbers): readonly (Call | null)[] =>
  structure.nodes.id.map((_, node) => callOf(structure, numbers, node));

function callOf(structure: Structure, numbers: Numbers, node: number): Call | null {
  const { nodes, edges } = structure;
  const known = ruleOf(structure, node);
  if (!known || nodes.hidden[node] !== 0) return null;
  const uses = usesOf(structure, node);
  const rule = uses.length === known.variables.length ? known : ofMany(known, uses.length);
  if (!rule) return null;
  const call = (order: readonly number[]): Call => ({
    node,
    rule,
    edges: order,
    operands: order.map((edge) => edges.source[edge] as number),
  });
  if (uses.every((edge) => edges.operand[edge] !== null)) return call(uses);
  // The class does not tell the order: the numbers do.
  return (
    ordersOf(uses)
      .map(call)
      .find((one) => agrees(numbers, one)) ?? null
  );
}

/** A rule that takes any number of operands, as one of so many: only the sum is of that kind. */
function ofMany(rule: Rule, count: number): Rule | null {
  const { expr } = rule.forward;
  const [partial] = rule.partials;
  if (!Array.isArray(expr) || expr[0] !== "sum" || !partial) return null;
  const variables = Array.from({ length: count }, (_, at) => `x${at}`);
  const sum = variables.reduce<Expression>((left, right) => ["add", left, right], 0);
  return {
    ...rule,
    variables,
    forward: { ...rule.forward, expr: sum },
    partials: variables.map(() => partial),
  };
}

function ordersOf(uses: readonly number[]): (readonly number[])[] {
  if (uses.length > 3) return [uses];
  if (uses.length < 2) return [uses];
  return uses.flatMap((first, at) =>
    ordersOf(uses.filter((_, other) => other !== at)).map((rest) => [first, ...rest]),
  );
}

/** Whether a call gives the data and the slopes that were sent. */
function agrees({ data, slope }: Numbers, call: Call): boolean {
  const env = envOf(call, data);
  const out = evaluate(call.rule.forward.expr, env);
  if (!near(out, data[call.node] as number)) return false;
  const slopes = slopesOf(call, env, out);
  return [...slopes].every(([edge, value]) => {
    const sent = slope[edge] ?? null;
    return sent === null || near(sent, value);
  });
}

function envOf({ rule: { variables }, operands }: Call, data: ArrayLike<number>): Env {
  const env: Env = {};
  for (let at = 0; at < variables.length; at++) {
    env[variables[at] as string] = data[operands[at] as number] as number;
  }
  return env;
}

/** What a call's result would be with these data. */
export const resultOf = (call: Call, data: ArrayLike<number>): number =>
  evaluate(call.rule.forward.expr, envOf(call, data));

/** The slope along each edge of a call; an edge of several uses has the sum of theirs. */
function slopesOf(call: Call, env: Env, out: number): ReadonlyMap<number, number> {
  const slopes = new Map<number, number>();
  const all = { ...env, out };
  call.edges.forEach((edge, at) => {
    const formula = call.rule.partials[at];
    const slope = formula ? evaluate(formula.expr, all) : Number.NaN;
    slopes.set(edge, (slopes.get(edge) ?? 0) + slope);
  });
  return slopes;
}

/**
 * The nodes that depend on some of the leaves, in topological order, without the leaves.  Of a node
 * with operands that are not drawn nobody here can tell, so it is one of them.
 */
export function dependents(structure: Structure, leaves: Iterable<number>): readonly number[] {
  const { nodes, edges, operandEdges } = structure;
  const touched = new Set(leaves);
  if (touched.size === 0) return [];
  return [...nodes.id.keys()].filter((node) => {
    const isCut = (nodes.hidden[node] ?? 0) > 0;
    const depends =
      isCut || (operandEdges[node] ?? []).some((edge) => touched.has(edges.source[edge] as number));
    if (depends) touched.add(node);
    return depends;
  });
}

/** The numbers with some leaves changed: data, slopes, and gradients where backward has run. */
export function replay(
  structure: Structure,
  numbers: Numbers,
  calls: readonly (Call | null)[],
  changes: ReadonlyMap<number, number>,
): Replay {
  const data = numbers.data.slice();
  const slope = [...numbers.slope];
  for (const [leaf, value] of changes) data[leaf] = value;
  for (const node of dependents(structure, changes.keys())) {
    const call = calls[node];
    if (!call) return { unknown: node };
    const env = envOf(call, data);
    const out = evaluate(call.rule.forward.expr, env);
    data[node] = out;
    for (const [edge, value] of slopesOf(call, env, out)) slope[edge] = value;
  }
  const next = { ...numbers, data, slope };
  if (!numbers.ran) return { numbers: next };
  return { numbers: { ...next, grad: tapeOf(structure, next).gradients } };
}

/**
 * The root as a function of one leaf, the others as they are: made once, called for many numbers.
 * null where a rule on the way is not known.
 */
export function rootOver(
  structure: Structure,
  numbers: Numbers,
  calls: readonly (Call | null)[],
  leaf: number,
): ((value: number) => number) | null {
  const below = dependents(structure, [leaf]).map((node) => calls[node] ?? null);
  if (below.includes(null)) return null;
  const steps = below as readonly Call[];
  const data = numbers.data.slice();
  return (value) => {
    data[leaf] = value;
    for (const call of steps) data[call.node] = resultOf(call, data);
    return data[structure.root] as number;
  };
}
