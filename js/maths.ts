/** The functions of `Math` by their own names, so that a formula reads as one. */

export const { abs, ceil, exp, floor, hypot, log10, max, min, random, round, sign, sqrt, trunc } =
  Math;

/** As exact as a picture needs to be. */
export const toTenths = (pixels: number): number => round(pixels * 10) / 10;

/** Of anything: whether it is a number, and not nan or infinite. */
export const { isFinite: isFiniteNumber, isNaN: isNan } = Number;
