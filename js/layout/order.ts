/**
 * Phase 3: who stands above whom within each layer.
 *
 * In flows a network; out flow its layers, ordered so that few links cross.  Two depth-first orders
 * are tried; barycentre sweeps improve each, keeping the best order seen by an exact count; swaps
 * of neighbours finish it.  Between orders with equally few crossings the one wins that reads like
 * the source: the first operand above the second.
 */

import { max, sign } from "../maths";
import { at, type Runs, runOf } from "./graph";
import type { Network } from "./network";

/** Layers from the inputs to the root, each a list of vertices from top to bottom. */
export type Order = Int32Array[];

const SWEEPS = 24;
/** Sweeps without a better order after which the next one is unlikely to find any. */
const PATIENCE = 4;
const SWAP_ROUNDS = 30;
/** Above this many vertices only one order is tried, and its sweeps are its result. */
const SMALL = 3_000;

export function orderOf(network: Network): Order {
  const swept = (reversed: boolean): Order => sweep(network, depthFirst(network, reversed));
  if (network.size > SMALL) return swept(false);
  const candidates = [false, true].map((reversed) => {
    const order = upright(network, swept(reversed));
    swap(network, order);
    return {
      order,
      crossings: crossingsOf(network, order),
      disorder: disorderOf(network, order),
    };
  });
  candidates.sort((a, b) => a.crossings - b.crossings || a.disorder - b.disorder);
  return candidates[0]?.order ?? [];
}

/** An order or its mirror image, which has the same crossings: the one that follows the operands. */
function upright(network: Network, order: Order): Order {
  const mirrored = order.map((layer) => layer.slice().reverse());
  return disorderOf(network, mirrored) < disorderOf(network, order) ? mirrored : order;
}

/** Per vertex: how many stand above it in its layer. */
export function placesOf(network: Network, order: Order): Int32Array {
  const place = new Int32Array(network.size);
  for (const layer of order) for (const [index, vertex] of layer.entries()) place[vertex] = index;
  return place;
}

/** Walk back from the results, so that what belongs together stands together. */
function depthFirst({ size, layer, layers, back, on }: Network, reversed: boolean): Order {
  const order = Array.from({ length: layers }, (): number[] => []);
  const seen = new Uint8Array(size);
  for (let root = size - 1; root >= 0; root--) {
    if (runOf(on, root).length > 0) continue;
    const open = [root];
    for (let vertex = open.pop(); vertex !== undefined; vertex = open.pop()) {
      if (seen[vertex]) continue;
      seen[vertex] = 1;
      order[at(layer, vertex)]?.push(vertex);
      const operands = runOf(back, vertex);
      // The last one pushed is visited first.
      for (const operand of reversed ? operands : operands.slice().reverse()) open.push(operand);
    }
  }
  return order.map((vertices) => Int32Array.from(vertices));
}

/** Sort each layer by the mean place of its neighbours, to and fro; keep the best order. */
function sweep(network: Network, start: Order): Order {
  const { back, on } = network;
  const order = start.map((layer) => layer.slice());
  const place = placesOf(network, order);
  const key = new Float64Array(network.size);
  let best = start;
  let fewest = crossingsOf(network, start);
  let stale = 0;
  for (let round = 0; round < SWEEPS && stale < PATIENCE && fewest > 0; round++) {
    const towardsInputs = round % 2 === 0;
    const [fixed, other] = towardsInputs ? [on, back] : [back, on];
    // On a tie every second pair of sweeps turns the order round, to leave a dead end.
    const tie = round % 4 < 2 ? 1 : -1;
    for (const layer of towardsInputs ? order.toReversed() : order) {
      for (const vertex of layer) {
        key[vertex] = mean(fixed, vertex, place, mean(other, vertex, place, at(place, vertex)));
      }
      layer.sort((a, b) => at(key, a) - at(key, b) || tie * (at(place, a) - at(place, b)));
      for (const [index, vertex] of layer.entries()) place[vertex] = index;
    }
    const crossings = crossingsOf(network, order, place);
    if (crossings < fewest) {
      fewest = crossings;
      best = order.map((layer) => layer.slice());
      stale = 0;
    } else stale++;
  }
  return best;
}

