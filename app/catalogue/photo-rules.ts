/** Which photos are accepted, and in which sizes they are kept. */
import { UPLOAD_MAX_BYTES } from "#app/platform/upload-rules.ts";

/** Photos of one product. */
export const PHOTOS_MAX = 8;

/** All variants of one photo together, or an original where scripts do not run: 10 MB. */
export const PHOTO_MAX_BYTES = UPLOAD_MAX_BYTES;

/** Widths of variants, px, where the photo is large enough. */
const WIDTHS = [320, 800, 1600] as const;

/** The longest a variant may be, px: a screenshot of a long page is narrowed. */
const HEIGHT_MAX = 2_400;

/** Neither side may be shorter, px. */
const SIDE_MIN = 32;

/** Neither side of an original may be longer, px: a phone decodes every pixel of what it shows. */
const SIDE_MAX = 4_096;

/** Pixels of an original: 12 megapixels, as phones take photos (4096 × 3072). */
const PIXELS_MAX = 12 * 1024 * 1024;

/** Variants closer than this to the largest are not worth their bytes. */
const WORTHWHILE = 0.8;

export type PhotoRefusal =
  | "not_image"
  | "heic"
  | "too_large"
  | "too_small"
  | "too_many_pixels"
  | "unreadable"
  | "busy"
  | "too_many"
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
  gone: "A photo is no longer available. Please add it again",
} as const satisfies Record<PhotoRefusal, string>;

interface Size {
  /** px. */
  width: number;
  height: number;
}

/** The variants of a photo of this size, smallest first; the last is the largest. Null where the photo is too small to show. */
export function variantSizes({ width, height }: Size): Size[] | null {
  const scale = Math.min(1, WIDTHS[2] / width, HEIGHT_MAX / height);
  const largest = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (Math.min(largest.width, largest.height) < SIDE_MIN) return null;
  const smaller = WIDTHS.filter((size) => size <= largest.width * WORTHWHILE);
  const sizes = smaller.map((size) => ({
    width: size,
    height: Math.max(1, Math.round((largest.height * size) / largest.width)),
  }));
  return [...sizes, largest];
}

/** Whether these, smallest first, are the variants that a browser makes of one photo. Rounding may differ by a pixel. */
export function areVariants(sizes: readonly Size[]): boolean {
  const largest = sizes.at(-1);
  const expected = largest && variantSizes(largest);
  if (!expected || expected.length !== sizes.length) return false;
  return sizes.every(
    (size, at) => size.width === expected[at]?.width && Math.abs(size.height - expected[at].height) <= 1,
  );
}

/** Why an original of this size may not be kept as it is, where no script makes variants; null where it may. */
export function refuseSize({ width, height }: Size): Extract<PhotoRefusal, "too_small" | "too_many_pixels"> | null {
  if (Math.min(width, height) < SIDE_MIN) return "too_small";
  return Math.max(width, height) > SIDE_MAX || width * height > PIXELS_MAX ? "too_many_pixels" : null;
}

/** An average colour as `#rrggbb`; a quiet gray for anything else. */
export function readTone(text: unknown): string {
  return typeof text === "string" && /^#[0-9a-f]{6}$/.test(text) ? text : "#d8d4cc";
}

/** A thumbhash in base64 (at most 25 bytes); nothing for anything else. */
export function readThumbhash(text: unknown): string {
  return typeof text === "string" && /^[A-Za-z0-9+/]{6,34}={0,2}$/.test(text) ? text : "";
}

/** Whether bytes begin as HEIC or HEIF pictures do. */
export function isHeic(bytes: Uint8Array): boolean {
  const head = String.fromCharCode(...bytes.subarray(4, 12));
  return head.startsWith("ftyp") && ["heic", "heix", "hevc", "heim", "heis", "mif1", "msf1"].includes(head.slice(4));
}
