/**
 * The cell's code beside the picture: each line with the values that it made, and their rules.
 *
 * In: structure, numbers, readings, and which nodes are pointed at.  Out: rows that follow them.
 * Pointing at a row points at its nodes, and the other way round.  Of a line that ran several times
 * one run is shown, the newest at first; two small buttons lead to the others.
 */

import type { Block, Code, Numbers, Structure } from "../contract";
import { button, classes, className, createKeyed, dataAt, html, on } from "../dom";
import { formatNumber } from "../format";
import { max } from "../maths";
import { isConstant, nameOf } from "../names";
import { isOrdered, operandsOf, ruleOf } from "../nodes";
import { fill } from "../rules";
import type { Measure } from "../scene/measure";
import type { NodeReading } from "../scene/readings";
import { readingOf } from "./tooltip";

export interface CodeRow {
  /** Which row: "3" for a line of the cell, "1:3" for one of the first function below it. */
  readonly key: string;
  /** The heading above it, or nothing. */
  readonly title: string;
  readonly line: number;
  readonly source: string;
  readonly failed: boolean;
  /** Whether something of this line is pointed at or being stepped. */
  readonly on: boolean;
  /** The part of the source to underline, as start and end. */
  readonly marked: readonly [start: number, end: number] | null;
  /** What the line made, each time that it ran. */
  readonly runs: readonly Run[];
  /** The run that is pointed at, −1 for none. */
  readonly hot: number;
}

export interface Run {
  readonly nodes: readonly number[];
  readonly made: readonly Made[];
  /** How many values are not listed. */
  readonly more: number;
}

export interface Made {
  readonly node: number;
  readonly name: string;
  readonly reading: NodeReading;
  /** "∂/∂a = b, ∂/∂b = a", or nothing. */
  readonly rule: string;
  /** "measured −2.0001 · error −1e−4 · h 0.001", or nothing. */
  readonly measured: string;
}

/** More values than this below one line become a count, but never the last: its result. */
export const MOST_VALUES = 6;

/** The moment whose numbers stand beside the code. */
export interface Seen {
  readonly structure: Structure;
  readonly numbers: Numbers;
  readonly readings: readonly NodeReading[];
  readonly precision: number;
}

/** The rows of a cell and of the functions that it called; `active` are pointed at or stepped. */
export function rowsOf(seen: Seen, code: Code, active: readonly number[]): CodeRow[] {
  const called = (code.called ?? []).flatMap((block, at) =>
    rowsOfBlock(seen, code, block, active, `${at + 1}:`),
  );
  return [...rowsOfBlock(seen, code, code, active, ""), ...called];
}

function rowsOfBlock(
  seen: Seen,
  code: Code,
  block: Block & { readonly title?: string },
  active: readonly number[],
  prefix: string,
): CodeRow[] {
  const { structure } = seen;
  const runs = runsPerLine(block);
  return block.lines.map((source, at) => {
    const line = block.first + at;
    const here = (runs.get(line) ?? []).map((run) =>
      run.filter((node) => !isConstant(structure, node)),
    );
    const hot = [...new Set(here.flat())].filter((node) => active.includes(node));
    return {
      key: `${prefix}${line}`,
      title: at === 0 ? (block.title ?? "") : "",
      line,
      source,
      failed: block.failed === line,
      on: hot.length > 0,
      marked: hot.length === 1 ? rangeIn(source, structure.nodes.text[hot[0] as number]) : null,
      runs: here.map((nodes) => ({
        nodes,
        made: listed(nodes).map((node) => madeOf(seen, code, node)),
        more: max(0, nodes.length - MOST_VALUES),
      })),
      hot: here.findLastIndex((nodes) => nodes.some((node) => active.includes(node))),
    };
  });
}

const listed = (nodes: readonly number[]): readonly number[] =>
  nodes.length > MOST_VALUES ? [...nodes.slice(0, MOST_VALUES - 1), ...nodes.slice(-1)] : nodes;

