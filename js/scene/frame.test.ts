import { describe, expect, it } from "vitest";
import { BLOG, EXERCISE, parsed, type Row } from "../fixtures";
import { isConstant } from "../names";
import { tapeOf } from "../tape";
import { cardOf, roomsOf } from "./cards";
import { frameOf, gapFor, isDrawn, neighbour } from "./frame";
import { frameWithout } from "./hidden";
import { roughMeasure } from "./measure";
import { mapScale, sticksOut } from "./minimap";

function cards(rows: readonly Row[]) {
  const { structure, numbers } = parsed(rows);
  const rooms = roomsOf(numbers, tapeOf(structure, numbers), 4, roughMeasure);
  return {
    structure,
    cards: rooms.map((room, node) => cardOf(structure, node, room, roughMeasure)),
  };
}

describe("the gap between layers", () => {
  const { structure, cards: all } = cards(EXERCISE);
  const usual = frameOf(structure, all);

  it("stays where the picture fits", () => {
    expect(gapFor(usual, usual.bounds.width)).toBe(usual.gap);
    expect(gapFor(usual, Number.POSITIVE_INFINITY)).toBe(usual.gap);
  });

  it("shrinks until the picture fits at its own size", () => {
    const width = usual.bounds.width - 60;
    const gap = gapFor(usual, width);
    expect(gap).toBe(usual.gap - 30);
    expect(frameOf(structure, all, "LR", gap).bounds.width).toBeLessThanOrEqual(width);
  });

  it("stays wide enough for curves, and as it is where it would not help", () => {
    expect(gapFor(usual, usual.bounds.width - 150)).toBe(44);
    expect(gapFor(usual, 100)).toBe(usual.gap);
  });

  it("has nothing to do with a picture from top to bottom", () => {
    const down = frameOf(structure, all, "TB");
    expect(gapFor(down, 10)).toBe(down.gap);
  });
});

describe("a frame without constants", () => {
  const { structure, cards: all } = cards(BLOG);
  const frame = frameWithout(structure, all);
  const nodes = [...structure.nodes.id.keys()];

  it("draws all other values, under the same indices", () => {
    expect(nodes.filter((node) => !isDrawn(frame, node))).toEqual(
      nodes.filter((node) => isConstant(structure, node)),
    );
    expect(frame.boxes).toHaveLength(nodes.length);
    structure.edges.source.forEach((from, edge) => {
      expect(frame.paths[edge] === "").toBe(isConstant(structure, from));
    });
  });

  it("is no larger, and the arrow keys pass constants by", () => {
    const whole = frameOf(structure, all).bounds;
    expect(frame.bounds.height).toBeLessThanOrEqual(whole.height);
    const timesTwo = structure.nodes.label.indexOf("d * 2");
    expect(neighbour(frame, structure, timesTwo, "back")).toBe(structure.nodes.label.indexOf("d"));
  });
});

describe("the map", () => {
  const bounds = { x: 0, y: 0, width: 3000, height: 200 };
  const room = { width: 800, height: 400 };

  it("is there when some of the picture is outside", () => {
    expect(sticksOut(bounds, { x: 0, y: 0, scale: 1 }, room)).toBe(true);
    expect(sticksOut(bounds, { x: 10, y: 10, scale: 0.25 }, room)).toBe(false);
    expect(sticksOut(bounds, { x: -30, y: 10, scale: 0.25 }, room)).toBe(true);
  });

  it("is small, and never a second picture", () => {
    expect(mapScale(bounds)).toBe(0.05);
    expect(mapScale({ width: 10, height: 10 })).toBe(0.2);
  });
});
