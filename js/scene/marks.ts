/**
 * Graph + frame + moment → marks: everything the picture shows, as plain data.
 *
 * In: the still frame, the readings of this moment and what is pointed at.  Out: marks for nodes,
 * edges and labels, which `svg.ts` puts on the page.  The two are apart so that what is drawn can be
 * tested without a page, and drawn on something else.
 */

import type { Numbers, Structure } from "../contract";
import { classes } from "../dom";
import { formatCount, formatNumber } from "../format";
import { flowOf, type Known, stepAt, type Tape } from "../tape";
import type { Box, Point } from "./camera";
import type { Card } from "./cards";
import { type Curve, overlap, pointAt } from "./curves";
import type { Frame } from "./frame";
import { type Measure, roughMeasure } from "./measure";
import { type NodeReading, type Reading, toneOf } from "./readings";

export interface NodeMark {
  readonly id: number;
  readonly corner: Point;
  readonly card: Card;
  readonly className: string;
  /** An accent at the side where a value enters the graph, or where the graph ends. */
  readonly bar: "start" | "end" | null;
  readonly data: Reading;
  readonly grad: Reading;
  /** What a screen reader says. */
  readonly spoken: string;
}

export interface EdgeMark {
  readonly edge: number;
  readonly path: string;
  readonly className: string;
  /** The gradient that flows here; null where none does. */
  readonly flow: { readonly width: number; readonly className: string } | null;
}

export interface LabelMark {
  readonly key: string;
  readonly at: Point;
  readonly text: string;
  readonly className: string;
}

export interface Scene {
  readonly nodes: readonly NodeMark[];
  readonly edges: readonly EdgeMark[];
  readonly labels: readonly LabelMark[];
  readonly bounds: Box;
  /** The whole picture in one sentence. */
  readonly spoken: string;
}

/** What the user looks at. */
export interface Attention {
  readonly step: number;
  readonly precision: number;
  readonly hovered: readonly number[];
  /** The pinned node's index, −1 for none. */
  readonly pinned: number;
}

const WIDTHS = { least: 1.8, most: 7 } as const;

export function sceneOf(
  structure: Structure,
  numbers: Numbers,
  tape: Tape,
  frame: Frame,
  readings: readonly NodeReading[],
  attention: Attention,
  measure: Measure = roughMeasure,
): Scene {
  const flows = flowsAt(structure, numbers, tape, attention.step);
  return {
    nodes: structure.nodes.id.map((_, node) =>
      nodeMark(structure, numbers, tape, frame, readings, attention, node),
    ),
    edges: edgeMarks(structure, frame, flows, attention),
    labels: [
      ...contributionLabels(structure, tape, frame, attention, measure),
      ...countLabels(structure, frame, measure),
    ],
    bounds: frame.bounds,
    spoken: spokenScene(structure, numbers),
  };
}

// -- nodes -------------------------------------------------------------------------------------------

function nodeMark(
  structure: Structure,
  numbers: Numbers,
  tape: Tape,
  frame: Frame,
  readings: readonly NodeReading[],
  { step, hovered, pinned }: Attention,
  node: number,
): NodeMark {
  const { nodes, root } = structure;
  const reading = readings[node] as NodeReading;
  const kind = nodes.kind[node] ?? "result";
  const now = stepAt(tape, step)?.node === node;
  const entering = kind === "leaf" || kind === "parameter";
  return {
    id: nodes.id[node] as number,
    corner: frame.corners[node] as Point,
    card: frame.cards[node] as Card,
    className: classes(
      "gg-node",
      `gg-${kind}`,
      node === root && "gg-root",
      reading.pending && "gg-pending",
      hovered.includes(node) && "gg-hot",
      now && "gg-on",
      node === pinned && "gg-pinned",
    ),
    bar: entering ? "start" : node === root ? "end" : null,
    data: reading.data,
    grad: reading.grad,
    spoken: spokenNode(structure, numbers, reading, node),
  };
}

function spokenNode(
  { nodes, root }: Structure,
  { ran }: Numbers,
  { data, grad }: NodeReading,
  node: number,
): string {
  const name = nodes.label[node] || nodes.symbol[node] || "value";
  const role = { leaf: "", parameter: ", parameter", constant: ", constant", result: "" };
  const gradient = grad.tone === "wait" && !ran ? `gradient ${grad.text}` : `grad ${grad.text}`;
  const parts = [
    `${name}${node === root ? ", root" : role[nodes.kind[node] ?? "result"]}`,
    `data ${data.text}`,
    gradient,
  ];
  return parts.join(", ");
}

