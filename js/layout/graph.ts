/**
 * Graphs as flat arrays, the form in which every phase of the layout reads them.
 *
 * In flow lists of edges; out flow neighbours that are found without searching.  Typed arrays,
 * because the phases visit every edge dozens of times.
 */

/** Per vertex a run of `items`, from `start[vertex]` to `start[vertex + 1]`. */
export interface Runs {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

export interface Links {
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** Group `items` by the vertex each belongs to, keeping their order. */
export function runsBy(size: number, owner: readonly number[], items: readonly number[]): Runs {
  const start = new Int32Array(size + 1);
  for (const vertex of owner) start[vertex + 1] = at(start, vertex + 1) + 1;
  for (let vertex = 0; vertex < size; vertex++) {
    start[vertex + 1] = at(start, vertex + 1) + at(start, vertex);
  }
  const next = start.slice();
  const grouped = new Int32Array(items.length);
  for (let index = 0; index < items.length; index++) {
    const vertex = owner[index] as number;
    const place = at(next, vertex);
    grouped[place] = items[index] as number;
    next[vertex] = place + 1;
  }
  return { start, items: grouped };
}

/** The items of one vertex. */
export const runOf = ({ start, items }: Runs, vertex: number): Int32Array =>
  items.subarray(at(start, vertex), at(start, vertex + 1));

/** An element that is there by construction. */
export const at = (array: ArrayLike<number>, index: number): number => array[index] as number;
