/**
 * The panel of the quiz: the field that stands on the card that is asked for, hints, the score, and
 * the attempts to take away.
 *
 * In: the moment and the quiz.  Out: DOM that follows them, and changes of the quiz.
 */

import { atEnd, attributes, button, focusOn, html, on, text } from "../../dom";
import { memberOf, nameOf, short } from "../../names";
import type { ModePanel, Tools } from "../mode";
import {
  ask,
  beginQuiz,
  HINTS,
  hint,
  type Quiz,
  questionBeside,
  reveal,
  scoreOf,
  solved,
  submit,
  write,
} from "./quiz";

/** The way from one question to the next, without leaving the field. */
const WAYS: Readonly<Record<string, number>> = { Tab: 1, ArrowDown: 1, ArrowUp: -1 };

export function createQuizPanel({ change }: Tools<Quiz>, signal: AbortSignal): ModePanel<Quiz> {
  const label = html("span", "gg-field-name");
  const input = html("input", "gg-field", {
    type: "text",
    inputmode: "text",
    enterkeyhint: "done",
    autocomplete: "off",
    spellcheck: "false",
  });
  const row = html("span", "gg-field-row", {}, label);
  const check = button("check", "gg-primary");
  const help = button("hint");
  const give = button("show");
  const score = html("span", "gg-score", { role: "status" });
  const save = exporter(signal);
  const again = button("start again");
  /** Asks for the question so many places on; answers whether there is one. */
  const go = (by: number): boolean => {
    let next = -1;
    change((quiz, moment) => {
      next = questionBeside(moment, quiz, by);
      return next < 0 ? quiz : ask(quiz, next);
    });
    return next >= 0;
  };
  const typed = (event: KeyboardEvent): void => {
    const way = (WAYS[event.key] ?? 0) * (event.shiftKey ? -1 : 1);
    if (event.key === "Enter") judge();
    else if (!way || (!go(way) && event.key === "Tab")) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const judge = (): void => change((quiz, moment) => submit(moment, quiz));
  const press = (element: HTMLElement, run: () => void): void => on(signal, element, "click", run);
  press(check, () => {
    judge();
    focusOn(input);
  });
  press(help, () => change((quiz) => hint(quiz)));
  press(give, () => change((quiz, moment) => reveal(moment, quiz)));
  press(again, () => change((_, moment) => beginQuiz(moment)));
  on(signal, input, "keydown", typed);
  on(signal, input, "input", () => change((quiz) => write(quiz, input.value)));

  return {
    field: { input, row },
    controls: [row, check, help, give, html("div", "gg-results", {}, score, save.element, again)],
    show(moment, quiz) {
      const { structure } = moment;
      const node = structure.indexOf.get(quiz.asked);
      const isOpen = node !== undefined && !solved(moment, quiz).has(node);
      const name = node === undefined ? "" : memberOf(short(nameOf(structure, node)), "grad");
      text(label, name ? `${name} =` : "");
      const last = quiz.attempts.at(-1);
      const isWrong = last?.node === quiz.asked && !last.right && quiz.draft === "";
      attributes(input, {
        "aria-label": name || "answer",
        "aria-invalid": (quiz.odd || isWrong) && "true",
      });
      row.hidden = check.hidden = help.hidden = give.hidden = !isOpen;
      if (input.value !== quiz.draft) input.value = quiz.draft;
      help.disabled = (quiz.hints[quiz.asked] ?? 0) >= HINTS;
      const { questions, right, shown } = scoreOf(moment, quiz);
      text(score, `${right} of ${questions} right${shown > 0 ? `, ${shown} shown` : ""}`);
      const isFresh = quiz.attempts.length === 0 && quiz.shown.length === 0;
      save.show(quiz);
      again.disabled = isFresh;
    },
  };
}

/** The attempts as JSON: to the clipboard where the page may write to it, and as a file. */
function exporter(signal: AbortSignal) {
  const link = html("a", "gg-button", { download: "attempts.json" }, "save attempts");
  let address = "";
  const forget = (): void => URL.revokeObjectURL(address);
  atEnd(signal, forget);
  let shown: unknown = null;
  return {
    element: link,
    show({ attempts }: Quiz): void {
      if (attempts === shown) return;
      shown = attempts;
      forget();
      const file = new Blob([`${JSON.stringify(attempts, null, 2)}\n`], {
        type: "application/json",
      });
      address = URL.createObjectURL(file);
      attributes(link, { href: attempts.length > 0 ? address : null });
      link.hidden = attempts.length === 0;
    },
  };
}
