import { describe, expect, it } from "vitest";
import { EXERCISE, NEURON, parsed, type Row } from "../../fixtures";
import { plainText } from "../../phrases";
import { tapeOf } from "../../tape";
import { DIAMONDS, doublings, momentOf, REUSED } from "../fixtures";
import { ORDER } from "./mode";
import { heldAfter, MOST_SENDS, recurse } from "./naive";

function recursion(rows: readonly Row[]) {
  const { structure, numbers } = parsed(rows);
  return recurse(structure, numbers);
}

const named = (rows: readonly Row[], nodes: readonly number[]) =>
  nodes.map((node) => rows[node]?.label);

/** The recursion itself, as the panel prints it. */
function literally(rows: readonly Row[]): number[] {
  const grad = rows.map(() => 0);
  grad[rows.length - 1] = 1;
  const at = (label: string) => rows.findIndex((row) => row.label === label);
  const backward = (v: number): void => {
    for (const [label, slope] of rows[v]?.operands ?? []) {
      const operand = at(label);
      grad[operand] = (grad[operand] as number) + (slope as number) * (grad[v] as number);
      backward(operand);
    }
  };
  backward(rows.length - 1);
  return grad;
}

describe("recurse", () => {
  it.each([
    ["reused", REUSED],
    ["diamonds", DIAMONDS],
    ["the exercise", EXERCISE],
    ["the neuron", NEURON],
    ["five doublings", doublings(5)],
  ])("does what the four lines do: %s", (_, rows) => {
    expect(recursion(rows).totals).toEqual(literally(rows));
  });

  it("gives the wrong totals where an inner value is used twice", () => {
    const { structure, numbers } = parsed(DIAMONDS);
    expect(recursion(DIAMONDS).totals.slice(0, 2)).toEqual([29, 22]);
    expect(tapeOf(structure, numbers).gradients.slice(0, 2)).toEqual([25, 19]);
    expect(recursion(REUSED).totals[0]).toBe(6);
  });

  it("finds the first value that is read too early", () => {
    const { runs, firstEarly } = recursion(DIAMONDS);
    const early = runs[firstEarly];
    expect(DIAMONDS[early?.node ?? -1]?.label).toBe("c");
    expect(early).toMatchObject({ read: 1, earlier: 0, from: 2, begun: false });
    expect(named(DIAMONDS, early?.missing ?? [])).toEqual(["f"]);
    const half = recursion(REUSED);
    expect(half.runs[half.firstEarly]).toMatchObject({ node: 1, read: 1, begun: true });
  });

  it("is right on a tree, and where only leaves are used twice", () => {
    for (const rows of [NEURON, EXERCISE]) {
      const { structure, numbers } = parsed(rows);
      expect(recursion(rows).firstEarly).toBe(-1);
      expect(recursion(rows).totals).toEqual(tapeOf(structure, numbers).gradients);
    }
  });

  it("counts the sends it would need, and is cut before it makes them all", () => {
    const deep = recursion(doublings(30));
    expect(deep.needed).toBe(2n ** 31n - 2n);
    expect(deep.cut).toBe(true);
    expect(deep.sends).toHaveLength(MOST_SENDS);
    const shallow = recursion(doublings(5));
    expect(shallow.cut).toBe(false);
    expect(BigInt(shallow.sends.length)).toBe(shallow.needed);
  });

  it("sends nothing to constants", () => {
    const rows: Row[] = [
      { label: "a", data: 3 },
      { label: "2", data: 2, kind: "constant" },
      {
        label: "c",
        data: 6,
        rule: "mul",
        operands: [
          ["a", 2],
          ["2", 3],
        ],
      },
    ];
    expect(recursion(rows).sends).toHaveLength(1);
    expect(recursion(rows).needed).toBe(1n);
  });

  it("can be followed send by send", () => {
    const { structure, numbers } = parsed(REUSED);
    const found = recurse(structure, numbers);
    expect(heldAfter(structure, found, 0)).toEqual([0, 0, 1]);
    expect(heldAfter(structure, found, 3)).toEqual([2, 1, 1]);
    expect(heldAfter(structure, found, 6)).toEqual([6, 2, 1]);
  });
});

describe("the order lab", () => {
  const says = (rows: readonly Row[], done?: number): string => {
    const moment = momentOf(rows);
    const slice = done === undefined ? ORDER.begin(moment) : { done };
    return plainText(ORDER.overlay(moment, slice).sentence ?? []);
  };

  it("opens at the stop, and says who is late and what is right", () => {
    expect(says(DIAMONDS)).toBe(
      "Read too early. Plain recursion runs the rule of c now and reads 1, but f has not contributed yet. The topological order waits until it is 7.",
    );
    expect(says(REUSED)).toContain("runs the rule of b now and reads 1, but c has more to send.");
  });

  it("says what is sent, and when a rule runs again", () => {
    expect(says(REUSED, 2)).toBe("b sends 1 to a, which makes 1.");
    expect(says(REUSED, 4)).toContain("Run again. More arrived at b");
  });

  it("ends with both totals", () => {
    expect(says(DIAMONDS, 14)).toContain("a with 29 instead of 25 and b with 22 instead of 19");
    expect(says(EXERCISE)).toContain("Nothing to stop at.");
    expect(says(EXERCISE, 4)).toContain("Both agree.");
    expect(says(doublings(30), MOST_SENDS)).toContain(
      "would send 2,147,483,646 times, once for every path; the topological order sends 60 times",
    );
  });

  it("does not judge what it does not know", () => {
    const rows: Row[] = [
      { label: "a", data: 1 },
      { label: "t", data: 1, op: "mine", operands: [["a", null]] },
    ];
    expect(says(rows, 1)).toContain("Not known.");
  });

  it("begins anew where what was kept does not fit", () => {
    const moment = momentOf(REUSED);
    for (const kept of [null, "x", { done: 7 }, { done: -1 }, {}]) {
      expect(ORDER.read(kept, moment)).toBeNull();
    }
    expect(ORDER.read({ done: 6 }, moment)).toEqual({ done: 6 });
  });
});
