/**
 * Everything the tooltip says about one node, as plain data.
 *
 * In: structure, numbers, tape, readings and a node.  Out: rows of text with tones.  Kept apart from
 * the tooltip's DOM so that its truth can be tested without a page.
 */

import type { Numbers, Structure } from "../contract";
import { formatCount, formatNumber, grouped } from "../format";
import { hasGradient, isConstant, memberOf, nameOf, saysOf, short } from "../names";
import { isOrdered, operandsOf, ruleOf } from "../nodes";
import { inNumbers, inSymbols, product, type Symbols } from "../rules";
import type { Flow } from "../scene/marks";
import { type NodeReading, type Reading, readGradient } from "../scene/readings";
import { type Known, stepAt, type Tape } from "../tape";

/** A line of a row; `result`, where there is one, is the number it ends in. */
export interface Line {
  readonly text: string;
  readonly result?: Reading;
}

export interface Row {
  readonly key: "from" | "to" | "rule" | "received" | "sends" | "code";
  readonly title: string;
  readonly lines: readonly Line[];
}

export interface Explanation {
  readonly id: number;
  readonly name: string;
  /** "line 2", or what kind of value it is where no line is known. */
  readonly place: string;
  /** null on a group that has no number. */
  readonly data: Reading | null;
  /** null where a gradient has no meaning: on a constant. */
  readonly grad: Reading | null;
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
}

/** The moment that is explained. */
export interface Moment {
  readonly structure: Structure;
  readonly numbers: Numbers;
  readonly tape: Tape;
  readonly readings: readonly NodeReading[];
  /** Position on the tape, −1 at rest. */
  readonly step: number;
  readonly precision: number;
  /** Gradients that must not be read off; while there are any, only rules are told. */
  readonly secret?: ReadonlySet<number> | undefined;
  /** What a mode or a layer adds about the node. */
  readonly told?: string | undefined;
  /** Per edge what has flowed, where a mode decides that and not the tape. */
  readonly flows?: readonly (Flow | null)[] | undefined;
}

/** More lines than this in a row become a count. */
const MOST_LINES = 6;

const KINDS = {
  leaf: "input",
  parameter: "parameter",
  constant: "constant",
  result: "value",
  group: "group",
} as const;

export function explain(moment: Moment, node: number): Explanation {
  const { structure, readings } = moment;
  const { nodes } = structure;
  const line = nodes.line[node];
  const kind = KINDS[nodes.kind[node] ?? "result"];
  const reading = readings[node] as NodeReading;
  const group = structure.folds?.groups.get(node);
  const flows = moment.secret?.size ? [] : [receivedRow(moment, node), sendsRow(moment, node)];
  const rows = group?.says
    ? [waysRow(structure, node, "from"), waysRow(structure, node, "to")]
    : [ruleRow(moment, node), ...flows];
  return {
    id: nodes.id[node] as number,
    name: nameOf(structure, node),
    place: group
      ? formatCount(group.size, "value")
      : line === null || line === undefined
        ? kind
        : `${kind}, line ${line}`,
    data: group?.says ? null : reading.data,
    grad: hasGradient(structure, node) ? reading.grad : null,
    rows: [...rows, codeRow(structure, node)].flatMap((row) => (row?.lines.length ? [row] : [])),
    notes: notesOf(moment, node),
  };
}

// -- the rule ----------------------------------------------------------------------------------------

/** The rule's derivatives with the operands' names, where it is certain which stands where. */
function symbolsOf(structure: Structure, node: number): Symbols | null {
  const rule = ruleOf(structure, node);
  if (!rule) return null;
  const names = operandsOf(structure, node).map((operand) => short(nameOf(structure, operand)));
  if (names.length === rule.variables.length && isOrdered(structure, node)) {
    return inSymbols(rule, names, nameOf(structure, node));
  }
  return { ...inSymbols(rule, rule.variables, ""), where: null };
}

