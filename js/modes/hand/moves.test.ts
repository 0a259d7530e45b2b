import { describe, expect, it } from "vitest";
import { EXERCISE, NEURON, type Row } from "../../fixtures";
import { plainText } from "../../phrases";
import { obey } from "../../standin";
import { DIAMONDS, momentOf } from "../fixtures";
import { BY_HAND } from "./mode";
import { judge, type Move, readMoves, suggest } from "./moves";

/** Moves in order: a label runs a rule, "c=1" sets a gradient. */
type Script = string | readonly string[];

/** What a session has come to: by labels, through the page's own stand-in. */
function session(rows: readonly Row[], script: Script, start: number[] = []) {
  const fresh = momentOf(rows, start);
  const id = (label: string) => rows.findIndex((row) => row.label === label);
  let now: {
    grads: readonly (number | null)[];
    moves: readonly Readonly<Record<string, unknown>>[];
  };
  now = { grads: rows.map((_, node) => start[node] ?? 0), moves: [] };
  const commandOf = (word: string): Parameters<typeof obey>[3] => {
    if (word === "zero_grad" || word === "backward") return { command: word };
    const [label = "", grad] = word.split("=");
    if (grad) return { command: "set_grad", node: id(label), grad: Number(grad) };
    return { command: "run_rule", node: id(label) };
  };
  for (const word of typeof script === "string" ? script.split(" ").filter(Boolean) : script) {
    const next = obey(fresh.structure, fresh.numbers, now, commandOf(word));
    if (!next) throw new Error(`${word} does nothing`);
    now = next;
  }
  const moment = momentOf(rows, now.grads as number[]);
  const moves = readMoves(now.moves, moment.structure) as readonly Move[];
  const position = judge(moment.structure, moves);
  return { moment, moves, position, grads: now.grads, id };
}

const verdicts = (rows: readonly Row[], script: string, start?: number[]) =>
  session(rows, script, start).position.judged.map((judged) => judged?.verdict ?? "");

const says = (rows: readonly Row[], script: string, start?: number[]): string => {
  const { moment, moves } = session(rows, script, start);
  return plainText(BY_HAND.overlay(moment, moves).sentence ?? []);
};

describe("judge", () => {
  it("finds nothing wrong with the topological order", () => {
    expect(verdicts(DIAMONDS, "y=1 y f e d c")).toEqual(["", ...new Array(5).fill("whole")]);
    expect(session(DIAMONDS, "y=1 y f e d c").grads.slice(0, 2)).toEqual([25, 19]);
  });

  it("knows who has not contributed yet", () => {
    const { position, id } = session(DIAMONDS, "y=1 y e c");
    expect(position.judged.at(-1)).toEqual({ verdict: "early", by: [id("f")] });
  });

  it("knows who was misled by somebody early", () => {
    const rows: readonly Row[] = [
      ...DIAMONDS.slice(0, 2),
      { label: "k", data: 2, op: "mine", operands: [["a", 1]] },
      {
        label: "y",
        data: 4,
        rule: "add",
        operands: [
          ["k", 1],
          ["b", 1],
        ],
      },
      {
        label: "z",
        data: 8,
        rule: "add",
        operands: [
          ["y", 1],
          ["y", 1],
        ],
      },
    ];
    expect(verdicts(rows, "z=1 z z y k")).toEqual(["", "whole", "again", "misled", "misled"]);
  });

  it("counts twice what runs twice", () => {
    expect(verdicts(EXERCISE, "c=1 c c")).toEqual(["", "whole", "again"]);
    expect(verdicts(EXERCISE, "backward c")).toEqual(["", "again"]);
  });

  it("forgives a rule that ran when there was nothing to pass on", () => {
    expect(verdicts(EXERCISE, "c c=1 c")).toEqual(["unset", "", "whole"]);
    expect(verdicts(DIAMONDS, "d y=1 y f e d")).toEqual([
      "early",
      "",
      "whole",
      "whole",
      "whole",
      "whole",
    ]);
  });

  it("notices what was left from before", () => {
    expect(verdicts(EXERCISE, "c", [-2, 2, 1, 1])).toEqual(["leftover"]);
    expect(verdicts(EXERCISE, "zero_grad c=1 c", [-2, 2, 1, 1])).toEqual(["", "", "whole"]);
  });
});

