/** Sentences (in work). */
import type { Numbers, Structure } from "./contract";
import type { Sign } from "./format";
import type { Tape } from "./tape";

/** A piece of a sentence; `sign` on numbers that are gradients, for their colour. */
export interface Part {
  readonly text: string;
  readonly kind: "plain" | "name" | "number" | "strong";
  readonly sign?: Sign;
}
/** Say what the step at `position` does; empty when there is no such step. */
export function sentenceAt(
  _structure: Structure,
  _numbers: Numbers,
  _tape: Tape,
  _position: number,
  _precision = 4,
): readonly Part[] {
  throw new Error("The sentences are being written.");
}
