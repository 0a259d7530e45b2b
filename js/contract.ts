/**
 * The wire, version 1: what the kernel sends, checked once and typed from here on.
 *
 * In flows JSON from the `graph` and `numbers` traits (or from a page without a kernel); out flow
 * `Structure`, which travels once, and `Numbers`, which change.  Everything behind this file may
 * trust indices, lengths and types, because nothing that breaks them comes past it.
 *
 * Nodes are meant by their index into the columns, which is a topological order: an operand's
 * index is always smaller than its result's.  Edges are meant by their index too.  Strings are the
 * user's data and never markup.
 */

export const VERSION = 1;

export type Kind = "leaf" | "parameter" | "constant" | "result";

/** A number, a variable, or a function's name followed by its arguments. */
export type Expression = number | string | readonly [string, ...Expression[]];

/** A formula: a template for people (`"1 − {out}²"`) and the tree that `rules.ts` evaluates. */
export interface Formula {
  readonly text: string;
  readonly expr: Expression;
}

/** One primitive: its symbol, its rule in words, and the formulas of its result and slopes. */
export interface Rule {
  readonly symbol: string;
  readonly says: string;
  readonly variables: readonly string[];
  readonly forward: Formula;
  /** The slope of the result against each operand, in the order of `variables`. */
  readonly partials: readonly Formula[];
}

export interface NodeColumns {
  /** Ids in the kernel's graph, ascending. */
  readonly id: readonly number[];
  readonly label: readonly string[];
  readonly op: readonly string[];
  readonly symbol: readonly string[];
  readonly kind: readonly Kind[];
  /** The key into `Structure.rules`, or null for a leaf and an operation we do not know. */
  readonly rule: readonly (string | null)[];
  readonly line: readonly (number | null)[];
  readonly text: readonly (string | null)[];
  /** How many operands are not drawn. */
  readonly hidden: readonly number[];
}

export interface EdgeColumns {
  /** The operand. */
  readonly source: readonly number[];
  /** The result. */
  readonly target: readonly number[];
  /** The operand's position, or null where the user's class does not tell. */
  readonly operand: readonly (number | null)[];
  /** How many uses this edge stands for. */
  readonly count: readonly number[];
}

/** Lines of source, with what they made. */
export interface Block {
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
  /** The line that raised, or null. */
  readonly failed: number | null;
  readonly marks: readonly Mark[];
}

/** A function of another cell, of which lines ran: its heading, "layer, cell 3", and its lines. */
export interface Called extends Block {
  readonly title: string;
}

/** The cell's source beside the graph. */
export interface Code extends Block {
  readonly called?: readonly Called[] | undefined;
  /** Slopes that were measured with a nudge of `h`, per node; null where none was. */
  readonly measured?: Measured | undefined;
}

/** What a line of code made. */
export interface Mark {
  readonly line: number;
  readonly nodes: readonly number[];
  /** The same once per time that the line ran, in order, where it ran more than once. */
  readonly runs?: readonly (readonly number[])[] | undefined;
}

export interface Measured {
  readonly h: number;
  readonly slope: readonly (number | null)[];
}

export interface Structure {
  readonly root: number;
  readonly title: string;
  /** Values in the whole graph, also those not drawn. */
  readonly total: number;
  /** Operations in the whole graph, also those not drawn. */
  readonly operations: number;
  readonly notice: string | null;
  readonly messages: readonly string[];
  readonly nodes: NodeColumns;
  readonly edges: EdgeColumns;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly code: Code | null;

  // Views, built once from the columns above.
  /** Per node the edges from its operands, in operand order (unknown positions last). */
  readonly operandEdges: readonly (readonly number[])[];
  /** Per node the edges to its consumers, in the order in which backward uses them. */
  readonly consumerEdges: readonly (readonly number[])[];
  /** From a node's id to its index. */
  readonly indexOf: ReadonlyMap<number, number>;
}

export interface Numbers {
  /** Whether backward has run. */
  readonly ran: boolean;
  /** Per node. */
  readonly data: Float64Array;
  /** Per node; null while backward has not run, which is not the same as 0 or NaN. */
  readonly grad: readonly (number | null)[];
  /** Per edge: the local slope; null where it is unknown. */
  readonly slope: readonly (number | null)[];
  /** What is unusual, where something is: sentences by node. */
  readonly notes: ReadonlyMap<number, string>;
  /** By node: the number of the cell that left a part of its gradient, where that is known. */
  readonly cells: ReadonlyMap<number, number>;
  /** The edges along which a rule does wrong. */
  readonly wrong: ReadonlyMap<number, Wrong>;
}

