/**
 * Blame: why is this number 0, nan, tiny or huge?
 *
 * In: presses.  Out: the route from the number to its first cause, lit, and one sentence.
 */

import { formatCount } from "../../format";
import { nameOf, short } from "../../names";
import { createChips } from "../../panels/chips";
import { type Phrase, say, strong } from "../../phrases";
import type { NodeNote } from "../../scene/marks";
import type { Mode, ModePanel, Moment, Overlay, Tools } from "../mode";
import { sayVerdict } from "./says";
import { blame, suspects } from "./trace";

/** The id of the value that is asked about, −1 for none. */
interface Slice {
  readonly node: number;
}

export const BLAME: Mode<Slice> = {
  name: "blame",
  title: "Blame",
  hint: "find out why a gradient is 0, nan or huge",
  begin: () => ({ node: -1 }),
  read: (value, { structure }) => {
    const node = (value as Partial<Slice> | null)?.node;
    return node === -1 || structure.indexOf.has(node as number) ? { node: node as number } : null;
  },
  overlay,
  panel,
  press: (node, { structure }, slice, tools) => {
    const id = structure.nodes.id[node] as number;
    tools.change(() => ({ node: slice.node === id ? -1 : id }));
  },
};

// -- the picture -------------------------------------------------------------------------------------

function overlay(moment: Moment, { node: id }: Slice): Overlay {
  const { structure } = moment;
  const node = structure.indexOf.get(id);
  const odd = suspects(moment);
  if (node === undefined) return { nodes: suspicious(odd), sentence: opening(odd) };
  const found = blame(moment, node);
  const { source, target } = structure.edges;
  const onRoute = found.route.flatMap((edge) => [source[edge] as number, target[edge] as number]);
  const nodes = new Map<number, NodeNote>();
  for (const each of structure.nodes.id.keys()) {
    nodes.set(each, { className: "gg-aside", spoken: "" });
  }
  for (const each of onRoute) nodes.set(each, { className: "gg-route", spoken: "on the route" });
  nodes.set(node, { className: "gg-accused", spoken: "asked about" });
  nodes.set(found.at, {
    className: found.at === node ? "gg-accused gg-cause" : "gg-cause",
    spoken: found.cause === "sound" ? "" : "the cause",
  });
  const edges = new Map(
    source.map((_, edge) => [edge, found.route.includes(edge) ? "gg-route" : "gg-aside"]),
  );
  const sentence = sayVerdict(moment, found);
  return found.cause === "sound"
    ? { nodes: suspicious(odd, node), sentence }
    : { nodes, edges, sentence };
}

function suspicious(odd: readonly number[], accused = -1): ReadonlyMap<number, NodeNote> {
  const found = new Map<number, NodeNote>(
    odd.map((node) => [node, { className: "gg-suspect", spoken: "worth a question" }]),
  );
  if (accused >= 0) found.set(accused, { className: "gg-accused", spoken: "asked about" });
  return found;
}

function opening(odd: readonly number[]): Phrase {
  const how = "Press a number that surprises you, and the way to its first cause lights up.";
  if (odd.length === 0) {
    return say`${strong("Nothing odd here.")} No gradient is 0, tiny, huge or nan. ${how}`;
  }
  const are = odd.length === 1 ? "is" : "are";
  return say`${strong("Blame.")} ${how} ${formatCount(odd.length, "value")} ${are} worth a question.`;
}

// -- the panel ---------------------------------------------------------------------------------------

/** More suspects than this are in the picture only. */
const MOST = 60;

function panel({ change }: Tools<Slice>, signal: AbortSignal): ModePanel<Slice> {
  const chips = createChips("Worth a question", signal, (id) =>
    change(({ node }) => ({ node: node === id ? -1 : id })),
  );
  return {
    controls: [chips.element],
    show(moment, { node }) {
      const { structure } = moment;
      chips.show(
        suspects(moment)
          .slice(0, MOST)
          .map((suspect) => {
            const id = structure.nodes.id[suspect] as number;
            return { key: id, text: short(nameOf(structure, suspect)), on: id === node };
          }),
      );
    },
  };
}
