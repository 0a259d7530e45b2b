/** Layered layout (in work). */
export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface LayoutInput {
  readonly sizes: readonly Size[];
  /** Edges by node index; those of one target stand in operand order. */
  readonly edges: readonly { readonly source: number; readonly target: number }[];
}
export interface LayoutOptions {
  readonly rankdir?: "LR" | "TB";
  /** Room between layers, for the curves. */
  readonly layerGap?: number;
  /** Room between neighbours in a layer. */
  readonly nodeGap?: number;
}
export interface Layout {
  readonly width: number;
  readonly height: number;
  /** Per node: its centre. */
  readonly nodes: readonly Point[];
  /** Per node: its layer, 0 at the inputs. */
  readonly layers: readonly number[];
  /** Per edge: the points between its ends, in order from source to target. */
  readonly routes: readonly (readonly Point[])[];
}
export function layout(_input: LayoutInput, _options: LayoutOptions = {}): Layout {
  throw new Error("The layout is being written.");
}
