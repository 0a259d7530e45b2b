import { expect, it } from "vitest";
import { readTyped } from "./typed";

it.each([
  ["3", 3],
  [" -3.5 ", -3.5],
  ["−0,5", -0.5],
  ["+.25", 0.25],
  ["1e-4", 1e-4],
  ["2/3", 2 / 3],
  ["-1 / 4", -0.25],
  ["inf", Infinity],
  ["-Inf", -Infinity],
  ["nan", Number.NaN],
])("reads %s", (typed, number) => {
  expect(readTyped(typed)).toBe(number);
});

it.each(["", "-", "a", "1/2/3", "1/", "--2", "0x10", "1 2", "1.2.3"])("refuses %j", (typed) => {
  expect(readTyped(typed)).toBeNull();
});
