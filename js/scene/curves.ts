/**
 * The geometry of edges: cubic curves from an operand's card to the disc of its result.
 *
 * In: where the boxes are and the points an edge is routed through.  Out: curves, their SVG paths
 * and points on them.  Everything is computed along the flow (u) and across it (v), so that left to
 * right and top to bottom are the same code.
 */

import { abs, floor, max, min, toTenths } from "../maths";
import type { Box, Point } from "./camera";

/** Four control points. */
export type Cubic = readonly [Point, Point, Point, Point];
export type Curve = readonly Cubic[];

/** The interval a layer occupies along the flow; edges run straight through it. */
export interface Band {
  readonly from: number;
  readonly to: number;
}

export interface Ends {
  readonly from: Point;
  readonly to: Point;
  readonly route: readonly Point[];
  /** How far a curve bows out across the flow, so that parallel edges are seen apart. */
  readonly bow: number;
}

/** A curve along u through `route`, straight while it passes through a layer. */
export function curveOf({ from, to, route, bow }: Ends, bands: readonly Band[]): Curve {
  const segments: Cubic[] = [];
  let at = from;
  const goTo = (next: Point): void => {
    const reach = max((next.x - at.x) / 2, min(24, abs(next.x - at.x)));
    segments.push([
      at,
      { x: at.x + reach, y: at.y + bow },
      { x: next.x - reach, y: next.y + bow },
      next,
    ]);
    at = next;
  };
  for (const point of route) {
    const band = bands.find(({ from, to }) => from <= point.x && point.x <= to);
    const [start, end] = band ? [band.from, band.to] : [point.x, point.x];
    if (start > at.x) goTo({ x: start, y: point.y });
    else at = { x: at.x, y: at.y };
    if (end > at.x && end < to.x) goTo({ x: end, y: point.y });
  }
  goTo(to);
  return segments;
}

/** The same curve with u and v exchanged, for pictures that run from top to bottom. */
export function transpose(curve: Curve): Curve {
  const turn = ({ x, y }: Point): Point => ({ x: y, y: x });
  return curve.map(([a, b, c, d]) => [turn(a), turn(b), turn(c), turn(d)] as const);
}

const pair = ({ x, y }: Point): string => `${toTenths(x)},${toTenths(y)}`;

/** The `d` attribute of a curve. */
export function pathOf(curve: Curve): string {
  const [first] = curve;
  if (!first) return "";
  const rest = curve.map(([, b, c, d]) => `C${pair(b)} ${pair(c)} ${pair(d)}`);
  return `M${pair(first[0])}${rest.join("")}`;
}

/** The point at `t` of the whole curve, 0 at its start and 1 at its end. */
export function pointAt(curve: Curve, t: number): Point {
  const place = min(curve.length - 1e-9, max(0, t * curve.length));
  const segment = curve[floor(place)];
  if (!segment) return { x: 0, y: 0 };
  const s = place - floor(place);
  const r = 1 - s;
  const weights = [r * r * r, 3 * r * r * s, 3 * r * s * s, s * s * s] as const;
  const along = (axis: "x" | "y"): number =>
    weights.reduce((sum, weight, at) => sum + weight * (segment[at] as Point)[axis], 0);
  return { x: along("x"), y: along("y") };
}

/** Common area of two boxes. */
export function overlap(a: Box, b: Box): number {
  const width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x);
  const height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Offsets of `count` ports around a middle, `step` apart but never wider than `room` in all. */
export function spread(count: number, step: number, room: number): number[] {
  const gap = count > 1 ? min(step, room / (count - 1)) : 0;
  return Array.from({ length: count }, (_, at) => (at - (count - 1) / 2) * gap);
}
