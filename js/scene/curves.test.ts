import { describe, expect, it } from "vitest";
import { curveOf, overlap, pathOf, pointAt, spread, transpose } from "./curves";

const STRAIGHT = { from: { x: 0, y: 10 }, to: { x: 100, y: 50 }, route: [], bow: 0 };

describe("curveOf", () => {
  it("leaves and arrives along the flow", () => {
    const [[a, b, c, d]] = curveOf(STRAIGHT, []) as [[never, never, never, never]];
    expect([a, d]).toEqual([STRAIGHT.from, STRAIGHT.to]);
    expect(b).toMatchObject({ y: 10 });
    expect(c).toMatchObject({ y: 50 });
  });

  it("runs straight through the layers it passes", () => {
    const route = [{ x: 150, y: -40 }];
    const curve = curveOf({ ...STRAIGHT, to: { x: 300, y: 0 }, route }, [{ from: 120, to: 180 }]);
    const through = curve[1];
    expect(through?.map(({ y }) => y)).toEqual([-40, -40, -40, -40]);
    expect(through?.[0]).toMatchObject({ x: 120 });
    expect(through?.[3]).toMatchObject({ x: 180 });
  });

  it("bows parallel edges apart", () => {
    const [up, down] = [-22, 22].map((bow) => pointAt(curveOf({ ...STRAIGHT, bow }, []), 0.5));
    expect((down?.y ?? 0) - (up?.y ?? 0)).toBeGreaterThan(30);
  });
});

describe("paths and points", () => {
  it("writes one move and one cubic per segment", () => {
    expect(pathOf(curveOf(STRAIGHT, []))).toBe("M0,10C50,10 50,50 100,50");
    expect(pathOf([])).toBe("");
  });

  it("finds the ends and the middle", () => {
    const curve = curveOf(STRAIGHT, []);
    expect(pointAt(curve, 0)).toEqual({ x: 0, y: 10 });
    expect(pointAt(curve, 1).x).toBeCloseTo(100);
    expect(pointAt(curve, 0.5)).toEqual({ x: 50, y: 30 });
  });

  it("exchanges the axes for pictures from top to bottom", () => {
    expect(pathOf(transpose(curveOf(STRAIGHT, [])))).toBe("M10,0C10,50 50,50 50,100");
  });
});

describe("spread", () => {
  it("centres ports and never exceeds the room", () => {
    expect(spread(1, 9, 24)).toEqual([0]);
    expect(spread(2, 9, 24)).toEqual([-4.5, 4.5]);
    expect(spread(5, 9, 24)).toEqual([-12, -6, 0, 6, 12]);
  });
});

describe("overlap", () => {
  it("is the common area, 0 for boxes that only touch", () => {
    const box = { x: 0, y: 0, width: 10, height: 10 };
    expect(overlap(box, { x: 5, y: 6, width: 10, height: 10 })).toBe(20);
    expect(overlap(box, { x: 10, y: 0, width: 10, height: 10 })).toBe(0);
  });
});
