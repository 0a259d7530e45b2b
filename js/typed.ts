/** Numbers as people type them. */

const NAMED: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
]);
const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/;

/**
 * Reads "-3", "−0,5", "1e-4", "2/3", "inf" or "nan"; null for anything else.
 *
 * A comma is taken for a decimal point, and the long minus of the pictures for a hyphen.
 */
export function readTyped(typed: string): number | null {
  const [above = "", below, ...rest] = typed
    .trim()
    .toLowerCase()
    .replaceAll("−", "-")
    .replaceAll(",", ".")
    .split("/");
  if (rest.length > 0) return null;
  const top = readPlain(above);
  if (below === undefined || top === null) return top;
  const bottom = readPlain(below);
  return bottom === null ? null : top / bottom;
}

function readPlain(typed: string): number | null {
  const [, sign = "", size = ""] = /^\s*([-+]?)\s*(.*?)\s*$/.exec(typed) ?? [];
  const value = NAMED.get(size) ?? (DECIMAL.test(size) ? Number(size) : null);
  return value === null ? null : sign === "-" ? -value : value;
}
