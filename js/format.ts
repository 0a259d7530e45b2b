/**
 * Numbers for people.
 *
 * In flow numbers (or null for "not run"); out flows the short text that every card, tooltip and
 * sentence shows, so that one value reads the same everywhere.
 */

import { abs, isNan, max, min } from "./maths";

export const NOT_RUN = "not run";

/** Below this a number is written with an exponent; so is one of `HUGE` and above. */
const TINY = 1e-4;
const HUGE = 1e6;

/**
 * Write a number with `precision` (1 to 17) significant digits and no trailing zeros.
 *
 * The part before the point is never rounded away: 65536 stays 65536, as it would on paper.
 * The minus is a real one (U+2212), as wide as a plus.
 */
export function formatNumber(value: number | null, precision = 4): string {
  if (value === null) return NOT_RUN;
  if (isNan(value)) return "nan";
  const sign = value < 0 ? "−" : "";
  const size = abs(value);
  return sign + (size === Number.POSITIVE_INFINITY ? "inf" : digits(size, precision));
}

/** "−3 × (−2)": written numbers with a sign between them, which no minus may stand against. */
export const joinedBy = (sign: "+" | "×", terms: readonly string[]): string =>
  terms.map((term, at) => (at > 0 && term.startsWith("−") ? `(${term})` : term)).join(` ${sign} `);

/** Two numbers with as many digits as it takes to tell them apart. */
export function formatApart(one: number, other: number, precision: number): [string, string] {
  const texts: [string, string] = [formatNumber(one, precision), formatNumber(other, precision)];
  return texts[0] === texts[1] && precision < 17 ? formatApart(one, other, precision + 1) : texts;
}

function digits(size: number, precision: number): string {
  const kept = min(17, max(1, precision));
  const [mantissa = "0", exponent = "0"] = size.toExponential(kept - 1).split("e");
  const fixed = size.toFixed(min(100, max(0, kept - 1 - Number(exponent))));
  // What is shown decides the form, so that 999999.9 becomes 1e6 and not 1000000.
  if (size === 0 || (Number(fixed) >= TINY && Number(fixed) < HUGE)) return trimmed(fixed);
  return `${trimmed(mantissa)}e${exponent.replace("+", "").replace("-", "−")}`;
}

const trimmed = (decimal: string): string =>
  decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;

/** Count things: `formatCount(65818, "value")` is "65,818 values". */
export const formatCount = (count: number | bigint, noun: string, plural = `${noun}s`): string =>
  `${grouped(count)} ${String(count) === "1" ? noun : plural}`;

/** As many digits as this are written out; a longer number is written with an exponent. */
const MOST_DIGITS = 15;

/** Write a whole number of any size: 1,073,741,824, or 1.071e301. */
export function grouped(count: number | bigint): string {
  const digits = String(count);
  if (digits.length <= MOST_DIGITS) return digits.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${digits[0]}.${digits.slice(1, 4)}e${digits.length - 1}`;
}

export type Sign = -1 | 0 | 1;

/** The sign that decides a gradient's colour; undefined where there is none to show. */
export function signOf(value: number | null): Sign | undefined {
  if (value === null || isNan(value)) return undefined;
  return Math.sign(value) as Sign;
}
