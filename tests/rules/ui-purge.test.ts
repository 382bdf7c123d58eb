import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { purge } from "#scripts/purge-css.ts";

const radix = ["tokens/base.css", "components.css"]
  .map((file) => readFileSync(`node_modules/@radix-ui/themes/${file}`, "utf8"))
  .join("\n");
const purged = await purge(radix);

test("rules of the parts the app draws stay, with their sizes, variants and states", () => {
  const kept = [
    ".rt-BaseButton:where(:not(.rt-variant-ghost))",
    ".rt-BaseButton:where(.rt-r-size-4)",
    ".rt-BaseButton:where(.rt-variant-soft):where(:hover)",
    ".rt-BaseButton:where(.rt-variant-solid):where([data-disabled])",
    ".rt-TextFieldRoot:where(.rt-variant-surface)",
    ".rt-BaseDialogOverlay",
    "[data-accent-color='orange']",
    ".radix-themes:where([data-scaling='100%'])",
    ".radix-themes:where([data-gray-color='sand'])",
    ":is(.dark) :where(.radix-themes:not(.light, .light-theme))",
    "@keyframes rt-dialog-content-show",
  ];
  expect(kept.filter((selector) => !purged.includes(selector))).toEqual([]);
});

test("rules of parts, colours and screen widths the app does not use go", () => {
  const unused = [".rt-Avatar", ".rt-SliderRoot", "[data-accent-color='tomato']", ".xs\\:rt-r-size-1", "@font-face"];
  expect(unused.filter((selector) => !radix.includes(selector))).toEqual([]);
  expect(unused.filter((selector) => purged.includes(selector))).toEqual([]);
});

test("what stays of Radix weighs less than 9 KB, compressed", () => {
  expect(gzipSync(purged).byteLength).toBeLessThan(9_000);
});
