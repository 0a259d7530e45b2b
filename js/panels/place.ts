/**
 * Where a tooltip goes.
 *
 * In: its size, the node it speaks of, what else there is and the room.  Out: a place inside
 * the room that leaves the node free and covers as little of the rest as possible.
 */

import type { Box, Point, Size } from "../scene/camera";
import { overlap } from "../scene/curves";

const GAP = 12;
const EDGE = 8;

const clamp = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, value));

/** What a covered pixel costs: the node's never pays, a panel's is cheaper than another card's. */
const COST = { node: 1000, sentence: 2, card: 1, panel: 0.25 } as const;

export interface Surroundings {
  readonly node: Box;
  readonly cards: readonly Box[];
  readonly panels: readonly Box[];
  /** The sentence that is being read, where there is one. */
  readonly sentence?: Box | undefined;
}

export function placeTip(
  tip: Size,
  { node, cards, panels, sentence }: Surroundings,
  room: Size,
): Point {
  const right = Math.max(EDGE, room.width - tip.width - EDGE);
  const bottom = Math.max(EDGE, room.height - tip.height - EDGE);
  const start = clamp(node.x, EDGE, right);
  const middle = clamp(node.x + (node.width - tip.width) / 2, EDGE, right);
  const end = clamp(node.x + node.width - tip.width, EDGE, right);
  const level = clamp(node.y + (node.height - tip.height) / 2, EDGE, bottom);
  const below = clamp(node.y + node.height + GAP, EDGE, bottom);
  const above = clamp(node.y - tip.height - GAP, EDGE, bottom);
  const after = clamp(node.x + node.width + GAP, EDGE, right);
  const before = clamp(node.x - tip.width - GAP, EDGE, right);
  const places: readonly Point[] = [
    ...[start, middle, end].map((x) => ({ x, y: below })),
    ...[start, middle, end].map((x) => ({ x, y: above })),
    ...[level, EDGE, bottom].map((y) => ({ x: after, y })),
    ...[level, EDGE, bottom].map((y) => ({ x: before, y })),
  ];
  let best: { place: Point; cost: number } | null = null;
  for (const place of places) {
    const box = { ...place, ...tip };
    const area = (others: readonly Box[]): number =>
      others.reduce((sum, other) => sum + overlap(other, box), 0);
    const said = sentence ? COST.sentence * area([sentence]) : 0;
    const cost =
      said + COST.node * area([node]) + COST.card * area(cards) + COST.panel * area(panels);
    if (!best || cost < best.cost) best = { place, cost };
  }
  return best?.place ?? { x: EDGE, y: EDGE };
}
