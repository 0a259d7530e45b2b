/**
 * The quiz: what is asked, what was answered, and what is to be thought of it.
 *
 * In: the moment, and the slice with all attempts.  Out: verdicts, hints and the score.  Pure.  What
 * is right follows from the slopes alone, so a slip in the user's own backward() cannot mislead it.
 */

import { abs, isFiniteNumber, max, min } from "../../maths";
import { isConstant, nameOf } from "../../names";
import { readTyped } from "../../typed";
import type { Moment } from "../mode";
import { type Question, type Use, wrongs } from "./slips";

/** One answer, as it is exported. */
export interface Attempt {
  /** The id of the value. */
  readonly node: number;
  readonly name: string;
  /** The number; a text for one that is not finite. */
  readonly answer: number | string;
  readonly right: boolean;
  /** The name of the slip that explains a wrong answer, "" if none does. */
  readonly slip: string;
  /** How many hints had been asked for. */
  readonly hints: number;
}

export interface Quiz {
  /** The id of the value that is asked for, −1 when there is none left. */
  readonly asked: number;
  /** What is typed into the field just now. */
  readonly draft: string;
  /** Whether that was given as an answer and is no number. */
  readonly odd?: boolean;
  readonly attempts: readonly Attempt[];
  /** By id: how many hints were given. */
  readonly hints: Readonly<Record<string, number>>;
  /** The ids of the values whose gradients were shown. */
  readonly shown: readonly number[];
}

/** The values whose gradients are asked for, in the order in which backward completes them. */
export function questionsOf({ structure, tape }: Moment): readonly number[] {
  if (!tape.complete) return [];
  return [...structure.nodes.id.keys()]
    .filter(
      (node) =>
        node !== structure.root && !isConstant(structure, node) && tape.gradients[node] !== null,
    )
    .reverse();
}

/** The values that are answered, rightly or by being shown, as indices. */
export function solved({ structure }: Moment, quiz: Quiz): ReadonlySet<number> {
  const right = quiz.attempts.filter((attempt) => attempt.right).map(({ node }) => node);
  return new Set([...right, ...quiz.shown].map((id) => structure.indexOf.get(id) as number));
}

/** The next value after `from` that is not answered yet, from the beginning after the end; or −1. */
export function nextQuestion(moment: Moment, quiz: Quiz): number {
  const done = solved(moment, quiz);
  const open = questionsOf(moment).filter((node) => !done.has(node));
  const from = moment.structure.indexOf.get(quiz.asked) ?? Number.MAX_SAFE_INTEGER;
  const next = open.find((node) => node < from) ?? open[0];
  return next === undefined ? -1 : (moment.structure.nodes.id[next] as number);
}

export function beginQuiz(moment: Moment): Quiz {
  const empty: Quiz = { asked: -1, draft: "", attempts: [], hints: {}, shown: [] };
  return { ...empty, asked: nextQuestion(moment, empty) };
}

/** Reads a quiz that came on the `progress` trait; null when it does not fit the graph. */
export function readQuiz(value: unknown, { structure }: Moment): Quiz | null {
  if (typeof value !== "object" || value === null) return null;
  const { asked, draft, attempts, hints, shown } = value as Partial<Quiz>;
  const isDrawn = (id: unknown): boolean => structure.indexOf.has(id as number);
  const fits =
    (asked === -1 || isDrawn(asked)) &&
    typeof draft === "string" &&
    typeof hints === "object" &&
    hints !== null &&
    Array.isArray(attempts) &&
    attempts.every((attempt) => isDrawn(attempt?.node)) &&
    Array.isArray(shown) &&
    shown.every(isDrawn);
  return fits ? (value as Quiz) : null;
}

// -- judging -----------------------------------------------------------------------------------------

/** One percent, or so near that both read the same with two decimals. */
const TOLERANCE = { relative: 0.01, absolute: 0.005, most: 0.1 } as const;

/** Whether an answer is as good as the number. */
export function isRight(answer: number, expected: number): boolean {
  if (!isFiniteNumber(answer) || !isFiniteNumber(expected)) return Object.is(answer, expected);
  const size = abs(expected);
  const rounding = min(TOLERANCE.absolute, TOLERANCE.most * size);
  return abs(answer - expected) <= max(TOLERANCE.relative * size, rounding) * 1.0001;
}

/** What explains a wrong answer. */
export interface Diagnosis {
  readonly slip: string;
  readonly says: string;
}

/** The slip that leads to a wrong answer, null where none is known. */
export function diagnose(moment: Moment, node: number, answer: number): Diagnosis | null {
  const expected = moment.tape.gradients[node] as number;
  const found = wrongs(questionOf(moment, node)).find(
    ({ value }) => isFiniteNumber(value) && !isRight(value, expected) && isRight(answer, value),
  );
  return found ? { slip: found.slip, says: found.says } : null;
}

