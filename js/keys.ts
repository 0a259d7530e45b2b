/** Keys: what they do, kept from the host; and the list of them that the help shows. */

/** Runs the action of a key and keeps the key from the host; other keys go their way. */
export function handleKey(
  event: KeyboardEvent,
  actions: Readonly<Record<string, () => void>>,
): void {
  const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
  if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** Whether a key is being written into a field, and is no command. */
export const isTyped = ({ target, key }: KeyboardEvent): boolean =>
  key.length === 1 && target instanceof Element && target.matches("input, textarea, select");

export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Tab", "into the picture, and on to the buttons"],
  ["← → ↑ ↓", "walk along the graph: to an operand, a consumer, a neighbour"],
  ["Enter", "pin a value, or let it go; in a mode, its move"],
  ["[ ]", "one step back, one step on"],
  ["/", "find a value; Enter goes to the next one"],
  ["t", "a table instead of the picture, and back"],
  ["+ − 0", "zoom in, zoom out, show all"],
  ["Esc", "let go, close, leave"],
  ["?", "this list"],
  ["drag, wheel", "move the picture; Ctrl + wheel, or the wheel after a press, zooms"],
];
