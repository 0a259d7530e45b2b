/**
 * Checks of what arrives: each takes a value and the place where it was found, and returns it typed
 * or throws one sentence.
 *
 * In: JSON of which nothing is known.  Out: checks made of checks, for lists, columns and objects, so
 * that `contract.ts` reads as a description of the wire.
 */

import { isFiniteNumber } from "./maths";

/** Said when what arrived is not this version of the wire. */
export class WireError extends Error {
  override readonly name = "WireError";
}

export type Check<T> = (value: unknown, where: string) => T;

export const NON_FINITE: ReadonlyMap<unknown, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

/** What helps when the two sides do not understand each other. */
export const RESTART =
  "Restart the kernel and reload the page, so that both use the same glassgrad.";

export const mismatch = (where: string, expected: string, got: unknown): WireError =>
  new WireError(
    `The graph cannot be drawn: ${where} must be ${expected}, but it is ${shown(got)}. ${RESTART}`,
  );

/** Name a value briefly, whatever it is. */
export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const words = typeof value === "string" ? JSON.stringify(value) : String(value);
  return words.length > 40 ? `${words.slice(0, 39)}…` : words;
}

export const check =
  <T>(expected: string, accepts: (value: unknown) => boolean): Check<T> =>
  (value, where) => {
    if (!accepts(value)) throw mismatch(where, expected, value);
    return value as T;
  };

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

export const text = check<string>("a string", (value) => typeof value === "string");
export const truth = check<boolean>("true or false", (value) => typeof value === "boolean");
export const whole = check<number>("a whole number, 0 or more", isWhole);
export const array = check<unknown[]>("a list", Array.isArray);
export const record = check<Record<string, unknown>>(
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

export const indexBelow = (size: number): Check<number> =>
  check<number>(`an index below ${size}`, (value) => isWhole(value) && (value as number) < size);

/** A number as the wire writes it. */
export const encoded = (value: number | null): number | string | null =>
  value === null || isFiniteNumber(value) ? value : String(value);

/** A finite number, or the name of one that JSON cannot write. */
export function decimal(value: unknown, where: string): number {
  const named = NON_FINITE.get(value);
  if (named !== undefined) return named;
  if (!isFiniteNumber(value)) throw mismatch(where, "a number", value);
  return value as number;
}

export const nullable =
  <T>(inner: Check<T>): Check<T | null> =>
  (value, where) =>
    value === null ? null : inner(value, where);

/** A field that is left out where there is nothing to say. */
export const optional =
  <T>(inner: Check<T>): Check<T | undefined> =>
  (value, where) =>
    value === undefined ? undefined : inner(value, where);

/** A check for each field. */
type Checks<T> = { readonly [Name in keyof T]-?: Check<T[Name]> };

/** An object with these fields; others are left out. */
export const shape =
  <T>(fields: Checks<T>): Check<T> =>
  (value, where) => {
    const found = record(value, where);
    const prefix = where && `${where}.`;
    const entries = Object.entries<Check<unknown>>(fields).map(([name, inner]) => [
      name,
      inner(found[name], prefix + name),
    ]);
    return Object.fromEntries(entries) as T;
  };

/** Lists of one length, that of the first. */
export const columns =
  <T>(fields: Checks<T>): Check<{ readonly [Name in keyof T]: readonly T[Name][] }> =>
  (value, where) => {
    let length = -1;
    const entries = Object.entries<Check<unknown>>(fields).map(([name, inner]) => [
      name,
      (items: unknown, at: string) => {
        const found = (length < 0 ? list(inner) : column(inner, length))(items, at);
        length = found.length;
        return found;
      },
    ]);
    return shape<{ readonly [Name in keyof T]: readonly T[Name][] }>(Object.fromEntries(entries))(
      value,
      where,
    );
  };

/** Rows of so many entries, each with its own check. */
export const rows = <Row extends readonly unknown[]>(...inner: Checks<Row>): Check<Row[]> =>
  list((row, where) => {
    const entries = array(row, where);
    const checks = inner as unknown as readonly Check<unknown>[];
    return checks.map((each, at) => each(entries[at], `${where}[${at}]`)) as unknown as Row;
  });

export const anything: Check<unknown> = (value) => value;

export const list =
  <T>(inner: Check<T>): Check<T[]> =>
  (value, where) =>
    array(value, where).map((item, at) => inner(item, `${where}[${at}]`));

export const column =
  <T>(inner: Check<T>, length: number): Check<T[]> =>
  (value, where) => {
    const items = list(inner)(value, where);
    if (items.length !== length) throw mismatch(where, `a list of ${length}`, value);
    return items;
  };
