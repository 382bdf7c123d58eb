/**
 * Removes the rules of Radix Themes' stylesheet that the app can't use, by class, attribute and animation names. It
 * works on the source before hashing, so that a stylesheet's file name always follows from its content.
 */
import { PurgeCSS } from "purgecss";
import type { Plugin } from "vite";

/** Our own, and the parts of Radix Themes that app/ui/dialog-window.tsx uses. */
const content = [
  "app/**/*.{ts,tsx}",
  ...["alert-dialog", "dialog", "theme", "heading", "text"].map(
    (part) => `node_modules/@radix-ui/themes/src/components/${part}.tsx`,
  ),
];

/**
 * Radix's `css` without the rules that the app can't use. Reads the app's sources from the working directory. All
 * variables stay: PurgeCSS doesn't see those that only other variables refer to.
 */
export async function purge(css: string): Promise<string> {
  const [purged] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content,
    keyframes: true,
    fontFace: true,
    defaultExtractor: (source) => source.match(/[\w%-]+/g) ?? [],
    // Set by Radix's primitives, whose sources aren't read.
    dynamicAttributes: ["data-state"],
    // PurgeCSS would remove selectors that consist only of pseudo-classes, such as :where(:hover).
    safelist: { standard: [/^:/] },
  });
  return purged?.css ?? css;
}

/** Rules that most pages don't need. They come in sheets of their own, `radix-….css`, with the component that needs them. */
const PARTS = {
  dialog: /\.rt-((AlertDialog|BaseDialog|Dialog)\w*|Heading\b|Text\b)|^@keyframes rt-(dialog|fade)/,
  "text-area": /\.rt-TextArea/,
} as const;

export type PartOfRadix = keyof typeof PARTS;

/** Rules for elements, variants and sizes in which app/ui draws none of these components. Each must match a rule. */
export const UNUSED_VARIANTS: readonly RegExp[] = [
  // Those of app/ui/tone.ts are in use. PurgeCSS keeps each other colour whose name the app's sources hold as a word.
  /\[data-accent-color=["']?(?!gold|gray|orange|blue|green|red)\w/,
  /\.rt-reset:where\((?!:|\[|[^)]*\b(a|button|input|select|textarea)\b)/,
  /\.rt-Text(Field|Area)Root:where\(\.rt-(r-size-2|variant-soft)\)/,
  /\.rt-CalloutRoot:where\(\.rt-(r-size-3|variant-surface|variant-outline)\)/,
  /\.rt-Badge:where\(\.rt-(r-size-3|variant-solid|variant-surface|variant-outline)\)/,
  /\.rt-BaseButton:where\(\.rt-variant-surface\)/,
  /\.rt-BaseButton:where\(\.rt-variant-\w+\):where\(\[data-state=(["']?)open\1\]\)/,
  /\.rt-Spinner:where\(\.rt-r-size-3\)/,
];

/** The rules of a sheet whose selector or name passes, also within other blocks. Blocks that become empty go. */
export function keepRules(source: string, isKept: (prelude: string) => boolean): string {
  const css = source.replaceAll(/\/\*.*?\*\//gs, "");
  let kept = "";
  for (let at = 0; at < css.length;) {
    const open = css.indexOf("{", at);
    if (open < 0) return kept + css.slice(at);
    // What stands alone, such as an import, ends with a semicolon.
    const start = Math.max(at, css.lastIndexOf(";", open) + 1);
    const end = findEnd(css, open);
    const prelude = css.slice(start, open).trim();
    kept += css.slice(at, start);
    if (/^@(media|supports|layer)\b/.test(prelude)) {
      const inner = keepRules(css.slice(open + 1, end), isKept);
      if (inner.trim() !== "") kept += `${prelude}{${inner}}`;
    } else if (isKept(prelude)) kept += css.slice(start, end + 1);
    at = end + 1;
  }
  return kept;
}

/** Where the block ends that opens there. Radix's values hold no braces. */
function findEnd(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at += 1) {
    if (css[at] === "{") depth += 1;
    if (css[at] === "}" && (depth -= 1) === 0) return at;
  }
  throw new Error("A block of Radix's stylesheet doesn't end.");
}

/** What every page needs of Radix's `css`. */
export async function purgeForPages(css: string): Promise<string> {
  const isInPart = (prelude: string) => Object.values(PARTS).some((part) => part.test(prelude));
  return keepRules(await purge(css), (prelude) => !isInPart(prelude) && isUsed(prelude));
}

/** What only dialogs, or text areas, need of Radix's `css`. */
export async function purgeForPart(css: string, part: PartOfRadix): Promise<string> {
  return keepRules(await purge(css), (prelude) => PARTS[part].test(prelude) && isUsed(prelude));
}

function isUsed(prelude: string): boolean {
  return !UNUSED_VARIANTS.some((unused) => unused.test(prelude));
}

/** The Vite plugin. Development serves the whole stylesheet. */
export function purgeRadixCss(): Plugin {
  return {
    name: "purge-radix-css",
    apply: "build",
    async transform(css, id) {
      const found = /\/app\/ui\/styles\/radix(?:-([\w-]+))?\.css(\?|$)/.exec(id);
      if (!found) return null;
      const [, part] = found;
      return {
        code: await (part === undefined ? purgeForPages(css) : purgeForPart(css, part as PartOfRadix)),
        map: null,
      };
    },
  };
}
