import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Colour, luminance, parseColour, themeOfGround, themeOfHost } from "./theme";

describe("parseColour", () => {
  it("reads what getComputedStyle answers", () => {
    expect(parseColour("rgb(20, 24, 31)")).toEqual([20, 24, 31, 1]);
    expect(parseColour("rgba(0, 0, 0, 0)")).toEqual([0, 0, 0, 0]);
    expect(parseColour("rgb(1 2 3 / 0.5)")).toEqual([1, 2, 3, 0.5]);
    expect(parseColour("color(srgb 1 0.2 0)")).toEqual([255, 51, 0, 1]);
    expect(parseColour("color(srgb 0 0 0 / 0.5)")).toEqual([0, 0, 0, 0.5]);
    expect(parseColour("color(display-p3 1 0 0)")).toBeNull();
    expect(parseColour("transparent")).toBeNull();
    expect(parseColour("rgb(x, y, z)")).toBeNull();
  });
});

describe("the host's theme", () => {
  it("is told by a painted ground and not by one that is seen through", () => {
    expect(themeOfGround([255, 255, 255, 1])).toBe("light");
    expect(themeOfGround([20, 24, 31, 1])).toBe("dark");
    expect(themeOfGround([0, 0, 0, 0])).toBeNull();
    expect(themeOfGround(null)).toBeNull();
  });

  it.each([
    ["", { jpThemeLight: "false" }, "dark"],
    ["", { jpThemeLight: "true" }, "light"],
    ["vscode-dark", {}, "dark"],
    ["", { vscodeThemeKind: "vscode-light" }, "light"],
    ["vscode-high-contrast", {}, "dark"],
    ["vscode-high-contrast vscode-high-contrast-light", {}, "light"],
    ["dark dark-theme", { theme: "dark" }, "dark"],
    ["", { theme: "light" }, "light"],
    ["", { theme: "solarized" }, null],
    ["notebook", {}, null],
  ] as const)("is read from %j %j", (className, dataset, expected) => {
    expect(themeOfHost({ className, dataset })).toBe(expected);
  });
});

describe("contrast", () => {
  const css = readFileSync(new URL("./palette.css", import.meta.url), "utf8");

  /** The custom properties of a rule of the palette. */
  function palette(selector: string): Map<string, string> {
    const start = css.indexOf(`${selector} {`);
    const block = css.slice(start, css.indexOf("}", start));
    const found = block.matchAll(/--gg-([\w-]+): (#[0-9a-f]{6});/g);
    return new Map([...found].map(([, name, hex]) => [name as string, hex as string]));
  }

  const colour = (hex: string): Colour => [
    Number.parseInt(hex.slice(1, 3), 16),
    Number.parseInt(hex.slice(3, 5), 16),
    Number.parseInt(hex.slice(5, 7), 16),
    1,
  ];

  function contrast(one: string, other: string): number {
    const [low, high] = [one, other].map((hex) => luminance(colour(hex))).sort((a, b) => a - b);
    return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
  }

  const light = palette(".gg");
  const dark = new Map([...light, ...palette('.gg[data-theme="dark"]')]);
  const inks = ["ink", "mute", "pos", "neg", "bad"];
  const grounds = ["bg", "panel", "card", "wash"];
  const pairs = [
    ...inks.flatMap((ink) => grounds.map((ground) => [ink, ground] as const)),
    ["bg", "accent"],
    ["done", "card"],
    ["ink", "bad-wash"],
    ["mute", "bad-wash"],
  ] as const;

  it.each([
    ["light", light],
    ["dark", dark],
  ] as const)("of every text is 4.5 or more in the %s theme", (_, colours) => {
    const low = pairs
      .map(([ink, ground]) => {
        const ratio = contrast(colours.get(ink) ?? "#000000", colours.get(ground) ?? "#000000");
        return [ink, ground, Math.round(ratio * 100) / 100] as const;
      })
      .filter(([, , ratio]) => ratio < 4.5);
    expect(low).toEqual([]);
  });
});
