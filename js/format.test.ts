import { describe, expect, it } from "vitest";
import { formatApart, formatCount, formatNumber, signOf } from "./format";

describe("formatApart", () => {
  it.each([
    [1, 2, ["1", "2"]],
    [0.37211, 0.37212, ["0.37211", "0.37212"]],
    [3, 3, ["3", "3"]],
  ])("writes %d and %d so that they differ, if they do", (one, other, texts) => {
    expect(formatApart(one, other, 4)).toEqual(texts);
  });
});

describe("formatNumber", () => {
  it.each<[number | null, string]>([
    [0, "0"],
    [-0, "0"],
    [2, "2"],
    [-3, "−3"],
    [0.5, "0.5"],
    [0.7071067811865477, "0.7071"],
    [13.963959, "13.96"],
    [-5.0707, "−5.071"],
    [0.1 + 0.2, "0.3"],
    [2.9999999, "3"],
    [0.00012346, "0.0001235"],
    [0.0001, "0.0001"],
    [0.0000999, "9.99e−5"],
    [0.000099999999, "0.0001"],
    [1.2e-7, "1.2e−7"],
    [-1.2e-7, "−1.2e−7"],
    [5e-324, "4.941e−324"],
    [1024, "1024"],
    [65536, "65536"],
    [999999, "999999"],
    [12345.678, "12346"],
    [999999.4, "999999"],
    [999999.9, "1e6"],
    [1e6, "1e6"],
    [1073741824, "1.074e9"],
    [-1.5e300, "−1.5e300"],
    [Number.NaN, "nan"],
    [Number.POSITIVE_INFINITY, "inf"],
    [Number.NEGATIVE_INFINITY, "−inf"],
    [null, "not run"],
  ])("writes %d as %s", (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it.each<[number, number, string]>([
    [Math.PI, 1, "3"],
    [Math.PI, 2, "3.1"],
    [Math.PI, 8, "3.1415927"],
    [123456, 2, "123456"],
    [0.1, 16, "0.1"],
    [0.1, 0, "0.1"],
    [0.1, 99, "0.10000000000000001"],
    [1.26e-9, 2, "1.3e−9"],
  ])("writes %d with %i digits as %s", (value, precision, text) => {
    expect(formatNumber(value, precision)).toBe(text);
  });
});

describe("formatCount", () => {
  it.each<[number, string]>([
    [0, "0 values"],
    [1, "1 value"],
    [999, "999 values"],
    [1000, "1,000 values"],
    [65818, "65,818 values"],
    [1234567, "1,234,567 values"],
  ])("counts %i", (count, text) => {
    expect(formatCount(count, "value")).toBe(text);
  });

  it("takes another plural", () => {
    expect(formatCount(2, "branch", "branches")).toBe("2 branches");
  });
});

describe("signOf", () => {
  it("has none for what is no number", () => {
    expect([2, -2, 0, Number.NEGATIVE_INFINITY, Number.NaN, null].map(signOf)).toEqual([
      1,
      -1,
      0,
      -1,
      undefined,
      undefined,
    ]);
  });
});
