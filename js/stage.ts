/**
 * The picture with its camera: pointing, pinning, walking, pan and zoom.
 *
 * In: the state and what is derived from it.  Out: the SVG, and reducers for what the user does in
 * it.  The camera follows the layout until the user takes it.
 */

import type { Derived } from "./derive";
import { button, focusOn, html, icon, on, onResize } from "./dom";
import { handleKey } from "./keys";
import {
  type Box,
  type Camera,
  fitted,
  fittingScale,
  marginFor,
  opening,
  type Point,
  pan,
  project,
  reveal,
  type Size,
  zoomAt,
} from "./scene/camera";
import { createFieldPlace, type Field } from "./scene/field";
import { boundsOf, type Direction, neighbour } from "./scene/frame";
import { watchGestures } from "./scene/gestures";
import type { Scene } from "./scene/marks";
import { createMinimap } from "./scene/minimap";
import { createPicture, nodeAt, type Picture } from "./scene/svg";
import { assign, hover, type Reducer, type State, type Store, unpin } from "./store";
import { stepAt } from "./tape";

type Derive = (state: State) => Derived | null;

/** The picture stands this much lower than the middle of the room above the sentence. */
const SINK = 10;
const ZOOM_STEP = 1.25;
/** Names can be read down to here. */
const LEGIBLE = 0.4;

/** The user's camera, else one that the layout decides; null before the page gave it room. */
export function cameraOf(state: State, { structure, scene, foot }: Derived): Camera | null {
  const { width, height } = state.viewport;
  if (width === 0 || height === 0) return null;
  if (state.camera) return state.camera;
  const room = { width, height: Math.max(1, height - foot) };
  const camera = (state.whole || structure.folds ? fitted : opening)(
    scene.bounds,
    room,
    marginFor(width),
  );
  return pan(camera, 0, Math.min(SINK, foot / 2));
}

/** Zooms about a point of the viewport, its middle if none is given; null shows all again. */
export const zoomed =
  (derive: Derive, factor: number | null, at?: Point): Reducer =>
  (state) => {
    const derived = derive(state);
    const camera = derived && cameraOf(state, derived);
    if (factor === null || !camera) return { ...state, camera: null, whole: true };
    const { width, height } = state.viewport;
    return { ...state, camera: zoomAt(camera, factor, at ?? { x: width / 2, y: height / 2 }) };
  };

/** Brings a node into sight. */
export const revealed =
  (derive: Derive, node: number): Reducer =>
  (state) => {
    const derived = derive(state);
    const box = derived?.frame.boxes[node];
    const before = derived && cameraOf(state, derived);
    if (!before || !box) return state;
    const { width, height } = state.viewport;
    const room = { width, height: Math.max(1, height - derived.foot) };
    const isSeen = reveal(before, box, room, 0) === before;
    return isSeen ? state : { ...state, camera: reveal(before, box, room) };
  };

/** Brings a point of the picture into the middle. */
const centred =
  (derive: Derive, at: Point): Reducer =>
  (state) => {
    const derived = derive(state);
    const camera = derived && cameraOf(state, derived);
    if (!camera) return state;
    const { width, height } = state.viewport;
    const x = width / 2 - camera.scale * at.x;
    const y = height / 2 - camera.scale * at.y;
    return { ...state, camera: { ...camera, x, y } };
  };

export interface Stage {
  readonly element: HTMLElement;
  /** The buttons that zoom, for the foot of the view. */
  readonly zoom: HTMLElement;
  readonly picture: Picture;
  /** Puts the keyboard's focus on a node, or on the picture. */
  focus(id: number | undefined): void;
  /** Puts it into the field that stands on a node's card, where one does. */
  write(id: number): void;
  show(state: State, derived: Derived, camera: Camera | null, field: Field | undefined): void;
}

/** What a press on a node does, by mouse and by keyboard, and what a drag from it does. */
export interface Touch {
  press(id: number): void;
  grab(id: number): ((pixels: number) => void) | null;
}

