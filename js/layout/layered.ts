/**
 * The layered layout: operands left of their results, few crossings, no edge through a card.
 *
 * In flow the sizes of the cards and the edges between them; out flow coordinates.  Pure and
 * deterministic: the same graph has the same picture on every run and on every machine.  After
 * Sugiyama, Tagawa and Toda (1981), in four phases, each in time linear in nodes and bends (times a
 * logarithm for sorting): layers, bends of long edges, order within layers, coordinates.
 */

import { abs, max, min } from "../maths";
import { at } from "./graph";
import { type Network, networkOf } from "./network";
import { type Order, orderOf } from "./order";
import { positionsOf } from "./position";
import { ranksOf } from "./ranks";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface LayoutInput {
  readonly sizes: readonly Size[];
  /** Edges by node index, without cycles; those of one target stand in operand order. */
  readonly edges: readonly { readonly source: number; readonly target: number }[];
}

export interface LayoutOptions {
  readonly rankdir?: "LR" | "TB";
  /** Room between layers, for the curves. */
  readonly layerGap?: number;
  /** Room between neighbours in a layer. */
  readonly nodeGap?: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Per node: its centre. */
  readonly nodes: readonly Point[];
  /** Per node: its layer, 0 at the inputs. */
  readonly layers: readonly number[];
  /**
   * Per edge, from source to target: points in the middle of layers that it passes.  Between two of
   * them at the same height it passes further layers in a straight line.
   */
  readonly routes: readonly (readonly Point[])[];
}

/** Bends that differ by less stand in one line. */
const LEVEL = 0.01;

/**
 * Place the nodes of a graph.
 *
 * All coordinates are in the units of the sizes and start at 0, 0 in the upper left corner.
 */
export function layout(
  { sizes, edges }: LayoutInput,
  { rankdir = "LR", layerGap = 80, nodeGap = 24 }: LayoutOptions = {},
): Layout {
  const down = rankdir === "TB";
  const links = { from: edges.map(({ source }) => source), to: edges.map(({ target }) => target) };
  const rank = ranksOf(sizes.length, links);
  const network = networkOf(sizes.length, links, rank);
  const order = orderOf(network);

  const across = sizes.map(({ width, height }) => (down ? width : height));
  const along = sizes.map(({ width, height }) => (down ? height : width));
  const { position, extent } = fromZero(positionsOf(network, order, across, nodeGap), across);
  const { middle, length } = columnsOf(order, along, layerGap);

  const pointOf = (vertex: number): Point => {
    const [u, v] = [at(middle, at(network.layer, vertex)), at(position, vertex)];
    return down ? { x: v, y: u } : { x: u, y: v };
  };
  return {
    width: down ? extent : length,
    height: down ? length : extent,
    nodes: sizes.map((_, node) => pointOf(node)),
    layers: [...rank],
    routes: routesOf(network, position).map((bends) => bends.map(pointOf)),
  };
}

/**
 * Per edge the bends that change its course, with the first and the last.
 *
 * Shared chains are searched once, or a loop's thousand edges of a thousand bends would take a
 * million steps.
 */
function routesOf({ chains }: Network, position: Float64Array): number[][] {
  const corners = new Map<readonly number[], number[]>();
  return chains.map(({ bends, length }) => {
    const turns = corners.get(bends) ?? turnsOf(bends, position);
    corners.set(bends, turns);
    const places = turns.slice(0, firstAtLeast(turns, length - 1));
    if (length > 0) places.push(length - 1);
    return places.map((place) => at(bends, place));
  });
}

/** The places in a chain where it starts, or is not level with both neighbours. */
function turnsOf(bends: readonly number[], position: Float64Array): number[] {
  const level = (place: number): number => at(position, at(bends, place));
  const isTurn = (place: number): boolean =>
    place === 0 ||
    abs(level(place) - level(place - 1)) > LEVEL ||
    (place + 1 < bends.length && abs(level(place) - level(place + 1)) > LEVEL);
  return [...bends.keys()].filter(isTurn);
}

/** The index of the first of some ascending numbers that is not below `bound`. */
function firstAtLeast(numbers: readonly number[], bound: number): number {
  const index = numbers.findIndex((number) => number >= bound);
  return index < 0 ? numbers.length : index;
}

/** Shift positions so that the first border is at 0; return how far the last one is. */
function fromZero(
  position: Float64Array,
  extents: readonly number[],
): { position: Float64Array; extent: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const [vertex, middle] of position.entries()) {
    const half = (extents[vertex] ?? 0) / 2;
    first = min(first, middle - half);
    last = max(last, middle + half);
  }
  if (position.length === 0) return { position, extent: 0 };
  return { position: position.map((middle) => middle - first), extent: last - first };
}

/** The middle of each layer, as wide as its widest node, and the length of all of them. */
function columnsOf(
  order: Order,
  widths: readonly number[],
  gap: number,
): { middle: number[]; length: number } {
  let length = 0;
  const middle = order.map((layer, index) => {
    const width = layer.reduce((most, vertex) => max(most, widths[vertex] ?? 0), 0);
    if (index > 0) length += gap;
    length += width;
    return length - width / 2;
  });
  return { middle, length };
}
