/**
 * One view: the panels around the picture, put together and kept up to date.
 *
 * In: a store and the element to fill.  Out: DOM that follows the store, and reducers and commands
 * for what the user does.  Every derived thing (tape, readings, frame, scene) is computed here from
 * the state, each only when what it depends on has changed.
 */

import { createDeriver, type Derived, pictureHeight } from "./derive";
import { attributes, button, className, html, icon } from "./dom";
import { explain } from "./panels/explain";
import { createGutter, nodesPerLine, rowsOf } from "./panels/gutter";
import { createSay } from "./panels/say";
import { createTape } from "./panels/tape";
import { type Command, createNotices, createToolbar } from "./panels/toolbar";
import { createTooltip } from "./panels/tooltip";
import { type Box, type Camera, fit, pan, project, reveal, zoomAt } from "./scene/camera";
import { type Direction, type Frame, neighbour } from "./scene/frame";
import { watchGestures } from "./scene/gestures";
import { canvasMeasure } from "./scene/measure";
import { createPicture, nodeAt } from "./scene/svg";
import { assign, explained, goTo, hover, pin, type State, type Store, unpin } from "./store";
import { watchTheme } from "./theme";

/** The picture stands this much lower than the middle of the room above the sentence. */
const SINK = 10;

/** Views on this page so far, for ids that no other view has. */
let views = 0;

export function mount(
  host: HTMLElement,
  store: Store,
  signal: AbortSignal,
  send: (command: Command) => void,
): void {
  views += 1;
  const update = store.update.bind(store);
  const picture = createPicture();
  const toolbar = createToolbar(signal, send);
  const notices = createNotices();
  const say = createSay(signal, () => update(goTo(-1)));
  const tip = createTooltip(`gg-tip-${views}`);
  const zoom = zoomButtons(signal, (factor) => update(zoomed(factor)));
  const tape = createTape(signal, update, zoom);
  const gutter = createGutter(signal, (line) => {
    const code = store.state.structure?.code;
    const nodes = line !== null && code ? nodesPerLine(code).get(line) : undefined;
    update(hover(nodes ?? []));
  });
  const stage = html("div", "gg-stage", {}, picture.element);
  const main = html("div", "gg-main", {}, gutter.element, stage, say.element);
  const values = { "data-lm-suppress-shortcuts": "true", "data-theme": "light" };
  const panels = [toolbar.element, notices.element, main, tape.element, tip.element];
  const root = html("div", "gg", values, ...panels);
  host.append(root);
  signal.addEventListener("abort", () => root.remove(), { once: true });

  let hostTheme = "light";
  const showTheme = (): void => {
    const { theme } = store.state;
    attributes(root, { "data-theme": theme === "auto" ? hostTheme : theme });
  };
  watchTheme(host, signal, (theme) => {
    hostTheme = theme;
    showTheme();
  });

  const style = getComputedStyle(root);
  const families = {
    sans: style.getPropertyValue("--gg-sans"),
    mono: style.getPropertyValue("--gg-mono"),
  };
  const derive = createDeriver(canvasMeasure(families));
  const cameraNow = (): Camera | null => {
    const derived = derive(store.state);
    return derived && cameraOf(store.state, derived);
  };
  const zoomed =
    (factor: number | null, at?: { x: number; y: number }) =>
    (state: State): State => {
      const camera = cameraNow();
      const { width, height } = state.viewport;
      if (factor === null || !camera) return { ...state, camera: null };
      return { ...state, camera: zoomAt(camera, factor, at ?? { x: width / 2, y: height / 2 }) };
    };

  const show = (state: State): void => {
    toolbar.show(state);
    notices.show(state);
    showTheme();
    const derived = derive(state);
    main.hidden = derived === null;
    tape.element.hidden = derived === null;
    if (!derived) {
      tip.hide();
      return;
    }
    const { structure, scene, readings, sentence, active } = derived;
    tape.show(state);
    say.show(sentence);
    const { code } = structure;
    gutter.element.hidden = code === null;
    className(main, code ? "gg-main gg-has-code" : "gg-main");
    if (code) gutter.show(rowsOf(structure, code, readings, active));
    stage.style.height = `${pictureHeight(state, derived)}px`;
    main.style.setProperty("--gg-foot", sentence.length > 0 ? `${derived.foot}px` : "0px");
    picture.show(scene);
    picture.rove(
      structure.nodes.id[state.focused] ?? (structure.nodes.id[structure.root] as number),
    );
    const camera = cameraOf(state, derived);
    if (camera) picture.look(camera);
    showTip(state, derived, camera);
  };

  const showTip = (state: State, derived: Derived, camera: Camera | null): void => {
    const node = explained(state);
    const id = derived.structure.nodes.id[node];
    if (id === undefined || !camera) {
      picture.describe(-1, tip.element.id);
      tip.hide();
      return;
    }
    const frame = stage.getBoundingClientRect();
    const outer = root.getBoundingClientRect();
    const seen = (box: Box): Box => {
      const { x, y, width, height } = project(camera, box);
      return { x: x + frame.left - outer.left, y: y + frame.top - outer.top, width, height };
    };
    const { boxes } = derived.frame;
    const room = { width: root.clientWidth, height: root.clientHeight };
    const pinned = id === state.selected;
    tip.show(
      explain(
        { ...derived, ...state, structure: derived.structure, numbers: derived.numbers },
        node,
      ),
      pinned,
      seen(boxes[node] as Box),
      boxes.map(seen),
      room,
    );
    picture.describe(id, tip.element.id);
  };

  // -- what the user does ------------------------------------------------------------------------

  const indexAt = (target: EventTarget | null): number =>
    store.state.structure?.indexOf.get(nodeAt(target)) ?? -1;
  const pointed = ({ target }: Event): void => {
    const node = indexAt(target);
    update(hover(node < 0 ? [] : [node]));
  };
  picture.element.addEventListener("pointerover", pointed, { signal });
  picture.element.addEventListener("pointerleave", () => update(hover([])), { signal });
  picture.element.addEventListener(
    "focusin",
    ({ target }) => {
      const seen = target instanceof Element && target.matches(":focus-visible");
      if (seen) update(assign({ focused: indexAt(target) }));
    },
    { signal },
  );
  picture.element.addEventListener("focusout", () => update(assign({ focused: -1 })), { signal });
  watchGestures(picture.element, signal, {
    pan: (dx, dy) => {
      const camera = cameraNow();
      if (camera) update(assign({ camera: pan(camera, dx, dy), hovered: [] }));
    },
    zoom: (factor, at) => update(zoomed(factor, at)),
    reset: () => update(zoomed(null)),
    click: (target) => {
      const id = nodeAt(target);
      update(id < 0 ? unpin : pin(id));
    },
  });

  const walk = (direction: Direction): void => {
    const { structure, focused } = store.state;
    const derived = derive(store.state);
    if (!structure || !derived || focused < 0) return;
    const to = neighbour(derived.frame, structure, focused, direction);
    if (to !== null) focusNode(derived.frame, to, structure.nodes.id[to] as number);
  };
  const focusNode = (frame: Frame, node: number, id: number): void => {
    const camera = cameraNow();
    if (camera) {
      const shown = reveal(camera, frame.boxes[node] as Box, store.state.viewport);
      if (shown !== camera) update(assign({ camera: shown }));
    }
    picture.focus(id);
  };
  const togglePin = (): void => {
    const id = store.state.structure?.nodes.id[store.state.focused];
    if (id !== undefined) update(pin(id));
  };
  const keys: Readonly<Record<string, () => void>> = {
    ...arrows(() => store.state.rankdir, walk),
    Enter: togglePin,
    " ": togglePin,
    "+": () => update(zoomed(1.25)),
    "-": () => update(zoomed(0.8)),
    "0": () => update(zoomed(null)),
  };
  picture.element.addEventListener("keydown", (event) => handle(event, keys), { signal });
  root.addEventListener("keydown", (event) => handle(event, { Escape: () => update(unpin) }), {
    signal,
  });

  new ResizeObserver(([entry]) => {
    const box = entry?.contentRect;
    if (box) update(assign({ viewport: { width: box.width, height: box.height } }));
  }).observe(stage);
  store.subscribe(show, signal);
  show(store.state);
}

