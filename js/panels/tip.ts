/**
 * The tooltip of a view: what it says, and what it may not cover.
 *
 * In: the state, what is derived from it, and the panels around the picture.  Out: the tooltip
 * beside the node that is pinned, pointed at or focused.
 */

import type { Derived } from "../derive";
import type { Box } from "../scene/camera";
import { type Camera, project } from "../scene/camera";
import { type Curve, pointAt } from "../scene/curves";
import type { Picture } from "../scene/svg";
import { explained, type State, stepOf } from "../store";
import { stepAt } from "../tape";
import { explain } from "./explain";
import type { Tooltip } from "./tooltip";

/** What stands around the picture: `lit` marks what belongs to the present moment in them. */
export interface Panels {
  readonly root: HTMLElement;
  readonly picture: Picture;
  readonly covered: readonly HTMLElement[];
  readonly said: HTMLElement;
}

const LIT = ".gg-line.gg-on, .gg-field.gg-on-card";

export function showTip(
  tip: Tooltip,
  { root, picture, covered, said }: Panels,
  state: State,
  derived: Derived,
  camera: Camera | null,
): void {
  const node = explained(state);
  const { structure, numbers, tape, readings, frame, overlay, scene } = derived;
  const id = structure.nodes.id[node];
  picture.describe(id !== undefined && camera ? id : -1, tip.element.id);
  if (id === undefined || !camera) {
    tip.hide();
    return;
  }
  const step = stepOf(state);
  const { precision } = state;
  const { secret, flows } = overlay;
  const told = overlay.nodes?.get(node)?.told;
  const explanation = explain(
    { structure, numbers, tape, readings, step, precision, secret, flows, told },
    node,
  );
  const outer = root.getBoundingClientRect();
  const boxOf = (panel: Element): Box => {
    const { left, top, width, height } = panel.getBoundingClientRect();
    return { x: left - outer.left, y: top - outer.top, width, height };
  };
  const stage = boxOf(picture.element);
  const moved = { ...camera, x: camera.x + stage.x, y: camera.y + stage.y };
  const seen = (box: Box): Box => project(moved, box);
  const { kin, edges } = namedBy(derived, node, step);
  const around = {
    node: seen(frame.boxes[node] as Box),
    kin: kin.map((one) => seen(frame.boxes[one] as Box)),
    marks: [
      ...edges.flatMap((edge) => dotsOn(frame.curves[edge] as Curve)).map(seen),
      ...scene.labels.map(({ at, text }) => seen(labelBox(at, text))),
      ...[...root.querySelectorAll(LIT)].map(boxOf),
    ],
    cards: frame.boxes.map(seen),
    panels: covered.map(boxOf),
    sentence: said.hidden ? undefined : boxOf(said),
  };
  const room = { width: root.clientWidth, height: root.clientHeight };
  tip.show(explanation, id === state.selected, around, room);
}

/** The nodes that an explanation and the present step name, and the edges between them. */
export function namedBy(
  { structure, tape }: Pick<Derived, "structure" | "tape">,
  node: number,
  position: number,
): { readonly kin: readonly number[]; readonly edges: readonly number[] } {
  const { operandEdges, consumerEdges, edges } = structure;
  const step = stepAt(tape, position);
  const edgesOf = (of: number): readonly number[] => [
    ...(operandEdges[of] ?? []),
    ...(consumerEdges[of] ?? []),
  ];
  const named = new Set(edgesOf(node));
  for (const edge of (step && operandEdges[step.node]) ?? []) named.add(edge);
  const ends = [...named].flatMap((edge) => [edges.source[edge], edges.target[edge]] as number[]);
  const kin = new Set([...ends, ...(step ? [step.node] : [])]);
  kin.delete(node);
  return { kin: [...kin], edges: [...named] };
}

/** Of a node with more edges than these the flows are not gone around. */
const DOTS = 12;

const dotsOn = (curve: Curve): Box[] =>
  Array.from({ length: DOTS }, (_, at): Box => {
    const { x, y } = pointAt(curve, (at + 0.5) / DOTS);
    return { x: x - 8, y: y - 8, width: 16, height: 16 };
  });

/** About the room that a label takes. */
const labelBox = ({ x, y }: { x: number; y: number }, text: string): Box => {
  const width = 8 * text.length;
  return { x: x - width / 2, y: y - 8, width, height: 16 };
};
