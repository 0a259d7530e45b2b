import { describe, expect, it } from "vitest";
import { EXERCISE, NEURON, parsed, type Row } from "../fixtures";
import { readingsAt } from "../scene/readings";
import { tapeOf } from "../tape";
import { pressed, type Sorting, tableRows, UNSORTED } from "./rows";

function rows(table: readonly Row[], sorting: Sorting, secret = false) {
  const { structure, numbers: plain } = parsed(table);
  const tape = tapeOf(structure, plain);
  const grad = Array.from(tape.gradients, (value) => value ?? null);
  const numbers = { ...plain, ran: true, grad };
  const readings = readingsAt(structure, numbers, tape, -1, 4).map((reading) =>
    secret ? { ...reading, grad: { text: "?", tone: "wait" as const } } : reading,
  );
  return tableRows(structure, numbers, readings, 4, [...structure.nodes.id.keys()], 2, sorting);
}

const names = (table: readonly Row[], by: Sorting["by"], down = false, secret = false) =>
  rows(table, { by, down }, secret).map(({ name }) => name);

describe("the table's rows", () => {
  it("tell what the cards tell, and the slope against each operand", () => {
    expect(rows(EXERCISE, UNSORTED)[2]).toMatchObject({
      name: "a * b",
      op: "×",
      data: { text: "−6" },
      grad: { text: "1" },
      slope: "a: −3, b: 2",
      isPinned: true,
    });
  });

  it("come in topological order, or sorted by any column", () => {
    expect(names(EXERCISE, null)).toEqual(["a", "b", "a * b", "c"]);
    expect(names(EXERCISE, "name", true)).toEqual(["c", "b", "a * b", "a"]);
    expect(names(EXERCISE, "data")).toEqual(["a * b", "c", "b", "a"]);
    expect(names(EXERCISE, "grad")).toEqual(["a", "a * b", "c", "b"]);
    expect(names(NEURON, "op").at(-1)).toBe("o");
  });

  it("have what is unknown last in both directions", () => {
    expect(names(EXERCISE, "slope")).toEqual(["a * b", "c", "a", "b"]);
    expect(names(EXERCISE, "slope", true)).toEqual(["c", "a * b", "a", "b"]);
  });

  it("do not give a secret gradient away by their order", () => {
    expect(names(EXERCISE, "grad", true, true)).toEqual(["a", "b", "a * b", "c"]);
  });

  it("go up, down and back as a column's head is pressed", () => {
    const up = pressed(UNSORTED, "data");
    const down = pressed(up, "data");
    expect([up, down]).toEqual([
      { by: "data", down: false },
      { by: "data", down: true },
    ]);
    expect(pressed(down, "data")).toEqual(UNSORTED);
    expect(pressed(down, "grad")).toEqual({ by: "grad", down: false });
  });
});
