import { describe, expect, it } from "vitest";
import { NEURON, parsed, type Row } from "../fixtures";
import { cardOf } from "./cards";
import { cut, roughMeasure } from "./measure";

const ROOM = { data: 30, grad: 40 };

function card(rows: readonly Row[], label: string, rankdir: "LR" | "TB" = "LR") {
  const node = rows.findIndex((row) => row.label === label);
  return cardOf(parsed(rows).structure, node, ROOM, roughMeasure, rankdir);
}

describe("cardOf", () => {
  it("gives inputs no disc and results one that stands out to the left", () => {
    expect(card(NEURON, "x1")).toMatchObject({ half: 0, out: { left: 0, top: 0 } });
    expect(card(NEURON, "x1*w1")).toMatchObject({ symbol: "×", half: 15, word: false });
    expect(card(NEURON, "x1*w1").out.left).toBeGreaterThan(15);
  });

  it("widens the disc for a word", () => {
    const tanh = card(NEURON, "o");
    expect(tanh).toMatchObject({ symbol: "tanh", word: true });
    expect(tanh.half).toBeGreaterThan(15);
  });

  it("fits its text", () => {
    const { name, text, width, grad } = card(NEURON, "x1*w1 + x2*w2");
    expect(text + roughMeasure(name, "name")).toBeLessThan(width);
    expect(grad + ROOM.grad).toBeLessThan(width);
  });

  it("keeps the end of a name in a scope for a picture seen from afar, and the start of others", () => {
    const rows: readonly Row[] = [
      { label: "layer 1.neuron 2.w1", data: 1 },
      { label: "0.5 * long.tanh()", data: 1 },
    ];
    expect(card(rows, "layer 1.neuron 2.w1").farName).toBe("w1");
    expect(card(rows, "0.5 * long.tanh()").farName).toMatch(/^0.5 .*…$/);
    expect(card([{ label: "net.w", data: 1 }], "net.w").farName).toBe("net.w");
  });

  it("cuts a long name and keeps a bound on its width", () => {
    const rows: readonly Row[] = [{ label: "loss_of_everything_we_ever_measured", data: 1 }];
    const { name, width } = card(rows, rows[0]?.label ?? "");
    expect(name).toMatch(/^loss_of_every.*…$/);
    expect(width).toBeLessThan(220);
  });

  it("puts the disc on top in a picture from top to bottom", () => {
    const { out, disc, width } = card(NEURON, "o", "TB");
    expect(out.left).toBe(0);
    expect(out.top).toBeGreaterThan(0);
    expect(disc.x).toBe(width / 2);
  });
});

describe("cut", () => {
  it("leaves what fits and shortens what does not", () => {
    expect(cut("a * b", 100, "name", roughMeasure)).toBe("a * b");
    expect(cut("abcdefghij", 40, "name", roughMeasure)).toBe("abcd…");
  });

  it("puts a text of several lines on one", () => {
    expect(cut("a +\n    b", 100, "name", roughMeasure)).toBe("a + b");
  });

  it("does not break a letter of two code units", () => {
    expect(cut("𝛼𝛽𝛾𝛿", 46, "name", roughMeasure)).toMatch(/^[𝛼𝛽𝛾]*…$/u);
  });
});
