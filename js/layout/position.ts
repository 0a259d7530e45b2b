/**
 * Phase 4: where each vertex stands across the layers.
 *
 * In flow ordered layers and the vertices' extents; out flows one coordinate per vertex.  Each layer
 * in turn moves as close as it can, by least squares, to the mean of its neighbours, without
 * changing the order and without overlaps.  With the distances taken out that is an isotonic
 * regression, which pooling adjacent violators solves exactly in one pass.
 */

import { max, min } from "../maths";
import { at, type Runs } from "./graph";
import type { Network } from "./network";
import { type Order, placesOf } from "./order";

const ROUNDS = 12;
/** From this round on a layer looks to both sides, which centres it. */
const BOTH_SIDES = 6;
/** How stiff a link is, by the number of bends at its ends: long edges run straight. */
const STIFFNESS = [4, 1, 8] as const;
/** A vertex without neighbours hardly resists. */
const LOOSE = 0.01;
/** An edge needs less room beside it than a card does. */
const BEND_GAP = 0.6;

export function positionsOf(
  network: Network,
  order: Order,
  extents: readonly number[],
  gap: number,
): Float64Array {
  const offsets = order.map((layer) => offsetsOf(network, layer, extents, gap));
  const position = new Float64Array(network.size);
  for (const [index, layer] of order.entries()) {
    const middle = ((offsets[index] as Float64Array).at(-1) ?? 0) / 2;
    for (const [i, vertex] of layer.entries()) {
      position[vertex] = at(offsets[index] as Float64Array, i) - middle;
    }
  }
  const layers = order.map((layer, index) => ({ layer, offset: offsets[index] as Float64Array }));
  for (let round = 0; round < ROUNDS; round++) {
    const towardsInputs = round % 2 === 0;
    const { back, on } = network;
    const sides = round >= BOTH_SIDES ? [on, back] : [towardsInputs ? on : back];
    for (const { layer, offset } of towardsInputs ? layers.toReversed() : layers) {
      settle(network, layer, offset, position, sides);
    }
  }
  straighten(network, order, offsets, position);
  return position;
}

/**
 * Draw long edges level where there is room.
 *
 * The bends of a chain move onto one level as far as their neighbours let them all reach it; where
 * they do not, a new level begins.
 */
function straighten(
  network: Network,
  order: Order,
  offsets: readonly Float64Array[],
  position: Float64Array,
): void {
  const place = placesOf(network, order);
  const reach = (bend: number): [low: number, high: number] => {
    const index = at(network.layer, bend);
    const [layer, offset] = [order[index] as Int32Array, offsets[index] as Float64Array];
    const here = at(place, bend);
    const beside = (step: -1 | 1): number => {
      const other = layer[here + step];
      if (other === undefined) return step * Number.POSITIVE_INFINITY;
      return at(position, other) + at(offset, here) - at(offset, here + step);
    };
    return [beside(-1), beside(1)];
  };
  for (const chain of new Set(network.chains.map(({ bends }) => bends))) {
    let run: number[] = [];
    let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const close = (): void => {
      const wish = run.reduce((sum, bend) => sum + at(position, bend), 0) / run.length;
      for (const bend of run) position[bend] = min(high, max(low, wish));
    };
    for (const bend of chain) {
      const [least, most] = reach(bend);
      if (max(low, least) > min(high, most)) {
        close();
        run = [];
        [low, high] = [least, most];
      } else [low, high] = [max(low, least), min(high, most)];
      run.push(bend);
    }
    close();
  }
}

/** The closest each vertex of a layer may stand to the first one. */
function offsetsOf(
  { nodes }: Network,
  layer: Int32Array,
  extents: readonly number[],
  gap: number,
): Float64Array {
  const extent = (vertex: number): number => extents[vertex] ?? 0;
  const offset = new Float64Array(layer.length);
  for (let i = 1; i < layer.length; i++) {
    const [upper, lower] = [at(layer, i - 1), at(layer, i)];
    const room = upper < nodes && lower < nodes ? gap : gap * BEND_GAP;
    offset[i] = at(offset, i - 1) + (extent(upper) + extent(lower)) / 2 + room;
  }
  return offset;
}

/** Move one layer as close as possible to its neighbours. */
function settle(
  network: Network,
  layer: Int32Array,
  offset: Float64Array,
  position: Float64Array,
  sides: readonly Runs[],
): void {
  // Blocks of vertices that stand as close as they may: their pull, its weight, and their start.
  const pull: number[] = [];
  const weight: number[] = [];
  const start: number[] = [];
  const level = (block: number): number => (pull[block] as number) / (weight[block] as number);
  for (const [i, vertex] of layer.entries()) {
    let [sum, total] = [0, 0];
    for (const { start: from, items } of sides) {
      for (let j = at(from, vertex); j < at(from, vertex + 1); j++) {
        const other = at(items, j);
        const bends = Number(vertex >= network.nodes) + Number(other >= network.nodes);
        sum += at(STIFFNESS, bends) * at(position, other);
        total += at(STIFFNESS, bends);
      }
    }
    if (total === 0) [sum, total] = [LOOSE * at(position, vertex), LOOSE];
    pull.push(sum - total * at(offset, i));
    weight.push(total);
    start.push(i);
    while (pull.length > 1 && level(pull.length - 2) > level(pull.length - 1)) {
      start.pop();
      const [p, w] = [pull.pop() as number, weight.pop() as number];
      pull.push((pull.pop() as number) + p);
      weight.push((weight.pop() as number) + w);
    }
  }
  for (const [block, first] of start.entries()) {
    const end = start[block + 1] ?? layer.length;
    for (let i = first; i < end; i++) position[at(layer, i)] = level(block) + at(offset, i);
  }
}
