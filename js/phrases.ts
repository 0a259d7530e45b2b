/**
 * Sentences in pieces.
 *
 * In: words, names and numbers.  Out: parts, so that a panel can set names and numbers apart without
 * any markup in between, and a screen reader gets the same words as one string.
 */

import type { Structure } from "./contract";
import { formatNumber, type Sign, signOf } from "./format";
import { nameOf } from "./names";

/** A piece of a sentence; `sign` only on gradients, whose colour it decides. */
export interface Part {
  readonly text: string;
  readonly kind: "plain" | "name" | "number" | "strong";
  readonly sign?: Sign;
}

export type Phrase = readonly Part[];

/** Join words and parts: say`${name} is ${data}.` */
export const say = (words: TemplateStringsArray, ...inserts: (string | Part | Phrase)[]): Phrase =>
  words.flatMap((text, at): Part[] => {
    const insert = inserts[at] ?? [];
    const parts: Phrase =
      typeof insert === "string"
        ? [{ text: insert, kind: "plain" }]
        : "kind" in insert
          ? [insert]
          : insert;
    return [{ text, kind: "plain" } as Part, ...parts].filter((part) => part.text !== "");
  });

export const strong = (text: string): Part => ({ text, kind: "strong" });

export const named = (text: string): Part => ({ text, kind: "name" });

export const nodeNamed = (structure: Structure, node: number): Part =>
  named(nameOf(structure, node));

/** Numbers that are written already. */
export const figures = (text: string): Part => ({ text, kind: "number" });

/** A number without a colour. */
export const numeral = (value: number | null, precision: number): Part =>
  figures(formatNumber(value, precision));

/** A gradient, or a part of one: a number with the sign that colours it. */
export function signed(value: number | null, precision: number): Part {
  if (value === null) return { text: "unknown", kind: "plain" };
  const sign = signOf(value);
  const part = numeral(value, precision);
  return sign === undefined ? part : { ...part, sign };
}

const LISTED = 3;

/** "a, b and c"; after three, how many more. */
export function listed(phrases: readonly Phrase[]): Phrase {
  const rest = phrases.length - LISTED;
  const items = rest > 1 ? [...phrases.slice(0, LISTED), say`${String(rest)} more`] : phrases;
  return items.flatMap((item, at) => {
    if (at === 0) return item;
    return at === items.length - 1 ? say` and ${item}` : say`, ${item}`;
  });
}

/** The parts as one plain string, for a screen reader. */
export const plainText = (parts: readonly Part[]): string =>
  parts.map((part) => part.text).join("");
