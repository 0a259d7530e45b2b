/**
 * The few ways in which this front end touches the DOM.
 *
 * In: names, texts, attributes.  Out: elements, or elements updated in place.  Text of the user goes
 * in as text nodes only; nothing here or elsewhere parses markup.  Setting what is already there
 * does nothing, so that a whole view can be told its state again and again without flicker.
 */

import { random } from "./maths";

const SVG = "http://www.w3.org/2000/svg";

export type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** Sets, or with null or false removes, each attribute that differs. */
export function attributes(element: Element, values: Attributes): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === false) element.removeAttribute(name);
    else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/** An HTML element with its class, attributes and children; strings become text nodes. */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className = "",
  values: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  attributes(element, values);
  element.append(...children);
  return element;
}

/** An SVG element with its class, attributes and children. */
export function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  className = "",
  values: Attributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Tag] {
  const element = document.createElementNS(SVG, tag);
  if (className) element.setAttribute("class", className);
  attributes(element, values);
  element.append(...children);
  return element;
}

/** Hears an event until `signal` aborts. */
export function on<Type extends keyof GlobalEventHandlersEventMap>(
  signal: AbortSignal,
  target: EventTarget | undefined,
  type: Type,
  listener: (event: GlobalEventHandlersEventMap[Type]) => unknown,
): void {
  target?.addEventListener(type, listener as EventListener, { signal });
}

/** What `data-name` says on the nearest element around `target` that has it; null for none. */
export function dataAt(target: EventTarget | null, name: string): string | null {
  const found = target instanceof Element ? target.closest(`[data-${name}]`) : null;
  return found?.getAttribute(`data-${name}`) ?? null;
}

/** Hears presses on the elements inside that carry a number as `data-name`. */
export const onPress = (
  signal: AbortSignal,
  list: Element,
  name: string,
  press: (number: number) => unknown,
): void =>
  on(signal, list, "click", ({ target }) => {
    const found = dataAt(target, name);
    if (found !== null) press(Number(found));
  });

/** Puts the focus on an element and leaves the notebook where it is. */
export const focusOn = (element: Element | null | undefined): void =>
  (element as HTMLElement | SVGElement | null)?.focus({ preventScroll: true });

/** What has the focus in the document, or in the shadow root, that `element` is part of. */
export const focusedBeside = (element: Element): Element | null =>
  (element.getRootNode() as Document | ShadowRoot).activeElement;

/** Hears when the size of an element changes. */
export function onResize(signal: AbortSignal, element: Element, run: () => void): void {
  const observer = new ResizeObserver(run);
  observer.observe(element);
  atEnd(signal, () => observer.disconnect());
}

/** Runs once when `signal` aborts. */
export const atEnd = (signal: AbortSignal, run: () => unknown): void =>
  signal.addEventListener("abort", run, { once: true });

/** An id that no other view has, also none whose script was loaded apart from this one. */
export const freshId = (prefix: string): string =>
  `${prefix}-${random().toString(36).slice(2, 10)}`;

export function text(element: Element, content: string): void {
  if (element.textContent !== content) element.textContent = content;
}

/** Class names joined, those that are false or empty left out. */
export const classes = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(" ");

export function className(element: Element, name: string): void {
  if (element.getAttribute("class") !== name) element.setAttribute("class", name);
}

/** A button of the widget; `label` is read out where the visible content is a picture. */
export function button(content: string | Node, kind = "", label = ""): HTMLButtonElement {
  const values = label ? { type: "button", "aria-label": label, title: label } : { type: "button" };
  return html("button", classes("gg-button", kind), values, content);
}

/** A 16 × 16 picture for a button, drawn by one path: filled, or as an open line. */
export function icon(path: string, open = false): SVGSVGElement {
  const line = svg("path", "", { d: path, fill: open ? "none" : null });
  return svg("svg", "", { viewBox: "0 0 16 16", "aria-hidden": "true" }, line);
}

export interface Keyed<Item, Shape extends Element> {
  get(key: string): Shape | undefined;
  show(items: readonly Item[]): void;
}

/**
 * Children of `parent`, one per item, kept by key: new items are created, known ones updated in
 * place, gone ones removed, and the order follows the items.
 */
export function createKeyed<Item, Shape extends Element = Element>(
  parent: Element,
  keyOf: (item: Item) => string,
  create: (item: Item) => Shape,
  update: (shape: Shape, item: Item, before: Item | null) => void,
): Keyed<Item, Shape> {
  const known = new Map<string, { readonly shape: Shape; readonly item: Item }>();
  const place = (item: Item): Shape => {
    const key = keyOf(item);
    const before = known.get(key);
    const shape = before?.shape ?? create(item);
    if (before?.item !== item) update(shape, item, before?.item ?? null);
    known.set(key, { shape, item });
    return shape;
  };
  return {
    get: (key) => known.get(key)?.shape,
    show(items) {
      const wanted = new Set(items.map(keyOf));
      for (const [key, { shape }] of known) {
        if (wanted.has(key)) continue;
        shape.remove();
        known.delete(key);
      }
      let next: ChildNode | null = parent.firstChild;
      for (const item of items) {
        const shape = place(item);
        if (shape === next) next = next.nextSibling;
        else parent.insertBefore(shape, next);
      }
    },
  };
}
