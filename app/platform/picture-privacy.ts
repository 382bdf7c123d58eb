/** Takes place, time, camera and words out of a picture, bit for bit otherwise; how it is turned is kept. */

type Picture = "jpeg" | "png" | "webp" | "gif";

/** Real pictures have far fewer parts. Millions of empty ones would use up the reader's memory. */
const MAX_PARTS = 20_000;

/** The picture without its metadata; null for an incomplete picture. Data after its end is dropped. */
export function withoutMetadata(kind: Picture, bytes: Uint8Array): Uint8Array | null {
  return STRIP[kind](bytes);
}

const STRIP = {
  jpeg: stripJpeg,
  png: stripPng,
  webp: stripWebp,
  gif: (bytes: Uint8Array) => bytes,
} as const satisfies Record<Picture, (bytes: Uint8Array) => Uint8Array | null>;

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;

function stripJpeg(bytes: Uint8Array): Uint8Array | null {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return null;
  const view = viewOf(bytes);
  const kept: Uint8Array[] = [bytes.subarray(0, 2)];
  let at = 2;
  let scans = 0;
  let parts = 0;
  while (at + 2 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) {
      kept.push(bytes.subarray(at, at + 2));
      return scans > 0 ? join(kept) : null;
    }
    parts += 1;
    if (at + 4 > bytes.length || parts > MAX_PARTS) return null;
    let end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length || end < at + 4) return null;
    if (marker === SOS) {
      scans += 1;
      end = endOfScan(bytes, end);
    }
    const orientation = marker === APP1 ? orientationOf(bytes.subarray(at + 4, end)) : null;
    if (orientation !== null) kept.push(orientationSegment(orientation));
    if (keepsSegment(marker, bytes.subarray(at + 4, end))) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return null;
}

/** Only the segments that decoding and colours need. */
function keepsSegment(marker: number, content: Uint8Array): boolean {
  if (marker === COMMENT) return false;
  if (marker < APP0 || marker > APP15) return true;
  if (marker === APP2) return hasText(content, 0, "ICC_PROFILE");
  return (marker === APP0 && hasText(content, 0, "JFIF")) || marker === APP14;
}

/** Where compressed data ends: at a marker that is neither a stuffed byte nor a restart. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

const ORIENTATION_TAG = 0x0112;

/** 2 to 8 if the camera says that the picture is rotated. `exif` is the content of an APP1 segment. */
export function orientationOf(exif: Uint8Array): number | null {
  if (!hasText(exif, 0, "Exif\0\0") || exif.length < 16) return null;
  const tiff = exif.subarray(6);
  const view = viewOf(tiff);
  const little = hasText(tiff, 0, "II");
  const start = view.getUint32(4, little);
  if (start + 2 > tiff.length) return null;
  const entries = view.getUint16(start, little);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = start + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (view.getUint16(at, little) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(at + 8, little);
    return value >= 2 && value <= 8 ? value : null;
  }
  return null;
}

/** Exif that contains only the orientation. */
function orientationSegment(orientation: number): Uint8Array {
  const header = [0xff, APP1, 0, 34, ...latin("Exif\0\0MM"), 0, 42, 0, 0, 0, 8];
  return new Uint8Array([...header, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
}

/** The chunks with pixels and colours. Texts, times, places and unknown chunks are dropped. */
const PNG_KEPT = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "IEND",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "iCCP",
  "sBIT",
  "bKGD",
  "pHYs",
  "cICP",
]);

function stripPng(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  const kept: Uint8Array[] = [bytes.subarray(0, 8)];
  let pixels = false;
  for (let at = 8, parts = 1; at + 12 <= bytes.length; parts += 1) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length || parts > MAX_PARTS) return null;
    const type = textAt(bytes, at + 4, 4);
    if (PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end));
    pixels ||= type === "IDAT";
    if (type === "IEND") return pixels ? join(kept) : null;
    at = end;
  }
  return null;
}

const WEBP_KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Bits in the flags of VP8X: Exif and XMP follow. */
const WEBP_METADATA_FLAGS = 0b0000_1100;

function stripWebp(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < 20) return null;
  const view = viewOf(bytes);
  const kept: Uint8Array[] = [bytes.slice(0, 12)];
  const whole = 8 + view.getUint32(4, true);
  if (whole > bytes.length) return null;
  let pixels = false;
  for (let at = 12, parts = 1; at + 8 <= whole; parts += 1) {
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (at + 8 + size > whole || parts > MAX_PARTS) return null;
    const type = textAt(bytes, at, 4);
    const chunk = bytes.slice(at, end);
    if (type === "VP8X") chunk[8] = (chunk[8] ?? 0) & ~WEBP_METADATA_FLAGS;
    if (WEBP_KEPT.has(type)) kept.push(chunk);
    pixels ||= type === "VP8 " || type === "VP8L" || type === "ANMF";
    at = end;
  }
  if (!pixels) return null;
  const result = join(kept);
  viewOf(result).setUint32(4, result.length - 8, true);
  return result;
}

function join(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function hasText(bytes: Uint8Array, at: number, text: string): boolean {
  return textAt(bytes, at, text.length) === text;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function latin(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}
