/** What a node is called and whether it counts, the same in every panel. */

import type { Structure } from "./contract";

export function nameOf({ nodes }: Structure, node: number): string {
  return nodes.label[node] || nodes.symbol[node] || "this value";
}

/** A plain number in the user's formula: it takes part, but nobody asks for its gradient. */
export function isConstant({ nodes }: Structure, node: number): boolean {
  return nodes.kind[node] === "constant";
}
