/**
 * Puts marks on the page: one SVG whose elements are kept and updated in place.
 *
 * In: a scene and a camera.  Out: an SVG that follows them without flicker, because an element lives
 * as long as the node or edge it stands for.  No listener sits on a node; `nodeAt` answers which
 * node an event belongs to.
 */

import { attributes, className, createKeyed, dataAt, focusOn, freshId, svg, text } from "../dom";
import { type Camera, FAR } from "./camera";
import { DISC } from "./cards";
import type { LabelMark } from "./labels";
import type { EdgeMark, NodeMark, Scene } from "./marks";
import { NOTHING } from "./readings";

export interface Picture {
  readonly element: SVGSVGElement;
  show(scene: Scene): void;
  look(camera: Camera): void;
  /** Lets exactly one node be reached by Tab. */
  rove(id: number): void;
  focus(id: number): void;
  /** Names the element that describes a node to a screen reader; −1 for no node. */
  describe(id: number, by: string): void;
}

/** The ground of a card whose numbers are stale. */
function createHatch(id: string): SVGPatternElement {
  const size = { width: 8, height: 8 };
  const units = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const stroke = svg("path", "", { d: "M0 0V8" });
  return svg("pattern", "gg-hatch", { id, ...size, ...units }, svg("rect", "", size), stroke);
}

export function createPicture(): Picture {
  const [edges, flows, nodes, labels] = ["edges", "flows", "nodes", "labels"].map((name) =>
    svg("g", `gg-${name}`),
  ) as [SVGGElement, SVGGElement, SVGGElement, SVGGElement];
  const world = svg("g", "gg-world", {}, edges, flows, nodes, labels);
  const hatch = createHatch(freshId("gg-hatch"));
  const values = { role: "group", tabindex: "-1", style: `--gg-hatch: url(#${hatch.id})` };
  const element = svg("svg", "gg-svg", values, svg("defs", "", {}, hatch), world);

  const lines = createKeyed<EdgeMark>(edges, ({ edge }) => `${edge}`, createLine, updateLine);
  const streams = createKeyed<EdgeMark>(flows, ({ edge }) => `${edge}`, createLine, updateStream);
  const cards = createKeyed<NodeMark, SVGGElement>(
    nodes,
    ({ id }) => `${id}`,
    createNode,
    updateNode,
  );
  const words = createKeyed<LabelMark, SVGTextElement>(
    labels,
    ({ key }) => key,
    () => svg("text", "", { "dominant-baseline": "central" }),
    updateLabel,
  );
  let described: SVGGElement | undefined;
  let reached: SVGGElement | undefined;

  return {
    element,
    show(scene) {
      attributes(element, { "aria-label": scene.spoken });
      lines.show(scene.edges);
      streams.show(scene.edges.filter(({ flow }) => flow !== null));
      cards.show(scene.nodes);
      words.show(scene.labels);
    },
    look({ x, y, scale }) {
      attributes(world, { transform: `translate(${x} ${y}) scale(${scale})` });
      element.classList.toggle("gg-far", scale < FAR);
    },
    rove(id) {
      const node = cards.get(`${id}`);
      if (reached !== node && reached) attributes(reached, { tabindex: "-1" });
      if (node) attributes(node, { tabindex: "0" });
      reached = node;
    },
    describe(id, by) {
      const node = cards.get(`${id}`);
      if (described !== node && described) attributes(described, { "aria-describedby": null });
      if (node) attributes(node, { "aria-describedby": by });
      described = node;
    },
    focus(id) {
      focusOn(cards.get(`${id}`));
    },
  };
}

/** The id of the node that an element belongs to, −1 for none. */
export function nodeAt(target: EventTarget | null): number {
  return Number(dataAt(target, "node") ?? -1);
}

// -- edges -------------------------------------------------------------------------------------------

const createLine = (): SVGPathElement => svg("path");

function updateLine(line: Element, mark: EdgeMark, before: EdgeMark | null): void {
  if (mark.path !== before?.path) attributes(line, { d: mark.path });
  if (mark.className !== before?.className) className(line, mark.className);
}

function updateStream(line: Element, { path, flow }: EdgeMark, before: EdgeMark | null): void {
  if (path !== before?.path) attributes(line, { d: path });
  if (!flow) return;
  if (flow.width !== before?.flow?.width) attributes(line, { "stroke-width": flow.width });
  className(line, flow.className);
}

function updateLabel(label: SVGTextElement, mark: LabelMark, before: LabelMark | null): void {
  const { x, y } = mark.at;
  if (x !== before?.at.x || y !== before.at.y) attributes(label, { x, y });
  if (mark.className !== before?.className) className(label, mark.className);
  if (mark.text !== before?.text) text(label, mark.text);
}