/** Everything that a gradient is made of. */
export function questionOf({ structure, numbers, tape }: Moment, node: number): Question {
  const uses = (tape.received[node] ?? []).map((one): Use => {
    const { operandEdges, edges, nodes } = structure;
    const around = operandEdges[one.from] ?? [];
    const upstream = tape.gradients[one.from] ?? Number.NaN;
    const siblings = around
      .filter((edge) => edges.source[edge] !== node)
      .map((edge) => ({
        name: nameOf(structure, edges.source[edge] as number),
        amount: (numbers.slope[edge] ?? Number.NaN) * upstream,
      }));
    const operands = around.map((edge) => numbers.data[edges.source[edge] as number] as number);
    const [rule = "", power] = (nodes.rule[one.from] ?? "").split(" ");
    const [x = Number.NaN, y = power === undefined ? Number.NaN : Number(power)] = operands;
    const out = numbers.data[one.from] as number;
    return {
      slope: one.slope ?? Number.NaN,
      upstream,
      from: nameOf(structure, one.from),
      rule,
      position: one.position ?? -1,
      variables: { x, y, out },
      siblings,
    };
  });
  return { name: nameOf(structure, node), data: numbers.data[node] as number, uses };
}

// -- reducers ----------------------------------------------------------------------------------------

export const ask = (quiz: Quiz, id: number): Quiz =>
  quiz.asked === id ? quiz : { ...quiz, asked: id, draft: "", odd: false };

export const write = (quiz: Quiz, draft: string): Quiz => ({ ...quiz, draft, odd: false });

/** The open question so many places after the one that is asked, −1 beyond the last and the first. */
export function questionBeside(moment: Moment, quiz: Quiz, by: number): number {
  const { id } = moment.structure.nodes;
  const done = solved(moment, quiz);
  const open = questionsOf(moment).filter((node) => !done.has(node));
  const here = open.findIndex((node) => id[node] === quiz.asked);
  return id[open[here + by] ?? -1] ?? -1;
}

/** Judges what is written in the field; what is no number is no answer. */
export function submit(moment: Moment, quiz: Quiz): Quiz {
  const value = readTyped(quiz.draft);
  return value === null ? { ...quiz, odd: quiz.draft !== "" } : answer(moment, quiz, value);
}

/** Judges an answer to the question that is asked, and goes on when it is right. */
export function answer(moment: Moment, quiz: Quiz, value: number): Quiz {
  const { structure, tape } = moment;
  const node = structure.indexOf.get(quiz.asked);
  const expected = node === undefined ? null : (tape.gradients[node] ?? null);
  if (node === undefined || expected === null || solved(moment, quiz).has(node)) return quiz;
  const right = isRight(value, expected);
  const attempt: Attempt = {
    node: quiz.asked,
    name: nameOf(structure, node),
    answer: isFiniteNumber(value) ? value : String(value),
    right,
    slip: right ? "" : (diagnose(moment, node, value)?.slip ?? ""),
    hints: quiz.hints[quiz.asked] ?? 0,
  };
  const next = { ...quiz, draft: "", odd: false, attempts: [...quiz.attempts, attempt] };
  return right ? { ...next, asked: nextQuestion(moment, next) } : next;
}

/** One hint more. */
export const hint = (quiz: Quiz): Quiz => {
  const given = quiz.hints[quiz.asked] ?? 0;
  return quiz.asked < 0 || given >= HINTS
    ? quiz
    : { ...quiz, hints: { ...quiz.hints, [quiz.asked]: given + 1 } };
};

/** Where it comes from, the rule, the numbers. */
export const HINTS = 3;

/** Gives the answer away, and goes on. */
export function reveal(moment: Moment, quiz: Quiz): Quiz {
  if (quiz.asked < 0) return quiz;
  const next = { ...quiz, draft: "", odd: false, shown: [...quiz.shown, quiz.asked] };
  return { ...next, asked: nextQuestion(moment, next) };
}

export interface Score {
  readonly questions: number;
  /** Answered rightly, not counting what was shown. */
  readonly right: number;
  /** Of these, at the first attempt. */
  readonly atOnce: number;
  readonly shown: number;
}

export function scoreOf(moment: Moment, quiz: Quiz): Score {
  const questions = questionsOf(moment).length;
  const right = quiz.attempts.filter((attempt) => attempt.right);
  const atOnce = right.filter(
    ({ node }) => quiz.attempts.find((attempt) => attempt.node === node)?.right,
  );
  return { questions, right: right.length, atOnce: atOnce.length, shown: quiz.shown.length };
}
