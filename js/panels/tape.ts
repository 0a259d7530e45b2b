/**
 * The tape: the order in which values are visited, and the buttons that walk along it.
 *
 * In: the state.  Out: a row of buttons and chips that follow it.  Of a long tape a window around
 * the present step is shown, so that a thousand values need no thousand elements.
 */

import type { Structure } from "../contract";
import {
  attributes,
  button,
  classes,
  className,
  createKeyed,
  html,
  on,
  onPress,
  text,
} from "../dom";
import { formatNumber } from "../format";
import { floor, max, min } from "../maths";
import { nameOf } from "../names";
import {
  faster,
  first,
  goTo,
  isAtEnd,
  last,
  next,
  nodeOf,
  type Pass,
  passOf,
  play,
  previous,
  type Reducer,
  type State,
  showPass,
  stopsOf,
} from "../store";
import { createSteps } from "./steps";
import type { Panel } from "./toolbar";

/** A chip stands for a step; a gap for those left out, or the arrow between two chips. */
export type TapeItem =
  | {
      readonly kind: "chip";
      readonly step: number;
      readonly name: string;
      readonly when: "" | "done" | "on";
    }
  | { readonly kind: "gap"; readonly key: string; readonly text: string };

/** As many chips as this are shown; of a longer tape a window of this size. */
export const MOST_CHIPS = 15;

/** The chips of the shown pass, in its order, around the present step. */
export function tapeItems(state: State, structure: Structure): TapeItem[] {
  const stops = stopsOf(state, passOf(state));
  const here = stops.findLastIndex((stop) => stop <= state.step);
  const middle = here - floor(MOST_CHIPS / 2);
  const from = max(0, min(middle, stops.length - MOST_CHIPS));
  const shown = stops.slice(from, from + MOST_CHIPS);
  const left = stops.length - from - shown.length;
  const chips = shown.flatMap((step, at): TapeItem[] => {
    const place = from + at;
    const when = place > here ? "" : step === state.step ? "on" : "done";
    const chip = {
      kind: "chip",
      step,
      name: nameOf(structure, nodeOf(state, step)),
      when,
    } as const;
    return place === 0 ? [chip] : [gap(`arrow ${step}`, "→"), chip];
  });
  return [
    ...(from > 0 ? [gap("earlier", `${from} …`)] : []),
    ...chips,
    ...(left > 0 ? [gap("arrow on", "→"), gap("later", `… ${left}`)] : []),
  ];
}

const gap = (key: string, text: string): TapeItem => ({ kind: "gap", key, text });

const PASSES: readonly Pass[] = ["forward", "backward"];

export function createTape(signal: AbortSignal, update: (reducer: Reducer) => void): Panel {
  const press = (element: HTMLElement, reducer: Reducer): void =>
    on(signal, element, "click", () => update(reducer));
  const go = { first, previous, play, next, last };
  const steps = createSteps(signal, (name) => update(go[name]));
  const passes = PASSES.map((pass) => {
    const element = button(pass);
    press(element, showPass(pass));
    return element;
  });
  const chips = html("div", "gg-chips", { role: "group", "aria-label": "Tape" });
  // On the present chip a press leaves the tape.
  onPress(signal, chips, "step", (step) =>
    update((state) => goTo(state.step === step ? -1 : step)(state)),
  );
  const keyed = createKeyed<TapeItem, HTMLElement>(chips, keyOf, createItem, updateItem);
  const switches = html("div", "gg-passes", { role: "group", "aria-label": "Pass" }, ...passes);
  const speed = button("", "gg-plain gg-speed");
  press(speed, faster);
  return {
    element: html("div", "gg-controls", {}, steps.element, speed, switches, chips),
    show(state) {
      const { structure, step, playing } = state;
      if (!structure) return;
      const pass = passOf(state);
      PASSES.forEach((name, at) => {
        attributes(passes[at] as HTMLElement, { "aria-pressed": `${name === pass}` });
      });
      steps.show({ atStart: step < 0, atEnd: isAtEnd(state), playing });
      const pace = `${formatNumber(state.speed)}×`;
      text(speed, pace);
      attributes(speed, { "aria-label": `Speed ${pace}`, title: "How fast it plays" });
      keyed.show(tapeItems(state, structure));
      reveal(chips, keyed.get(`${step}`));
    },
  };
}

const keyOf = (item: TapeItem): string => (item.kind === "chip" ? `${item.step}` : item.key);

function createItem(item: TapeItem): HTMLElement {
  if (item.kind === "gap") return html("span", "gg-gap", { "aria-hidden": "true" });
  return html("button", "gg-chip", { type: "button", "data-step": item.step });
}

function updateItem(element: HTMLElement, item: TapeItem): void {
  if (item.kind === "gap") {
    element.textContent = item.text;
    return;
  }
  if (element.textContent !== item.name) element.textContent = item.name;
  className(element, classes("gg-chip", item.when && `gg-${item.when}`));
  attributes(element, { "aria-current": item.when === "on" ? "step" : null });
}

/** Scrolls the row itself, never the page, until the present chip is seen. */
function reveal(row: HTMLElement, chip: HTMLElement | undefined): void {
  if (!chip) return;
  const middle = chip.offsetLeft - row.offsetLeft + chip.offsetWidth / 2;
  row.scrollLeft = middle - row.clientWidth / 2;
}
