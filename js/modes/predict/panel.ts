/**
 * The panel of the quiz: one field for the answer, hints, the score, and the attempts to take away.
 *
 * In: the moment and the quiz.  Out: DOM that follows them, and changes of the quiz.
 */

import { attributes, button, html, text } from "../../dom";
import { handleKey } from "../../keys";
import { memberOf, nameOf, short } from "../../names";
import { readTyped } from "../../typed";
import type { ModePanel, Tools } from "../mode";
import { answer, beginQuiz, HINTS, hint, type Quiz, reveal, scoreOf, solved } from "./quiz";

export function createQuizPanel({ change }: Tools<Quiz>, signal: AbortSignal): ModePanel<Quiz> {
  const label = html("span", "gg-field-name");
  const input = html("input", "gg-field", {
    type: "text",
    inputmode: "text",
    autocomplete: "off",
    spellcheck: "false",
  });
  const row = html("label", "gg-field-row", {}, label, input);
  const check = button("check", "gg-primary");
  const help = button("hint");
  const give = button("show");
  const score = html("span", "gg-score", { role: "status" });
  const save = exporter(signal);
  const again = button("start again");
  let asked = -1;

  const submit = (): void => {
    const value = readTyped(input.value);
    attributes(input, { "aria-invalid": value === null && "true" });
    if (value !== null) change((quiz, moment) => answer(moment, quiz, value));
  };
  const press = (element: HTMLElement, run: () => void): void =>
    element.addEventListener("click", run, { signal });
  press(check, submit);
  press(help, () => change((quiz) => hint(quiz)));
  press(give, () => change((quiz, moment) => reveal(moment, quiz)));
  press(again, () => change((_, moment) => beginQuiz(moment)));
  input.addEventListener("keydown", (event) => handleKey(event, { Enter: submit }), { signal });
  input.addEventListener(
    "input",
    () => {
      attributes(input, { "aria-invalid": null });
      change((quiz) => ({ ...quiz, draft: input.value }));
    },
    { signal },
  );

  return {
    controls: html(
      "div",
      "gg-controls",
      {},
      row,
      check,
      help,
      give,
      html("div", "gg-results", {}, score, save.element, again),
    ),
    show(moment, quiz) {
      const { structure } = moment;
      const node = structure.indexOf.get(quiz.asked);
      const isOpen = node !== undefined && !solved(moment, quiz).has(node);
      const name = node === undefined ? "" : memberOf(short(nameOf(structure, node)), "grad");
      text(label, name ? `${name} =` : "");
      attributes(input, { "aria-label": name || "answer" });
      row.hidden = check.hidden = help.hidden = give.hidden = !isOpen;
      if (input.value !== quiz.draft) input.value = quiz.draft;
      help.disabled = (quiz.hints[quiz.asked] ?? 0) >= HINTS;
      const { questions, right, shown } = scoreOf(moment, quiz);
      text(score, `${right} of ${questions} right${shown > 0 ? `, ${shown} shown` : ""}`);
      const isFresh = quiz.attempts.length === 0 && quiz.shown.length === 0;
      save.show(quiz);
      again.disabled = isFresh;
      if (quiz.asked !== asked && isOpen && isInside(row)) input.focus({ preventScroll: true });
      asked = quiz.asked;
    },
  };
}

/** Whether the focus is somewhere in the same widget, so that the field may take it. */
function isInside(row: HTMLElement): boolean {
  const root = row.closest(".gg");
  const scope = row.getRootNode() as Document | ShadowRoot;
  return root?.contains(scope.activeElement) ?? false;
}

/** The attempts as JSON: to the clipboard where the page may write to it, and as a file. */
function exporter(signal: AbortSignal) {
  const link = html("a", "gg-button", { download: "attempts.json" }, "save attempts");
  let address = "";
  const forget = (): void => URL.revokeObjectURL(address);
  signal.addEventListener("abort", forget, { once: true });
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
