/**
 * Finding one's way: which values fit a search, and which have to do with a pinned one.
 *
 * In: the structure and what is looked for.  Out: nodes, and an overlay that lets all others step
 * back.
 */

import type { Structure } from "../contract";
import { classes } from "../dom";
import type { Overlay } from "../modes/mode";
import type { NodeNote } from "../scene/marks";

/** The nodes whose name, operation or source text holds `query`, in order; none for an empty one. */
export function matches({ nodes }: Structure, query: string): readonly number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === "") return [];
  const { label, op, symbol, rule, text } = nodes;
  return [...nodes.id.keys()].filter((node) =>
    [label, op, symbol, rule, text].some((column) => column[node]?.toLowerCase().includes(wanted)),
  );
}

/** A value with all that it was made of and all that was made of it. */
export interface Lineage {
  readonly nodes: ReadonlySet<number>;
  readonly edges: ReadonlySet<number>;
}

/** The ancestors and descendants of a node; null for none. */
export function lineageOf(structure: Structure, node: number): Lineage | null {
  if (node < 0) return null;
  const nodes = new Set([node]);
  const edges = new Set<number>();
  const { source, target } = structure.edges;
  const follow = (
    next: readonly (readonly number[])[],
    end: readonly number[],
    seen = new Set([node]),
  ): void => {
    // A set that grows while it is walked visits what is added, too.
    for (const at of seen) {
      nodes.add(at);
      for (const edge of next[at] ?? []) {
        edges.add(edge);
        seen.add(end[edge] as number);
      }
    }
  };
  follow(structure.operandEdges, source);
  follow(structure.consumerEdges, target);
  return { nodes, edges };
}

const DIM = "gg-dim";

/** The overlay in which only what was found, else the lineage, stands out; as it is without both. */
export function dimmed(
  structure: Structure,
  overlay: Overlay,
  found: readonly number[] | null,
  kin: Lineage | null,
): Overlay {
  const kept = found ? new Set(found) : kin?.nodes;
  if (!kept) return overlay;
  const { id } = structure.nodes;
  const nodes = new Map<number, NodeNote>(overlay.nodes);
  for (const node of id.keys()) {
    const note = nodes.get(node) ?? { className: "", spoken: "" };
    const mark = kept.has(node) ? found && "gg-lit" : DIM;
    if (mark) nodes.set(node, { ...note, className: classes(note.className, mark) });
  }
  const edges = new Map<number, string>(overlay.edges);
  for (const edge of structure.edges.source.keys()) {
    if (!kin?.edges.has(edge)) edges.set(edge, classes(edges.get(edge), DIM));
  }
  return { ...overlay, nodes, edges };
}
