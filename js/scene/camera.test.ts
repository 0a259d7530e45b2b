import { describe, expect, it } from "vitest";
import {
  FAR,
  fitted,
  fittingScale,
  opening,
  pan,
  project,
  reveal,
  SCALES,
  wheelFactor,
  zoomAt,
} from "./camera";

const VIEW = { width: 800, height: 400 };

describe("fitted", () => {
  it("shows a small picture at scale 1, centred", () => {
    const camera = fitted({ x: 10, y: 20, width: 300, height: 100 }, VIEW);
    expect(camera.scale).toBe(1);
    const seen = project(camera, { x: 10, y: 20, width: 300, height: 100 });
    expect(seen).toEqual({ x: 250, y: 150, width: 300, height: 100 });
  });

  it("shrinks a large picture until it fits with its margin", () => {
    const content = { x: -50, y: 0, width: 4000, height: 100 };
    const seen = project(fitted(content, VIEW, 20), content);
    expect(seen.x).toBeCloseTo(20);
    expect(seen.width).toBeCloseTo(760);
  });

  it("survives a viewport without room", () => {
    const scale = fittingScale({ width: 100, height: 100 }, { width: 0, height: 0 });
    expect(scale).toBe(SCALES.least);
  });
});

describe("opening", () => {
  it("shows all of a picture whose numbers can be read, or its names when it is not thin", () => {
    for (const [width, height] of [
      [1300, 300],
      [2000, 900],
    ] as const) {
      const content = { x: 0, y: 0, width, height };
      expect(opening(content, VIEW)).toEqual(fitted(content, VIEW));
    }
  });

  it("shows the readable end of one that is long and thin", () => {
    const content = { x: 0, y: 0, width: 2000, height: 200 };
    const camera = opening(content, VIEW, 20);
    expect(camera.scale).toBeGreaterThan(FAR);
    const seen = project(camera, content);
    expect(seen.x + seen.width).toBeCloseTo(VIEW.width - 20);
    expect(seen.y).toBeGreaterThan(0);
  });

  it("shows all of one that is large both ways", () => {
    const content = { x: 0, y: 0, width: 8000, height: 6000 };
    expect(opening(content, VIEW).scale).toBe(fittingScale(content, VIEW));
  });
});

describe("zoomAt", () => {
  it("keeps the point under the pointer where it is", () => {
    const at = { x: 300, y: 120 };
    const before = { x: 12, y: -8, scale: 0.7 };
    const after = zoomAt(before, 1.5, at);
    const under = (camera: typeof before) => ({
      x: (at.x - camera.x) / camera.scale,
      y: (at.y - camera.y) / camera.scale,
    });
    expect(after.scale).toBeCloseTo(1.05);
    expect(under(after).x).toBeCloseTo(under(before).x);
    expect(under(after).y).toBeCloseTo(under(before).y);
  });

  it("stops at its bounds without moving the picture", () => {
    const camera = { x: 5, y: 6, scale: SCALES.most };
    expect(zoomAt(camera, 2, { x: 100, y: 100 })).toEqual(camera);
  });
});

describe("reveal", () => {
  const camera = { x: 0, y: 0, scale: 1 };

  it("leaves the camera alone when the box is seen", () => {
    const box = { x: 100, y: 100, width: 50, height: 50 };
    expect(reveal(camera, box, VIEW)).toBe(camera);
  });

  it("pans no further than needed", () => {
    const box = { x: 900, y: -60, width: 50, height: 50 };
    const seen = project(reveal(camera, box, VIEW, 10), box);
    expect(seen).toMatchObject({ x: 740, y: 10 });
  });

  it("shows the beginning of a box that is larger than the viewport", () => {
    const box = { x: 500, y: 0, width: 2000, height: 50 };
    expect(project(reveal(camera, box, VIEW, 10), box).x).toBe(10);
  });
});

describe("pan and wheel", () => {
  it("moves by pixels of the viewport", () => {
    expect(pan({ x: 1, y: 2, scale: 0.5 }, 10, -4)).toEqual({ x: 11, y: -2, scale: 0.5 });
  });

  it("zooms in upwards, out downwards, and by the same factor back", () => {
    expect(wheelFactor(-100, 0)).toBeGreaterThan(1);
    expect(wheelFactor(100, 0) * wheelFactor(-100, 0)).toBeCloseTo(1);
  });

  it("treats lines as pixels and tames a violent wheel", () => {
    expect(wheelFactor(3, 1)).toBe(wheelFactor(48, 0));
    expect(wheelFactor(10_000, 0)).toBe(wheelFactor(120, 0));
  });
});
