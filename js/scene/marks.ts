/**
 * Graph + frame + moment → marks: everything the picture shows, as plain data.
 *
 * In: the still frame, the readings of this moment and what is pointed at.  Out: marks for nodes,
 * edges and labels, which `svg.ts` puts on the page.  The two are apart so that what is drawn can be
 * tested without a page, and drawn on something else.
 */

import type { Numbers, Structure } from "../contract";
import { classes } from "../dom";
import { formatCount } from "../format";
import { abs, isFiniteNumber, max, min, sqrt, toTenths } from "../maths";
import type { Overlay } from "../modes/mode";
import { hasGradient, isConstant, nameOf, saysOf } from "../names";
import { isComputed } from "../nodes";
import { flowOf, type Known, stepAt, type Tape } from "../tape";
import type { Box, Point } from "./camera";
import type { Card } from "./cards";
import { type Frame, isDrawn } from "./frame";
import { edgeLabels, ghostLabels, type LabelMark } from "./labels";
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
  /** null where a gradient has no meaning: on a constant. */
  readonly grad: Reading | null;
  /** What the two texts are narrowed to, in pixels; null where they fit. */
  readonly squeeze: { readonly data: number | null; readonly grad: number | null };
  /** Whether some of its operands are not drawn. */
  readonly cut: boolean;
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
  /** What the mode that is on changes. */
  readonly overlay: Overlay;
}

/** What a mode says of one node: a class, and what a screen reader adds. */
export interface NodeNote {
  readonly className: string;
  readonly spoken: string;
  /** A sentence for the tooltip. */
  readonly told?: string;
}

