/**
 * One view: the panels around the picture, put together and kept up to date.
 *
 * In: a store and the element to fill.  Out: DOM that follows the store until the lifetime ends, and
 * commands for the kernel.
 */

import type { Send } from "./commands";
import { FORMATS } from "./copy";
import { createDeriver, type Derived, steadyHeight } from "./derive";
import { atEnd, attributes, classes, className, focusOn, html, on, onResize } from "./dom";
import { createFinder } from "./find/panel";
import { handleKey, isTyped } from "./keys";
import { createHost } from "./modes/host";
import { enter, leave } from "./modes/mode";
import { MODES, modeOf } from "./modes/table";
import { createGutter, rowsOf } from "./panels/gutter";
import { createHelp } from "./panels/help";
import { createModeMenu } from "./panels/modes";
import { createOptions, toClipboard } from "./panels/options";
import { createSay } from "./panels/say";
import { createSparkline } from "./panels/sparkline";
import { createTape } from "./panels/tape";
import { showTip } from "./panels/tip";
import { createNotices, createToolbar } from "./panels/toolbar";
import { createTooltip } from "./panels/tooltip";
import { canvasMeasure, type Measure } from "./scene/measure";
import { cameraOf, createStage, revealed } from "./stage";
import { assign, goTo, hover, next, pin, previous, type State, type Store, unpin } from "./store";
import { createValues } from "./table/view";
import { stepAt } from "./tape";
import { type Theme, watchTheme } from "./theme";

/** Views on this page so far, for ids that no other view has. */
let views = 0;

