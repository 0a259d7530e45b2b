/**
 * The graph as a table: one row per value, in the order of the user's choice.
 *
 * In: structure, numbers and readings.  Out: rows of text.  What a card keeps secret, a row does too,
 * and it does not give it away by where it stands.
 */

import type { Numbers, Structure } from "../contract";
import { formatNumber } from "../format";
import { abs, isNan } from "../maths";
import { hasGradient, nameOf, saysOf } from "../names";
import { type NodeReading, type Reading, readGradient } from "../scene/readings";

export const COLUMNS = ["name", "op", "data", "grad", "slope"] as const;
export type Column = (typeof COLUMNS)[number];

export interface Sorting {
  readonly by: Column | null;
  readonly down: boolean;
}

/** As they come: in topological order. */
export const UNSORTED: Sorting = { by: null, down: false };

/** A press on a column's head: up, then down, then as they come. */
export function pressed({ by, down }: Sorting, column: Column): Sorting {
  if (by !== column) return { by: column, down: false };
  return down ? UNSORTED : { by, down: true };
}

export interface TableRow {
  readonly node: number;
  readonly id: number;
  readonly name: string;
  readonly op: string;
  readonly data: Reading;
  /** null where a gradient has no meaning: on a constant. */
  readonly grad: Reading | null;
  /** The slope against each operand: "a: −3, b: 2". */
  readonly slope: string;
  readonly isPinned: boolean;
}

/** The rows of some nodes; numbers sort by size with what is unknown last, texts by their letters. */
export function tableRows(
  structure: Structure,
  numbers: Numbers,
  readings: readonly NodeReading[],
  precision: number,
  nodes: readonly number[],
  pinned: number,
  { by, down }: Sorting,
): TableRow[] {
  const rows = nodes.map((node): TableRow => {
    const { data, grad } = readings[node] as NodeReading;
    return {
      node,
      id: structure.nodes.id[node] as number,
      name: nameOf(structure, node),
      op: structure.nodes.symbol[node] || structure.nodes.op[node] || "",
      data,
      grad: hasGradient(structure, node) ? grad : null,
      slope: slopesOf(structure, numbers, node, precision),
      isPinned: node === pinned,
    };
  });
  if (by === null) return rows;
  const turn = down ? -1 : 1;
  if (by === "name" || by === "op") {
    return rows.sort((a, b) => turn * a[by].localeCompare(b[by]) || a.node - b.node);
  }
  const keys = new Map(
    rows.map((row) => [row.node, keyOf(structure, numbers, row, by, precision)]),
  );
  const key = ({ node }: TableRow): number => keys.get(node) ?? Number.NaN;
  return rows.sort((a, b) => {
    const known = Number(isNan(key(a))) - Number(isNan(key(b)));
    return known || turn * (key(a) - key(b)) || a.node - b.node;
  });
}

function slopesOf(structure: Structure, numbers: Numbers, node: number, precision: number): string {
  const { source } = structure.edges;
  return (structure.operandEdges[node] ?? [])
    .filter((edge) => hasGradient(structure, source[edge] as number) && !saysOf(structure, node))
    .map((edge) => {
      const slope = numbers.slope[edge] ?? null;
      const text = slope === null ? "unknown" : formatNumber(slope, precision);
      return `${nameOf(structure, source[edge] as number)}: ${text}`;
    })
    .join(", ");
}

/** What a row is sorted by; of several slopes the one of largest size. */
function keyOf(
  { operandEdges }: Structure,
  numbers: Numbers,
  { node, grad }: TableRow,
  by: Column,
  precision: number,
): number {
  if (by === "data") return numbers.data[node] ?? Number.NaN;
  if (by === "grad") {
    // Only what can be read off may decide.
    const value = numbers.grad[node] ?? null;
    const isRead = value !== null && grad?.text === readGradient(value, precision).text;
    return isRead ? value : Number.NaN;
  }
  return (operandEdges[node] ?? [])
    .map((edge) => numbers.slope[edge] ?? Number.NaN)
    .reduce((most, slope) => (abs(slope) <= abs(most) ? most : slope), Number.NaN);
}
