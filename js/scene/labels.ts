/**
 * Words on the edges: what a rule does wrong, how many uses an edge stands for, what a step sends.
 *
 * In: the frame and the present moment.  Out: marks, each at the free place nearest to its curve.
 */

import type { Numbers, Structure } from "../contract";
import { grouped } from "../format";
import { abs, min } from "../maths";
import type { Overlay } from "../modes/mode";
import { isConstant } from "../names";
import { remember } from "../remember";
import { product } from "../rules";
import { stepAt, type Tape } from "../tape";
import type { Box, Point } from "./camera";
import type { Card } from "./cards";
import { type Curve, overlap, pointAt } from "./curves";
import { boundsOf, type Frame, isDrawn } from "./frame";
import type { Attention } from "./marks";
import type { Measure } from "./measure";
import { type Tone, toneOf } from "./readings";

export interface LabelMark {
  readonly key: string;
  readonly at: Point;
  readonly text: string;
  readonly className: string;
}

const LABEL_HEIGHT = 16;
/** The middle of a ghost stands this far below its card. */
const GHOST_DROP = 9;
/** A curve is as many dots to what keeps clear of it. */
const DOTS = 24;
/** Where along a curve a label may stand, and how far above or below it. */
const PLACES = [0.4, 0.3, 0.5, 0.2, 0.6, 0.1, 0.7, 0.8].flatMap((t) =>
  [-13, 14, -18, 19, -24, 25, -37, 38].map((rise) => ({ t, rise })),
);

/** Writes on an edge, at the free place nearest to its curve. */
type Write = (key: string, edge: number, words: string, tone: Tone) => LabelMark;

function writer(frame: Frame, measure: Measure): Write {
  const taken: Box[] = [];
  return (key, edge, words, tone) => {
    const width = measure(words, "number") + 6;
    const at = placeLabel(frame.curves[edge] as Curve, width, frame, taken);
    return { key: `${key} ${edge}`, at, text: words, className: `gg-label gg-${tone}` };
  };
}

/** All words on edges: those that always stand there have the first choice of their place. */
export function edgeLabels(
  structure: Structure,
  { wrong }: Numbers,
  tape: Tape,
  frame: Frame,
  { step, precision, overlay }: Attention,
  measure: Measure,
): LabelMark[] {
  const { edges } = structure;
  const write = writer(frame, measure);
  const isSeen = (edge: number): boolean => isDrawn(frame, edges.source[edge] as number);
  // What a rule does wrong, often two numbers.
  const faults = [...wrong]
    .filter(([edge]) => isSeen(edge))
    .map(([edge, { mark }]) => write("wrong", edge, `✗ ${mark.replaceAll("-", "−")}`, "bad"));
  // "×2" on an edge that stands for several uses.
  const counts = edges.count.flatMap((count, edge) =>
    count > 1 && isSeen(edge) ? write("count", edge, `×${grouped(count)}`, "wait") : [],
  );
  // What a mode writes.
  const modes = (overlay.labels ?? []).map(({ edge, text, tone }) =>
    write("mode", edge, text, tone),
  );
  return [
    ...faults,
    ...counts,
    ...contributions(structure, tape, step, precision, write),
    ...modes,
  ];
}

/** "−3 × 1" on each edge that the present backward step sends along. */
function contributions(
  structure: Structure,
  tape: Tape,
  position: number,
  precision: number,
  write: Write,
): LabelMark[] {
  const step = stepAt(tape, position);
  if (step?.pass !== "backward") return [];
  const sent = step.contributions.filter(({ operand }) => !isConstant(structure, operand));
  return sent.map(({ edge, slope, amount }) =>
    write("sent", edge, product(slope, step.gradient, precision), toneOf(amount)),
  );
}

/** Below a card: what it showed before; without words where that is what it shows now. */
export const ghostLabels = (frame: Frame, ghosts: Overlay["ghosts"]): LabelMark[] =>
  [...(ghosts ?? [])].flatMap(([node, { data, grad }]) => {
    const card = frame.cards[node] as Card;
    const corner = frame.corners[node] as Point;
    const y = corner.y + card.height + GHOST_DROP;
    const put = (key: string, x: number, was: string): LabelMark => ({
      key: `${key} ${node}`,
      at: { x: corner.x + x, y },
      text: was && `was ${was}`,
      className: "gg-label gg-wait gg-ghost",
    });
    return [put("data", card.text, data), put("grad", card.gradKey, grad)];
  });

/** Where the curves of a frame pass. */
const dotsOf = remember(({ curves }: Frame): readonly Box[] =>
  curves.flatMap((curve) =>
    Array.from(curve.length > 0 ? Array(DOTS).keys() : [], (at): Box => {
      const { x, y } = pointAt(curve, (at + 0.5) / DOTS);
      return { x: x - 4, y: y - 4, width: 8, height: 8 };
    }),
  ),
);

/** The place beside a curve that covers least of cards, other labels and curves. */
function placeLabel(curve: Curve, width: number, frame: Frame, taken: Box[]): Point {
  const height = LABEL_HEIGHT;
  const places = PLACES.map(({ t, rise }) => {
    const { x, y } = pointAt(curve, t);
    return { x: x - width / 2, y: y + rise - height / 2, width, height, rise };
  });
  const reach = boundsOf(places);
  const near = (others: readonly Box[]): Box[] => others.filter((box) => overlap(box, reach) > 0);
  const [boxes, dots, labels] = [near(frame.boxes), near(dotsOf(frame)), near(taken)];
  const costs = places.map((place) => {
    const area = (others: readonly Box[]): number =>
      others.reduce((sum, other) => sum + overlap(other, place), 0);
    return 10 * area(boxes) + 6 * area(labels) + area(dots) + abs(place.rise);
  });
  const best = places[costs.indexOf(min(...costs))] as Box;
  taken.push(best);
  return { x: best.x + width / 2, y: best.y + height / 2 };
}
