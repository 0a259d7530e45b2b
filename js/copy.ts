/**
 * The graph as a text to take elsewhere: Python, LaTeX or Mermaid.
 *
 * In: structure and data.  Out: a text.  Names are the user's data: in Python and LaTeX only plain
 * identifiers are written as they are, everything else becomes v0, v1 …; in Mermaid all that is not
 * a letter, a digit or a space becomes a numbered entity.  LaTeX and Mermaid are written by
 * `src/glassgrad/render` as well; `tests/data/copies.json` holds the two sides to one text.
 */

import type { Numbers, Structure } from "./contract";
import { formatCount, formatNumber, grouped } from "./format";
import { abs, isFiniteNumber, isNan } from "./maths";
import { isConstant, nameOf } from "./names";
import { isOrdered, operandsOf, ruleOf } from "./nodes";

export type Format = "Python" | "LaTeX" | "Mermaid";

type Write = (structure: Structure, numbers: Numbers) => string;

export const FORMATS: Readonly<Record<Format, Write>> = {
  Python: python,
  LaTeX: latex,
  Mermaid: mermaid,
};

const RESERVED = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield Value math"
  ).split(" "),
);

/** Per node a name that no other node has: the user's where it is an identifier. */
export function identifiers({ nodes }: Structure): string[] {
  const taken = new Set(RESERVED);
  const isFree = (name: string): boolean => /^[a-z_]\w*$/i.test(name) && !taken.has(name);
  const own = nodes.label.map((label) => {
    if (!isFree(label)) return "";
    taken.add(label);
    return label;
  });
  return own.map((name, node) => {
    let free = name || `v${nodes.id[node]}`;
    while (!name && taken.has(free)) free += "_";
    taken.add(free);
    return free;
  });
}

/** The operands of a node as often as it uses them; none where not all are drawn or in order. */
function allOperandsOf(structure: Structure, node: number): number[] {
  const { hidden, symbol } = structure.nodes;
  const used = operandsOf(structure, node);
  // of sums and products any order is right
  const isKnown =
    used.length < 2 || "+×".includes(symbol[node] ?? "") || isOrdered(structure, node);
  return isKnown && !hidden[node] ? used : [];
}

/** A number with a hyphen for a minus. */
const hyphened = (value: number): string => formatNumber(value, 6).replaceAll("−", "-");

/** A remark that this is not the whole graph. */
function cutOf({ notice, total, nodes }: Structure, mark: string): string {
  const all = formatCount(total, "value");
  return notice
    ? `${mark} ${all}; these are the ${grouped(nodes.id.length)} nearest the last.\n`
    : "";
}

// -- Python ------------------------------------------------------------------------------------------

const INFIX: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  pow: "**",
};

/** A float as Python writes it. */
function literal(value: number): string {
  if (isFiniteNumber(value))
    return Number.isInteger(value) && abs(value) < 1e16 ? value.toFixed(1) : `${value}`;
  return isNan(value) ? "math.nan" : value > 0 ? "math.inf" : "-math.inf";
}

function python(structure: Structure, { data }: Numbers): string {
  const names = identifiers(structure);
  const { nodes, root } = structure;
  const number = (node: number): string => literal(data[node] as number);
  const term = (node: number): string => {
    if (!isConstant(structure, node)) return names[node] as string;
    return (data[node] as number) < 0 ? `(${number(node)})` : number(node);
  };
  const lines = [...nodes.id.keys()].flatMap((node) => {
    if (isConstant(structure, node) && node !== root) return [];
    const rule = nodes.rule[node] ?? "";
    const [first, ...others] = allOperandsOf(structure, node).map(term);
    if (first === undefined) return [`${names[node]} = Value(${number(node)})`];
    const infix = INFIX[rule];
    if (infix) return [`${names[node]} = ${first} ${infix} ${others[0]}`];
    if (rule === "neg") return [`${names[node]} = -${first}`];
    if (rule) return [`${names[node]} = ${first}.${rule}(${others.join(", ")})`];
    return [`${names[node]} = Value(${number(node)})  # made by an operation of your own`];
  });
  const text = [...lines, `${names[root]}.backward()`].join("\n");
  const imports = text.includes("math.") ? "import math\n\n" : "";
  return `${imports}from glassgrad import Value\n\n${text}\n`;
}

// -- LaTeX -------------------------------------------------------------------------------------------

function latex(structure: Structure, { data }: Numbers): string {
  const own = identifiers(structure);
  const names = own.map((name) => italic(name, own));
  const number = (node: number): string => decimal(data[node] as number);
  const term = (node: number): string => {
    if (!isConstant(structure, node)) return names[node] as string;
    return number(node).replace(/.*(-|cdot).*/, "($&)");
  };
  const rows = [...structure.nodes.id.keys()].flatMap((node) => {
    if (isConstant(structure, node)) return [];
    const { variables = [], latex = "" } = ruleOf(structure, node) ?? {};
    const terms = allOperandsOf(structure, node).map(term);
    const isKnown = latex && terms.length === variables.length;
    // `filled` in graphs/formula.py does the same
    const made = latex.replace(/\b[xyz]\d*\b/g, (name) => terms[variables.indexOf(name)] ?? name);
    return [`${names[node]} &= ${isKnown ? `${made} = ` : ""}${number(node)}`];
  });
  const text = rows.join(" \\\\\n");
  return `${cutOf(structure, "%")}\\begin{align*}\n${text}\n\\end{align*}\n`;
}

/** x1 gets an index, a word upright letters, as x_1 does where there is an x1 too. */
function italic(name: string, names: string[]): string {
  const [, letter, index] = /^([a-z])(?:_?(\d+))?$/i.exec(name) ?? [];
  const isTaken = name.includes("_") && names.includes(name.replace("_", ""));
  if (letter && !isTaken) return index ? `${letter}_{${index}}` : letter;
  return `\\mathrm{${name.replaceAll("_", "\\_")}}`;
}

function decimal(value: number): string {
  const written = hyphened(value).replace("nan", "\\mathrm{nan}").replace("inf", "\\infty");
  const [mantissa, exponent] = written.split("e");
  return exponent ? `${mantissa} \\cdot 10^{${exponent}}` : written;
}

// -- Mermaid -----------------------------------------------------------------------------------------

const entity = (text: string): string =>
  text.replace(/[^\p{L}\p{N} ]/gu, (letter) => `#${letter.codePointAt(0)};`);

function mermaid(structure: Structure, { data }: Numbers): string {
  const { nodes, edges } = structure;
  const cards = [...nodes.id.keys()].map((node) => {
    const value = entity(hyphened(data[node] as number));
    const symbol = entity(nodes.symbol[node] || nodes.op[node] || "");
    const made = symbol ? `${symbol} → ` : "";
    return `  n${nodes.id[node]}["${made}${entity(nameOf(structure, node))}<br/>data ${value}"]`;
  });
  const arrows = edges.source.map((from, edge) => {
    const count = edges.count[edge] ?? 1;
    const label = count > 1 ? `|"${count} times"| ` : "";
    return `  n${nodes.id[from]} --> ${label}n${nodes.id[edges.target[edge] as number]}`;
  });
  return [`${cutOf(structure, "%%")}flowchart LR`, ...cards, ...arrows, ""].join("\n");
}