/** What a rule does wrong along an edge: in a few words, often two numbers, and in sentences. */
export interface Wrong {
  readonly mark: string;
  readonly said: string;
}

/** Said when what arrived is not this version of the wire. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** Check a `graph` message and index it. */
export function parseGraph(value: unknown): Structure {
  const graph = record(value, "graph");
  checkVersion(graph);
  const nodes = parseNodes(graph.nodes);
  const size = nodes.id.length;
  const edges = parseEdges(graph.edges, size);
  const rules = parseRules(graph.rules);
  for (const [node, rule] of nodes.rule.entries()) {
    if (rule !== null && !rules.has(rule)) {
      throw mismatch(`nodes.rule[${node}]`, "one of the rules sent along", rule);
    }
  }
  return {
    root: indexBelow(size)(graph.root, "root"),
    title: text(graph.title, "title"),
    total: whole(graph.total, "total"),
    operations: whole(graph.operations, "operations"),
    notice: nullable(text)(graph.notice, "notice"),
    messages: list(text)(graph.messages, "messages"),
    nodes,
    edges,
    rules,
    code: nullable((code, where) => parseCode(code, where, size))(graph.code, "code"),
    ...adjacency(edges, size),
    indexOf: new Map(nodes.id.map((id, index) => [id, index])),
  };
}

/** Check a `numbers` message against the structure it belongs to. */
export function parseNumbers(value: unknown, structure: Structure): Numbers {
  const numbers = record(value, "numbers");
  const nodes = structure.nodes.id.length;
  const edges = structure.edges.source.length;
  return {
    ran: truth(numbers.ran, "ran"),
    data: Float64Array.from(column(decimal, nodes)(numbers.data, "data")),
    grad: column(nullable(decimal), nodes)(numbers.grad, "grad"),
    slope: column(nullable(decimal), edges)(numbers.slope, "slope"),
    ...parseNotes(numbers.notes, nodes, edges),
  };
}

const COLUMNS = ["data", "grad", "slope"] as const;

/** The traits of which a `numbers` message is put together. */
export const NUMBERS = [
  ...COLUMNS.map((name) => `sent_${name}` as const),
  "changes",
  "notes",
] as const;

/** Puts a `numbers` message together: columns as they were sent whole, and what changed since. */
export function joined(get: (name: (typeof NUMBERS)[number]) => unknown): Record<string, unknown> {
  const changes = record(get("changes"), "changes");
  const columns = COLUMNS.map((name) => {
    const whole = array(get(`sent_${name}`), name);
    if (changes[name] === undefined) return [name, whole];
    const { at, to } = record(changes[name], `changes.${name}`);
    const places = list(indexBelow(whole.length))(at, `changes.${name}.at`);
    const news = column((entry) => entry, places.length)(to, `changes.${name}.to`);
    const now = [...whole];
    for (const [which, place] of places.entries()) now[place] = news[which];
    return [name, now];
  });
  return { ...Object.fromEntries(columns), ran: changes.ran, notes: get("notes") };
}

/** The traits that say a `numbers` message. */
export const apart = ({ ran, notes, ...columns }: Record<string, unknown>) => ({
  ...Object.fromEntries(COLUMNS.map((name) => [`sent_${name}`, columns[name]])),
  changes: { ran },
  notes,
});

function parseNotes(
  value: unknown,
  nodes: number,
  edges: number,
): Pick<Numbers, "notes" | "wrong" | "cells"> {
  const notes = record(value, "notes");
  /** Rows of an index and what is said of it. */
  const rows = <T>(name: string, size: number, read: (row: unknown[], at: string) => T) =>
    new Map(
      list((row, at) => {
        const entries = array(row, at);
        return [indexBelow(size)(entries[0], `${at}[0]`), read(entries, at)] as const;
      })(notes[name], `notes.${name}`),
    );
  return {
    notes: rows("nodes", nodes, ([, said], at) => text(said, `${at}[1]`)),
    cells: rows("cells", nodes, ([, cell], at) => whole(cell, `${at}[1]`)),
    wrong: rows("edges", edges, ([, mark, said], at) => ({
      mark: text(mark, `${at}[1]`),
      said: text(said, `${at}[2]`),
    })),
  };
}

