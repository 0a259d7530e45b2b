// Builds the front end: js/ becomes one module and one style sheet in src/glassgrad/static.
//
// esbuild joins the modules; swc then minifies the whole once more, which saves a further 4 %.
// The module travels with every widget and into every saved notebook, so it may not grow unnoticed.

import { mkdir, writeFile } from "node:fs/promises";
import { minify } from "@swc/core";
import { build } from "esbuild";

const OUT = "src/glassgrad/static";
const MOST = 150_000; // bytes of the module
const ECMASCRIPT = 2022; // what the browsers that JupyterLab 4 supports understand

// Names of our own that never travel and are never written as strings: the build shortens them.
const OURS = [
  "consumerEdges",
  "contributions",
  "gradients",
  "operandEdges",
  "readings",
  "structure",
];

const { outputFiles } = await build({
  entryPoints: ["js/index.ts", "js/theme.css"],
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "esm",
  target: `es${ECMASCRIPT}`,
  charset: "utf8",
  mangleProps: new RegExp(`^(${OURS.join("|")})$`),
  write: false,
});
const [script, style] = [".js", ".css"].map((end) =>
  outputFiles.find(({ path }) => path.endsWith(end)),
);

const quoted = OURS.filter((name) => new RegExp(`["'\`]${name}["'\`]`).test(script.text));
if (quoted.length > 0) {
  console.error(`The build shortens ${quoted}, which js/ also writes as a string: rename one.`);
  process.exit(1);
}

// Of swc's unsafe options only the one is on that makes arrows of functions: none of ours is called
// with `new`, and where one says `this` or `arguments`, swc leaves it alone.
const { code } = await minify(script.text, {
  module: true,
  compress: { ecma: ECMASCRIPT, passes: 3, toplevel: true, unsafe_arrows: true },
  mangle: { toplevel: true },
  format: { ecma: ECMASCRIPT, comments: false },
});

const size = Buffer.byteLength(code);
if (size >= MOST) {
  console.error(
    `The front end is ${size} bytes and has to stay under ${MOST}, because every saved notebook carries it: ` +
      "make what you added smaller.",
  );
  process.exit(1);
}
await mkdir(OUT, { recursive: true });
await writeFile(`${OUT}/index.js`, code);
await writeFile(`${OUT}/theme.css`, style.text);
console.log(`${OUT}/index.js: ${size} bytes; there is room for ${MOST - 1 - size} more.`);