describe("suggest", () => {
  const next = (rows: readonly Row[], script: Script, start?: number[]) => {
    const { moment, moves, position } = session(rows, script, start);
    const move = suggest(moment.structure, moment.numbers.grad, moves, position);
    if (!move) return "";
    return move.do === "zero_grad" ? move.do : `${move.do} ${rows[move.node]?.label}`;
  };

  it("plays the manual sequence of the lecture to its end", () => {
    const operations = NEURON.filter(({ operands }) => operands).map(({ label }) => label);
    const script = ["o=1"];
    expect(next(NEURON, "")).toBe("set o");
    for (const label of [...operations].reverse()) {
      expect(next(NEURON, script)).toBe(`run ${label}`);
      script.push(label);
    }
    expect(next(NEURON, script)).toBe("");
  });

  it("clears first what was left from before, and has nothing after backward()", () => {
    expect(next(EXERCISE, "", [-2, 2, 1, 1])).toBe("zero_grad");
    expect(next(EXERCISE, "zero_grad", [-2, 2, 1, 1])).toBe("set c");
    expect(next(EXERCISE, "backward")).toBe("");
  });
});

describe("what by hand says", () => {
  it("opens with what to do", () => {
    expect(says(EXERCISE, "")).toContain("Nothing flows until c starts with gradient 1.");
    expect(says(EXERCISE, "", [-2, 2, 1, 1])).toContain("set them to 0 first");
  });

  it("tells each sum", () => {
    expect(says(EXERCISE, "c=1 c")).toBe(
      "Right. c._backward() passed on 1, its whole gradient. Now a * b holds 0 + 1 = 1 and a holds 0 + 1 = 1.",
    );
  });

  it("names who is late", () => {
    expect(says(DIAMONDS, "y=1 y e c")).toBe(
      "Too early. c._backward() passed on 1, but f has not contributed yet: the whole gradient of c is 7. Now a holds 0 + 1 = 1 and b holds 0 + 1 = 1.",
    );
  });

  it("says when the gradients are those of backward()", () => {
    expect(says(DIAMONDS, "y=1 y f e d c")).toContain(
      "All rules have run: these are the gradients that backward() computes.",
    );
  });

  it("sees a rule that replaces instead of adding", () => {
    const { moment, moves } = session(EXERCISE, "c=1 c");
    const [set, run] = moves as [Move, Move & { do: "run" }];
    const replaced: Move = { ...run, sent: [{ node: 0, before: 5, after: 1 }] };
    const said = plainText(BY_HAND.overlay(moment, [set, replaced]).sentence ?? []);
    expect(said).toContain("did not add to the 5 that a held; it left 1 there. Use +=.");
  });
});

describe("readMoves", () => {
  const { structure } = momentOf(EXERCISE);

  it("reads what the kernel reports, infinities too", () => {
    const sent = [{ node: 0, before: 0, after: "Infinity" }];
    expect(readMoves([{ do: "run", node: 3, grad: "NaN", sent }], structure)).toEqual([
      { do: "run", node: 3, grad: Number.NaN, sent: [{ node: 0, before: 0, after: Infinity }] },
    ]);
  });

  it("leaves out receivers that are not drawn", () => {
    const sent = [{ node: 77, before: 0, after: 1 }];
    expect(readMoves([{ do: "run", node: 3, grad: 1, sent }], structure)?.[0]).toMatchObject({
      sent: [],
    });
  });

  it.each([[null], [{}], [[null]], [[{ do: "fly" }]], [[{ do: "set", node: 99, grad: 1 }]]])(
    "refuses what does not fit: %j",
    (value) => expect(readMoves(value, structure)).toBeNull(),
  );
});