// -- nodes -------------------------------------------------------------------------------------------
// A node's group holds the same children in the same order for as long as it lives; those it does
// not need have no size.

interface Parts {
  readonly card: SVGRectElement;
  readonly bar: SVGRectElement;
  readonly disc: SVGRectElement;
  readonly symbol: SVGTextElement;
  /** Dots where operands are not drawn. */
  readonly stub: SVGTextElement;
  readonly name: SVGTextElement;
  readonly farName: SVGTextElement;
  readonly dataKey: SVGTextElement;
  readonly data: SVGTextElement;
  readonly gradKey: SVGTextElement;
  readonly grad: SVGTextElement;
  readonly focus: SVGRectElement;
}

/** A number that is wider than its room is drawn with narrower figures. */
const GLYPHS = { lengthAdjust: "spacingAndGlyphs" } as const;

const partsOf = new WeakMap<Element, Parts>();

function createNode({ id }: NodeMark): SVGGElement {
  const parts: Parts = {
    focus: svg("rect", "gg-focus"),
    card: svg("rect", "gg-card"),
    bar: svg("rect"),
    disc: svg("rect", "gg-disc", { rx: DISC, height: 2 * DISC }),
    name: svg("text", "gg-name"),
    farName: svg("text", "gg-far-name", { "aria-hidden": "true" }),
    dataKey: svg("text", "gg-key", {}, "data"),
    data: svg("text", "gg-num", GLYPHS),
    gradKey: svg("text", "gg-key", {}, "grad"),
    grad: svg("text", "gg-num", GLYPHS),
    symbol: svg("text", "gg-symbol"),
    stub: svg("text", "gg-stub", { "aria-hidden": "true" }),
  };
  // Spaces between them keep its texts apart for whoever reads them without seeing where they stand.
  const apart = Object.values(parts).flatMap((part) => [part, " "]);
  const values = { "data-node": id, tabindex: "-1", role: "button" };
  const group = svg("g", "gg-node", values, ...apart);
  partsOf.set(group, parts);
  return group;
}

function updateNode(group: SVGGElement, mark: NodeMark, before: NodeMark | null): void {
  const parts = partsOf.get(group) as Parts;
  if (mark.className !== before?.className) className(group, mark.className);
  if (mark.spoken !== before?.spoken) attributes(group, { "aria-label": mark.spoken });
  if (mark.corner !== before?.corner) {
    attributes(group, { transform: `translate(${mark.corner.x} ${mark.corner.y})` });
  }
  if (mark.card !== before?.card || mark.bar !== before?.bar) place(parts, mark);
  const { data, grad, squeeze } = mark;
  const isPlaced = mark.card === before?.card;
  if (!isPlaced || data !== before.data) reading(parts.data, data, squeeze.data);
  if (!isPlaced || grad !== before.grad) {
    text(parts.gradKey, grad ? "grad" : "");
    reading(parts.grad, grad ?? NOTHING, squeeze.grad);
  }
}

function reading(
  element: Element,
  { text: content, tone }: NodeMark["data"],
  textLength: number | null,
): void {
  text(element, content);
  attributes(element, { textLength });
  className(element, tone ? `gg-num gg-${tone}` : "gg-num");
}

/** Lays the parts out inside the card. */
function place(parts: Parts, { card, bar, cut }: NodeMark): void {
  const { width, height } = card;
  attributes(parts.card, { width, height, rx: 8 });
  const ring = { x: -5, y: -5, width: width + 10, height: height + 10, rx: 12 };
  attributes(parts.focus, ring);
  attributes(parts.bar, {
    class: bar ? `gg-bar-${bar}` : null,
    x: bar === "end" ? width - 3.5 : 0,
    y: 9,
    rx: 1.75,
    width: bar ? 3.5 : 0,
    height: height - 18,
  });
  attributes(parts.disc, {
    x: card.disc.x - card.half,
    y: card.disc.y - DISC,
    width: 2 * card.half,
    visibility: card.half ? null : "hidden",
  });
  attributes(parts.symbol, { x: card.disc.x, y: card.disc.y });
  className(parts.symbol, card.word ? "gg-symbol gg-word" : "gg-symbol");
  text(parts.symbol, card.symbol);
  attributes(parts.stub, { x: card.disc.x - card.half - 4, y: card.disc.y });
  text(parts.stub, cut ? "⋯" : "");
  attributes(parts.name, { x: card.text, y: card.nameLine });
  text(parts.name, card.name);
  attributes(parts.farName, { x: card.text, y: height / 2 + 9 });
  text(parts.farName, card.farName);
  attributes(parts.dataKey, { x: card.text, y: card.numberLine });
  attributes(parts.data, { x: card.data, y: card.numberLine });
  attributes(parts.gradKey, { x: card.gradKey, y: card.numberLine });
  attributes(parts.grad, { x: card.grad, y: card.numberLine });
}
