/**
 * The panel of a nudge: a field for the number, the curve, and what the change comes to.
 *
 * In: the moment and the slice.  Out: DOM that follows them, changes of the slice, and commands: the
 * question to the kernel where the page cannot compute the trial, one at a time, and "keep".
 */

import type { Send } from "../../commands";
import { attributes, button, html, on, text } from "../../dom";
import { formatNumber } from "../../format";
import { handleKey } from "../../keys";
import { isFiniteNumber, round } from "../../maths";
import { nameOf, short } from "../../names";
import { type Chip, createChips } from "../../panels/chips";
import { readData, readGradient, UNKNOWN } from "../../scene/readings";
import { readTyped } from "../../typed";
import type { ModePanel, Moment, Tools } from "../mode";
import { createPlot } from "./plot";
import { promised } from "./says";
import { stepOf, stepped } from "./scale";
import { moveTo, pick, reset } from "./slice";
import { changesOf, type Effect, effectOf, type Slice, type Trial, trialOf } from "./trial";

/** An arrow key goes one step, these keys go ten. */
const LEAP = 10;

export function createNudgePanel(tools: Tools<Slice>, signal: AbortSignal): ModePanel<Slice> {
  const { change, send } = tools;
  const by = (steps: number) => (): void =>
    change((slice, moment) => {
      const effect = effectOf(moment, slice);
      if (!effect) return slice;
      return moveTo(moment, slice, stepped(effect.after, steps, stepOf(effect.before)));
    });
  const field = createField(signal, by, (value) =>
    change((slice, moment) => moveTo(moment, slice, value)),
  );
  const restore = button("reset");
  const keep = button("keep");
  keep.title = "Write these numbers into your own values and compute them again";
  on(signal, restore, "click", () => change(reset));
  on(signal, keep, "click", () => change(kept(send)));
  const changed = createChips("Changed inputs", signal, (id) => change((slice) => pick(slice, id)));
  const plot = createPlot(signal, (value) =>
    change((slice, moment) => {
      const effect = effectOf(moment, slice);
      const step = effect ? stepOf(effect.before) : 1;
      return moveTo(moment, slice, stepped(0, round(value / step), step));
    }),
  );
  const facts = createFacts();
  const ask = asker(send);
  return {
    controls: [field.element, restore, keep, changed.element],
    body: html("div", "gg-nudge", {}, plot.element, facts.element),
    show(moment, slice) {
      const { structure, precision } = moment;
      const trial = trialOf(moment, slice);
      const effect = effectOf(moment, slice);
      const isChanged = Object.keys(slice.data).length > 0;
      ask(trial, slice);
      restore.disabled = !isChanged;
      keep.disabled = !isChanged || !("numbers" in trial);
      field.show(effect, effect ? short(nameOf(structure, effect.leaf)) : "");
      changed.show(changedChips(moment, slice));
      if (!effect) return;
      const [leaf, root] = [effect.leaf, structure.root].map((node) => nameOf(structure, node));
      plot.show(effect, axisName(leaf), axisName(root), precision);
      facts.show(effect, "numbers" in trial, precision);
    },
  };
}

/** Room beside the axis is short. */
const axisName = (name = ""): string => (name.length > 8 ? `${name.slice(0, 7)}…` : name);

/** Sends the trial to the kernel for good; the kernel empties the slice when it has taken it over. */
const kept =
  (send: Send) =>
  (slice: Slice): Slice => {
    send({ command: "set_data", data: slice.data });
    return slice;
  };

/** Asks the kernel for the numbers of a trial: one question in flight, and the latest wins. */
export function asker(send: Send): (trial: Trial, slice: Slice) => void {
  let asked: string | null = null;
  let answered: unknown;
  return (trial, { data }) => {
    if (trial.from === "page") {
      asked = null;
      return;
    }
    const wanted = JSON.stringify(data);
    if (trial.from !== "waiting" && trial !== answered) {
      answered = trial;
      if (JSON.stringify(trial.data) === asked) asked = null;
      if (JSON.stringify(trial.data) === wanted) return;
    }
    if (asked !== null) return;
    asked = wanted;
    send({ command: "what_if", data });
  };
}

// -- the field ---------------------------------------------------------------------------------------

interface Field {
  readonly element: HTMLElement;
  show(effect: Effect | null, name: string): void;
}

function createField(
  signal: AbortSignal,
  by: (steps: number) => () => void,
  set: (value: number) => void,
): Field {
  const label = html("span", "gg-field-name");
  const input = html("input", "gg-field", {
    type: "text",
    inputmode: "decimal",
    role: "spinbutton",
    autocomplete: "off",
    spellcheck: "false",
  });
  const keys = {
    ArrowUp: by(1),
    ArrowDown: by(-1),
    PageUp: by(LEAP),
    PageDown: by(-LEAP),
    Enter: () => input.select(),
  };
  let isTyping = false;
  let written = "";
  on(signal, input, "input", () => {
    const value = readTyped(input.value);
    const isGood = value !== null && isFiniteNumber(value);
    attributes(input, { "aria-invalid": !isGood && "true" });
    isTyping = true;
    if (isGood) set(value);
    isTyping = false;
  });
  on(signal, input, "keydown", (event) => handleKey(event, keys));
  on(signal, input, "focus", () => input.select());
  on(signal, input, "blur", () => {
    input.value = written;
    attributes(input, { "aria-invalid": null });
  });
  return {
    element: html("label", "gg-field-row", {}, label, input),
    show(effect, name) {
      text(label, name ? `${name} =` : "no input");
      written = effect ? formatNumber(effect.after, 10) : "";
      input.disabled = effect === null;
      attributes(input, {
        "aria-label": name,
        "aria-valuenow": effect ? effect.after : null,
        "aria-valuetext": written,
      });
      if (!isTyping && input.value !== written) input.value = written;
    },
  };
}

// -- what was changed, and what came of it -----------------------------------------------------------

/** The chips of what was changed; one that is alone and in hand stands in the field already. */
function changedChips({ structure, precision }: Moment, slice: Slice): readonly Chip[] {
  const chips = [...changesOf(structure, slice)].map(([node, value]) => {
    const key = structure.nodes.id[node] as number;
    const text = `${short(nameOf(structure, node))} = ${formatNumber(value, precision)}`;
    return { key, text, on: key === slice.leaf };
  });
  return chips.every(({ on }) => on) ? [] : chips;
}

const FACTS = [
  ["gg-before", "before"],
  ["gg-now", "now"],
  ["", "change"],
  ["gg-promised", "grad × step"],
] as const;

function createFacts() {
  // Hosts style definition lists, so these are plain pairs.
  const values = FACTS.map(() => html("b"));
  const rows = FACTS.flatMap(([kind, key], at) => [
    html("span", kind, {}, key),
    values[at] as Node,
  ]);
  const element = html("div", "gg-facts", {}, ...rows);
  return {
    element,
    show(effect: Effect, isKnown: boolean, precision: number): void {
      const { rootBefore, rootAfter } = effect;
      const readings = [
        readData(rootBefore, precision),
        isKnown ? readData(rootAfter, precision) : UNKNOWN,
        isKnown ? readGradient(rootAfter - rootBefore, precision) : UNKNOWN,
        readGradient(promised(effect), precision),
      ];
      readings.forEach(({ text: said, tone }, at) => {
        const value = values[at] as HTMLElement;
        text(value, said);
        attributes(value, { class: tone ? `gg-${tone}` : null });
      });
    },
  };
}
