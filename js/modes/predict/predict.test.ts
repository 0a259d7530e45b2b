import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plainText } from "../../phrases";
import type { Moment } from "../mode";
import { at, type Program, recorded } from "../recorded";
import { PREDICT } from "./mode";
import {
  answer,
  ask,
  beginQuiz,
  diagnose,
  hint,
  isRight,
  type Quiz,
  questionBeside,
  questionsOf,
  readQuiz,
  reveal,
  scoreOf,
  submit,
  write,
} from "./quiz";
import { sayQuiz } from "./says";
import { SHARED } from "./slips";

/** `c = a * b + a`. */
const EXERCISE = recorded((p: Program) => {
  const [a, b] = [p.leaf("a", 2), p.leaf("b", -3)];
  p.of("c", "add", p.of("d", "mul", a, b), a);
});

/** `y = tanh(x) * w`, so that the gradient from above is not 1. */
const NEURON = recorded((p) =>
  p.of("y", "mul", p.of("t", "tanh", p.leaf("x", 0.5)), p.leaf("w", 3)),
);
const t = Math.tanh(0.5);

const slip = (moment: Moment, label: string, number: number) =>
  diagnose(moment, at(moment, label), number);

const asked = (moment: Moment, label: string): Quiz => ask(beginQuiz(moment), at(moment, label));

describe("an answer", () => {
  it.each([
    [2, 2],
    [0.7861, 0.78644],
    [0.79, 0.78644],
    [1234, 1240],
    [-2.004, -2],
    [0.02, 0.0195],
    [0, 0],
    [Number.NaN, Number.NaN],
    [-Infinity, -Infinity],
  ])("%d is right for %d", (given, expected) => {
    expect(isRight(given, expected)).toBe(true);
  });

  it.each([
    [2, -2],
    [0.001, 0],
    [0, 0.004],
    [0.77, 0.78644],
    [Number.NaN, 1],
    [1, Number.NaN],
    [Infinity, -Infinity],
  ])("%d is wrong for %d", (given, expected) => {
    expect(isRight(given, expected)).toBe(false);
  });
});

describe("a diagnosis", () => {
  it.each([
    ["a", 2, "sign", "has the wrong sign"],
    ["a", -3, "path", "forgets a path: c uses a too"],
    ["a", 1, "path", "forgets a path: d uses a too"],
    ["b", -3, "sibling", "takes the share of the other operand, a"],
    ["b", 4, "twice", "counts twice"],
    ["d", 2, "twice", "counts twice"],
    ["a", -5, "rule of mul", "uses the whole product"],
  ])("of %s answered %d is %s", (label, number, name, says) => {
    const found = slip(EXERCISE, label, number);
    expect(found?.says).toContain(says);
    expect(found?.slip).toBe(name);
  });

  it.each([
    ["the gradient from above left out", 1 - t ** 2, "upstream"],
    ["the local slope left out", 3, "slope"],
    ["the slope squared", 3 * (1 - t ** 2) ** 2, "squared"],
    ["added in place of multiplied", 3 + (1 - t ** 2), "adds"],
    ["the gradient from above twice", 9 * (1 - t ** 2), "upstream twice"],
    ["the rule of tanh without its square", 3 * (1 - t), "rule of tanh"],
    ["the rule of the sigmoid", 3 * t * (1 - t), "rule of tanh"],
    ["the data", 0.5, "data"],
  ])("finds %s", (_, number, name) => {
    expect(slip(NEURON, "x", number)?.slip).toBe(name);
  });

  it("finds the exponent forgotten, and the power not lowered", () => {
    const cube = recorded((p) =>
      p.of("y", "mul", p.of("p", "pow 3", p.leaf("x", 1.7)), p.leaf("k", 5)),
    );
    expect(slip(cube, "x", 5 * 1.7 ** 2)?.says).toMatch(/^forgets the factor/);
    expect(slip(cube, "x", 5 * 3 * 1.7 ** 3)?.says).toMatch(/^forgets to lower the power/);
  });

  it("does not pretend to know", () => {
    expect(slip(EXERCISE, "a", 17.3)).toBeNull();
    expect(slip(EXERCISE, "a", Number.NaN)).toBeNull();
  });
});

describe("the table of slips", () => {
  const GRADER = new URL("../../../src/glassgrad/checks/slips.py", import.meta.url);
  const table = readFileSync(GRADER, "utf8")
    .replaceAll("{{line}}", "{line}")
    .replaceAll("{_TANH}", "the rule of tanh is 1 - t**2");

  it.each(SHARED)("has the grader's words: %s", (says) => {
    expect(table).toContain(`{line} ${says}`);
  });
});

