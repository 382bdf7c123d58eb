/**
 * What a layer over the page looks like in the end, by its pixels: whether the page shows through, and what dims it.
 */
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { expect, showTheme } from "./browser.ts";

export interface Layer {
  /** How a failure names it. */
  name: string;
  /** Its box, which paints the background of its texts. */
  box: Locator;
  /**
   * What sets it apart from the page: a modal layer dims the page, a floating one has a shadow. A layer that fills the
   * screen, or a bar at its edge, needs neither.
   */
  apart: "dimmed" | "shadow" | "nothing";
  /** An element of the page that belongs to it: what dims the page, or what must keep the focus. */
  beside?: Locator;
}

interface Picture {
  width: number;
  height: number;
  /** Red, green and blue of each pixel, row by row. */
  data: Uint8Array;
}
type Colour = readonly [red: number, green: number, blue: number];

interface Words {
  text: string;
  /** In px of the screen. */
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Red, green, blue and alpha, 0 to 255. */
  colour: readonly [number, number, number, number];
  /** The least contrast that WCAG AA asks for. */
  least: number;
}

/** Behind a layer, the page becomes first white and then black. */
const BEHIND = ["white", "black"] as const;
/** By how much a channel of an opaque pixel may differ between the two. Rounding alone makes 1. */
const ROUNDING = 3;
/** A pixel beside a layer, white without it, is darker in a shadow and much darker where the page is dimmed. */
const SHADED = 252;
const DIMMED = 215;
/** How far from a layer its shadow is looked for, in px. */
const BESIDE_PX = 6;

/** Fails if a text of the layer can't be read in one of the themes, or if the layer doesn't stand out from the page. */
export async function expectPainted(page: Page, layers: readonly Layer[]): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await showTheme(page, theme);
    for (const layer of layers)
      expect(await findPaintFaults(page, layer), `${layer.name} in the ${theme} theme`).toEqual([]);
  }
}

async function findPaintFaults(page: Page, { box, apart, beside }: Layer): Promise<string[]> {
  for (const part of [box, ...(beside ? [beside] : [])])
    await part.evaluate((element) => element.setAttribute("data-painted", ""));
  const words = await box.evaluate(readWords);
  const edges = await box.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
  const [white, black] = [await takeBefore(page, BEHIND[0]), await takeBefore(page, BEHIND[1])];
  await page.evaluate(() => {
    for (const marked of document.querySelectorAll("[data-painted]")) marked.removeAttribute("data-painted");
  });
  const faults = words.length === 0 ? ["It has no text."] : [];
  for (const each of words) faults.push(...findTextFaults(each, white, black));
  if (apart === "shadow" && !pixelsBeside(white, edges).some((colour) => Math.max(...colour) <= SHADED))
    faults.push("It has no shadow.");
  if (apart === "dimmed") {
    const outside = pixelsOutside(white, edges);
    const dimmed = outside.filter((colour) => Math.max(...colour) <= DIMMED).length;
    if (dimmed < outside.length / 2) faults.push("It does not dim the page.");
  }
  return faults;
}

