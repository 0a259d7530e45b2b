/**
 * What the page asks of the kernel: one message per command, typed once.
 *
 * In: what the user does.  Out: messages that `src/glassgrad/notebook/commands.py` checks and obeys;
 * the kernel answers by assigning traits.  `tests/data/protocol.json` holds the two sides to one list.
 */

export type Command =
  | { readonly command: "backward" }
  | { readonly command: "zero_grad" }
  /** Runs the own rule of a node, which is meant by its id. */
  | { readonly command: "run_rule"; readonly node: number }
  | { readonly command: "set_grad"; readonly node: number; readonly grad: number }
  /** Asks what other data at some leaves, by id, would lead to; changes nothing. */
  | { readonly command: "what_if"; readonly data: Readonly<Record<string, number>> }
  /** Writes such data into the user's own values and computes them again. */
  | { readonly command: "set_data"; readonly data: Readonly<Record<string, number>> }
  /** Has the groups of these names open, and no others. */
  | { readonly command: "open"; readonly names: readonly string[] }
  /** Puts values that belong together on one card, or each on its own. */
  | { readonly command: "fold" | "unfold" }
  /** Takes the last move by hand back. */
  | { readonly command: "undo" }
  /** Gives every gradient back what it held before the first move by hand. */
  | { readonly command: "restore" };

/** Hands a command to the kernel, or to what stands in for it on a page that has none. */
export type Send = (command: Command) => void;
