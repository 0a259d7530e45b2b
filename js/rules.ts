/**
 * Rules that came on the wire, as numbers and as text.
 *
 * In flow a rule's expressions and templates with the names or numbers at a node; out flow a value
 * (computed by walking the tree, no source text is ever run) and formulas that people can read.
 */

import type { Expression, Rule } from "./contract";
import { formatNumber, joinedBy } from "./format";
import { max } from "./maths";
import { FUNCTIONS } from "./real";
import type { Known } from "./tape";

type Fillings = Readonly<Record<string, string>>;

/** Evaluate an expression with the numbers of its variables. */
export function evaluate(expr: Expression, env: Readonly<Record<string, number>>): number {
  if (typeof expr === "number") return expr;
  if (typeof expr === "string") {
    const value = Object.hasOwn(env, expr) ? env[expr] : undefined;
    if (value === undefined) throw new Error(`The rule needs a value for ${expr}.`);
    return value;
  }
  const [name, ...operands] = expr;
  const apply = FUNCTIONS.get(name);
  if (!apply) throw new Error(`The rule uses ${name}, which is no function that is known here.`);
  return apply(...operands.map((operand) => evaluate(operand, env)));
}

/**
 * Put names or numbers into a template, in parentheses where it would read wrongly without.
 *
 * `fill("1 − {out}²", { out: "a * b" })` is "1 − (a * b)²";
 * `fill("{x} · {y}", { x: "−3", y: "−2" })` is "−3 · (−2)".
 */
export const fill = (template: string, fillings: Fillings): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string, at: number) => {
    if (!Object.hasOwn(fillings, name)) return placeholder;
    const filling = fillings[name] as string;
    const before = template.slice(0, at).trimEnd().at(-1) ?? "";
    const after =
      template
        .slice(at + placeholder.length)
        .trimStart()
        .at(0) ?? "";
    return fits(filling, before, after) ? filling : `(${filling})`;
  });

/** Put numbers into a template; between numbers a product is written with ×, as in arithmetic. */
export const inNumbers = (template: string, numbers: Fillings): string =>
  fill(template.replaceAll(" · ", " × "), numbers);

/** "−3 × 1": two numbers multiplied; "?" stands for one that is unknown. */
export function product(
  left: Known | undefined,
  right: Known | undefined,
  precision: number,
): string {
  const write = (factor: Known = null): string =>
    factor === null ? "?" : formatNumber(factor, precision);
  return joinedBy("×", [write(left), write(right)]);
}

/** A template for the result: the formula where it is one plain application, else "ReLU({x})". */
export function application(rule: Rule): string {
  const { expr, text } = rule.forward;
  const plain = Array.isArray(expr) && !expr.some(Array.isArray);
  return plain ? text : `${rule.symbol}(${rule.variables.map((name) => `{${name}}`).join(", ")})`;
}

export interface Symbols {
  /** Per operand: "∂(a·b)/∂a" and "b". */
  readonly partials: readonly { readonly left: string; readonly right: string }[];
  /** What the letters stand for ("x = a * b, y = a"), or null where names were used. */
  readonly where: string | null;
}

/** Longer names hide the shape of a formula. */
const LONG_NAME = 14;
/** What operands are called where their names cannot be used; the first that clash with none. */
const LETTERS = ["xy", "uv", "pq"];

/**
 * Write a rule in symbols, with the names of the operands and of the result.
 *
 * Where one operand's name occurs in another's (`a * a`, `a * b + a`), names would state something
 * false: ∂(a·a)/∂a is not a.  There, and for numbers and long names, letters stand for the operands.
 */
