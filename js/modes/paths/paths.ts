/**
 * Every way a value takes to the result, and what each is worth.
 *
 * In: structure, slopes and a value.  Out: the largest paths with their products of slopes, and how
 * many there are, exactly: thirty doublings make 2³⁰ of them, so the number is counted and never
 * listed.  The sum of all products is the gradient; that is the chain rule.
 */

import type { Numbers, Structure } from "../../contract";
import { abs, isNan } from "../../maths";
import { type Known, plus, times } from "../../tape";

export interface Path {
  /** From the value to the root. */
  readonly edges: readonly number[];
  /** The product of the slopes along it; null where one is unknown. */
  readonly product: Known;
}

export interface Ledger {
  /** The largest paths first. */
  readonly paths: readonly Path[];
  /** How many paths there are in what is drawn. */
  readonly count: bigint;
}

/** A path from the root down to some node, as a list that shares its beginning with others. */
interface Way {
  readonly edge: number;
  readonly before: Way | null;
  readonly product: Known;
}

/** The ledger of a node, of at most `most` paths. */
export function ledgerOf(
  structure: Structure,
  { slope }: Numbers,
  node: number,
  most: number,
): Ledger {
  const { consumerEdges, edges, root } = structure;
  const counts = new Map<number, bigint>([[root, 1n]]);
  const ways = new Map<number, readonly (Way | null)[]>([[root, [null]]]);
  // From the root down: a consumer's index is larger than its operand's, so it comes first.
  for (let at = root - 1; at >= node; at--) {
    const found: Way[] = [];
    let count = 0n;
    for (const edge of consumerEdges[at] ?? []) {
      const consumer = edges.target[edge] as number;
      count += counts.get(consumer) ?? 0n;
      for (const before of ways.get(consumer) ?? []) {
        const product = times(before ? before.product : 1, slope[edge]);
        found.push({ edge, before, product });
      }
    }
    counts.set(at, count);
    ways.set(at, found.sort(byWeight).slice(0, most));
  }
  return {
    count: counts.get(node) ?? 0n,
    paths: (ways.get(node) ?? []).map((way) => ({
      edges: edgesOf(way),
      product: way ? way.product : 1,
    })),
  };
}

/** The running sums of the products, in the order of the paths. */
export function sumsOf(paths: readonly Path[]): readonly Known[] {
  let sum: Known = 0;
  return paths.map(({ product }) => {
    sum = plus(sum, product);
    return sum;
  });
}

/** The nodes along a path, from the value to the root. */
export const nodesOn = ({ edges }: Structure, node: number, path: Path): readonly number[] => [
  node,
  ...path.edges.map((edge) => edges.target[edge] as number),
];

function edgesOf(way: Way | null): readonly number[] {
  const edges: number[] = [];
  for (let at = way; at; at = at.before) edges.push(at.edge);
  return edges;
}

/** What is unknown or not a number comes first: it decides the sum. */
const weight = ({ product }: Way): number =>
  product === null || isNan(product) ? Number.POSITIVE_INFINITY : abs(product);

function byWeight(a: Way, b: Way): number {
  const [first, second] = [weight(a), weight(b)];
  return first === second ? 0 : second - first;
}
