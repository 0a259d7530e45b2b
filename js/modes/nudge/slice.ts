/** Every way in which a nudge changes, as functions from slice to slice. */

import { isFiniteNumber } from "../../maths";
import type { Moment } from "../mode";
import type { Slice } from "./trial";

export const NOTHING: Slice = { leaf: -1, data: {} };

/** Takes a leaf in hand. */
export const pick = (slice: Slice, leaf: number): Slice =>
  slice.leaf === leaf ? slice : { ...slice, leaf };

/** Gives the leaf in hand another number; its own one is no change at all. */
export function moveTo({ structure, numbers }: Moment, slice: Slice, value: number): Slice {
  const node = structure.indexOf.get(slice.leaf);
  if (node === undefined || !isFiniteNumber(value)) return slice;
  const { [slice.leaf]: old, ...others } = slice.data;
  if (value === numbers.data[node]) return old === undefined ? slice : { ...slice, data: others };
  return old === value ? slice : { ...slice, data: { ...slice.data, [slice.leaf]: value } };
}

/** Gives all leaves their own numbers back. */
export const reset = (slice: Slice): Slice => ({ ...slice, data: {} });