// -- the parts of a graph ------------------------------------------------------------------------

function checkVersion(graph: Record<string, unknown>): void {
  if (graph.format !== "glassgrad") {
    throw new WireError("This is not a glassgrad graph. Show a Value with gg.show(value).");
  }
  if (graph.version !== VERSION) {
    throw new WireError(
      `This page reads version ${VERSION} of a glassgrad graph and was sent version ` +
        `${shown(graph.version)}. Restart the kernel and reload the page, so that both use the ` +
        "same glassgrad.",
    );
  }
}

function parseNodes(value: unknown): NodeColumns {
  const nodes = record(value, "nodes");
  const id = list(whole)(nodes.id, "nodes.id");
  for (let index = 1; index < id.length; index++) {
    if ((id[index] as number) <= (id[index - 1] as number)) {
      throw mismatch(`nodes.id[${index}]`, "larger than the id before it", id[index]);
    }
  }
  const read = <T>(name: string, check: Check<T>): readonly T[] =>
    column(check, id.length)(nodes[name], `nodes.${name}`);
  return {
    id,
    label: read("label", text),
    op: read("op", text),
    symbol: read("symbol", text),
    kind: read("kind", kind),
    rule: read("rule", nullable(text)),
    line: read("line", nullable(whole)),
    text: read("text", nullable(text)),
    hidden: read("hidden", whole),
  };
}

function parseEdges(value: unknown, size: number): EdgeColumns {
  const edges = record(value, "edges");
  const source = list(indexBelow(size))(edges.source, "edges.source");
  const read = <T>(name: string, check: Check<T>): readonly T[] =>
    column(check, source.length)(edges[name], `edges.${name}`);
  const target = read("target", indexBelow(size));
  for (const [edge, operand] of source.entries()) {
    if (operand >= (target[edge] as number)) {
      throw mismatch(`edges.source[${edge}]`, "an operand that comes before its result", operand);
    }
  }
  return { source, target, operand: read("operand", nullable(whole)), count: read("count", whole) };
}

function parseRules(value: unknown): Map<string, Rule> {
  const rules = record(value, "rules");
  return new Map(Object.keys(rules).map((name) => [name, parseRule(rules[name], `rules.${name}`)]));
}

function parseRule(value: unknown, where: string): Rule {
  const rule = record(value, where);
  const variables = list(text)(rule.variables, `${where}.variables`);
  return {
    symbol: text(rule.symbol, `${where}.symbol`),
    says: text(rule.says, `${where}.says`),
    variables,
    forward: formula(rule.forward, `${where}.forward`),
    partials: column(formula, variables.length)(rule.partials, `${where}.partials`),
  };
}

function formula(value: unknown, where: string): Formula {
  const { text: template, expr } = record(value, where);
  return { text: text(template, `${where}.text`), expr: expression(expr, `${where}.expr`) };
}

function expression(value: unknown, where: string): Expression {
  if (Array.isArray(value)) {
    const [name, ...operands] = value as unknown[];
    const checked = operands.map((operand, at) => expression(operand, `${where}[${at + 1}]`));
    return [text(name, `${where}[0]`), ...checked];
  }
  return typeof value === "string" && !NON_FINITE.has(value) ? value : decimal(value, where);
}

function parseCode(value: unknown, where: string, size: number): Code {
  const code = record(value, where);
  return {
    ...parseBlock(code, where, size),
    called: optional(
      list((called, at): Called => {
        const { title } = record(called, at);
        return { title: text(title, `${at}.title`), ...parseBlock(called, at, size) };
      }),
    )(code.called, `${where}.called`),
    measured: optional((measured, at): Measured => {
      const { h, slope } = record(measured, at);
      const slopes = column(nullable(decimal), size)(slope, `${at}.slope`);
      return { h: decimal(h, `${at}.h`), slope: slopes };
    })(code.measured, `${where}.measured`),
  };
}