export function createStage(
  store: Store,
  derive: Derive,
  touch: Touch,
  signal: AbortSignal,
): Stage {
  const picture = createPicture();
  const map = createMinimap(signal, (at) => store.update(centred(derive, at)));
  const element = html("div", "gg-stage", {}, picture.element, map.element);
  watchPointing(picture.element, store, signal);
  watchCamera(picture.element, store, derive, touch, signal);
  watchKeys(picture, store, derive, touch, signal);
  watchSize(element, store, signal);
  holdStill(store, derive, signal);
  followSteps(store, derive, signal);
  const zoom = zoomButtons(signal, (factor) => store.update(zoomed(derive, factor)));
  const idOf = (node: number): number => store.state.structure?.nodes.id[node] ?? -1;
  const place = createFieldPlace(
    element,
    (node) => picture.focus(idOf(node)),
    (node) => store.update(revealed(derive, node)),
    signal,
  );
  let shown: Scene | null = null;
  return {
    element,
    zoom,
    picture,
    focus(id) {
      if (id === undefined) focusOn(picture.element);
      else picture.focus(id);
    },
    write: (id) => place.focus(store.state.structure?.indexOf.get(id)),
    show(state, { structure, scene, frame, foot, overlay }, camera, field) {
      if (scene !== shown) picture.show(scene);
      shown = scene;
      const { id } = structure.nodes;
      picture.rove((id[state.focused] ?? id[structure.root]) as number);
      if (camera) picture.look(camera);
      const { width, height } = state.viewport;
      map.show(frame, camera, { width, height: state.step < 0 ? height : height - foot });
      place.show(field, overlay.field, frame, state.table ? null : camera);
    },
  };
}

function watchPointing(picture: SVGSVGElement, store: Store, signal: AbortSignal): void {
  const indexAt = (target: EventTarget | null): number =>
    store.state.structure?.indexOf.get(nodeAt(target)) ?? -1;
  const point = ({ target }: Event): void => {
    const node = indexAt(target);
    store.update(hover(node < 0 ? [] : [node]));
  };
  const focus = ({ target }: Event): void => {
    // A press focuses too; only focus that the browser would show speaks.
    if (target instanceof Element && target.matches(":focus-visible")) {
      store.update(assign({ focused: indexAt(target) }));
    }
  };
  on(signal, picture, "pointerover", point);
  on(signal, picture, "pointerleave", () => store.update(hover([])));
  on(signal, picture, "focusin", focus);
  on(signal, picture, "focusout", () => store.update(assign({ focused: -1 })));
}

function watchCamera(
  picture: SVGSVGElement,
  store: Store,
  derive: Derive,
  touch: Touch,
  signal: AbortSignal,
): void {
  watchGestures(picture, signal, {
    grab: (target) => {
      const id = nodeAt(target);
      return id < 0 ? null : touch.grab(id);
    },
    pan: (dx, dy) =>
      store.update((state) => {
        const derived = derive(state);
        const camera = derived && cameraOf(state, derived);
        return camera ? { ...state, camera: pan(camera, dx, dy), hovered: [] } : state;
      }),
    zoom: (factor, at) => store.update(zoomed(derive, factor, at)),
    doubleClick: (target) => {
      if (nodeAt(target) < 0) store.update(zoomed(derive, null));
    },
    click: (target) => {
      const id = nodeAt(target);
      if (id < 0) store.update(unpin);
      else touch.press(id);
    },
  });
}

function watchKeys(
  picture: Picture,
  store: Store,
  derive: Derive,
  touch: Touch,
  signal: AbortSignal,
): void {
  const walk = (direction: Direction): void => {
    const { state } = store;
    const derived = derive(state);
    if (!derived || state.focused < 0) return;
    const { frame, structure } = derived;
    const to = neighbour(frame, structure, state.focused, direction);
    if (to === null) return;
    store.update(revealed(derive, to));
    picture.focus(structure.nodes.id[to] as number);
  };
  const along = (across: Direction, down: Direction) => (): void =>
    walk(store.state.rankdir === "LR" ? across : down);
  const pressFocused = (): void => {
    const id = store.state.structure?.nodes.id[store.state.focused];
    if (id !== undefined) touch.press(id);
  };
  const keys = {
    ArrowLeft: along("back", "before"),
    ArrowRight: along("on", "after"),
    ArrowUp: along("before", "back"),
    ArrowDown: along("after", "on"),
    Enter: pressFocused,
    " ": pressFocused,
    "+": () => store.update(zoomed(derive, ZOOM_STEP)),
    "-": () => store.update(zoomed(derive, 1 / ZOOM_STEP)),
    "0": () => store.update(zoomed(derive, null)),
  };
  const pressed = (event: KeyboardEvent): void => {
    // Focus that came with a press does not speak; from the first key on it does.
    const focused = store.state.structure?.indexOf.get(nodeAt(event.target)) ?? -1;
    if (event.key in keys) store.update(assign({ focused }));
    handleKey(event, keys);
  };
  on(signal, picture.element, "keydown", pressed);
}

