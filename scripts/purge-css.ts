/**
 * Keeps, of Radix Themes' stylesheet, only the rules whose classes, attributes and animations the app can name.
 * It works on the source before hashing, so that a stylesheet's file name always tells its content.
 */
import { globSync, readFileSync } from "node:fs";
import { PurgeCSS } from "purgecss";
import type { Plugin } from "vite";

/** Ours, and the parts of Radix Themes that app/ui/dialog-window.tsx draws with. */
const content = [
  "app/**/*.{ts,tsx}",
  ...["alert-dialog", "dialog", "theme", "heading", "text"].map(
    (part) => `node_modules/@radix-ui/themes/src/components/${part}.tsx`,
  ),
];

/** Radix's variables that our own stylesheets read. */
function variablesInUse(): string[] {
  const sheets = globSync("app/**/*.css").map((file) => readFileSync(file, "utf8"));
  return [...new Set(sheets.join().match(/--[\w-]+/g))];
}

/** Radix's `css` less what the app cannot name. Reads the app's sources from the working directory. */
export async function purge(css: string): Promise<string> {
  const [purged] = await new PurgeCSS().purge({
    css: [{ raw: css }],
    content,
    variables: true,
    keyframes: true,
    fontFace: true,
    defaultExtractor: (source) => source.match(/[\w%-]+/g) ?? [],
    // Radix's primitives set it, whose sources are not read.
    dynamicAttributes: ["data-state"],
    // PurgeCSS takes a selector of pseudo-classes alone, such as :where(:hover), for an unused one.
    safelist: { standard: [/^:/], variables: variablesInUse() },
  });
  return purged?.css ?? css;
}

/** The build's plugin; development serves the whole stylesheet. */
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