/** Whether the node's edges match the rule's slopes one to one: known order, one use each. */
function isAligned(structure: Structure, node: number, symbols: Symbols): boolean {
  const edges = structure.operandEdges[node] ?? [];
  return edges.length === symbols.partials.length && isOrdered(structure, node);
}

function ruleRow({ structure, numbers, precision }: Moment, node: number): Row | null {
  const edges = structure.operandEdges[node] ?? [];
  if (edges.length === 0) return null;
  const symbols = symbolsOf(structure, node);
  if (!symbols) return ownRule(structure, numbers, node, precision);
  const aligned = isAligned(structure, node, symbols);
  const lines = symbols.partials.flatMap(({ left, right }, at): Line[] => {
    // An edge that stands for several uses tells the sum of their slopes, not each.
    const edge = aligned ? edges[at] : undefined;
    if (edge !== undefined && isConstant(structure, structure.edges.source[edge] as number))
      return [];
    const slope = edge === undefined ? null : (numbers.slope[edge] ?? null);
    const value = slope === null ? null : formatNumber(slope, precision);
    return [
      { text: `${left} = ${right}${value === null || value === right ? "" : ` = ${value}`}` },
    ];
  });
  const where = symbols.where ? [{ text: `with ${symbols.where}` }] : [];
  return { key: "rule", title: "rule", lines: [...lines, ...where] };
}

/** A rule that is not in the table: its slopes are known only as numbers. */
function ownRule(structure: Structure, numbers: Numbers, node: number, precision: number): Row {
  const lines = (structure.operandEdges[node] ?? []).flatMap((edge): Line[] => {
    const source = structure.edges.source[edge] as number;
    if (saysOf(structure, source)) return [];
    const slope = numbers.slope[edge] ?? null;
    const operand = short(nameOf(structure, source));
    const value = slope === null ? "unknown" : formatNumber(slope, precision);
    return [{ text: `slope for ${operand}: ${value}` }];
  });
  return { key: "rule", title: "rule", lines: shortened(lines) };
}

// -- received and sent -------------------------------------------------------------------------------

/** The gradient that a node holds whole at this moment; null while it does not. */
function wholeGradient({ numbers, tape, step, flows }: Moment, node: number): Known {
  if (flows) return null;
  const at = stepAt(tape, step);
  if (!at) return numbers.grad[node] ?? null;
  return at.pass === "backward" && node >= at.node ? (tape.gradients[node] ?? null) : null;
}

function receivedRow(moment: Moment, node: number): Row | null {
  const { structure, numbers, precision, step, tape } = moment;
  const { edges, root } = structure;
  const title = "received";
  if (!hasGradient(structure, node)) return null;
  if (moment.flows) return { key: title, title, lines: flowedLines(moment, moment.flows, node) };
  if (node === root) {
    const name = short(nameOf(structure, node));
    return { key: title, title, lines: [{ text: `the result starts with ∂${name}/∂${name} = 1` }] };
  }
  const at = stepAt(tape, step);
  const lines = (structure.consumerEdges[node] ?? []).flatMap((edge): Line[] => {
    const consumer = edges.target[edge] as number;
    const reached = at ? at.pass === "backward" && consumer >= at.node : numbers.ran;
    if (!reached) return [];
    const sum = numbers.flows.get(edge);
    if (sum !== undefined) {
      return [{ text: `${origin(structure, consumer)}: `, result: readGradient(sum, precision) }];
    }
    const upstream = wholeGradient(moment, consumer);
    const slope = numbers.slope[edge] ?? null;
    return [productLine(`${origin(structure, consumer)}: `, slope, upstream, precision)];
  });
  return { key: title, title, lines: shortened(lines) };
}

/** "from c (+)". */
function origin(structure: Structure, consumer: number): string {
  const symbol = structure.nodes.symbol[consumer] || structure.nodes.op[consumer];
  return `from ${short(nameOf(structure, consumer))}${symbol ? ` (${symbol})` : ""}`;
}

