/**
 * What a layout looks like when it is drawn, for the tests.
 *
 * In flow a layout and what it was asked for; out flow the cards as rectangles and the edges as
 * lines, so that a test can say that none runs through a card.
 */

import { max, min, sign } from "../maths";
import { type Layout, type LayoutInput, layout, type Point } from "./layered";

export interface Rect {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export const rects = ({ sizes }: LayoutInput, { nodes }: Layout): Rect[] =>
  nodes.map(({ x, y }, node) => {
    const { width, height } = sizes[node] as { width: number; height: number };
    return {
      left: x - width / 2,
      right: x + width / 2,
      top: y - height / 2,
      bottom: y + height / 2,
    };
  });

/** Per layer the interval that its cards cover. */
function bands(cards: Rect[], { layers }: Layout): { left: number; right: number }[] {
  const found: { left: number; right: number }[] = [];
  for (const [node, layer] of layers.entries()) {
    const { left, right } = cards[node] as Rect;
    const band = found[layer] ?? { left, right };
    found[layer] = { left: min(band.left, left), right: max(band.right, right) };
  }
  return found;
}

/** Each edge as it is drawn, left to right: level inside a layer, straight between layers. */
export function lines(input: LayoutInput, placed: Layout): Point[][] {
  const cards = rects(input, placed);
  const columns = bands(cards, placed);
  return input.edges.map(({ source, target }, edge) => {
    const [from, to] = [placed.nodes[source] as Point, placed.nodes[target] as Point];
    const [out, into] = [
      columns[placed.layers[source] as number],
      columns[placed.layers[target] as number],
    ];
    const route = (placed.routes[edge] ?? []).flatMap(({ x, y }) => {
      const column = columns.find(({ left, right }) => left <= x && x <= right) ?? {
        left: x,
        right: x,
      };
      return [
        { x: column.left, y },
        { x: column.right, y },
      ];
    });
    return [
      { x: (cards[source] as Rect).right, y: from.y },
      { x: out?.right ?? 0, y: from.y },
      ...route,
      { x: into?.left ?? 0, y: to.y },
      { x: (cards[target] as Rect).left, y: to.y },
    ];
  });
}

export const segments = (line: readonly Point[]): [Point, Point][] =>
  line.slice(1).map((point, i) => [line[i] as Point, point]);

const turn = (a: Point, b: Point, c: Point): number =>
  sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));

const cross = ([a, b]: [Point, Point], [c, d]: [Point, Point]): boolean =>
  turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;

export function crossings(input: LayoutInput, placed = layout(input)): number {
  const drawn = lines(input, placed);
  let count = 0;
  for (const [i, one] of drawn.entries()) {
    for (const other of drawn.slice(i + 1)) {
      for (const a of segments(one)) for (const b of segments(other)) count += Number(cross(a, b));
    }
  }
  return count;
}

/** Whether a segment enters the inside of a card. */
export function hits([a, b]: [Point, Point], { left, right, top, bottom }: Rect): boolean {
  const [from, to] = [max(left + 0.5, a.x), min(right - 0.5, b.x)];
  if (from >= to) return false;
  const level = (x: number): number => a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
  const [low, high] = [level(from), level(to)].sort((p, q) => p - q) as [number, number];
  return high > top + 0.5 && low < bottom - 0.5;
}
