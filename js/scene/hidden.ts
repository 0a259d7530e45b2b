/**
 * A frame in which constants have no cards: their numbers stand in the names of what uses them.
 *
 * In: structure and cards.  Out: the frame of all other values, with the same indices as ever, so
 * that nothing else need know.  A constant takes no room and is in no layer.
 */

import { adjacency, type Structure } from "../contract";
import { countedNodes } from "../nodes";
import type { Box, Point } from "./camera";
import type { Card } from "./cards";
import type { Curve } from "./curves";
import { type Frame, frameOf } from "./frame";

const NOWHERE: Point = { x: 0, y: 0 };
const NOTHING: Box = { ...NOWHERE, width: 0, height: 0 };
const NO_CURVE: Curve = [[NOWHERE, NOWHERE, NOWHERE, NOWHERE]];

export function frameWithout(
  structure: Structure,
  cards: readonly Card[],
  rankdir: "LR" | "TB" = "LR",
  gap?: number,
): Frame {
  const { nodes, edges } = structure;
  const shown = countedNodes(structure);
  const place = new Map(shown.map((node, at) => [node, at]));
  const kept = [...edges.source.keys()].filter((edge) => place.has(edges.source[edge] as number));
  const pick = <T>(column: readonly T[]): T[] => kept.map((edge) => column[edge] as T);
  const ends = (column: readonly number[]): number[] =>
    pick(column).map((node) => place.get(node) as number);
  const { operand, count } = edges;
  const some = {
    source: ends(edges.source),
    target: ends(edges.target),
    operand: pick(operand),
    count: pick(count),
  };
  const part: Structure = {
    ...structure,
    nodes: { ...nodes, id: shown.map((node) => nodes.id[node] as number) },
    edges: some,
    ...adjacency(some, shown.length),
  };
  const frame = frameOf(
    part,
    shown.map((node) => cards[node] as Card),
    rankdir,
    gap,
  );
  const edgeAt = new Map(kept.map((edge, at) => [edge, at]));
  const perNode = <T>(column: readonly T[], none: T): T[] =>
    nodes.id.map((_, node) => column[place.get(node) ?? -1] ?? none);
  const perEdge = <T>(column: readonly T[], none: T): T[] =>
    edges.source.map((_, edge) => column[edgeAt.get(edge) ?? -1] ?? none);
  return {
    ...frame,
    cards,
    corners: perNode(frame.corners, NOWHERE),
    boxes: perNode(frame.boxes, NOTHING),
    layers: perNode(frame.layers, -1),
    curves: perEdge(frame.curves, NO_CURVE),
    paths: perEdge(frame.paths, ""),
  };
}