/** How wide the code would like to be, with the numbers before it and the room around it. */
export function widthOfCode({ lines, called = [] }: Code, measure: Measure): number {
  const all = [...lines, ...called.flatMap((block) => block.lines)];
  const longest = all.map((line) => measure(line, "number")).reduce((a, b) => max(a, b), 0);
  return 52 + (13 / 12.5) * longest;
}

/** The nodes that each line made, once per time that it ran. */
export function runsPerLine(block: Block): Map<number, (readonly number[])[]> {
  const runs = new Map<number, (readonly number[])[]>();
  for (const { line, nodes, runs: split } of block.marks) {
    runs.set(line, [...(runs.get(line) ?? []), ...(split ?? [[...new Set(nodes)]])]);
  }
  return runs;
}

function madeOf(seen: Seen, code: Code, node: number): Made {
  const { structure, readings } = seen;
  return {
    node,
    name: nameOf(structure, node),
    reading: readings[node] as NodeReading,
    rule: slopesSaid(structure, node),
    measured: measuredOf(seen, code, node),
  };
}

/** The rules that were written already: the same for every moment of a structure. */
const written = new WeakMap<Structure, Map<number, string>>();

function slopesSaid(structure: Structure, node: number): string {
  const known = written.get(structure) ?? new Map<number, string>();
  written.set(structure, known);
  const rule = known.get(node) ?? slopesOf(structure, node);
  known.set(node, rule);
  return rule;
}

/** The slopes in symbols, each by the operand it belongs to: "∂/∂a = b, ∂/∂b = a". */
function slopesOf(structure: Structure, node: number): string {
  const rule = ruleOf(structure, node);
  if (!rule) return "";
  const uses = operandsOf(structure, node);
  const isKnown = uses.length === rule.variables.length && isOrdered(structure, node);
  const names = isKnown ? uses.map((use) => brief(nameOf(structure, use))) : rule.variables;
  const named = Object.fromEntries(rule.variables.map((name, at) => [name, names[at] as string]));
  const fillings = { ...named, out: brief(nameOf(structure, node)) };
  const said = rule.partials.flatMap(({ text }, at) => {
    if (isKnown && isConstant(structure, uses[at] as number)) return [];
    return [`∂/∂${atom(names[at] as string)} = ${fill(text, fillings)}`];
  });
  const different = [...new Set(said)];
  return different.join(", ") + (different.length < said.length ? " for each use" : "");
}

/** A name that reads as one thing: in parentheses where an operator would take a part of it. */
const atom = (name: string): string =>
  /^[\p{L}\p{N}_.…]+(\([^()]*\))?$/u.test(name) ? name : `(${name})`;

const LONG_NAME = 14;
const brief = (name: string): string =>
  name.length <= LONG_NAME ? name : `${name.slice(0, LONG_NAME - 1)}…`;