/** The screen with the layer over a page of one colour. */
async function takeBefore(page: Page, colour: string): Promise<Picture> {
  const style = await page.addStyleTag({
    content: `
      html, body { background: ${colour} !important; }
      .document:not([data-painted]),
      .document *:not([data-painted], [data-painted] *) { visibility: hidden !important; }
      [data-painted] { visibility: visible !important; }
      * { transition: none !important; caret-color: transparent !important; }`,
  });
  const { data, info } = await sharp(await page.screenshot({ scale: "css" }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  await style.evaluate((element) => (element as Element).remove());
  return { width: info.width, height: info.height, data };
}

function pixel({ width, data }: Picture, left: number, top: number): Colour {
  const at = 3 * (top * width + left);
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

function findTextFaults(words: Words, white: Picture, black: Picture): string[] {
  const counts = new Map<string, { colour: Colour; times: number }>();
  let seenThrough = 0;
  let all = 0;
  for (let top = Math.ceil(words.top); top < Math.floor(words.bottom); top += 1)
    for (let left = Math.ceil(words.left); left < Math.floor(words.right); left += 1) {
      const colour = pixel(white, left, top);
      const other = pixel(black, left, top);
      all += 1;
      if (colour.some((channel, at) => Math.abs(channel - (other[at] ?? 0)) > ROUNDING)) seenThrough += 1;
      const known = counts.get(colour.join());
      if (known) known.times += 1;
      else counts.set(colour.join(), { colour, times: 1 });
    }
  if (seenThrough > all / 100) return [`The page shows through under “${words.text}”.`];
  const [background] = [...counts.values()].toSorted((a, b) => b.times - a.times);
  if (!background) return [];
  const found = contrast(over(words.colour, background.colour), background.colour);
  return found >= words.least ? [] : [`“${words.text}” has a contrast of ${found.toFixed(2)}.`];
}

function over([red, green, blue, alpha]: Words["colour"], below: Colour): Colour {
  const share = alpha / 255;
  const mix = (channel: number, other: number) => channel * share + other * (1 - share);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2])];
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG's contrast ratio, 1 to 21. */
function contrast(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** A few pixels near the middle of each side that is on the screen. */
function pixelsBeside(picture: Picture, { left, top, right, bottom }: DOMRect): Colour[] {
  const [middle, centre] = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
  const places = [
    [middle, Math.floor(top) - BESIDE_PX],
    [middle, Math.ceil(bottom) + BESIDE_PX],
    [Math.floor(left) - BESIDE_PX, centre],
    [Math.ceil(right) + BESIDE_PX, centre],
  ] as const;
  return places
    .filter(([x, y]) => x >= 0 && y >= 0 && x < picture.width && y < picture.height)
    .map(([x, y]) => pixel(picture, x, y));
}

/** Each twelfth pixel of the screen that is not the layer's. */
function pixelsOutside(picture: Picture, { left, top, right, bottom }: DOMRect): Colour[] {
  const found: Colour[] = [];
  for (let y = 6; y < picture.height; y += 12)
    for (let x = 6; x < picture.width; x += 12)
      if (x < left || x > right || y < top || y > bottom) found.push(pixel(picture, x, y));
  return found;
}

/** Runs in the page: the texts of a layer that are on the screen and under nothing else, line by line. */
function readWords(layer: Element): Words[] {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("The browser has no canvas.");
  const asBytes = (colour: string, opacity: number): Words["colour"] => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha * opacity];
  };
  const found: Words[] = [];
  // A line that its lower edge cuts off belongs to the page there.
  const lower = getComputedStyle(layer).overflowY === "visible" ? innerHeight : layer.getBoundingClientRect().bottom;
  const add = (text: string, element: Element, rects: Iterable<DOMRect>) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    let opacity = 1;
    for (let each: Element | null = element; each; each = each.parentElement)
      opacity *= Number(getComputedStyle(each).opacity);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    for (const { left, top, right, bottom } of rects) {
      const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isInView = left >= 0 && top >= 0 && right <= innerWidth && bottom <= Math.min(innerHeight, lower);
      // What assistive technology alone reads is a pixel large.
      if (!isInView || right - left < 4 || bottom - top < 6 || !at || !(element.contains(at) || at.contains(element)))
        continue;
      found.push({ text, left, top, right, bottom, colour: asBytes(color, opacity), least: isLarge ? 3 : 4.5 });
    }
  };
  const walker = document.createTreeWalker(layer, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    // WCAG asks nothing of what can't be used.
    if (!element || text === "" || element.closest(":disabled, [aria-disabled=true], script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    add(text, element, range.getClientRects());
  }
  for (const field of layer.querySelectorAll(
    "input:not([type=checkbox], [type=radio], [type=range]), textarea, select",
  ))
    if (field instanceof HTMLElement && "value" in field && field.value !== "" && !field.matches(":disabled"))
      add(String(field.value), field, [field.getBoundingClientRect()]);
  return found;
}
