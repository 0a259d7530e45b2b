import { describe, expect, it } from "vitest";
import { NEURON, parsed } from "../fixtures";
import { cardOf } from "./cards";
import { fieldOn } from "./field";
import { roughMeasure } from "./measure";

const { structure } = parsed(NEURON);
const card = cardOf(structure, 0, { data: 20, grad: 50 }, roughMeasure);
const corner = { x: 100, y: 40 };
const at = (scale: number) => fieldOn({ x: 7, y: 9, scale }, corner, card);

describe("fieldOn", () => {
  it.each([0.75, 1, 2.5])("stands on the gradient, inside the card, at scale %d", (scale) => {
    const { x, y, width, height } = at(scale);
    expect(x).toBeCloseTo(7 + scale * (corner.x + card.grad), 5);
    expect(x + width).toBeLessThan(7 + scale * (corner.x + card.width));
    const line = 9 + scale * (corner.y + card.numberLine);
    expect(y).toBeLessThan(line - 9 * scale);
    expect(y + height).toBeGreaterThan(line);
    expect(y + height).toBeLessThan(9 + scale * (corner.y + card.height));
  });

  it.each([0.05, 0.4])(
    "stands below a card seen from afar, large enough to write in, at %d",
    (scale) => {
      const { y, width, height } = at(scale);
      expect(y).toBeGreaterThanOrEqual(9 + scale * (corner.y + card.height));
      expect(width).toBeGreaterThan(40);
      expect(height).toBeGreaterThan(15);
    },
  );
});
