/**
 * Real functions that answer everywhere, as IEEE 754 and PyTorch do.
 *
 * The namespace in which a rule is evaluated: the names are those of the wire, the twin of the
 * kernel's `engine/real.py`.  JavaScript's `Math` already answers `inf` and `nan` where Python
 * raises; only what it answers differently, or lacks, is written here.
 */

import { isNan } from "./maths";

export type RealFunction = (...numbers: number[]) => number;

type Unary = (x: number) => number;
type Binary = (x: number, y: number) => number;

/** IEEE 754 says that these two are 1; `Math.pow` says NaN. */
const pow: Binary = (x, y) => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y);

/** `1 / (1 + exp(-x))` without overflow on either side. */
const sigmoid: Unary = (x) => {
  const small = Math.exp(-Math.abs(x));
  return x >= 0 ? 1 / (1 + small) : small / (1 + small);
};

/** 1, 0 or -1; 0 at NaN, as PyTorch does. */
const sign: Unary = (x) => Number(x > 0) - Number(x < 0);

/**
 * The error function to double precision.
 *
 * A series of positive terms near 0 and the continued fraction of the complement further out
 * (Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6 and 7.1.14).
 */
const erf: Unary = (x) => {
  const size = Math.abs(x);
  if (!(size <= 6)) return isNan(x) ? x : Math.sign(x);
  const bell = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (size < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
      term *= (2 * x * x) / (2 * n + 1);
      sum += term;
    }
    return 2 * bell * sum;
  }
  let tail = size;
  for (let n = 60; n > 0; n--) tail = size + n / 2 / tail;
  return Math.sign(x) * (1 - bell / tail);
};

/** What `Math` has under the same name, and answers as it should. */
const OF_MATH = [
  ...([
    "abs",
    "exp",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "sqrt",
    "sin",
    "cos",
    "tan",
  ] as const),
  ...(["asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"] as const),
  ...(["atan2", "hypot"] as const),
];

const unary: Record<string, Unary> = { neg: (x) => -x, sign, sigmoid, erf };

const binary: Record<string, Binary> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  pow,
  gt: (x, y) => Number(x > y),
  ge: (x, y) => Number(x >= y),
  lt: (x, y) => Number(x < y),
  le: (x, y) => Number(x <= y),
  eq: (x, y) => Number(x === y),
  and: (x, y) => Number(x !== 0 && y !== 0),
  maximum: Math.max,
  minimum: Math.min,
};

const where = (condition: number, then: number, otherwise: number): number =>
  condition !== 0 ? then : otherwise;

const sum = (...numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Every function that a rule may use, by its name on the wire; `sum` takes any number of numbers. */
export const FUNCTIONS: ReadonlyMap<string, RealFunction> = new Map<string, RealFunction>([
  ...OF_MATH.map((name): [string, RealFunction] => [name, Math[name] as RealFunction]),
  ...Object.entries<RealFunction>({ ...unary, ...binary, where, sum }),
]);
