/**
 * Removes the rules of Radix Themes' stylesheet that the app can't use, by class, attribute and animation names. It
 * works on the source before hashing, so that a stylesheet's file name always follows from its content.
 */
import { globSync, readFileSync } from "node:fs";
import { PurgeCSS } from "purgecss";
import type { Plugin } from "vite";

/** Our own, and the parts of Radix Themes that app/ui/dialog-window.tsx uses. */
const content = [
  "app/**/*.{ts,tsx}",
  ...["alert-dialog", "dialog", "theme", "heading", "text"].map(
    (part) => `node_modules/@radix-ui/themes/src/components/${part}.tsx`,
  ),
];

/** Radix's variables that our stylesheets use. */
function variablesInUse(): string[] {
  const sheets = globSync("app/**/*.css").map((file) => readFileSync(file, "utf8"));
  return [...new Set(sheets.join().match(/--[\w-]+/g))];
}

/** Radix's `css` without the rules that the app can't use. Reads the app's sources from the working directory. */
export async function purge(css: string): Promise<string> {
  const [purged] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content,
    variables: true,
    keyframes: true,
    fontFace: true,
    defaultExtractor: (source) => source.match(/[\w%-]+/g) ?? [],
    // Set by Radix's primitives, whose sources aren't read.
    dynamicAttributes: ["data-state"],
    // PurgeCSS would remove selectors that consist only of pseudo-classes, such as :where(:hover).
    safelist: { standard: [/^:/], variables: variablesInUse() },
  });
  return purged?.css ?? css;
}

/** The Vite plugin. Development serves the whole stylesheet. */
export function purgeRadixCss(): Plugin {
  return {
    name: "purge-radix-css",
    apply: "build",
    async transform(css, id) {
      if (!/\/app\/ui\/styles\/radix\.css(\?|$)/.test(id)) return null;
      return { code: await purge(css), map: null };
    },
  };
}