export function mount(host: HTMLElement, store: Store, signal: AbortSignal, send: Send): void {
  views += 1;
  const root = html("div", "gg", { "data-lm-suppress-shortcuts": "true", "data-theme": "light" });
  host.append(root);
  atEnd(signal, () => root.remove());
  followTheme(host, root, store, signal);

  // Before the stage is watched: the width decides where the code stands, and so how wide the stage is.
  watchWidth(root, store, signal);
  const derive = createDeriver(measureIn(root));
  const modes = createHost(store, derive, send, signal);
  const press = (id: number): void => {
    if (modes.press(id)) stage.write(id);
    else store.update(pin(id));
  };
  const stage = createStage(store, derive, { press, grab: modes.grab }, signal);
  const menu = createModeMenu(signal, MODES, (name) => {
    const mode = modeOf(name);
    store.update(mode ? enter(mode) : leave);
  });
  const help = createHelp(signal);
  /** The keyboard comes to rest on what is shown: the table, a node, or the picture. */
  const rest = (node = -1): void => {
    if (store.state.table) focusOn(values.element);
    else stage.focus(store.state.structure?.nodes.id[node]);
  };
  const finder = createFinder(
    signal,
    (query) => store.update(assign({ query })),
    (node) => store.update((state) => hover([node])(revealed(derive, node)(state))),
    (last) => {
      store.update(assign({ query: null, hovered: [] }));
      rest(last);
    },
  );
  const find = (): void => {
    store.update(assign({ query: store.state.query ?? "", selected: -1 }));
    finder.focus();
  };
  const options = createOptions(signal, {
    update: (reducer) => store.update(reducer),
    find,
    fold: () => send({ command: store.state.structure?.folds ? "unfold" : "fold" }),
    help: help.toggle,
    copy: async (format) => {
      const now = derive(store.state);
      return now && !now.structure.folds
        ? toClipboard(FORMATS[format](now.structure, now.numbers), root)
        : false;
    },
  });
  const course = createSparkline();
  const toolbar = createToolbar(signal, send, course.element, menu.element, options.element);
  const notices = createNotices();
  const gutter = createGutter(signal, (nodes) => store.update(hover(nodes)));
  const say = createSay(signal, () => store.update(store.state.mode ? leave : goTo(-1)));
  const tape = createTape(signal, (reducer) => store.update(reducer));
  const foot = html("div", "gg-tape", {}, tape.element, modes.controls, stage.zoom);
  const tip = createTooltip(`gg-tip-${views}`);
  const values = createValues(signal, press);
  const main = html(
    "div",
    "gg-main",
    {},
    gutter.element,
    stage.element,
    values.element,
    say.element,
    finder.element,
  );
  root.append(toolbar.element, notices.element, main, foot, modes.body, tip.element, help.element);

  const heightOf = steadyHeight();
  let shown: Derived | null = null;
  const show = (state: State): void => {
    const derived = derive(state);
    toolbar.show(state);
    course.show(state);
    menu.show(state);
    options.show(state);
    notices.show(state, derived?.overlay.notice);
    // Over the room for sentences, so that a notice that comes later moves nothing.
    const isOver = derived !== null && !state.table;
    if (isOver !== stage.element.contains(notices.element)) {
      if (isOver) stage.element.append(notices.element);
      else toolbar.element.after(notices.element);
    }
    main.hidden = foot.hidden = derived === null;
    modes.show(derived);
    tape.element.hidden = derived !== null && derived.mode !== null;
    if (!derived) {
      tip.hide();
      return;
    }
    if (derived !== shown) {
      const { structure, numbers, readings, sentence, active, foot, stacked } = derived;
      const seen = { structure, numbers, readings, precision: state.precision };
      const { code } = structure;
      const stepping = sentence.length > 0 && "gg-stepping";
      const beside = code && (stacked ? "gg-stacked" : "gg-has-code");
      className(main, classes("gg-main", beside, stepping));
      main.style.setProperty("--gg-foot", `${foot}px`);
      gutter.element.hidden = code === null;
      if (code) gutter.show(rowsOf(seen, code, active));
      say.show(sentence);
      shown = derived;
    }
    const height = `${heightOf(state, derived)}px`;
    stage.element.style.height = values.element.style.height = height;
    stage.element.hidden = stage.zoom.hidden = state.table;
    values.show(state, derived);
    finder.show(state.query, derived.found);
    tape.show(state);
    const camera = cameraOf(state, derived);
    stage.show(state, derived, camera, modes.field);
    const covered = [
      foot,
      notices.element,
      modes.body,
      toolbar.element,
      gutter.element,
      finder.element,
    ];
    const panels = { root, picture: stage.picture, covered, said: say.element };
    showTip(tip, panels, state, derived, camera);
  };
  const back = (): void => {
    if (help.close()) return;
    if (store.state.query !== null) store.update(assign({ query: null }));
    else store.update(store.state.selected < 0 ? leave : unpin);
  };
  const keys = {
    "/": find,
    "?": help.toggle,
    t: () => {
      store.update((state) => ({ ...state, table: !state.table }));
      rest();
    },
    "[": () => store.update(previous),
    "]": () => store.update(next),
  };
  on(signal, root, "keydown", (event) => {
    if (!isTyped(event)) handleKey(event, { ...keys, ...modes.keys(), Escape: back });
  });
  store.subscribe(show, signal);
  store.subscribe((state, before) => {
    const line = state.step === before.step ? null : lineOfStep(derive(state), state.step);
    if (line !== null) gutter.reveal(line);
  }, signal);
  show(store.state);
}

function watchWidth(root: HTMLElement, store: Store, signal: AbortSignal): void {
  onResize(signal, root, () => store.update(assign({ width: root.clientWidth })));
}

/** The line of code that made the value of a step. */
function lineOfStep(derived: Derived | null, position: number): number | null {
  const step = derived && stepAt(derived.tape, position);
  return (step && derived.structure.nodes.line[step.node]) ?? null;
}

/** Measures text in the fonts that the view's style sheet has chosen. */
function measureIn(root: HTMLElement): Measure {
  const style = getComputedStyle(root);
  const family = (name: string): string => style.getPropertyValue(name).trim() || "sans-serif";
  return canvasMeasure({ sans: family("--gg-sans"), mono: family("--gg-mono") });
}

/** The trait decides; left to itself, the host does. */
function followTheme(
  host: HTMLElement,
  root: HTMLElement,
  store: Store,
  signal: AbortSignal,
): void {
  let hosts: Theme = "light";
  const paint = ({ theme }: State): void =>
    attributes(root, { "data-theme": theme === "auto" ? hosts : theme });
  watchTheme(host, signal, (theme) => {
    hosts = theme;
    paint(store.state);
  });
  store.subscribe(paint, signal);
}
