/**
 * The still part of a scene: where cards and curves are, whatever the numbers say.
 *
 * In: structure, cards and the layout's answer.  Out: a frame, computed once per layout and shared
 * by every update after it.
 */

import type { Structure } from "../contract";
import { type Layout, layout } from "../layout/layered";
import { abs, floor, max, min, sqrt } from "../maths";
import { type Box, fittingScale, marginFor, type Point, type Size } from "./camera";
import { boxOf, type Card, DISC } from "./cards";
import { type Band, type Curve, curveOf, pathOf, spread, transpose } from "./curves";

export interface Frame {
  readonly rankdir: "LR" | "TB";
  readonly cards: readonly Card[];
  /** Per node: the top left corner of its card. */
  readonly corners: readonly Point[];
  /** Per node: all it covers, disc included. */
  readonly boxes: readonly Box[];
  /** Per node: its layer, −1 where it is not drawn. */
  readonly layers: readonly number[];
  readonly curves: readonly Curve[];
  readonly paths: readonly string[];
  /** All of the picture. */
  readonly bounds: Box;
  /** The room between two layers. */
  readonly gap: number;
}

/** Room between neighbours in a layer, in pixels. */
const NODE_GAP = 26;
/** Room between layers, for curves and their labels: short graphs breathe, long ones stay near. */
const LAYER_GAPS: readonly (readonly [mostLayers: number, gap: number])[] = [
  [4, 84],
  [6, 62],
  [Infinity, 52],
];
/** Layers come this near to each other before a picture is drawn smaller. */
const LEAST_GAP = 44;
/** A picture that has to be drawn at less than this scale all the same keeps its room. */
const WORTH = 0.5;
/** Distance of neighbouring ports on a card and on a disc. */
const PORT = { card: 9, disc: 9 } as const;
const BOW = 22;

/** The room between layers with which a picture from left to right fits into `width`, or nearly. */
export function gapFor({ rankdir, bounds, layers, gap }: Frame, width: number): number {
  const excess = bounds.width - width;
  const gaps = max(
    1,
    layers.reduce((a, b) => max(a, b), 0),
  );
  const nearer = max(LEAST_GAP, floor(gap - excess / gaps));
  const scale = width / (bounds.width - (gap - nearer) * gaps);
  return rankdir === "TB" || excess <= 0 || scale < WORTH ? gap : nearer;
}

/** The scale at which a picture can be drawn whole, its layers as near as they may come. */
export function scaleWithin({ rankdir, bounds, layers, gap }: Frame, room: Size): number {
  const gaps = layers.reduce((a, b) => max(a, b), 0);
  const least = bounds.width - (rankdir === "LR" ? gaps * (gap - LEAST_GAP) : 0);
  return fittingScale({ width: least, height: bounds.height }, room, marginFor(room.width));
}

/** `gap` is the room between layers, where it is not the usual one. */
export function frameOf(
  structure: Structure,
  cards: readonly Card[],
  rankdir: "LR" | "TB" = "LR",
  gap?: number,
): Frame {
  const { source, target } = structure.edges;
  const edges = source.map((from, edge) => ({ source: from, target: target[edge] as number }));
  const depth = depthOf(structure);
  const [, usual] = LAYER_GAPS.find(([most]) => depth <= most) ?? [0, NODE_GAP];
  const layerGap = gap ?? usual;
  const options = { rankdir, layerGap, nodeGap: NODE_GAP };
  const placed = layout({ sizes: cards.map(boxOf), edges }, options);
  const boxes = aligned(
    cards.map((card, node) => boxAround(placed, card, node)),
    cards,
    placed.layers,
    rankdir,
  );
  const corners = cards.map((card, node): Point => {
    const box = boxes[node] as Box;
    return { x: box.x + card.out.left, y: box.y + card.out.top };
  });
  const curves = curvesOf(structure, placed, cards, corners, boxes, rankdir);
  return {
    rankdir,
    cards,
    corners,
    boxes,
    layers: placed.layers,
    curves,
    paths: curves.map(pathOf),
    bounds: boundsOf(boxes, curves),
    gap: layerGap,
  };
}