describe("the quiz", () => {
  it("asks in the order of backward, and neither for the root nor for constants", () => {
    const moment = recorded((p) => {
      const k = p.leaf("2", 2, "constant");
      p.of("y", "add", p.of("m", "mul", p.leaf("x", 1), k), p.leaf("b", 1));
    });
    expect(questionsOf(moment).map((node) => moment.structure.nodes.label[node])).toEqual([
      "b",
      "m",
      "x",
    ]);
  });

  it("goes on after a right answer and stays after a wrong one", () => {
    const begun = beginQuiz(EXERCISE);
    expect(begun.asked).toBe(at(EXERCISE, "d"));
    const wrong = answer(EXERCISE, begun, 7);
    expect(wrong.asked).toBe(begun.asked);
    const right = answer(EXERCISE, wrong, 1);
    expect(right.asked).toBe(at(EXERCISE, "b"));
    expect(right.attempts).toEqual([
      { node: 2, name: "d", answer: 7, right: false, slip: "", hints: 0 },
      { node: 2, name: "d", answer: 1, right: true, slip: "", hints: 0 },
    ]);
    expect(scoreOf(EXERCISE, right)).toEqual({ questions: 3, right: 1, atOnce: 0, shown: 0 });
  });

  it("leads from question to question, around what is found, and stops at both ends", () => {
    const begun = beginQuiz(EXERCISE);
    expect(questionBeside(EXERCISE, begun, 1)).toBe(at(EXERCISE, "b"));
    expect(questionBeside(EXERCISE, begun, -1)).toBe(-1);
    const found = ask(answer(EXERCISE, ask(begun, at(EXERCISE, "b")), 2), at(EXERCISE, "d"));
    expect(questionBeside(EXERCISE, found, 1)).toBe(at(EXERCISE, "a"));
    expect(questionBeside(EXERCISE, asked(EXERCISE, "a"), 1)).toBe(-1);
  });

  it("takes what is no number for no answer, says so, and forgets it with the next letter", () => {
    const odd = submit(EXERCISE, write(beginQuiz(EXERCISE), "three"));
    expect(odd.attempts).toEqual([]);
    expect(plainText(sayQuiz(EXERCISE, odd))).toBe(
      "three is not a number. Write it like −3, 0.5, 1e-4 or 2/3.",
    );
    expect(plainText(sayQuiz(EXERCISE, write(odd, "1")))).toMatch(/^What is the gradient/);
    expect(submit(EXERCISE, write(odd, "1")).attempts).toMatchObject([{ answer: 1, right: true }]);
    expect(submit(EXERCISE, beginQuiz(EXERCISE)).odd).toBe(false);
  });

  it("counts what was shown apart, and ends", () => {
    let quiz = answer(EXERCISE, beginQuiz(EXERCISE), 1);
    quiz = reveal(EXERCISE, quiz);
    quiz = answer(EXERCISE, quiz, -2);
    expect(quiz.asked).toBe(-1);
    expect(plainText(sayQuiz(EXERCISE, quiz))).toBe(
      "Done. You found 2 of 3 gradients, 2 at the first try. 1 of them you had shown.",
    );
    expect(reveal(EXERCISE, quiz)).toBe(quiz);
    expect(answer(EXERCISE, quiz, 1)).toBe(quiz);
  });

  it("keeps what is not finite as a text, so that it can travel", () => {
    const quiz = answer(EXERCISE, beginQuiz(EXERCISE), Number.NaN);
    expect(quiz.attempts[0]?.answer).toBe("NaN");
  });

  it("gives three hints, one after the other", () => {
    let quiz = asked(EXERCISE, "a");
    const hints = [0, 1, 2, 3].map(() => {
      const said = plainText(sayQuiz(EXERCISE, quiz));
      quiz = hint(quiz);
      return said;
    });
    expect(hints[0]).toBe("What is the gradient of a: how fast does c change with it?");
    expect(hints[1]).toContain("a is used by c and d. Each use sends slope × gradient");
    expect(hints[2]).toContain("The rule: at c the rule of + and at d the rule of ×.");
    expect(hints[3]).toContain("In numbers: (1 × 1) + (−3 × 1).");
    expect(hint(quiz)).toBe(quiz);
  });

  it("says what went wrong, and what was right", () => {
    const wrong = answer(EXERCISE, asked(EXERCISE, "a"), -3);
    expect(plainText(sayQuiz(EXERCISE, wrong))).toBe(
      "Not yet. −3 forgets a path: c uses a too, and contributions add.",
    );
    const right = answer(EXERCISE, wrong, -2);
    expect(plainText(sayQuiz(EXERCISE, right))).toMatch(/^Right\. The gradient of a is −2\. What/);
  });

  it("asks nothing where the drawing is only a part", () => {
    const part = recorded((p) => p.of("y", "mul", p.leaf("x", 1), p.leaf("w", 1)), {
      hidden: { y: 1 },
    });
    expect(beginQuiz(part).asked).toBe(-1);
    expect(plainText(sayQuiz(part, beginQuiz(part)))).toMatch(/^Too large to ask\./);
  });

  it("is checked when it comes from somewhere", () => {
    const quiz = beginQuiz(EXERCISE);
    expect(readQuiz(quiz, EXERCISE)).toBe(quiz);
    for (const odd of [null, {}, { ...quiz, asked: 99 }, { ...quiz, attempts: [{ node: 42 }] }]) {
      expect(readQuiz(odd, EXERCISE)).toBeNull();
    }
  });
});

describe("the picture", () => {
  it("keeps what is asked for secret, in numbers and in flows", () => {
    const quiz = answer(EXERCISE, beginQuiz(EXERCISE), 1);
    const { secret, flows, nodes } = PREDICT.overlay(EXERCISE, quiz);
    expect([...(secret ?? [])].sort()).toEqual([0, 1]);
    expect(flows?.map((flow) => flow?.amount ?? null)).toEqual([null, null, 1, null]);
    expect(nodes?.get(at(EXERCISE, "d"))?.className).toBe("gg-found");
    expect(nodes?.get(at(EXERCISE, "b"))?.className).toBe("gg-asked");
  });

  it("has its field on the card that is asked for, and nowhere at the end", () => {
    const quiz = answer(EXERCISE, beginQuiz(EXERCISE), 1);
    expect(PREDICT.overlay(EXERCISE, quiz).field).toBe(at(EXERCISE, "b"));
    const done = answer(EXERCISE, answer(EXERCISE, quiz, 2), -2);
    expect(PREDICT.overlay(EXERCISE, done).field).toBeUndefined();
  });
});
