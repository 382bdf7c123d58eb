/** Lays out the texts of a preview: which lines, in which size, at which place. All numbers are px. */
import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import type { PreviewContent } from "#app/catalogue/preview-rules.ts";
import { formatKes, formatPrice } from "#app/ui/money.ts";
import type { Font } from "./font.ts";

/** A line of text. `y` is its baseline. */
export interface TextLine {
  text: string;
  x: number;
  y: number;
  size: number;
  width: number;
}

export interface PreviewLayout {
  wordmark: { x: number; y: number };
  name: TextLine[];
  /** Null when the price isn't reduced. */
  wasPrice: TextLine | null;
  price: TextLine;
  facts: TextLine;
}

interface Frame {
  x: number;
  width: number;
  nameSize: number;
  nameY: number;
}

/** The texts stand on the right of the photo. */
const BESIDE_PHOTO: Frame = { x: 674, width: 482, nameSize: 46, nameY: 186 };
const WITHOUT_PHOTO: Frame = { x: 72, width: 860, nameSize: 68, nameY: 206 };

const NAME_LINES_MAX = 3;
const LINE_HEIGHT = 1.16;
/** From large to small. The smallest fits every price. */
const PRICE_SIZES = [72, 60, 48, 40];
const PRICE_Y = 500;
/** On both sides of the price, within its gold field. */
export const PRICE_PADDING = 22;
const WAS_PRICE = { y: 404, size: 30 };
const FACTS = { y: 582, sizes: [28, 24] };

export function layOutPreview(content: PreviewContent, font: Font): PreviewLayout {
  const frame = content.photo ? BESIDE_PHOTO : WITHOUT_PHOTO;
  const { x, width } = frame;
  const line = (text: string, y: number, size: number) => ({ text, x, y, size, width: font.widthOf(text, size) });
  const sizeOf = (text: string, sizes: readonly number[], most: number) =>
    sizes.find((size) => font.widthOf(text, size) <= most) ?? sizes.at(-1) ?? 0;
  const price = formatPrice(content.price);
  const isReduced = content.originalPrice !== null && content.originalPrice > content.price;
  const facts = showable(
    [content.location, CONDITION_LABELS[content.condition]].filter((fact) => fact !== null).join(" · "),
    font,
  );
  const factsSize = sizeOf(facts, FACTS.sizes, width);
  return {
    wordmark: { x, y: 44 },
    name: wrapText(showable(content.name, font), { width, size: frame.nameSize, lines: NAME_LINES_MAX }, font).map(
      (text, n) => line(text, frame.nameY + Math.round(n * frame.nameSize * LINE_HEIGHT), frame.nameSize),
    ),
    wasPrice: isReduced ? line(formatKes(content.originalPrice ?? 0), WAS_PRICE.y, WAS_PRICE.size) : null,
    price: {
      ...line(price, PRICE_Y, sizeOf(price, PRICE_SIZES, width - 2 * PRICE_PADDING)),
      x: x + PRICE_PADDING,
    },
    facts: line(wrapText(facts, { width, size: factsSize, lines: 1 }, font)[0] ?? "", FACTS.y, factsSize),
  };
}

/**
 * The text as the font can show it, on one line: letters that the font lacks lose their accents, and what is still
 * missing, such as emoji, is left out.
 */
export function showable(text: string, font: Font): string {
  const shown = Array.from(text.normalize("NFC"), (character) => {
    if (/\s/u.test(character)) return " ";
    if (font.has(character)) return character;
    return [...character.normalize("NFKD")].filter((part) => font.has(part) && !/\p{M}/u.test(part)).join("");
  });
  return shown.join("").replaceAll(/ +/g, " ").trim();
}

/**
 * Breaks a text into lines that are at most `width` wide, between words, or within a word that is wider than a line.
 * A text that needs more lines ends with an ellipsis.
 */
export function wrapText(
  text: string,
  { width, size, lines: most }: { width: number; size: number; lines: number },
  font: Font,
): string[] {
  const fits = (line: string) => font.widthOf(line, size) <= width;
  const lines: string[] = [];
  let rest = text;
  while (rest !== "" && lines.length < most) {
    if (fits(rest)) return [...lines, rest];
    const isLast = lines.length === most - 1;
    const end = endOfLine(rest, (line) => fits(isLast ? `${line}…` : line));
    const line = rest.slice(0, end).trim();
    lines.push(isLast ? `${line.replace(/[ ,;:.·–-]+$/, "")}…` : line);
    rest = rest.slice(end).trim();
  }
  return lines;
}

/** Where to break: after the last word that fits; within the first word when not even that fits. At least one character. */
function endOfLine(text: string, fits: (line: string) => boolean): number {
  let end = 1;
  while (end < text.length && fits(text.slice(0, end + 1).trim())) end += 1;
  if (text[end] === " ") return end;
  const space = text.lastIndexOf(" ", end);
  return space > 0 ? space : end;
}
