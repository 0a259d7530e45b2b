/**
 * Where a tooltip goes.
 *
 * In: its size, the node it speaks of, what else there is and the room.  Out: a place inside the
 * room that leaves free what the explanation is about, and is as near as it can be.
 */

import { max, min } from "../maths";
import type { Box, Point, Size } from "../scene/camera";
import { overlap } from "../scene/curves";

const GAP = 12;
const EDGE = 8;

const clamp = (value: number, low: number, high: number): number => max(low, min(high, value));

/** What a covered pixel costs. */
const COST = { node: 1000, sentence: 12, kin: 8, mark: 4, card: 1, panel: 0.25 } as const;
/** What a pixel between the node and its tooltip costs. */
const FAR = 15;
/** Kin of more nodes than this are not gone around one by one. */
const MOST_KIN = 8;

export interface Surroundings {
  readonly node: Box;
  /** The cards that the explanation names: operands, consumers, and those of the present step. */
  readonly kin?: readonly Box[];
  /** What else tells the present step: numbers on edges, the flows, the line of code. */
  readonly marks?: readonly Box[];
  readonly cards: readonly Box[];
  readonly panels: readonly Box[];
  /** The sentence that is being read, where there is one. */
  readonly sentence?: Box | undefined;
}

export function placeTip(tip: Size, around: Surroundings, room: Size): Point {
  const { node, kin = [], marks = [], cards, panels, sentence } = around;
  const said = sentence ? [sentence] : [];
  const weighed = [
    ...weigh(COST.node, [node]),
    ...weigh(COST.kin, kin),
    ...weigh(COST.sentence, said),
    ...weigh(COST.mark, marks),
    ...weigh(COST.card, cards),
    ...weigh(COST.panel, panels),
  ];
  const avoided = [...(kin.length > MOST_KIN ? [] : kin), ...said];
  let best = { place: { x: EDGE, y: EDGE }, cost: Infinity };
  for (const place of places(tip, node, avoided, room)) {
    const box = { ...place, ...tip };
    let cost = FAR * max(0, distance(node, box) - GAP);
    for (const [price, other] of weighed) {
      cost += price * overlap(other, box);
      if (cost >= best.cost) break;
    }
    if (cost < best.cost) best = { place, cost };
  }
  return best.place;
}

const weigh = (price: number, boxes: readonly Box[]): (readonly [number, Box])[] =>
  boxes.map((box) => [price, box] as const);

/** The larger of the two gaps between boxes, along x and along y. */
function distance(a: Box, b: Box): number {
  const gap = (start: number, length: number, other: number, size: number): number =>
    max(0, other - (start + length), start - (other + size));
  return max(gap(a.x, a.width, b.x, b.width), gap(a.y, a.height, b.y, b.height));
}

/** Where it may stand: beside the node first, then beside what is to be avoided, and at the edges. */
function* places(
  tip: Size,
  node: Box,
  avoided: readonly Box[],
  room: Size,
): Generator<Point, void, undefined> {
  const right = max(EDGE, room.width - tip.width - EDGE);
  const bottom = max(EDGE, room.height - tip.height - EDGE);
  const inX = (x: number): number => clamp(x, EDGE, right);
  const inY = (y: number): number => clamp(y, EDGE, bottom);
  const beside = (start: number, length: number, size: number): readonly [number, number] => [
    start + length + GAP,
    start - size - GAP,
  ];
  const start = inX(node.x);
  const middle = inX(node.x + (node.width - tip.width) / 2);
  const end = inX(node.x + node.width - tip.width);
  const level = inY(node.y + (node.height - tip.height) / 2);
  const xs = new Set([start, middle, end]);
  const ys = new Set([level, EDGE, bottom]);
  const ups = beside(node.y, node.height, tip.height).map(inY);
  const sides = beside(node.x, node.width, tip.width).map(inX);
  for (const y of ups) for (const x of xs) yield { x, y };
  for (const x of sides) for (const y of ys) yield { x, y };
  for (const box of avoided) {
    for (const x of beside(box.x, box.width, tip.width)) xs.add(inX(x));
    for (const y of beside(box.y, box.height, tip.height)) ys.add(inY(y));
  }
  for (const x of [...sides, EDGE, right]) xs.add(x);
  for (const y of ups) ys.add(y);
  for (const x of xs) for (const y of ys) yield { x, y };
}
