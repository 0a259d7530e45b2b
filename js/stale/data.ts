/**
 * Data that no longer follow from the leaves.
 *
 * In: structure and numbers.  Out: the values whose own rule gives something else now, all that was
 * computed from them, and those of which nobody here can tell.  Pure.
 */

import type { Numbers, Structure } from "../contract";
import { abs } from "../maths";
import { callsOf, dependents, near, resultOf } from "../replay";

export interface StaleData {
  /** Where it starts: values that do not follow from their own operands. */
  readonly starts: readonly { readonly node: number; readonly due: number }[];
  /** These and all that was computed from them. */
  readonly nodes: readonly number[];
}

export function staleData(structure: Structure, numbers: Numbers): StaleData {
  const { data } = numbers;
  const starts = callsOf(structure, numbers).flatMap((call, node) => {
    if (!call) return [];
    const due = resultOf(call, data);
    const held = data[node] as number;
    return near(due, held) || abs(due - held) < 1e-12 ? [] : [{ node, due }];
  });
  const first = starts.map(({ node }) => node);
  const later = dependents(structure, first);
  return { starts, nodes: [...new Set([...first, ...later])] };
}