function watchSize(element: HTMLElement, store: Store, signal: AbortSignal): void {
  // The element's own size: the one that was observed may have changed since, with the view's width.
  onResize(signal, element, () => {
    const { clientWidth: width, clientHeight: height } = element;
    store.update(assign({ viewport: { width, height } }));
  });
}

/** New numbers or a new graph leave the node that is looked at where it is seen. */
function holdStill(store: Store, derive: Derive, signal: AbortSignal): void {
  let last: { readonly derived: Derived; readonly camera: Camera } | null = null;
  store.subscribe((state, before) => {
    const derived = derive(state);
    let camera = derived && cameraOf(state, derived);
    const isUpdate = state.structure !== before.structure || state.numbers !== before.numbers;
    if (derived && camera && last && isUpdate) {
      const { folds } = derived.structure;
      const isOther = derived.structure !== last.derived.structure;
      const held =
        folds && last.derived.structure.folds && isOther
          ? refolded(last.derived, last.camera, derived, state.viewport)
          : shifted(last.derived, last.camera, derived, camera);
      if (held) {
        camera = held;
        store.update(assign({ camera }));
      }
    }
    last = derived && camera ? { derived, camera } : null;
  }, signal);
}

/** What a group opened to stands where the group stood, smaller where it would not fit. */
function refolded(then: Derived, camera: Camera, now: Derived, viewport: Size): Camera | null {
  const [was, is] = [boundsOf(onlyIn(then, now)), boundsOf(onlyIn(now, then))];
  // All closed, and the whole fits again.
  if (!now.structure.folds?.opened.length || !was.width || !is.width) return null;
  const room = { ...viewport, height: viewport.height - now.foot };
  const fits = Math.max(fittingScale(is, room), LEGIBLE);
  const scale = Math.min(camera.scale, fits);
  const { x, y } = project(camera, { ...was, x: was.x + was.width / 2, y: was.y + was.height / 2 });
  const middle = {
    scale,
    x: x - scale * (is.x + is.width / 2),
    y: y - scale * (is.y + is.height / 2),
  };
  return reveal(middle, is, room);
}

/** The boxes of the cards that another picture does not have. */
const onlyIn = ({ structure, frame }: Derived, other: Derived): Box[] =>
  structure.nodes.id.flatMap((id, node) => {
    const there = other.structure.indexOf.get(id) ?? -1;
    const isKept = other.structure.nodes.label[there] === structure.nodes.label[node];
    return isKept ? [] : [frame.boxes[node] as Box];
  });

/** The camera with the node that was looked at where it was; null where no update moved it. */
function shifted(then: Derived, before: Camera, now: Derived, camera: Camera): Camera | null {
  const old = then.active[0];
  if (old === undefined) return null;
  const { nodes } = then.structure;
  const node = now.structure.indexOf.get(nodes.id[old] as number);
  if (node === undefined || now.structure.nodes.label[node] !== nodes.label[old]) return null;
  const was = project(before, then.frame.boxes[old] as Box);
  const is = project(camera, now.frame.boxes[node] as Box);
  const [x, y] = [was.x - is.x, was.y - is.y];
  return Math.hypot(x, y) > 0.5 ? pan(camera, x, y) : null;
}

/** The camera goes along with the steps, and with what a mode speaks of, no further than it must. */
function followSteps(store: Store, derive: Derive, signal: AbortSignal): void {
  let looked: number | undefined;
  store.subscribe((state, before) => {
    const appeared = before.viewport.width === 0 && state.viewport.width > 0;
    const now = derive(state);
    const look = now?.overlay.look;
    const isNews = look !== looked;
    if (state.viewport.width > 0) looked = look;
    if (state.step === before.step && !isNews && !appeared) return;
    const node = (now && stepAt(now.tape, state.step)?.node) ?? look;
    if (node !== undefined) store.update(revealed(derive, node));
  }, signal);
}

const ZOOMS = [
  { label: "Zoom out", path: "M3.5 8h9", factor: 1 / ZOOM_STEP },
  { label: "Fit the picture", path: "M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3", factor: null },
  { label: "Zoom in", path: "M3.5 8h9M8 3.5v9", factor: ZOOM_STEP },
] as const;

function zoomButtons(signal: AbortSignal, zoom: (factor: number | null) => void): HTMLElement {
  const buttons = ZOOMS.map(({ label, path, factor }) => {
    const element = button(icon(path, true), "gg-icon gg-plain", label);
    on(signal, element, "click", () => zoom(factor));
    return element;
  });
  return html("div", "gg-zoom", { role: "group", "aria-label": "Zoom" }, ...buttons);
}
