/**
 * A folded picture: cards that stand for many values, and that open and close.
 *
 * In: what is folded, as the kernel says it.  Out: commands, which the kernel answers with another
 * picture.  It takes the place of a mode, for the others look at single values.
 */

import type { Structure } from "../contract";
import { html, text } from "../dom";
import { formatCount } from "../format";
import { createChips } from "../panels/chips";
import { say, strong } from "../phrases";
import { pin } from "../store";
import type { Mode } from "./mode";

/** The names of the groups that are open. */
const namesOf = ({ folds }: Structure): string[] => (folds?.opened ?? []).map(([name]) => name);

/** Nothing of its own is kept: what is open stands in the structure. */
export const FOLDED: Mode<null> = {
  name: "folded",
  title: "",
  hint: "",
  begin: () => null,
  read: () => null,
  overlay: () => ({}),
  panel({ send }, signal) {
    let names: readonly string[] = [];
    const chips = createChips("Open groups", signal, (at) =>
      send({ command: "open", names: names.filter((_, other) => other !== at) }),
    );
    const hint = html("span", "gg-counts");
    return {
      controls: [chips.element, hint],
      show({ structure }) {
        const { folds, nodes, total } = structure;
        names = namesOf(structure);
        chips.show((folds?.opened ?? []).map(([, label], key) => ({ key, text: `${label} ×` })));
        const counts = `${formatCount(nodes.id.length, "card")} for ${formatCount(total, "value")}`;
        text(hint, `${counts}. Press a stack to open it.`);
      },
    };
  },
  press(node, { structure }, _, { send, update }) {
    const group = structure.folds?.groups.get(node);
    if (group) send({ command: "open", names: [...namesOf(structure), group.name] });
    else update(pin(structure.nodes.id[node] as number));
  },
};

/** The same where somebody asks for steps or for a mode. */
export const REFUSED: Mode<null> = {
  ...FOLDED,
  overlay: () => ({
    sentence: say`${strong("This picture is folded.")} Steps and modes look at single values: unfold it in the menu View, or show a smaller part with gg.show(value).`,
  }),
};
