/**
 * What the quiz says: the question, the verdict, the hints.
 *
 * In: the moment and the quiz.  Out: the parts of one or two sentences.
 */

import { formatCount } from "../../format";
import { nameOf, short } from "../../names";
import { ruleOf } from "../../nodes";
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
import { product } from "../../rules";
import type { Contribution } from "../../tape";
import type { Moment } from "../mode";
import { type Attempt, diagnose, type Quiz, questionsOf, scoreOf, solved } from "./quiz";

export function sayQuiz(moment: Moment, quiz: Quiz): Phrase {
  const { structure } = moment;
  if (!moment.tape.complete) {
    return say`${strong("Too large to ask.")} Only a part of this graph is drawn, and what lies outside counts too. Show a smaller one.`;
  }
  if (questionsOf(moment).length === 0) {
    return say`${strong("Nothing to ask.")} No gradient of this graph can be worked out from what is known.`;
  }
  const last = quiz.attempts.at(-1);
  const node = structure.indexOf.get(quiz.asked);
  if (node === undefined) return ending(moment, quiz);
  if (quiz.odd) {
    return say`${named(quiz.draft)} is not a number. Write it like −3, 0.5, 1e-4 or 2/3.`;
  }
  const hints = quiz.hints[quiz.asked] ?? 0;
  if (solved(moment, quiz).has(node)) return settled(moment, node);
  const verdict = last && (last.right || last.node === quiz.asked) ? judged(moment, last) : [];
  if (last && !last.right && verdict.length > 0) return [...verdict, ...hint(moment, node, hints)];
  return [...verdict, ...question(moment, node), ...hint(moment, node, hints)];
}

function question({ structure }: Moment, node: number): Phrase {
  const name = nodeNamed(structure, node);
  const root = nodeNamed(structure, structure.root);
  return say`What is the gradient of ${name}: how fast does ${root} change with it?`;
}

/** "Right: a.grad is −2." or what went wrong. */
function judged(moment: Moment, { node: id, answer, right }: Attempt): Phrase {
  const { structure, precision } = moment;
  const node = structure.indexOf.get(id) as number;
  const name = nodeNamed(structure, node);
  const value = Number(answer);
  if (right) {
    const exact = signed(moment.tape.gradients[node] ?? null, precision);
    return say`${strong("Right.")} The gradient of ${name} is ${exact}. `;
  }
  const found = diagnose(moment, node, value);
  const said = numeral(value, precision);
  return found
    ? say`${strong("Not yet.")} ${said} ${found.says}`
    : say`${strong("Not yet.")} ${said} is not the gradient of ${name}; ask for a hint.`;
}

function settled({ structure, tape, precision }: Moment, node: number): Phrase {
  const name = nodeNamed(structure, node);
  return say`The gradient of ${name} is known already: ${signed(tape.gradients[node] ?? null, precision)}. Press a value with a question mark.`;
}

function ending(moment: Moment, quiz: Quiz): Phrase {
  const { questions, right, atOnce, shown } = scoreOf(moment, quiz);
  const all = formatCount(questions, "gradient");
  const given = shown > 0 ? say` ${String(shown)} of them you had shown.` : [];
  return say`${strong("Done.")} You found ${String(right)} of ${all}, ${String(atOnce)} at the first try.${given}`;
}

// -- hints -------------------------------------------------------------------------------------------

/** Where it comes from, then by which rules, then with which numbers; the last one asked for. */
function hint(moment: Moment, node: number, count: number): Phrase {
  const tell = [origin, rules, products][count - 1];
  return tell ? say` ${tell(moment, node, moment.tape.received[node] ?? [])}` : [];
}

const MOST = 3;

function origin({ structure }: Moment, node: number, received: readonly Contribution[]): Phrase {
  const name = nodeNamed(structure, node);
  const from = [...new Set(received.map(({ from }) => from))];
  const results = listed(from.map((result) => [nodeNamed(structure, result)]));
  const each = received.length > 1 ? "Each use sends" : "It sends";
  const adds = received.length > 1 ? ", and what arrives is added up" : "";
  return say`${name} is used by ${results}. ${each} slope × gradient of the result${adds}.`;
}

function rules({ structure }: Moment, _: number, received: readonly Contribution[]): Phrase {
  const from = [...new Set(received.map(({ from }) => from))].slice(0, MOST);
  const said = from.flatMap((result): Phrase[] => {
    const rule = ruleOf(structure, result);
    return rule ? [say`at ${named(short(nameOf(structure, result)))} ${rule.says}`] : [];
  });
  return said.length > 0 ? say`The rule: ${listed(said)}.` : say`The rule is written in the class.`;
}

function products(
  { tape, precision }: Moment,
  _: number,
  received: readonly Contribution[],
): Phrase {
  const terms = received
    .slice(0, MOST + 1)
    .map(({ slope, from }) => product(slope, tape.gradients[from], precision));
  const more = received.length > terms.length ? " + …" : "";
  const text = terms.length > 1 ? terms.map((term) => `(${term})`).join(" + ") : (terms[0] ?? "");
  return say`In numbers: ${figures(text + more)}.`;
}