function spokenScene(structure: Structure, { ran }: Numbers): string {
  const values = formatCount(structure.total, "value");
  const operations = formatCount(structure.operations, "operation");
  const state = ran ? "Backward has run." : "Backward has not run.";
  return `Computation graph of ${structure.title}: ${values}, ${operations}. ${state}`;
}

// -- edges -------------------------------------------------------------------------------------------

interface Flow {
  readonly amount: Known;
  /** "now" in the step at hand, "past" in an earlier one, "rest" when nothing is being stepped. */
  readonly when: "now" | "past" | "rest";
}

/** What has flowed along each edge at this moment; null where nothing has. */
export function flowsAt(
  structure: Structure,
  numbers: Numbers,
  tape: Tape,
  position: number,
): readonly (Flow | null)[] {
  const { target } = structure.edges;
  const step = stepAt(tape, position);
  if (!step) {
    return target.map((_, edge) => {
      const amount = flowOf(structure, numbers, edge);
      return amount === null ? null : { amount, when: "rest" };
    });
  }
  const flows = new Array<Flow | null>(target.length).fill(null);
  if (step.pass === "forward") return flows;
  tape.backward.slice(0, step.index + 1).forEach(({ contributions }, index) => {
    for (const { edge, amount } of contributions) {
      flows[edge] = { amount, when: index === step.index ? "now" : "past" };
    }
  });
  return flows;
}

/** The width of a flow against the largest one: the square root keeps small ones visible. */
export function flowWidth(amount: Known, largest: number): number {
  if (amount === null || amount === 0) return WIDTHS.least;
  const size = Math.abs(amount);
  if (!Number.isFinite(size) || largest <= 0) return WIDTHS.most;
  const share = Math.sqrt(Math.min(1, size / largest));
  return WIDTHS.least + (WIDTHS.most - WIDTHS.least) * share;
}

function edgeMarks(
  structure: Structure,
  frame: Frame,
  flows: readonly (Flow | null)[],
  { hovered, step }: Attention,
): EdgeMark[] {
  const { source, target } = structure.edges;
  const finite = flows.map((flow) => Math.abs(flow?.amount ?? 0)).filter(Number.isFinite);
  const largest = finite.reduce((a, b) => Math.max(a, b), 0);
  const pointed = new Set(hovered);
  const touched = (edge: number): boolean =>
    pointed.size > 0 &&
    (pointed.has(source[edge] as number) || pointed.has(target[edge] as number));
  return source.map((_, edge) => {
    const flow = flows[edge] ?? null;
    const stepping = step >= 0;
    return {
      edge,
      path: frame.paths[edge] ?? "",
      className: classes("gg-edge", touched(edge) && "gg-hot"),
      flow: flow && {
        width: Math.round(flowWidth(flow.amount, largest) * 10) / 10,
        className: classes(
          "gg-flow",
          `gg-${toneOf(flow.amount)}`,
          stepping && flow.when === "past" && "gg-quiet",
          flow.when === "now" && "gg-now",
        ),
      },
    };
  });
}

// -- labels ------------------------------------------------------------------------------------------

const LABEL_HEIGHT = 16;
/** Where along a curve a label may stand, and how far above or below it. */
const PLACES = [0.4, 0.3, 0.5, 0.2, 0.6, 0.1, 0.7, 0.8].flatMap((t) =>
  [-13, 14, -18, 19, -24, 25].map((rise) => ({ t, rise })),
);

/** "−3 × 1" on each edge that the present backward step sends along. */
function contributionLabels(
  structure: Structure,
  tape: Tape,
  frame: Frame,
  { step: position, precision }: Attention,
  measure: Measure,
): LabelMark[] {
  const step = stepAt(tape, position);
  if (step?.pass !== "backward") return [];
  const taken: Box[] = [];
  const near = step.contributions.flatMap(({ operand }) => structure.consumerEdges[operand] ?? []);
  const curves = [...new Set(near)].map((edge) => frame.curves[edge] as Curve);
  return step.contributions.map(({ edge, slope, amount }) => {
    const text = `${known(slope, precision)} × ${known(step.gradient, precision)}`;
    const curve = frame.curves[edge] as Curve;
    const at = placeLabel(curve, measure(text, "number") + 6, frame.boxes, curves, taken);
    return { key: `sent ${edge}`, at, text, className: `gg-label gg-${toneOf(amount)}` };
  });
}

const known = (value: Known, precision: number): string =>
  value === null ? "?" : formatNumber(value, precision);

/** "×2" on an edge that stands for several uses. */
function countLabels(structure: Structure, frame: Frame, measure: Measure): LabelMark[] {
  return structure.edges.count.flatMap((count, edge) => {
    if (count < 2) return [];
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
