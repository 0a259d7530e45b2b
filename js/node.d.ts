/** The one thing of Node that a test uses: reading the style sheet it checks. */
declare module "node:fs" {
  export function readFileSync(path: URL, encoding: "utf8"): string;
}