/** What has come to a node so far in a mode that decides what flows. */
function flowedLines(
  { structure, precision }: Moment,
  flows: readonly (Flow | null)[],
  node: number,
): readonly Line[] {
  const lines = (structure.consumerEdges[node] ?? []).flatMap((edge): Line[] => {
    const flow = flows[edge];
    const consumer = structure.edges.target[edge] as number;
    const text = `${origin(structure, consumer)}: `;
    return flow ? [{ text, result: readGradient(flow.amount, precision) }] : [];
  });
  return shortened(lines);
}

function sendsRow(moment: Moment, node: number): Row | null {
  const { structure, numbers, precision } = moment;
  const edges = structure.operandEdges[node] ?? [];
  const symbols = symbolsOf(structure, node);
  const upstream = wholeGradient(moment, node);
  const aligned = symbols && isAligned(structure, node, symbols);
  const lines = edges.flatMap((edge, at): Line[] => {
    const operand = structure.edges.source[edge] as number;
    if (!hasGradient(structure, operand)) return [];
    const partial = aligned ? symbols.partials[at]?.right : undefined;
    const slope = numbers.slope[edge] ?? null;
    const target = `${memberOf(short(nameOf(structure, operand)), "grad")} += `;
    const rule = partial === undefined ? [] : [inNumbers("{p} · grad", { p: partial })];
    if (upstream === null) {
      const known = slope === null ? null : formatNumber(slope, precision);
      const numeric = known === null || known === partial ? [] : [`${known} × grad`];
      return [{ text: target + ([...rule, ...numeric].join(" = ") || "unknown") }];
    }
    return [
      productLine(target + rule.map((text) => `${text} = `).join(""), slope, upstream, precision),
    ];
  });
  return { key: "sends", title: "sends", lines: shortened(lines) };
}

/** "lead −3 × 1 = −3", with the product as the coloured result. */
function productLine(lead: string, slope: Known, upstream: Known, precision: number): Line {
  if (slope === null || upstream === null) return { text: `${lead}unknown` };
  return {
    text: `${lead}${product(slope, upstream, precision)} = `,
    result: readGradient(slope * upstream, precision),
  };
}

/** What leads into a group, or out of it: "layer 1 ×1,600". */
function waysRow(structure: Structure, node: number, key: "from" | "to"): Row {
  const { consumerEdges, edges, operandEdges } = structure;
  const [found, ends] =
    key === "to" ? [consumerEdges[node], edges.target] : [operandEdges[node], edges.source];
  const lines = (found ?? []).map((edge): Line => {
    const name = short(nameOf(structure, ends[edge] as number));
    return { text: `${name} ×${grouped(edges.count[edge] ?? 1)}` };
  });
  return { key, title: key, lines: shortened(lines) };
}

function shortened(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= MOST_LINES) return lines;
  const more = lines.length - (MOST_LINES - 1);
  return [...lines.slice(0, MOST_LINES - 1), { text: `… and ${more} more` }];
}

// -- source and notes --------------------------------------------------------------------------------

/** The source, unless it stands beside the picture anyway. */
function codeRow({ nodes, code }: Structure, node: number): Row | null {
  const source = nodes.text[node]?.trim();
  if (code || !source || source === nodes.label[node]) return null;
  return { key: "code", title: "code", lines: [{ text: source }] };
}

/** What is unusual about a value, and about the edges at which it receives. */
function notesOf({ structure, numbers, told }: Moment, node: number): string[] {
  const hidden = structure.nodes.hidden[node] ?? 0;
  const is = hidden === 1 ? "is" : "are";
  const received = structure.consumerEdges[node] ?? [];
  const said = [
    hidden > 0 && `${formatCount(hidden, "operand")} ${is} not drawn.`,
    numbers.notes.get(node),
    ...received.map((edge) => numbers.wrong.get(edge)?.said),
    structure.folds?.groups.has(node) && "A press opens it, where a kernel runs.",
    told,
  ];
  return [...new Set(said.filter((sentence) => typeof sentence === "string"))];
}