/** The user's camera, else one that shows the whole picture; null before the page gave it room. */
function cameraOf(state: State, { scene, foot }: Derived): Camera | null {
  const { width, height } = state.viewport;
  if (width === 0 || height === 0) return null;
  if (state.camera) return state.camera;
  const camera = fit(scene.bounds, { width, height: Math.max(1, height - foot) });
  return pan(camera, 0, Math.min(SINK, foot / 2));
}

function handle(event: KeyboardEvent, keys: Readonly<Record<string, () => void>>): void {
  const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** Arrow keys follow the edges along the flow and the layer across it. */
function arrows(
  rankdir: () => "LR" | "TB",
  walk: (direction: Direction) => void,
): Record<string, () => void> {
  const either = (across: Direction, down: Direction) => () =>
    walk(rankdir() === "LR" ? across : down);
  return {
    ArrowLeft: either("back", "before"),
    ArrowRight: either("on", "after"),
    ArrowUp: either("before", "back"),
    ArrowDown: either("after", "on"),
  };
}

function zoomButtons(signal: AbortSignal, zoom: (factor: number | null) => void): HTMLElement {
  const controls = [
    { label: "Zoom out", path: "M3.5 8h9", factor: 0.8 },
    { label: "Fit the picture", path: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3", factor: null },
    { label: "Zoom in", path: "M3.5 8h9M8 3.5v9", factor: 1.25 },
  ];
  const buttons = controls.map(({ label, path, factor }) => {
    const element = button(icon(path, true), "gg-icon gg-plain", label);
    element.addEventListener("click", () => zoom(factor), { signal });
    return element;
  });
  return html("div", "gg-zoom", { role: "group", "aria-label": "Zoom" }, ...buttons);
}
