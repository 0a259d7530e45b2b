/**
 * What a move did, in words: what was passed on, whether that was right, and if not, why.
 *
 * In: the moment and the moves.  Out: the parts of one or two sentences.
 */

import { formatNumber, joinedBy } from "../../format";
import { abs, isNan, max } from "../../maths";
import { isConstant, memberOf, nameOf, short } from "../../names";
import {
  figures,
  listed,
  named,
  nodeNamed,
  numeral,
  type Phrase,
  say,
  signed,
  strong,
} from "../../phrases";
import { agree, type Known, plus, times } from "../../tape";
import type { Moment } from "../mode";
import { type Judged, type Move, type Position, type Receipt, suggest } from "./moves";

type Run = Move & { readonly do: "run" };

export function sayMoves(moment: Moment, moves: readonly Move[], position: Position): Phrase {
  const move = moves.at(-1);
  if (!move) return opening(moment);
  if (move.do === "run") {
    return sayRun(moment, move, position.judged.at(-1) as Judged, isDone(moment, moves, position));
  }
  if (move.do === "set") return saySet(moment, move.node, move.grad);
  return move.do === "zero_grad"
    ? say`${strong("All gradients are 0.")} The result starts: its gradient with respect to itself is 1.`
    : say`${strong("backward() ran")} every rule once, each with its whole gradient.`;
}

const isDone = ({ structure, numbers }: Moment, moves: readonly Move[], position: Position) =>
  suggest(structure, numbers.grad, moves, position) === null;

function opening({ structure, numbers }: Moment): Phrase {
  const root = nodeNamed(structure, structure.root);
  const how = say`Press a value to run its own rule, in any order you like; the button below plays the next move.`;
  if (numbers.grad.some((grad) => grad !== null && grad !== 0)) {
    return say`${strong("By hand.")} ${how} The gradients of an earlier backward() are still there, and every move adds to them: set them to 0 first.`;
  }
  return say`${strong("By hand.")} ${how} Nothing flows until ${root} starts with gradient 1.`;
}

function saySet({ structure, precision }: Moment, node: number, grad: Known): Phrase {
  const name = nodeNamed(structure, node);
  const held = signed(grad, precision);
  return node === structure.root
    ? say`${strong("Set.")} ${name} starts with gradient ${held}. Now its rule can pass that on.`
    : say`${strong("Set.")} The gradient of ${name} is ${held} now, whatever arrived there before.`;
}

function sayRun(moment: Moment, move: Run, judged: Judged, done: boolean): Phrase {
  const call = memberOf(short(nameOf(moment.structure, move.node)), "_backward()");
  const passed = say`${named(call)} passed on ${signed(move.grad, moment.precision)}`;
  const sent = receipts(moment, move);
  if (judged.verdict !== "whole") {
    return say`${strong(HEADS[judged.verdict])} ${passed}${reason(moment, move, judged)}.${sent}`;
  }
  const odd = oddReceipt(moment, move);
  if (odd) return say`${strong("Look here.")} ${passed}.${sent}${saysOdd(moment, odd)}`;
  const end = done ? agreement(moment) : [];
  return say`${strong("Right.")} ${passed}, its whole gradient.${sent}${end}`;
}

const HEADS = {
  early: "Too early.",
  again: "Once too often.",
  misled: "Too late to be right.",
  unset: "Nothing to pass on.",
  leftover: "On top of something.",
} as const;

/** Why it was wrong, as the rest of a sentence. */
function reason(
  { structure, tape, precision }: Moment,
  move: Run,
  { verdict, by }: Judged,
): Phrase {
  const names = listed(by.map((node) => [nodeNamed(structure, node)]));
  const has = by.length === 1 ? "has" : "have";
  const name = nodeNamed(structure, move.node);
  const whole = signed(tape.gradients[move.node] ?? null, precision);
  if (verdict === "early") {
    return say`, but ${names} ${has} not contributed yet: the whole gradient of ${name} is ${whole}`;
  }
  if (verdict === "again") {
    return say`, but its rule had run before: what it sends is counted twice`;
  }
  if (verdict === "misled") {
    const passedOn = by.length === 1 ? "passed on a wrong gradient" : "passed on wrong gradients";
    return say`, but ${names} ${passedOn} before it: ${whole} is right`;
  }
  if (verdict === "unset") return say`: nothing has started the result, so set its gradient to 1`;
  return say`, and some of that was left from before: set all gradients to 0 first`;
}

/** " a: 1 + (−3) = −2, b: 0 + 2 = 2." */
function receipts(moment: Moment, { sent }: Run): Phrase {
  const { structure, precision } = moment;
  const told = sent.filter(({ node }) => !isConstant(structure, node));
  if (told.length === 0) return [];
  const lines = told.map(({ node, before, after }) => {
    const added = after === null || before === null ? null : after - before;
    const sum = joinedBy("+", [formatNumber(before, precision), formatNumber(added, precision)]);
    return say`${nodeNamed(structure, node)} holds ${figures(sum)} = ${signed(after, precision)}`;
  });
  return say` Now ${listed(lines)}.`;
}

/** A receipt that is not what the slopes of the rule give. */
function oddReceipt({ structure, numbers }: Moment, { node, grad, sent }: Run): Receipt | null {
  const due = (receipt: Receipt): Known => dueFor(structure, numbers.slope, node, grad, receipt);
  const isOff = (receipt: Receipt): boolean => {
    const [is, should] = [receipt.after, due(receipt)];
    if (is === null || should === null || Object.is(is, should)) return false;
    return abs(is - should) > 1e-6 * max(1, abs(should));
  };
  return sent.find(isOff) ?? null;
}

const dueFor = (
  { operandEdges, edges }: Moment["structure"],
  slopes: readonly Known[],
  node: number,
  grad: Known,
  { node: operand, before }: Receipt,
): Known =>
  (operandEdges[node] ?? [])
    .filter((edge) => edges.source[edge] === operand)
    .reduce<Known>((sum, edge) => plus(sum, times(slopes[edge], grad)), before);

/** The rule replaced what was there, or did something else that its slopes do not explain. */
function saysOdd({ structure, precision }: Moment, { node, before, after }: Receipt): Phrase {
  const name = nodeNamed(structure, node);
  return say` The rule did not add to the ${numeral(before, precision)} that ${name} held; it left ${signed(after, precision)} there. Use +=.`;
}

/** After the last rule: whether the gradients are those of backward(). */
function agreement({ structure, numbers, tape }: Moment): Phrase {
  const differs = tape.gradients.some((gradient, node) => {
    const held = numbers.grad[node] ?? 0;
    const isOpen = gradient === null || isConstant(structure, node) || isNan(gradient);
    return !isOpen && !agree(held, gradient);
  });
  return differs
    ? say` All rules have run, but not all gradients are those of backward().`
    : say` All rules have run: these are the gradients that backward() computes.`;
}