/** A measured slope beside the gradient, and how far they are apart. */
function measuredOf({ numbers, readings, precision }: Seen, code: Code, node: number): string {
  const slope = code.measured?.slope[node] ?? null;
  if (!code.measured || slope === null) return "";
  const grad = numbers.grad[node] ?? null;
  const isShown =
    readings[node]?.grad.text === (grad === null ? "" : formatNumber(grad, precision));
  const error = grad !== null && isShown ? ` · error ${formatNumber(slope - grad, 2)}` : "";
  const { h } = code.measured;
  return `measured ${formatNumber(slope, precision)}${error} · h ${formatNumber(h, precision)}`;
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

/** A row with the run that is shown of it. */
interface Shown extends CodeRow {
  readonly at: number;
}

export function createGutter(
  signal: AbortSignal,
  point: (nodes: readonly number[]) => void,
): Gutter {
  const rows = html("div", "gg-rows");
  const values = { role: "region", "aria-label": "Code of this cell", tabindex: "0" };
  const element = html("div", "gg-code", values, rows);
  const chosen = new Map<string, number>();
  let items: readonly CodeRow[] = [];
  const keyed = createKeyed<Shown, HTMLElement>(
    rows,
    ({ key }) => key,
    ({ key }) => html("div", "gg-line", { "data-line": key }),
    (row, item, before) => refill(row, item, before, go),
  );
  const show = (): void => keyed.show(items.map((row) => ({ ...row, at: runShown(row, chosen) })));
  const go = ({ key, runs, at }: Shown, by: number): void => {
    const to = at + by;
    if (!runs[to]) return;
    chosen.set(key, to);
    point(runs[to].nodes);
    show();
  };
  on(signal, element, "pointerover", ({ target }) => point(nodesAt(target, items, chosen)));
  on(signal, element, "pointerleave", () => point([]));
  return {
    element,
    show(rows) {
      items = rows;
      show();
    },
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

/** The run that is pointed at, else the one that was chosen, else the newest. */
const runShown = ({ key, runs, hot }: CodeRow, chosen: ReadonlyMap<string, number>): number =>
  hot >= 0 ? hot : (chosen.get(key) ?? runs.length - 1);

/** The nodes that a place in the code speaks of: one value, or all of the run that is shown. */
function nodesAt(
  target: EventTarget | null,
  rows: readonly CodeRow[],
  chosen: ReadonlyMap<string, number>,
): readonly number[] {
  const made = dataAt(target, "made");
  if (made !== null) return [Number(made)];
  const key = dataAt(target, "line");
  const row = rows.find((item) => item.key === key);
  return row?.runs[runShown(row, chosen)]?.nodes ?? [];
}

type Go = (row: Shown, by: number) => void;

/** Refills a row only when what it shows has changed. */
function refill(element: Element, row: Shown, before: Shown | null, go: Go): void {
  const blank = !row.source.trim() && "gg-blank";
  className(element, classes("gg-line", blank, row.failed ? "gg-failed" : row.on && "gg-on"));
  if (before && contentKey(row) === contentKey(before)) return;
  const number = html("span", "gg-number", {}, `${row.line}`);
  const source = html("span", "gg-source", {}, ...sourceOf(row));
  const head = html("div", "gg-head", {}, html("span", "gg-text", {}, number, source));
  if (row.runs.length > 1) head.append(runButtons(row, go));
  const run = row.runs[row.at];
  const title = row.title ? [html("div", "gg-called", {}, row.title)] : [];
  const made = run?.made.map(linesOf) ?? [];
  if (run?.more) made.splice(-1, 0, [html("div", "gg-made", {}, `… and ${run.more} more`)]);
  element.replaceChildren(...title, head, ...made.flat());
}

const contentKey = ({ on: _, hot: __, runs, at, ...content }: Shown): string =>
  JSON.stringify([content, runs.length, at, runs[at]]);

function sourceOf({ source, marked }: CodeRow): (Node | string)[] {
  if (!marked) return [source || " "];
  const [start, end] = marked;
  const part = html("u", "", {}, source.slice(start, end));
  return [source.slice(0, start), part, source.slice(end)];
}

/** "‹ 3 of 3 ›": which run of the line is shown, and the way to the others. */
function runButtons(row: Shown, go: Go): HTMLElement {
  const step = (content: string, by: number, label: string): HTMLButtonElement => {
    const made = button(content, "gg-run", `${label} run of line ${row.line}`);
    made.disabled = !row.runs[row.at + by];
    made.onclick = () => go(row, by);
    return made;
  };
  const count = html("span", "", {}, `${row.at + 1} of ${row.runs.length}`);
  return html("span", "gg-runs", {}, step("‹", -1, "Earlier"), count, step("›", 1, "Later"));
}

function linesOf({ node, name, reading, rule, measured }: Made): HTMLElement[] {
  const { data, grad } = reading;
  // what has no name is called by its number
  const called = name.replace("-", "−") === data.text ? "" : `${name} `;
  const values = [called, readingOf(data), ...(grad.text ? [" · grad ", readingOf(grad)] : [])];
  const lines = [html("div", "gg-made", { "data-made": node }, ...values)];
  for (const said of [rule, measured].filter(Boolean)) {
    lines.push(html("div", "gg-made gg-rule", { "data-made": node }, said));
  }
  return lines;
}
