/**
 * Decides between light and dark for one view.
 *
 * In: the element the view lives in and the wish of the `theme` trait.  Out: "light" or "dark",
 * again whenever the host changes.  It exists because every host tells its theme in another way,
 * and one of them (VS Code) gives a white ground under a dark theme.
 */

import { atEnd, on } from "./dom";
import { isNan } from "./maths";

export type Theme = "light" | "dark";
export type ThemeWish = "auto" | Theme;

/** Red, green, blue (0–255) and alpha (0–1). */
export type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** Reads the `rgb(…)` and `color(srgb …)` that `getComputedStyle` answers; null for others. */
export function parseColour(text: string): Colour | null {
  const match = /^(rgba?\(|color\(srgb )([^)]+)\)$/.exec(text.trim());
  if (!match?.[2]) return null;
  const parts = match[2].split(/[\s,/]+/).map(Number);
  const [red, green, blue, alpha = 1] = parts;
  if (red === undefined || green === undefined || blue === undefined) return null;
  const whole = match[1]?.startsWith("rgb") ? 1 : 255;
  return parts.some(isNan) ? null : [red * whole, green * whole, blue * whole, alpha];
}

/** Relative luminance of WCAG 2.2, 0 (black) to 1 (white). */
export function luminance([red, green, blue]: Colour): number {
  const linear = (channel: number): number => {
    const c = channel / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** The theme a ground asks for; null when the ground is seen through. */
export function themeOfGround(colour: Colour | null): Theme | null {
  if (!colour || colour[3] < 0.5) return null;
  return luminance(colour) < 0.2 ? "dark" : "light";
}

/** What the host says about itself in attributes: VS Code's kind, JupyterLab's, marimo's theme. */
export function themeOfHost(body: { className: string; dataset: DOMStringMap }): Theme | null {
  const kind = `${body.dataset.vscodeThemeKind ?? ""} ${body.className}`;
  // The light high-contrast theme also carries the name of the dark one.
  if (/\bvscode-(high-contrast-)?light\b/.test(kind)) return "light";
  if (/\bvscode-(dark|high-contrast)\b/.test(kind)) return "dark";
  if (body.dataset.jpThemeLight === "false") return "dark";
  if (body.dataset.jpThemeLight === "true") return "light";
  const { theme } = body.dataset;
  return theme === "light" || theme === "dark" ? theme : null;
}

/** The element above, out of a shadow tree where there is one. */
function above(element: Element): Element | null {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/** Asks the host's attributes, then the first painted ground above, then the system's wish. */
export function detectTheme(element: HTMLElement): Theme {
  const page = element.ownerDocument;
  const said = themeOfHost(page.body);
  if (said) return said;
  const view = page.defaultView;
  for (let at: Element | null = element; at && view; at = above(at)) {
    const theme = themeOfGround(parseColour(view.getComputedStyle(at).backgroundColor));
    if (theme) return theme;
  }
  return view?.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/**
 * Calls `changed` with the theme now and after each change of the host, until `signal` aborts.
 * `element` is the parent of the view, so that the view's own ground does not answer for the host.
 */
export function watchTheme(
  element: HTMLElement,
  signal: AbortSignal,
  changed: (theme: Theme) => void,
): void {
  const page = element.ownerDocument;
  const tell = (): void => changed(detectTheme(element));
  const observer = new MutationObserver(tell);
  for (const target of [page.documentElement, page.body]) {
    observer.observe(target, { attributes: true });
  }
  atEnd(signal, () => observer.disconnect());
  on(signal, page.defaultView?.matchMedia("(prefers-color-scheme: dark)"), "change", tell);
  tell();
}