/** What stays free behind a number. */
const APART = 5;
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
  const { overlay } = attention;
  const flows = kept(
    structure,
    overlay.flows ?? flowsAt(structure, numbers, tape, attention.step),
    overlay,
  );
  return {
    nodes: [...structure.nodes.id.keys()]
      .filter((node) => isDrawn(frame, node))
      .map((node) => nodeMark(structure, numbers, tape, frame, readings, attention, measure, node)),
    edges: edgeMarks(structure, numbers, tape, frame, flows, attention),
    labels: [
      ...edgeLabels(structure, numbers, tape, frame, attention, measure),
      ...ghostLabels(frame, overlay.ghosts),
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
  { step, hovered, pinned, overlay }: Attention,
  measure: Measure,
  node: number,
): NodeMark {
  const { nodes, root } = structure;
  const reading = readings[node] as NodeReading;
  const kind = nodes.kind[node] ?? "result";
  const now = stepAt(tape, step)?.node === node;
  const note = overlay.nodes?.get(node);
  const card = frame.cards[node] as Card;
  // Figures are all as wide; to measure each new number would take longer than to draw it.
  const digit = measure("0", "number");
  const squeeze = ({ text, tone }: Reading, room: number): number | null =>
    tone !== "wait" && text.length * digit > room ? room : null;
  const entering = !isComputed(structure, node) && kind !== "constant";
  return {
    id: nodes.id[node] as number,
    corner: frame.corners[node] as Point,
    card,
    className: classes(
      "gg-node",
      `gg-${kind}`,
      node === root && "gg-root",
      reading.pending && "gg-pending",
      hovered.includes(node) && "gg-hot",
      now && "gg-on",
      node === pinned && "gg-pinned",
      note?.className,
      saysOf(structure, node) && "gg-many",
    ),
    bar: entering ? "start" : node === root ? "end" : null,
    data: reading.data,
    grad: hasGradient(structure, node) ? reading.grad : null,
    squeeze: {
      data: squeeze(reading.data, card.gradKey - card.data - APART),
      grad: squeeze(reading.grad, card.width - card.grad - APART),
    },
    cut: (nodes.hidden[node] ?? 0) > 0,
    spoken: [
      spokenNode(structure, reading, node),
      ...faults(structure, numbers, node),
      note?.spoken,
    ]
      .filter(Boolean)
      .join(", "),
  };
}

const ROLES = {
  leaf: "",
  parameter: ", parameter",
  constant: ", constant",
  result: "",
  group: ", group",
} as const;

function spokenNode(structure: Structure, { data, grad }: NodeReading, node: number): string {
  const { nodes, root } = structure;
  const role = node === root ? ", root" : ROLES[nodes.kind[node] ?? "result"];
  const gradient = hasGradient(structure, node) ? `, grad ${grad.text}` : "";
  const number = saysOf(structure, node) ?? `data ${data.text}`;
  const symbol = nodes.symbol[node] ? `, ${nodes.symbol[node]}` : "";
  return `${nameOf(structure, node)}, ${number}${gradient}${symbol}${role}`;
}

/** "wrong on the way to a: 2, not 4". */
function faults(structure: Structure, { wrong }: Numbers, node: number): string[] {
  const { operandEdges, edges } = structure;
  return (operandEdges[node] ?? []).flatMap((edge) => {
    const found = wrong.get(edge);
    const operand = edges.source[edge] as number;
    return found ? `wrong on the way to ${nameOf(structure, operand)}: ${found.mark}` : [];
  });
}

function spokenScene(structure: Structure, { ran }: Numbers): string {
  const values = formatCount(structure.total, "value");
  const operations = formatCount(structure.operations, "operation");
  const state = ran ? "Backward has run." : "Backward has not run.";
  return `Computation graph of ${structure.title}: ${values}, ${operations}. ${state}`;
}

// -- edges -------------------------------------------------------------------------------------------

export interface Flow {
  readonly amount: Known;
  /** "now" in the step at hand, "past" in an earlier one, "rest" when nothing is being stepped. */
  readonly when: "now" | "past" | "rest";
}

/** What has flowed along each edge at this moment; null where nothing has, or to a constant. */
export function flowsAt(
  structure: Structure,
  numbers: Numbers,
  tape: Tape,
  position: number,
): readonly (Flow | null)[] {
  const { source } = structure.edges;
  const step = stepAt(tape, position);
  const flows = source.map((_, edge): Flow | null => {
    const amount = step ? null : flowOf(structure, numbers, edge);
    return amount === null ? null : { amount, when: "rest" };
  });
  const done = step?.pass === "backward" ? step.index + 1 : 0;
  tape.backward.slice(0, done).forEach(({ contributions }, index) => {
    for (const { edge, amount } of contributions) {
      flows[edge] = { amount, when: index === done - 1 ? "now" : "past" };
    }
  });
  return flows.map((flow, edge) => (isConstant(structure, source[edge] as number) ? null : flow));
}

/** The flows without those that would tell a secret gradient. */
function kept(
  { edges: { target } }: Structure,
  flows: readonly (Flow | null)[],
  { secret }: Overlay,
): readonly (Flow | null)[] {
  if (!secret) return flows;
  return flows.map((flow, edge) => (secret.has(target[edge] as number) ? null : flow));
}

/** The largest flow there will be, so that widths mean the same at every step. */
function largestFlow(
  structure: Structure,
  tape: Tape,
  flows: readonly (Flow | null)[],
  step: number,
): number {
  const amounts =
    step < 0
      ? flows.map((flow) => flow?.amount ?? 0)
      : tape.received.flatMap((arrivals, node) =>
          isConstant(structure, node) ? [] : arrivals.map(({ amount }) => amount ?? 0),
        );
  return amounts
    .map(abs)
    .filter(isFiniteNumber)
    .reduce((a, b) => max(a, b), 0);
}

/** The width of a flow against the largest one: the square root keeps small ones visible. */
export function flowWidth(amount: Known, largest: number): number {
  if (amount === null || amount === 0) return WIDTHS.least;
  const size = abs(amount);
  if (!isFiniteNumber(size) || largest <= 0) return WIDTHS.most;
  const share = sqrt(min(1, size / largest));
  return WIDTHS.least + (WIDTHS.most - WIDTHS.least) * share;
}

function edgeMarks(
  structure: Structure,
  { wrong }: Numbers,
  tape: Tape,
  frame: Frame,
  flows: readonly (Flow | null)[],
  { hovered, step, overlay }: Attention,
): EdgeMark[] {
  const { source, target } = structure.edges;
  const largest = largestFlow(structure, tape, flows, step);
  const pointed = new Set(hovered);
  return source.flatMap((from, edge) => {
    if (!isDrawn(frame, from)) return [];
    const flow = flows[edge] ?? null;
    const marked = classes(wrong.has(edge) && "gg-wrong", overlay.edges?.get(edge));
    const touched = pointed.has(from) || pointed.has(target[edge] as number);
    return {
      edge,
      path: frame.paths[edge] ?? "",
      className: classes(
        "gg-edge",
        touched && "gg-hot",
        flow && "gg-carried",
        isConstant(structure, from) && "gg-to-constant",
        marked,
      ),
      flow: flow && {
        width: toTenths(flowWidth(flow.amount, largest)),
        className: classes(
          "gg-flow",
          `gg-${toneOf(flow.amount)}`,
          flow.when === "past" && "gg-quiet",
          marked,
        ),
      },
    };
  });
}