function parseBlock(value: unknown, where: string, size: number): Block {
  const block = record(value, where);
  return {
    first: whole(block.first, `${where}.first`),
    lines: list(text)(block.lines, `${where}.lines`),
    failed: nullable(whole)(block.failed, `${where}.failed`),
    marks: list((mark, at): Mark => {
      const { line, nodes, runs } = record(mark, at);
      return {
        line: whole(line, `${at}.line`),
        nodes: list(indexBelow(size))(nodes, `${at}.nodes`),
        runs: optional(list(list(indexBelow(size))))(runs, `${at}.runs`),
      };
    })(block.marks, `${where}.marks`),
  };
}

/** List the edges at each node, so that nobody has to search the columns. */
export function adjacency(
  { source, target, operand }: EdgeColumns,
  size: number,
): Pick<Structure, "operandEdges" | "consumerEdges"> {
  const operandEdges = Array.from({ length: size }, (): number[] => []);
  const consumerEdges = Array.from({ length: size }, (): number[] => []);
  const position = (edge: number): number => operand[edge] ?? Number.MAX_SAFE_INTEGER;
  for (const edge of source.keys()) {
    operandEdges[target[edge] as number]?.push(edge);
    consumerEdges[source[edge] as number]?.push(edge);
  }
  for (const edges of operandEdges) edges.sort((a, b) => position(a) - position(b));
  for (const edges of consumerEdges) {
    edges.sort(
      (a, b) => (target[b] as number) - (target[a] as number) || position(a) - position(b),
    );
  }
  return { operandEdges, consumerEdges };
}

// -- checks --------------------------------------------------------------------------------------
// A check takes a value and the place where it was found, and returns it typed or throws.

type Check<T> = (value: unknown, where: string) => T;

const KINDS: ReadonlySet<unknown> = new Set<Kind>(["leaf", "parameter", "constant", "result"]);
const NON_FINITE: ReadonlyMap<unknown, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

function mismatch(where: string, expected: string, got: unknown): WireError {
  return new WireError(
    `The graph cannot be drawn: ${where} must be ${expected}, but it is ${shown(got)}. Restart ` +
      "the kernel and reload the page, so that both use the same glassgrad.",
  );
}

/** Name a value briefly, whatever it is. */
function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const words = typeof value === "string" ? JSON.stringify(value) : String(value);
  return words.length > 40 ? `${words.slice(0, 39)}…` : words;
}

function check<T>(expected: string, accepts: (value: unknown) => boolean): Check<T> {
  return (value, where) => {
    if (!accepts(value)) throw mismatch(where, expected, value);
    return value as T;
  };
}

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const text = check<string>("a string", (value) => typeof value === "string");
const truth = check<boolean>("true or false", (value) => typeof value === "boolean");
const whole = check<number>("a whole number, 0 or more", isWhole);
const kind = check<Kind>("leaf, parameter, constant or result", (value) => KINDS.has(value));
const array = check<unknown[]>("a list", Array.isArray);
const record = check<Record<string, unknown>>(
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

function indexBelow(size: number): Check<number> {
  return check<number>(
    `an index below ${size}`,
    (value) => isWhole(value) && (value as number) < size,
  );
}

/** A number as the wire writes it. */
export const encoded = (value: number | null): number | string | null =>
  value === null || Number.isFinite(value) ? value : String(value);

/** A finite number, or the name of one that JSON cannot write. */
export function decimal(value: unknown, where: string): number {
  const named = NON_FINITE.get(value);
  if (named !== undefined) return named;
  if (!Number.isFinite(value)) throw mismatch(where, "a number", value);
  return value as number;
}

function nullable<T>(inner: Check<T>): Check<T | null> {
  return (value, where) => (value === null ? null : inner(value, where));
}

/** A field that is left out where there is nothing to say. */
function optional<T>(inner: Check<T>): Check<T | undefined> {
  return (value, where) => (value === undefined ? undefined : inner(value, where));
}

function list<T>(inner: Check<T>): Check<T[]> {
  return (value, where) => array(value, where).map((item, at) => inner(item, `${where}[${at}]`));
}

function column<T>(inner: Check<T>, length: number): Check<T[]> {
  return (value, where) => {
    const items = list(inner)(value, where);
    if (items.length !== length) throw mismatch(where, `a list of ${length}`, value);
    return items;
  };
}
