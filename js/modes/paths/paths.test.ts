import { describe, expect, it } from "vitest";
import { EXERCISE, NEURON, parsed, type Row } from "../../fixtures";
import { plainText } from "../../phrases";
import { tapeOf } from "../../tape";
import { DIAMONDS, doublings, momentOf } from "../fixtures";
import { sliceOf } from "../mode";
import { PATHS } from "./mode";
import { ledgerOf, nodesOn, sumsOf } from "./paths";

const at = (rows: readonly Row[], label: string): number =>
  rows.findIndex((row) => row.label === label);

function told(rows: readonly Row[], label: string, most = 50) {
  const { structure, numbers } = parsed(rows);
  const node = at(rows, label);
  const { paths, count } = ledgerOf(structure, numbers, node, most);
  const ways = paths.map((path) =>
    nodesOn(structure, node, path)
      .map((each) => rows[each]?.label)
      .join(" → "),
  );
  return { ways, products: paths.map(({ product }) => product), count, paths };
}

describe("ledgerOf", () => {
  it("lists the largest path first", () => {
    const { ways, products, count } = told(DIAMONDS, "a");
    expect(ways).toEqual(["a → d → f → y", "a → c → f → y", "a → d → e → y", "a → c → e → y"]);
    expect(products).toEqual([15, 6, 3, 1]);
    expect(count).toBe(4n);
  });

  it("orders by size, whatever the sign", () => {
    expect(told(EXERCISE, "a").products).toEqual([-3, 1]);
  });

  it.each([
    ["the exercise", EXERCISE],
    ["two diamonds", DIAMONDS],
    ["the neuron", NEURON],
    ["six doublings", doublings(6)],
  ])("adds up to the gradient of every value: %s", (_, rows) => {
    const { structure, numbers } = parsed(rows);
    const { gradients } = tapeOf(structure, numbers);
    for (const node of rows.keys()) {
      const { paths, count } = ledgerOf(structure, numbers, node, 100);
      expect(BigInt(paths.length)).toBe(count);
      expect(sumsOf(paths).at(-1)).toBeCloseTo(gradients[node] as number, 12);
    }
  });

  it("keeps the very largest when it is capped", () => {
    const all = told(doublings(6), "s0", 1000).products;
    expect(told(DIAMONDS, "a", 2).products).toEqual([15, 6]);
    expect(told(doublings(6), "s0", 7).products).toEqual(all.slice(0, 7));
  });

  it("counts exactly what nobody could list", () => {
    expect(told(doublings(30), "s0").count).toBe(2n ** 30n);
    expect(told(doublings(300), "s0").count).toBe(2n ** 300n);
    expect(told(doublings(300), "s0").paths).toHaveLength(50);
  });

  it("has one empty path at the root, worth 1", () => {
    expect(told(EXERCISE, "c")).toMatchObject({ ways: ["c"], products: [1], count: 1n });
  });

  it("puts what is unknown first, and then knows no sum", () => {
    const rows: Row[] = [
      { label: "a", data: 1 },
      { label: "t", data: 1, op: "mine", operands: [["a", null]] },
      {
        label: "r",
        data: 2,
        rule: "add",
        operands: [
          ["a", 1],
          ["t", 1],
        ],
      },
    ];
    expect(told(rows, "a").products).toEqual([null, 1]);
    expect(sumsOf(told(rows, "a").paths)).toEqual([null, null]);
  });
});

describe("the path ledger", () => {
  const says = (rows: readonly Row[], slice: unknown, grads: number[] = []): string => {
    const moment = momentOf(rows, grads);
    const kept = sliceOf(PATHS, { paths: slice }, moment);
    return plainText(PATHS.overlay(moment, kept).sentence ?? []);
  };

  it("opens at the leaf that is used most", () => {
    const moment = momentOf(EXERCISE);
    expect(PATHS.begin(moment)).toEqual({ of: 0, at: -1 });
  });

  it("tells the sum beside .grad", () => {
    const ran = [-2, 2, 1, 1];
    expect(says(EXERCISE, { of: 0, at: -1 }, ran)).toContain("2 paths lead from a to c.");
    expect(says(EXERCISE, { of: 0, at: -1 }, ran)).toContain("The sum is −2, and so is a.grad.");
    expect(says(EXERCISE, { of: 0, at: 1 }, ran)).toBe(
      "Path 2 of 2. 1 = 1. With the paths before it: −2. The sum is −2, and so is a.grad.",
    );
    expect(says(EXERCISE, { of: 0, at: -1 })).toContain("what backward() will put into a.grad");
    expect(says(EXERCISE, { of: 0, at: -1 }, [-4, 4, 2, 2])).toContain(
      "The sum is −2, but a.grad holds −4",
    );
  });

  it("says honestly how much it lists", () => {
    const said = says(doublings(30), { of: 0, at: -1 });
    expect(said).toContain("1,073,741,824 paths lead from s0 to s30");
    expect(said).toContain("The 50 largest add up to 50 of 1.074e9");
  });

  it("lights one path with what comes down it", () => {
    const overlay = PATHS.overlay(momentOf(DIAMONDS), { of: 0, at: 1 });
    const flows = (overlay.flows ?? []).flatMap((flow) => (flow ? [flow.amount] : []));
    expect(flows).toEqual([6, 6, 1]);
    expect(overlay.labels?.map(({ text }) => text)).toEqual(["1", "6", "1"]);
    expect([...(overlay.edges ?? [])].filter(([, name]) => name === "gg-lit")).toHaveLength(3);
  });

  it.each([[null], [3], [{ of: 99, at: 0 }], [{ of: 0, at: 9 }], [{ of: "a", at: 0 }]])(
    "begins anew where what was kept does not fit: %j",
    (kept) => {
      const moment = momentOf(EXERCISE);
      expect(sliceOf(PATHS, { paths: kept }, moment)).toEqual({ of: 0, at: -1 });
    },
  );
});
