/**
 * Phase 2: long edges become chains, so that every link joins neighbouring layers.
 *
 * In flow nodes with their layers; out flows a network of the nodes and of *bends*, one wherever an
 * edge passes a layer.  The later phases move bends like nodes, which is what keeps a long edge
 * from running through a card.
 */

import { max } from "../maths";
import { at, type Links, type Runs, runsBy } from "./graph";

/** Edges may share a chain; each follows it as far as it has to. */
export interface Chain {
  readonly bends: readonly number[];
  readonly length: number;
}

export interface Network {
  /** Vertices below this are nodes, the others bends. */
  readonly nodes: number;
  readonly size: number;
  readonly layer: Int32Array;
  readonly layers: number;
  /** Per vertex its neighbours one layer back, in operand order, and one layer on. */
  readonly back: Runs;
  readonly on: Runs;
  /** Aligned with `on.items`: which operand of that neighbour this vertex is. */
  readonly operand: Int32Array;
  /** Per edge the bends it passes, from source to target: the first `length` of `bends`. */
  readonly chains: readonly Chain[];
}

/**
 * How long edges are drawn, by the number of bends that takes.
 *
 * A few have lanes of their own, so that each flow is seen alone; more share a trunk per source
 * (an input used in 500 steps of a loop needs 500 bends and not 125,000); beyond that they run
 * straight, because the picture is too large to follow an edge anyway.
 */
const MOST_LANES = 3_000;
const MOST_TRUNKS = 20_000;

export function networkOf(nodes: number, edges: Links, rank: Int32Array): Network {
  const spans = edges.from.map((source, edge) => {
    const target = edges.to[edge] as number;
    return { source, target, length: at(rank, target) - at(rank, source) };
  });
  const reach = new Int32Array(nodes);
  for (const { source, length } of spans) reach[source] = max(at(reach, source), length);
  const lanes = spans.reduce((sum, { length }) => sum + length - 1, 0);
  const trunks = reach.reduce((sum, length) => sum + max(0, length - 1), 0);
  const shared = lanes > MOST_LANES;
  const straight = shared && trunks > MOST_TRUNKS;

  const layer = [...rank];
  const from: number[] = [];
  const to: number[] = [];
  const link = (source: number, target: number): void => {
    from.push(source);
    to.push(target);
  };
  const trunkOf = new Map<number, number[]>();
  const chains = spans.map(({ source, target, length }): Chain => {
    if (straight && length > 1) return { bends: [], length: 0 };
    const trunk = shared ? (trunkOf.get(source) ?? []) : [];
    if (shared) trunkOf.set(source, trunk);
    while (trunk.length < length - 1) {
      const bend = layer.push(at(rank, source) + trunk.length + 1) - 1;
      link(trunk.at(-1) ?? source, bend);
      trunk.push(bend);
    }
    link(length > 1 ? (trunk[length - 2] as number) : source, target);
    return { bends: trunk, length: length - 1 };
  });
  const size = layer.length;
  return {
    nodes,
    size,
    layer: Int32Array.from(layer),
    layers: layer.reduce((last, one) => max(last, one), -1) + 1,
    back: runsBy(size, to, from),
    on: runsBy(size, from, to),
    operand: runsBy(size, from, positions(size, to)).items,
    chains,
  };
}

/** Number the links to each vertex: 0 for the first, 1 for the second ... */
function positions(size: number, to: readonly number[]): number[] {
  const seen = new Int32Array(size);
  return to.map((target) => {
    const position = at(seen, target);
    seen[target] = position + 1;
    return position;
  });
}
