/**
 * Draws app/ui/pictures/icons.svg from our logo and Lucide's icons, as listed in app/ui/pictures/icon-names.ts: `node
 * scripts/make-icons.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { LucideIcon } from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { iconNames } from "#app/ui/pictures/icon-names.ts";

async function drawSymbol(name: string): Promise<string> {
  const icon: { default: LucideIcon } = await import(`lucide-react/icons/${name}`);
  const shapes = renderToStaticMarkup(createElement(icon.default)).replace(/^<svg[^>]*>|<\/svg>$/g, "");
  return `<symbol id="${name}" viewBox="0 0 24 24">${shapes.replace(/><\/\w+>/g, "/>")}</symbol>`;
}

/** Our logo is among the icons, so that pages don't load another picture for it. */
function drawSign(): string {
  const lines = readFileSync("public/favicon.svg", "utf8")
    .split("\n")
    .map((line) => line.trim());
  return lines
    .join("")
    .replace(/^<svg xmlns="[^"]+"/, '<symbol id="sign"')
    .replace(/<\/svg>$/, "</symbol>");
}

const symbols = await Promise.all(iconNames.map(drawSymbol));
const license = "<!-- Icons by Lucide (lucide.dev), ISC license -->";
writeFileSync(
  "app/ui/pictures/icons.svg",
  `<svg xmlns="http://www.w3.org/2000/svg">${license}\n${[drawSign(), ...symbols].join("\n")}\n</svg>\n`,
);