/** The mean place of a vertex's neighbours on one side, or `otherwise` if it has none there. */
function mean(
  { start, items }: Runs,
  vertex: number,
  place: Int32Array,
  otherwise: number,
): number {
  const [first, end] = [at(start, vertex), at(start, vertex + 1)];
  let sum = 0;
  for (let i = first; i < end; i++) sum += at(place, at(items, i));
  return end > first ? sum / (end - first) : otherwise;
}

/** Swap neighbours where that removes a crossing, or costs none and follows the operands. */
function swap(network: Network, order: Order): void {
  const place = placesOf(network, order);
  for (let round = 0, moved = true; moved && round < SWAP_ROUNDS; round++) {
    moved = false;
    for (const layer of order) {
      for (let index = 0; index + 1 < layer.length; index++) {
        const [upper, lower] = [at(layer, index), at(layer, index + 1)];
        const gain = gainOf(network, place, upper, lower);
        if (gain < 0 || (gain === 0 && disorderBetween(network, upper, lower) <= 0)) continue;
        layer[index] = lower;
        layer[index + 1] = upper;
        place[lower] = index;
        place[upper] = index + 1;
        moved = true;
      }
    }
  }
}

/** How many crossings disappear when two neighbours change places. */
function gainOf({ back, on }: Network, place: Int32Array, upper: number, lower: number): number {
  let gain = 0;
  for (const { start, items } of [back, on]) {
    for (let i = at(start, upper); i < at(start, upper + 1); i++) {
      const end = at(place, at(items, i));
      for (let j = at(start, lower); j < at(start, lower + 1); j++) {
        gain += sign(end - at(place, at(items, j)));
      }
    }
  }
  return gain;
}

// -- crossings -----------------------------------------------------------------------------------

/** Count the pairs of links that cross: inversions, counted with a Fenwick tree per layer. */
export function crossingsOf(
  network: Network,
  order: Order,
  place: Int32Array = placesOf(network, order),
): number {
  const { start, items } = network.on;
  const widest = order.reduce((most, layer) => max(most, layer.length), 0);
  const tree = new Int32Array(widest + 1);
  let crossings = 0;
  for (const layer of order) {
    tree.fill(0);
    let links = 0;
    for (const vertex of layer) {
      const [first, end] = [at(start, vertex), at(start, vertex + 1)];
      // First count, then enter: links of one vertex do not cross each other.
      for (let i = first; i < end; i++) {
        crossings += links - countUpTo(tree, at(place, at(items, i)) + 1);
      }
      for (let i = first; i < end; i++) enter(tree, at(place, at(items, i)) + 1);
      links += end - first;
    }
  }
  return crossings;
}

function countUpTo(tree: Int32Array, index: number): number {
  let count = 0;
  for (let i = index; i > 0; i -= i & -i) count += at(tree, i);
  return count;
}

function enter(tree: Int32Array, index: number): void {
  for (let i = index; i < tree.length; i += i & -i) tree[i] = at(tree, i) + 1;
}

// -- operand order -------------------------------------------------------------------------------

/** A pair of cards says more about the order of operands than a pair with a bend in it. */
const weigh = (network: Network, a: number, b: number): number =>
  a < network.nodes && b < network.nodes ? 2 : 1;

/** How far an order is from showing every operand above the next one. */
export function disorderOf(network: Network, order: Order): number {
  const place = placesOf(network, order);
  let disorder = 0;
  for (let vertex = 0; vertex < network.nodes; vertex++) {
    const operands = runOf(network.back, vertex);
    for (let second = 1; second < operands.length; second++) {
      for (let first = 0; first < second; first++) {
        const [a, b] = [at(operands, first), at(operands, second)];
        if (at(place, a) > at(place, b)) disorder += weigh(network, a, b);
      }
    }
  }
  return disorder;
}

/** What two neighbours add to the disorder where they stand; negative if they are in order. */
function disorderBetween(network: Network, upper: number, lower: number): number {
  const { on, operand } = network;
  let disorder = 0;
  for (let i = at(on.start, upper); i < at(on.start, upper + 1); i++) {
    for (let j = at(on.start, lower); j < at(on.start, lower + 1); j++) {
      if (on.items[i] === on.items[j]) disorder += sign(at(operand, i) - at(operand, j));
    }
  }
  return disorder * weigh(network, upper, lower);
}