export function inSymbols(rule: Rule, operands: readonly string[], result: string): Symbols {
  const areNames = canStand(operands);
  const taken = new Set([...operands, result].flatMap(wordsOf));
  const free = LETTERS.find((letters) => ![...letters].some((letter) => taken.has(letter)));
  const letters = rule.variables.map((variable, at) => free?.[at] ?? variable);
  const names = letters.map((letter, at) => (areNames && operands[at]) || letter);
  const fillings = Object.fromEntries(rule.variables.map((name, at) => [name, names[at] ?? name]));
  const applied = fill(application(rule), fillings);
  const out = /^\w+$/.test(result) ? result : applied;
  const partials = rule.partials.map((partial, at) => ({
    left: `∂${enclosed(applied.replaceAll(" · ", "·"))}/∂${enclosed(names[at] ?? "")}`,
    right: fill(partial.text, { ...fillings, out }),
  }));
  const legend = letters.map((letter, at) => `${letter} = ${operands[at] ?? "?"}`);
  return { partials, where: areNames ? null : legend.join(", ") };
}

/** Whether names can stand in a formula: short, no plain numbers, none a part of another. */
function canStand(names: readonly string[]): boolean {
  const words = names.map((name) => [...new Set(wordsOf(name))]);
  const all = words.flat();
  return (
    new Set(all).size === all.length &&
    words.every((found) => found.length > 0) &&
    names.every((name) => name.length <= LONG_NAME)
  );
}

/** The identifiers in a text; "1e-7" has none. */
const wordsOf = (text: string): string[] =>
  text.match(/(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];

const enclosed = (text: string): string => (bindingOf(text) === Binding.Atom ? text : `(${text})`);

// -- parentheses ---------------------------------------------------------------------------------

/** How tightly a text binds, loosest first. */
enum Binding {
  Loose,
  Sum,
  Product,
  Power,
  Atom,
}

/** What a filling needs when this character stands before it, or after it. */
const BEFORE = needs([
  ["<>≤≥=", Binding.Sum],
  ["+−", Binding.Product],
  ["·×/÷", Binding.Power],
  ["^√", Binding.Atom],
]);
const AFTER = needs([
  ["<>≤≥=+−", Binding.Sum],
  ["·×/÷", Binding.Product],
  ["^⁻⁰¹²³⁴⁵⁶⁷⁸⁹", Binding.Atom],
]);

function needs(rows: readonly (readonly [string, Binding])[]): ReadonlyMap<string, Binding> {
  return new Map(rows.flatMap(([characters, need]) => [...characters].map((c) => [c, need])));
}

function fits(filling: string, before: string, after: string): boolean {
  // Nobody writes "2 · −3", although it could be read.
  if (/^[-−]/.test(filling) && "+−·×/÷^√".includes(before) && before !== "") return false;
  const binding = bindingOf(filling);
  return binding >= max(BEFORE.get(before) ?? 0, AFTER.get(after) ?? 0);
}

const WORD = String.raw`[\p{L}\p{N}_.]`;
const OPERAND = String.raw`${WORD}+(?:e−\d+)?(?:\(\)${WORD}*)*`;
const POWER = String.raw`${OPERAND}(?:[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|\s*(?:\*\*|\^)\s*[-−]?${OPERAND})?`;
const PRODUCT = String.raw`[-−]?${POWER}(?:\s*[*·×/÷]\s*${POWER})*`;
const SUM = String.raw`${PRODUCT}(?:\s*[-+−]\s*${POWER}(?:\s*[*·×/÷]\s*${POWER})*)*`;
const FORMS: readonly (readonly [RegExp, Binding])[] = [
  [whole(OPERAND), Binding.Atom],
  [whole(POWER), Binding.Power],
  [whole(PRODUCT), Binding.Product],
  [whole(SUM), Binding.Sum],
];

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, "u");
}

/** Judge a text by its shape; what is not plain arithmetic binds loosest. */
function bindingOf(text: string): Binding {
  let shape = text.trim();
  // From the inside out, a bracket and a call become "()"; then a bare "()" becomes a name.
  for (let inner = ""; inner !== shape; ) {
    inner = shape;
    shape = shape.replace(/\[[^()[\]]*\]|\((?!\))[^()[\]]*\)|\(\)\(\)/g, "()");
  }
  shape = shape.replace(/(?<![\p{L}\p{N}_.])\(\)/gu, "v");
  return FORMS.find(([form]) => form.test(shape))?.[1] ?? Binding.Loose;
}
