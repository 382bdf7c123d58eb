/** Which photos are accepted, and which sizes are kept. */
import { UPLOAD_MAX_BYTES } from "#app/platform/upload-rules.ts";

/** Bytes of all variants of one photo together, or of an original from a browser without scripts: 10 MB. */
export const PHOTO_MAX_BYTES = UPLOAD_MAX_BYTES;

/**
 * Widths of variants in px, for photos that are large enough: for a card on most phones, a card on a sharp screen, the
 * whole width of a phone, and a photo that is enlarged.
 */
const WIDTHS = [320, 640, 1080, 1600] as const;

/** A preview in px. Chats and social networks ask for this size. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

/** WhatsApp shows no larger picture. */
export const PREVIEW_MAX_BYTES = 300_000;

/** The preview's name in the folder of its photo. A JPEG photo may have a variant called `1200.jpg`. */
export const PREVIEW_FILE = "preview.jpg";

/** The address of a photo's preview; null where it has none. */
export function previewPath({ key, preview }: { key: string; preview?: boolean }): string | null {
  return preview ? `/files/${key}/${PREVIEW_FILE}` : null;
}

/** The variants of a portrait: squares of this many px. */
export const PORTRAIT_SIDES = [96, 320] as const;

/** The largest square in the middle of a photo, in whole px; null when it is too small for the smallest portrait. */
export function portraitPart({ width, height }: Size): (Size & { x: number; y: number }) | null {
  const side = Math.min(width, height);
  if (side < PORTRAIT_SIDES[0]) return null;
  return { width: side, height: side, x: Math.floor((width - side) / 2), y: Math.floor((height - side) / 2) };
}

/** Whether these sizes, smallest first, are the variants of a portrait. */
export function arePortrait(sizes: readonly Size[]): boolean {
  return (
    sizes.length === PORTRAIT_SIDES.length &&
    sizes.every(({ width, height }, at) => width === PORTRAIT_SIDES[at] && height === width)
  );
}

/** The greatest height of a variant in px. A screenshot of a long page is made narrower. */
const HEIGHT_MAX = 2_400;

/** The shortest side allowed, in px. */
const SIDE_MIN = 32;

/** The longest side of an original, in px, because phones decode every pixel that they show. */
const SIDE_MAX = 4_096;

/** Pixels of an original: 12 megapixels, as phones take photos (4096 × 3072). */
const PIXELS_MAX = 12 * 1024 * 1024;

/** The width of a smaller variant, as a share of the largest one's. A wider one isn't worth its bytes. */
const VARIANT_SHARE_MAX = 0.8;

export type PhotoRefusal =
  | "not_image"
  | "heic"
  | "too_large"
  | "too_small"
  | "too_many_pixels"
  | "unreadable"
  | "busy"
  | "too_many"
  | "removed"
  | "gone";

export const PHOTO_TEXTS = {
  not_image: "Please upload an image file",
  heic: "We can't read this HEIC photo. Please choose a JPG or PNG",
  too_large: "This photo is larger than 10 MB",
  too_small: "This photo is too small. Please choose a larger one",
  too_many_pixels: "This photo is too large. Please choose one of up to 12 megapixels and 4096 pixels on each side",
  unreadable: "We couldn't read this photo. Please choose another one",
  busy: "Please wait a moment, then try again",
  too_many: "You've uploaded too many photos today. Please try again tomorrow",
  removed: "Our team took this photo down. Please choose another one",
  gone: "A photo is no longer available. Please add it again",
  changed: "The photos were changed meanwhile, too. Save again to keep the photos that you see here.",
} as const satisfies Record<PhotoRefusal | "changed", string>;

interface Size {
  /** px. */
  width: number;
  height: number;
}

/** The variants of a photo of this size, smallest first. Null when the photo is too small. */
export function variantSizes({ width, height }: Size): Size[] | null {
  const scale = Math.min(1, WIDTHS[3] / width, HEIGHT_MAX / height);
  const largest = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (Math.min(largest.width, largest.height) < SIDE_MIN) return null;
  const smaller = WIDTHS.filter((size) => size <= largest.width * VARIANT_SHARE_MAX);
  const sizes = smaller.map((size) => ({
    width: size,
    height: Math.max(1, Math.round((largest.height * size) / largest.width)),
  }));
  return [...sizes, largest];
}

/** The largest part of a photo of this size that has the shape of a preview: its middle, in whole px. */
export function previewPart({ width, height }: Size): Size & { x: number; y: number } {
  const scale = Math.min(width / PREVIEW_SIZE.width, height / PREVIEW_SIZE.height);
  const part = { width: Math.round(PREVIEW_SIZE.width * scale), height: Math.round(PREVIEW_SIZE.height * scale) };
  return { ...part, x: Math.floor((width - part.width) / 2), y: Math.floor((height - part.height) / 2) };
}

/**
 * Whether these sizes, smallest first, are the variants that a browser makes of one photo. Rounding may differ by a
 * pixel.
 */
export function areVariants(sizes: readonly Size[]): boolean {
  const largest = sizes.at(-1);
  const expected = largest && variantSizes(largest);
  if (!expected || expected.length !== sizes.length) return false;
  return sizes.every(
    (size, at) => size.width === expected[at]?.width && Math.abs(size.height - expected[at].height) <= 1,
  );
}

/** The error of an original of this size that no script has made smaller; null when it may be kept. Sides in px. */
export function refuseSize(
  { width, height }: Size,
  leastSide: number = SIDE_MIN,
): Extract<PhotoRefusal, "too_small" | "too_many_pixels"> | null {
  if (Math.min(width, height) < leastSide) return "too_small";
  return Math.max(width, height) > SIDE_MAX || width * height > PIXELS_MAX ? "too_many_pixels" : null;
}

/** An average colour as `#rrggbb`. Gray for anything else. */
export function readTone(text: unknown): string {
  return typeof text === "string" && /^#[0-9a-f]{6}$/.test(text) ? text : "#d8d4cc";
}

/** A thumbhash in base64 (at most 25 bytes). Undefined for anything else. */
export function readThumbhash(text: unknown): string {
  return typeof text === "string" && /^[A-Za-z0-9+/]{6,34}={0,2}$/.test(text) ? text : "";
}

/** Whether the bytes begin like HEIC or HEIF pictures. */
export function isHeic(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(4, 12));
  return head.startsWith("ftyp") && ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].includes(head.slice(4));
}
