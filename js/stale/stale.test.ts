import { describe, expect, it } from "vitest";
import { at, type Program, recorded } from "../modes/recorded";
import { staleData } from "./data";
import { staleGradients } from "./gradients";
import { staleOverlay } from "./overlay";

/** `c = a * b + a`. */
const exercise = (p: Program): void => {
  const [a, b] = [p.leaf("a", 2), p.leaf("b", -3)];
  p.of("c", "add", p.of("d", "mul", a, b), a);
};

const gradients = (grad: Record<string, number>) => {
  const { structure, numbers, tape } = recorded(exercise, { grad });
  const found = staleGradients(structure, numbers, tape);
  return found && { ...found, nodes: found.nodes.map((node) => structure.nodes.label[node]) };
};

describe("gradients", () => {
  it("are of one piece after one backward", () => {
    expect(gradients({})).toBeNull();
  });

  it("tell a second backward that adds the same again", () => {
    expect(gradients({ a: -4, b: 4, d: 2, c: 2 })).toEqual({
      why: "again",
      calls: 2,
      nodes: ["a", "b", "d", "c"],
    });
  });

  it("tell a second backward that passes old amounts on, as the lecture's does", () => {
    // d: 1 + 1 = 2; b: 2 + 2·2 = 6; a: −2 + 1 − 3·2 = −7
    expect(gradients({ a: -7, b: 6, d: 2, c: 1 })).toMatchObject({ why: "again", calls: 2 });
  });

  it("tell what a leaf held before", () => {
    expect(gradients({ a: 5 })).toEqual({ why: "before", nodes: ["a"] });
  });

  it("do not take a missing part for a left-over", () => {
    expect(gradients({ a: -3 })).toBeNull();
    expect(gradients({ a: 0 })).toBeNull();
  });

  it("do not take a wrong rule for a left-over", () => {
    expect(gradients({ d: 5, a: 9 })).toBeNull();
  });

  it("are not judged before backward has run", () => {
    const { structure, numbers, tape } = recorded(exercise, { ran: false });
    expect(staleGradients(structure, numbers, tape)).toBeNull();
  });
});

describe("data", () => {
  const stale = (data: Record<string, number>) => {
    const { structure, numbers } = recorded(exercise, { data });
    const { starts, nodes } = staleData(structure, numbers);
    const name = (node: number) => structure.nodes.label[node];
    return { starts: starts.map(({ node, due }) => [name(node), due]), nodes: nodes.map(name) };
  };

  it("follow from the leaves", () => {
    expect(stale({})).toEqual({ starts: [], nodes: [] });
  });

  it("are stale from where they stop following", () => {
    expect(stale({ b: 5 })).toEqual({ starts: [["d", 10]], nodes: ["d", "c"] });
    expect(stale({ a: 4 })).toEqual({
      starts: [
        ["d", -12],
        ["c", -2],
      ],
      nodes: ["d", "c"],
    });
  });

  it("are not judged where the rule is unknown", () => {
    const { structure, numbers } = recorded((p) => p.odd("t", p.leaf("x", 2), 3, 1), {
      data: { x: 7 },
    });
    expect(staleData(structure, numbers).nodes).toEqual([]);
  });

  it("may be nan and still follow", () => {
    const { structure, numbers } = recorded((p) => p.of("l", "log", p.leaf("x", -1)));
    expect(staleData(structure, numbers).nodes).toEqual([]);
  });
});

describe("the layer", () => {
  it("hatches and says why, once for all and for each", () => {
    const moment = recorded(exercise, { grad: { a: -4, b: 4, d: 2, c: 2 } });
    const { nodes, notice } = staleOverlay(moment);
    expect(notice).toBe(
      "backward() ran 2 times and added to what was there: a.grad is −4, where one call gives −2. Zero the gradients first.",
    );
    const note = nodes?.get(at(moment, "b"));
    expect(note?.className).toBe("gg-stale");
    expect(note?.told).toBe("b.grad holds 2 calls of backward(); one gives 2.");
  });

  it("says what was there before", () => {
    expect(staleOverlay(recorded(exercise, { grad: { a: 5 } })).notice).toBe(
      "a.grad still holds 7 from before; this graph added −2. Zero the gradients first.",
    );
  });

  it("names the cell that left it, where that is known", () => {
    const moment = recorded(exercise, { grad: { a: 5 } });
    const numbers = { ...moment.numbers, cells: new Map([[at(moment, "a"), 12]]) };
    const { nodes, notice } = staleOverlay({ ...moment, numbers });
    expect(notice).toContain("a.grad still holds 7 from cell 12; this graph added −2.");
    expect(nodes?.get(at(moment, "a"))?.told).toBe(
      "a.grad still holds 7 from cell 12; this graph gives −2.",
    );
  });

  it("says where data are stale", () => {
    expect(staleOverlay(recorded(exercise, { data: { b: 5 } })).notice).toBe(
      "d is −6, but its operands give 10 now: an input was changed after it was computed. Compute it again, with forward() or by running the cell.",
    );
  });

  it("writes as many digits as it takes to see the difference", () => {
    expect(staleOverlay(recorded(exercise, { data: { b: -3.00003 } })).notice).toMatch(
      /^d is −6, but its operands give −6\.0001 now/,
    );
  });

  it("leaves it to the kernel to tell of a value what it noted", () => {
    const note = "d no longer follows from its operands.";
    const moment = recorded(exercise, { data: { b: 5 }, note: { d: note } });
    const { nodes, notice } = staleOverlay(moment);
    expect(nodes?.get(at(moment, "d"))?.told).toBeUndefined();
    expect(nodes?.get(at(moment, "c"))?.told).toBe("c was computed from a value that is stale.");
    expect(notice).toContain("d is −6");
  });

  it("is not there when nothing is stale", () => {
    expect(staleOverlay(recorded(exercise))).toEqual({});
  });
});
