/** The functions of `Math` by their own names, so that a formula reads as one. */

export const { abs, ceil, exp, floor, hypot, log10, max, min, random, round, sign, sqrt, trunc } =
  Math;