/** The number of values on the longest way through the graph. */
function depthOf({ nodes, operandEdges, edges }: Structure): number {
  const depths: number[] = [];
  for (const node of nodes.id.keys()) {
    const below = (operandEdges[node] ?? []).map((edge) => depths[edges.source[edge] as number]);
    depths.push(1 + below.reduce<number>((most, depth) => max(most, depth ?? 0), 0));
  }
  return depths.reduce((most, depth) => max(most, depth), 0);
}

function boxAround(placed: Layout, card: Card, node: number): Box {
  const { x, y } = placed.nodes[node] as Point;
  const { width, height } = boxOf(card);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** From left to right the cards of a layer start at one line, as words of a column do. */
function aligned(
  boxes: readonly Box[],
  cards: readonly Card[],
  layers: readonly number[],
  rankdir: "LR" | "TB",
): readonly Box[] {
  if (rankdir === "TB") return boxes;
  const starts: number[] = [];
  const outs: number[] = [];
  layers.forEach((layer, node) => {
    starts[layer] = min(starts[layer] ?? Infinity, (boxes[node] as Box).x);
    outs[layer] = max(outs[layer] ?? 0, (cards[node] as Card).out.left);
  });
  return boxes.map((box, node) => {
    const layer = layers[node] as number;
    const x = (starts[layer] as number) + (outs[layer] as number) - (cards[node] as Card).out.left;
    return { ...box, x };
  });
}

/** What boxes and curves cover together. */
export function boundsOf(boxes: readonly Box[], curves: readonly Curve[] = []): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (x: number, y: number): void => {
    left = min(left, x);
    top = min(top, y);
    right = max(right, x);
    bottom = max(bottom, y);
  };
  for (const { x, y, width, height } of boxes) {
    take(x, y);
    take(x + width, y + height);
  }
  for (const curve of curves)
    for (const [a, , , d] of curve) for (const p of [a, d]) take(p.x, p.y);
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

// -- curves ------------------------------------------------------------------------------------------
// From here on x runs along the flow and y across it; a picture from top to bottom is turned at the
// beginning and at the end.

const turned = (point: Point): Point => ({ x: point.y, y: point.x });

function curvesOf(
  structure: Structure,
  placed: Layout,
  cards: readonly Card[],
  corners: readonly Point[],
  boxes: readonly Box[],
  rankdir: "LR" | "TB",
): Curve[] {
  const down = rankdir === "TB";
  const turn = (point: Point): Point => (down ? turned(point) : point);
  const { source, target } = structure.edges;
  const routes = placed.routes.map((route) => route.map(turn));
  const outs = cards.map((card, node): Point => {
    const corner = corners[node] as Point;
    return down
      ? { x: corner.y + card.height, y: corner.x + card.width / 2 }
      : { x: corner.x + card.width, y: corner.y + card.height / 2 };
  });
  const discs = cards.map((card, node): Point => {
    const corner = corners[node] as Point;
    return turn({ x: corner.x + card.disc.x, y: corner.y + card.disc.y });
  });
  const bands = bandsOf(placed.layers, boxes, down);
  const leave = portsOf(structure.consumerEdges, (edge) => {
    const next = routes[edge]?.[0] ?? discs[target[edge] as number];
    return next?.y ?? 0;
  });
  const enter = portsOf(structure.operandEdges, (edge) => {
    const before = routes[edge]?.at(-1) ?? outs[source[edge] as number];
    return before?.y ?? 0;
  });
  const bows = bowsOf(structure);
  return source.map((from, edge) => {
    const to = target[edge] as number;
    const out = outs[from] as Point;
    const exit = ports(leave, edge, PORT.card, down ? 60 : 30);
    const entry = ports(enter, edge, PORT.disc, 2 * DISC - 6);
    const curve = curveOf(
      {
        from: { x: out.x, y: out.y + exit },
        to: discPoint(discs[to] as Point, cards[to] as Card, entry, down),
        route: routes[edge] ?? [],
        bow: bows[edge] ?? 0,
      },
      bands,
    );
    return down ? transpose(curve) : curve;
  });
}

/** The point of a disc's rim that an edge enters, `offset` across the flow from its middle. */
function discPoint(centre: Point, card: Card, offset: number, down: boolean): Point {
  const straight = max(0, card.half - DISC);
  const beyond = down ? max(0, abs(offset) - straight) : abs(offset);
  const bulge = sqrt(max(0, DISC * DISC - beyond * beyond));
  return { x: centre.x - bulge - (down ? 0 : straight), y: centre.y + offset };
}

interface Port {
  readonly rank: number;
  readonly count: number;
}

/** Orders the edges at each node by where they come from or go to, so that they do not cross. */
function portsOf(
  perNode: readonly (readonly number[])[],
  across: (edge: number) => number,
): Map<number, Port> {
  const found = new Map<number, Port>();
  for (const edges of perNode) {
    const ordered = [...edges].sort((a, b) => across(a) - across(b) || a - b);
    ordered.forEach((edge, rank) => {
      found.set(edge, { rank, count: ordered.length });
    });
  }
  return found;
}

function ports(found: Map<number, Port>, edge: number, step: number, room: number): number {
  const port = found.get(edge);
  return port ? (spread(port.count, step, room)[port.rank] ?? 0) : 0;
}

/** Edges between the same two nodes bow away from each other. */
function bowsOf({ edges: { source, target } }: Structure): number[] {
  const together = new Map<string, number[]>();
  source.forEach((from, edge) => {
    const key = `${from} ${target[edge]}`;
    together.set(key, [...(together.get(key) ?? []), edge]);
  });
  const bows = new Array<number>(source.length).fill(0);
  for (const edges of together.values()) {
    const offsets = spread(edges.length, 2 * BOW, 6 * BOW);
    edges.forEach((edge, at) => {
      bows[edge] = offsets[at] ?? 0;
    });
  }
  return bows;
}

/** The interval along the flow that the boxes of each layer cover. */
function bandsOf(layers: readonly number[], boxes: readonly Box[], down: boolean): Band[] {
  const bands: { from: number; to: number }[] = [];
  layers.forEach((layer, node) => {
    const box = boxes[node] as Box;
    const from = down ? box.y : box.x;
    const to = from + (down ? box.height : box.width);
    const band = bands[layer];
    if (band) {
      band.from = min(band.from, from);
      band.to = max(band.to, to);
    } else bands[layer] = { from, to };
  });
  return bands.filter(Boolean);
}

// -- neighbours --------------------------------------------------------------------------------------

export const isDrawn = ({ layers }: Frame, node: number): boolean => (layers[node] ?? -1) >= 0;

export type Direction = "back" | "on" | "before" | "after";

/**
 * The node that an arrow key leads to: back to an operand, on to a consumer, or to the neighbour
 * before or after in the same layer; null where there is none.
 */
export function neighbour(
  frame: Frame,
  structure: Structure,
  node: number,
  direction: Direction,
): number | null {
  const across = (of: number): number => {
    const box = frame.boxes[of] as Box;
    return frame.rankdir === "LR" ? box.y + box.height / 2 : box.x + box.width / 2;
  };
  const here = across(node);
  const nearest = (nodes: readonly number[]): number | null =>
    nodes.length === 0
      ? null
      : nodes.reduce((a, b) => (abs(across(b) - here) < abs(across(a) - here) ? b : a));
  const { operandEdges, consumerEdges, edges } = structure;
  if (direction === "back") {
    const operands = (operandEdges[node] ?? []).map((edge) => edges.source[edge] as number);
    return nearest(operands.filter((operand) => isDrawn(frame, operand)));
  }
  if (direction === "on") {
    return nearest((consumerEdges[node] ?? []).map((edge) => edges.target[edge] as number));
  }
  const layer = frame.layers[node];
  const peers = frame.layers.flatMap((of, peer) => (of === layer && peer !== node ? [peer] : []));
  return nearest(peers.filter((peer) => across(peer) > here === (direction === "after")));
}
