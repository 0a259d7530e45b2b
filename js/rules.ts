/** Rules (in work). */
import type { Expression } from "./contract";

/** Evaluate an expression with the numbers of its variables. */
export function evaluate(_expr: Expression, _env: Readonly<Record<string, number>>): number {
  throw new Error("The rules are being written.");
}
/** Put names or numbers into a template: fill("1 − {out}²", { out: "a * b" }) is "1 − (a * b)²". */
export function fill(_template: string, _fillings: Readonly<Record<string, string>>): string {
  throw new Error("The rules are being written.");
}
/** ∂(a·b)/∂a, the left side of a rule in symbols. */
export function derivativeOf(_result: string, _operand: string): string {
  throw new Error("The rules are being written.");
}
