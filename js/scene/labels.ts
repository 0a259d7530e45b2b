/**
 * Words on the edges: what a step sends, and how many uses an edge stands for.
 *
 * In: the frame and the present step.  Out: marks, each at the free place nearest to its curve.
 */

import type { Structure } from "../contract";
import { formatNumber } from "../format";
import type { Overlay } from "../modes/mode";
import { isConstant } from "../names";
import { inNumbers } from "../rules";
import { type Known, stepAt, type Tape } from "../tape";
import type { Box, Point } from "./camera";
import type { Card } from "./cards";
import { type Curve, overlap, pointAt } from "./curves";
import { type Frame, isDrawn } from "./frame";
import type { Measure } from "./measure";
import { toneOf } from "./readings";

export interface LabelMark {
  readonly key: string;
  readonly at: Point;
  readonly text: string;
  readonly className: string;
}

const LABEL_HEIGHT = 16;
/** The middle of a ghost stands this far below its card. */
const GHOST_DROP = 9;
/** Where along a curve a label may stand, and how far above or below it. */
const PLACES = [0.4, 0.3, 0.5, 0.2, 0.6, 0.1, 0.7, 0.8].flatMap((t) =>
  [-13, 14, -18, 19, -24, 25].map((rise) => ({ t, rise })),
);

/** "−3 × 1" on each edge that the present backward step sends along. */
export function contributionLabels(
  structure: Structure,
  tape: Tape,
  frame: Frame,
  position: number,
  precision: number,
  measure: Measure,
): LabelMark[] {
  const step = stepAt(tape, position);
  if (step?.pass !== "backward") return [];
  const taken: Box[] = [];
  const sent = step.contributions.filter(({ operand }) => !isConstant(structure, operand));
  const near = sent.flatMap(({ operand }) => structure.consumerEdges[operand] ?? []);
  const curves = [...new Set(near)].map((edge) => frame.curves[edge] as Curve);
  const write = (value: Known): string => (value === null ? "?" : formatNumber(value, precision));
  return sent.map(({ edge, slope, amount }) => {
    const factors = { slope: write(slope), gradient: write(step.gradient) };
    const text = inNumbers("{slope} · {gradient}", factors);
    const curve = frame.curves[edge] as Curve;
    const at = placeLabel(curve, measure(text, "number") + 6, frame.boxes, curves, taken);
    return { key: `sent ${edge}`, at, text, className: `gg-label gg-${toneOf(amount)}` };
  });
}

/** What a mode writes on edges. */
export function overlayLabels(
  structure: Structure,
  frame: Frame,
  labels: NonNullable<Overlay["labels"]>,
  measure: Measure,
): LabelMark[] {
  const taken: Box[] = [];
  const { source, target } = structure.edges;
  const near = labels.flatMap(({ edge }) => [
    ...(structure.consumerEdges[source[edge] as number] ?? []),
    ...(structure.operandEdges[target[edge] as number] ?? []),
  ]);
  const curves = [...new Set(near)].map((edge) => frame.curves[edge] as Curve);
  return labels.map(({ edge, text, tone }) => {
    const curve = frame.curves[edge] as Curve;
    const at = placeLabel(curve, measure(text, "number") + 6, frame.boxes, curves, taken);
    return { key: `mode ${edge}`, at, text, className: `gg-label gg-${tone}` };
  });
}

/** Below a card: what it showed before. */
export function ghostLabels(frame: Frame, ghosts: Overlay["ghosts"]): LabelMark[] {
  return [...(ghosts ?? [])].flatMap(([node, { data, grad }]) => {
    const card = frame.cards[node] as Card;
    const corner = frame.corners[node] as Point;
    const className = "gg-label gg-wait gg-ghost";
    const y = corner.y + card.height + GHOST_DROP;
    const put = (key: string, x: number, text: string): LabelMark => {
      return { key: `${key} ${node}`, at: { x: corner.x + x, y }, text, className };
    };
    const was = (key: string, x: number, at: number, text: string): LabelMark[] =>
      text ? [put(`was ${key}`, x, "was"), put(key, at, text)] : [];
    return [
      ...was("data", card.text, card.data, data),
      ...was("grad", card.gradKey, card.grad, grad),
    ];
  });
}

/** "×2" on an edge that stands for several uses. */
export function countLabels(structure: Structure, frame: Frame, measure: Measure): LabelMark[] {
  return structure.edges.count.flatMap((count, edge) => {
    if (count < 2 || !isDrawn(frame, structure.edges.source[edge] as number)) return [];
    const text = `×${count}`;
    const curve = frame.curves[edge] as Curve;
    const at = placeLabel(curve, measure(text, "number") + 6, frame.boxes, [curve], []);
    return [{ key: `count ${edge}`, at, text, className: "gg-label gg-wait" }];
  });
}

/** The place beside a curve that covers least of cards, other labels and curves. */
export function placeLabel(
  curve: Curve,
  width: number,
  boxes: readonly Box[],
  curves: readonly Curve[],
  taken: Box[],
): Point {
  const dots = curves.flatMap((other) =>
    Array.from({ length: 24 }, (_, at): Box => {
      const { x, y } = pointAt(other, (at + 0.5) / 24);
      return { x: x - 4, y: y - 4, width: 8, height: 8 };
    }),
  );
  let best: { at: Point; box: Box; cost: number } | null = null;
  for (const { t, rise } of PLACES) {
    const point = pointAt(curve, t);
    const at = { x: point.x, y: point.y + rise };
    const box = {
      x: at.x - width / 2,
      y: at.y - LABEL_HEIGHT / 2,
      width,
      height: LABEL_HEIGHT,
    };
    const area = (others: readonly Box[]): number =>
      others.reduce((sum, other) => sum + overlap(other, box), 0);
    const cost = 10 * area(boxes) + 6 * area(taken) + area(dots) + Math.abs(rise);
    if (!best || cost < best.cost) best = { at, box, cost };
  }
  if (best) taken.push(best.box);
  return best?.at ?? { x: 0, y: 0 };
}
