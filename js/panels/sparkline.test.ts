import { describe, expect, it } from "vitest";
import { drawable, pointsOf } from "./sparkline";

describe("the course of the root", () => {
  it("runs from left to right, the largest number at the top", () => {
    expect(pointsOf([4, 1, 0])).toBe("1.0,2.0 36.0,14.0 71.0,18.0");
  });

  it("is a flat line where nothing changes", () => {
    expect(pointsOf([3, 3])).toBe("1.0,18.0 71.0,18.0");
  });

  it("leaves out what cannot be drawn", () => {
    expect(drawable([1, "NaN", 2, null, "Infinity"])).toEqual([1, 2]);
  });
});
