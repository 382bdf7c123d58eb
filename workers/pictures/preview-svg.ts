import { brand } from "#app/ui/brand.ts";
import { PRICE_PADDING, type PreviewLayout, type TextLine } from "./preview-layout.ts";

/** The colours are steps of the light theme in app/ui/styles/theme.css. */
const COLOURS = {
  paper: "#fdfdfb",
  soft: "#faeaba",
  gold: "#e7c65f",
  ink: "#211e18",
  quiet: "#635f56",
  wordmark: "#7a5d11",
};

/** The drawing of public/favicon.svg, 64 px wide. */
const MARK = `<rect width="64" height="64" rx="18" fill="#e7c65f"/><path d="M15 30h34l2.6 20.2A5 5 0 0 1 46.6 56H17.4a5 5 0 0 1-5-5.8Z" fill="#231c07"/><path d="M24 37a8 8 0 0 0 16 0" fill="none" stroke="#e7c65f" stroke-width="4" stroke-linecap="round"/><path d="M32 8 58 18.5 32 29 6 18.5Z" fill="#231c07" stroke="#e7c65f" stroke-width="2.5" stroke-linejoin="round"/><path d="M51 21.5V32" stroke="#231c07" stroke-width="3.2" stroke-linecap="round"/><circle cx="51" cy="34.5" r="3.4" fill="#231c07"/>`;

const MARK_SIDE = 54;
const PILL = { above: 0.98, below: 0.36, radius: 22 };

/** A preview as SVG, in px. The photo is drawn over it; without one the card is drawn on gold. */
export function previewSvg(
  { wordmark, name, wasPrice, price, facts }: PreviewLayout,
  { width, height, hasPhoto }: { width: number; height: number; hasPhoto: boolean },
): string {
  const background = hasPhoto ? COLOURS.paper : COLOURS.soft;
  const pillTop = price.y - Math.round(price.size * PILL.above);
  const pillHeight = Math.round(price.size * (PILL.above + PILL.below));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${background}"/>`,
    hasPhoto ? "" : `<g transform="translate(${width - 420} ${height - 400}) scale(7)" opacity="0.35">${MARK}</g>`,
    `<g transform="translate(${wordmark.x} ${wordmark.y}) scale(${MARK_SIDE / 64})">${MARK}</g>`,
    textOf({ text: brand.name, x: wordmark.x + MARK_SIDE + 14, y: wordmark.y + 41, size: 40 }, COLOURS.wordmark),
    ...name.map((line) => textOf(line, COLOURS.ink)),
    wasPrice ? textOf(wasPrice, COLOURS.quiet) : "",
    wasPrice
      ? `<rect x="${wasPrice.x - 2}" y="${wasPrice.y - Math.round(wasPrice.size * 0.34)}" width="${Math.round(wasPrice.width) + 4}" height="3" fill="${COLOURS.quiet}"/>`
      : "",
    `<rect x="${price.x - PRICE_PADDING}" y="${pillTop}" width="${Math.round(price.width) + 2 * PRICE_PADDING}" height="${pillHeight}" rx="${PILL.radius}" fill="${COLOURS.gold}"/>`,
    textOf(price, COLOURS.ink),
    textOf(facts, COLOURS.quiet),
    `</svg>`,
  ].join("");
}

function textOf({ text, x, y, size }: Omit<TextLine, "width">, colour: string): string {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="700" fill="${colour}">${escapeXml(text)}</text>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? "");
}
