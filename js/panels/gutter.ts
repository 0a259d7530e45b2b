/**
 * The cell's code beside the picture: each line with the values that it made.
 *
 * In: structure, readings, and which nodes are pointed at.  Out: rows that follow them.  Pointing at
 * a row points at its nodes, and the other way round.
 */

import type { Code, Structure } from "../contract";
import { classes, className, html, Keyed } from "../dom";
import { isConstant, nameOf } from "../names";
import type { NodeReading } from "../scene/readings";
import { readingOf } from "./tooltip";

export interface CodeRow {
  readonly line: number;
  readonly source: string;
  readonly failed: boolean;
  /** Whether something of this line is pointed at or being stepped. */
  readonly on: boolean;
  /** The part of the source to underline, as start and end. */
  readonly marked: readonly [start: number, end: number] | null;
  readonly made: readonly Made[];
  /** How many values are not listed. */
  readonly more: number;
}

export interface Made {
  readonly name: string;
  readonly reading: NodeReading;
}

/** More values than this below one line become a count. */
export const MOST_VALUES = 6;

/** The rows of a cell; `active` are the nodes that are pointed at or stepped. */
export function rowsOf(
  structure: Structure,
  code: Code,
  readings: readonly NodeReading[],
  active: readonly number[],
): CodeRow[] {
  const nodes = nodesPerLine(code);
  return code.lines.map((source, at) => {
    const line = code.first + at;
    const here = (nodes.get(line) ?? []).filter((node) => !isConstant(structure, node));
    const hot = here.filter((node) => active.includes(node));
    return {
      line,
      source,
      failed: code.failed === line,
      on: hot.length > 0,
      marked: hot.length === 1 ? rangeIn(source, structure.nodes.text[hot[0] as number]) : null,
      made: here.slice(0, MOST_VALUES).map((node) => ({
        name: nameOf(structure, node),
        reading: readings[node] as NodeReading,
      })),
      more: Math.max(0, here.length - MOST_VALUES),
    };
  });
}

/** The nodes that each line made, in order, each once. */
export function nodesPerLine(code: Code): Map<number, number[]> {
  const nodes = new Map<number, number[]>();
  for (const mark of code.marks) {
    nodes.set(mark.line, [...new Set([...(nodes.get(mark.line) ?? []), ...mark.nodes])]);
  }
  return nodes;
}

/** Where an expression stands in its line, if it stands there as written. */
function rangeIn(source: string, part: string | null | undefined): [number, number] | null {
  if (!part || part.includes("\n")) return null;
  const start = source.indexOf(part);
  return start < 0 ? null : [start, start + part.length];
}

export interface Gutter {
  readonly element: HTMLElement;
  show(rows: readonly CodeRow[]): void;
  /** Scrolls the code itself, never the page, until a line is seen. */
  reveal(line: number): void;
}

export function createGutter(signal: AbortSignal, point: (line: number | null) => void): Gutter {
  const rows = html("div", "gg-rows");
  const values = { role: "region", "aria-label": "Code of this cell", tabindex: "0" };
  const element = html("div", "gg-code", values, rows);
  const keyed = new Keyed<CodeRow, HTMLElement>(
    rows,
    ({ line }) => `${line}`,
    ({ line }) => html("div", "gg-line", { "data-line": line }),
    fill,
  );
  const lineAt = (target: EventTarget | null): number | null => {
    const row = target instanceof Element ? target.closest("[data-line]") : null;
    return row ? Number(row.getAttribute("data-line")) : null;
  };
  element.addEventListener("pointerover", ({ target }) => point(lineAt(target)), { signal });
  element.addEventListener("pointerleave", () => point(null), { signal });
  return {
    element,
    show: (items) => keyed.show(items),
    reveal(line) {
      const row = keyed.get(`${line}`);
      if (!row) return;
      const [inner, outer] = [row.getBoundingClientRect(), element.getBoundingClientRect()];
      const foot = Number.parseFloat(getComputedStyle(element).paddingBottom);
      const below = inner.bottom - (outer.bottom - foot);
      if (below > 0) element.scrollTop += below;
      if (inner.top < outer.top) element.scrollTop += inner.top - outer.top;
    },
  };
}

/** Refills a row only when what it shows has changed. */
function fill(element: Element, row: CodeRow, before: CodeRow | null): void {
  className(element, classes("gg-line", row.failed ? "gg-failed" : row.on && "gg-on"));
  if (before && contentKey(row) === contentKey(before)) return;
  const number = html("span", "gg-number", {}, `${row.line}`);
  const source = html("span", "gg-source", {}, ...sourceOf(row));
  element.replaceChildren(html("div", "", {}, number, source), ...row.made.map(madeOf));
  if (row.more > 0) element.append(html("div", "gg-made", {}, `… and ${row.more} more`));
}

const contentKey = ({ on: _, ...content }: CodeRow): string => JSON.stringify(content);

function sourceOf({ source, marked }: CodeRow): (Node | string)[] {
  if (!marked) return [source || " "];
  const [start, end] = marked;
  const part = html("u", "", {}, source.slice(start, end));
  return [source.slice(0, start), part, source.slice(end)];
}

function madeOf({ name, reading }: Made): HTMLElement {
  const values = [`${name} `, readingOf(reading.data), " · grad ", readingOf(reading.grad)];
  return html("div", "gg-made", {}, ...values);
}
