/** What a node is called and whether it counts, the same in every panel. */

import type { Structure } from "./contract";

export function nameOf({ nodes }: Structure, node: number): string {
  return nodes.label[node] || nodes.symbol[node] || "this value";
}

/** A plain number in the user's formula: it takes part, but nobody asks for its gradient. */
export const isConstant = ({ nodes }: Structure, node: number): boolean =>
  nodes.kind[node] === "constant";

/** What a card says that stands for values of which several are used, and so has no number. */
export const saysOf = ({ folds }: Structure, node: number): string | undefined =>
  folds?.groups.get(node)?.says;

/** Whether a card has a gradient, or will have one. */
export const hasGradient = (structure: Structure, node: number): boolean =>
  !isConstant(structure, node) && !saysOf(structure, node);

/** Longer names are cut within a line. */
const MOST_LETTERS = 28;

/** A name as it stands in a line, where something else has room for all of it. */
export const short = (name: string): string =>
  name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1)}…`;

/** "a.grad", "(a * b).grad". */
export const memberOf = (name: string, member: string): string =>
  /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) ? `${name}.${member}` : `(${name}).${member}`;
