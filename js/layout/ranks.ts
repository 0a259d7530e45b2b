/**
 * Phase 1: the layer of each node.
 *
 * In flows a graph without cycles; out flows one layer per node, larger along every edge.  Nodes
 * stand as early as their operands allow, then each moves right to its first consumer where that
 * lengthens no more edges than it shortens: the cheap part of a network simplex.
 */

import { max, min } from "../maths";
import { at, type Links, type Runs, runOf, runsBy } from "./graph";

/** Give every node its layer, 0 at the inputs. */
export function ranksOf(size: number, links: Links): Int32Array {
  const consumers = runsBy(size, links.from, links.to);
  const operands = runsBy(size, links.to, links.from);
  const uses = (node: number): number => runOf(consumers, node).length;
  const order = topologicalOrder(size, links.to, consumers);

  const rank = new Int32Array(size);
  for (const node of order) {
    for (const operand of runOf(operands, node)) {
      rank[node] = max(at(rank, node), at(rank, operand) + 1);
    }
  }
  // A leaf that is used once follows its consumer for free, so its edge does not count.
  const follows = (node: number): boolean => runOf(operands, node).length === 0 && uses(node) === 1;
  for (const node of order.reverse()) {
    const lengthened = runOf(operands, node).filter((operand) => !follows(operand)).length;
    if (uses(node) === 0 || uses(node) < lengthened) continue;
    rank[node] = runOf(consumers, node).reduce(
      (first, consumer) => min(first, at(rank, consumer) - 1),
      Number.MAX_SAFE_INTEGER,
    );
  }
  return rank;
}

/** Operands before results (Kahn's algorithm). */
function topologicalOrder(size: number, results: readonly number[], consumers: Runs): Int32Array {
  const waiting = new Int32Array(size);
  for (const node of results) waiting[node] = at(waiting, node) + 1;
  const order = new Int32Array(size);
  let found = 0;
  for (let node = 0; node < size; node++) if (waiting[node] === 0) order[found++] = node;
  for (let done = 0; done < found; done++) {
    for (const consumer of runOf(consumers, at(order, done))) {
      const left = at(waiting, consumer) - 1;
      waiting[consumer] = left;
      if (left === 0) order[found++] = consumer;
    }
  }
  if (found < size) throw new RangeError("A graph with a cycle has no layers.");
  return order;
}
