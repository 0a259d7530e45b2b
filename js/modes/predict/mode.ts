/**
 * Predict: the gradients are hidden, and the learner works them out.
 *
 * In: answers.  Out: the picture without the gradients that are still to be found, a verdict on each
 * answer, and the attempts, which the kernel hands on in the trait of that name.
 */

import type { Flow, NodeNote } from "../../scene/marks";
import { type NodeReading, readGradient } from "../../scene/readings";
import { pin } from "../../store";
import { times } from "../../tape";
import type { Mode, Moment, Overlay } from "../mode";
import { createQuizPanel } from "./panel";
import { ask, beginQuiz, type Quiz, questionsOf, readQuiz, solved } from "./quiz";
import { sayQuiz } from "./says";

export const PREDICT: Mode<Quiz> = {
  name: "predict",
  title: "Predict",
  hint: "work the gradients out yourself",
  lasting: true,
  room: { data: "", grad: "−0.1234" },
  begin: beginQuiz,
  read: readQuiz,
  overlay,
  panel: createQuizPanel,
  press: (node, moment, quiz, tools) => {
    const id = moment.structure.nodes.id[node] as number;
    const isOpen = questionsOf(moment).includes(node) && !solved(moment, quiz).has(node);
    if (isOpen) tools.change((now) => ask(now, id));
    else tools.update(pin(id));
  },
};

function overlay(moment: Moment, quiz: Quiz): Overlay {
  const done = solved(moment, quiz);
  const open = new Set(questionsOf(moment).filter((node) => !done.has(node)));
  const { tape, precision, structure } = moment;
  const at = structure.indexOf.get(quiz.asked);
  const asked = at !== undefined && open.has(at) ? at : undefined;
  return {
    // What is found is shown, whether backward has run or not; the rest is kept secret.
    readings: moment.readings.map(
      (reading, node): NodeReading => ({
        ...reading,
        grad: readGradient(tape.gradients[node] ?? null, precision),
      }),
    ),
    nodes: notes(moment, quiz, open),
    flows: flows(moment, open),
    secret: open,
    field: asked,
    look: asked,
    sentence: sayQuiz(moment, quiz),
  };
}

function notes(
  { structure }: Moment,
  quiz: Quiz,
  open: ReadonlySet<number>,
): ReadonlyMap<number, NodeNote> {
  const found = new Map<number, NodeNote>();
  for (const node of open) {
    const isAsked = structure.nodes.id[node] === quiz.asked;
    found.set(node, {
      className: isAsked ? "gg-asked" : "gg-open",
      spoken: isAsked ? "asked for" : "still to be found",
    });
  }
  for (const id of quiz.shown) {
    const node = structure.indexOf.get(id) as number;
    found.set(node, { className: "gg-given", spoken: "shown" });
  }
  for (const { node: id, right } of quiz.attempts) {
    const node = structure.indexOf.get(id) as number;
    if (right) found.set(node, { className: "gg-found", spoken: "found" });
  }
  return found;
}

/** A flow tells the gradient of its operand, so it is drawn once both ends are known. */
const flows = (
  { structure: { edges, nodes }, tape, numbers }: Moment,
  open: ReadonlySet<number>,
): (Flow | null)[] =>
  edges.source.map((operand, edge): Flow | null => {
    const result = edges.target[edge] as number;
    if (open.has(operand) || open.has(result) || nodes.kind[operand] === "constant") return null;
    return { amount: times(numbers.slope[edge], tape.gradients[result]), when: "rest" };
  });
