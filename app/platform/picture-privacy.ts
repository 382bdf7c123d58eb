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
  gif: stripGif,
} as const satisfies Record<Picture, (bytes: Uint8Array) => Uint8Array | null>;

const GIF_EXTENSION = 0x21;
const GIF_IMAGE = 0x2c;
const GIF_END = 0x3b;
/** How the next image is shown. */
const GIF_CONTROL = 0xf9;
const GIF_APPLICATION = 0xff;

/**
 * Keeps the images, how each is shown, and how often they repeat. Comments, plain text and what programs add are
 * dropped.
 */
function stripGif(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < 13) return null;
  let at = 13 + colourTable(bytes[10]);
  const kept = [bytes.subarray(0, at)];
  let images = 0;
  for (let parts = 0; at < bytes.length && parts < MAX_PARTS; parts += 1) {
    const begin = at;
    const kind = bytes[at];
    if (kind === GIF_END) return images > 0 ? join([...kept, bytes.subarray(at, at + 1)]) : null;
    if (kind === GIF_IMAGE) {
      images += 1;
      // Its place and size, its colours, and the size of its codes.
      at = endOfBlocks(bytes, at + 10 + colourTable(bytes[at + 9]) + 1);
    } else if (kind === GIF_EXTENSION) at = endOfBlocks(bytes, at + 2);
    else return null;
    if (at === -1) return null;
    if (kind === GIF_IMAGE || keepsExtension(bytes, begin)) kept.push(bytes.subarray(begin, at));
  }
  return null;
}

function keepsExtension(bytes: Uint8Array, at: number): boolean {
  const label = bytes[at + 1];
  return label === GIF_CONTROL || (label === GIF_APPLICATION && hasText(bytes, at + 3, "NETSCAPE2.0"));
}

/** The bytes of the table of colours that these flags announce. */
function colourTable(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

/** Where a row of blocks ends, each behind its length and the last one empty; -1 where the file ends before. */
function endOfBlocks(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1 + (bytes[at] ?? 0)) if (bytes[at] === 0) return at + 1;
  return -1;
}

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
  return hasText(exif, 0, "Exif\0\0") ? turnOf(exif.subarray(6)) : null;
}

/** The same of a PNG or a WebP, where the metadata has no prefix or may have one; null where it has none. */
export function orientationIn(kind: "png" | "webp", bytes: Uint8Array): number | null {
  const chunks = kind === "png" ? pngChunks(bytes) : webpChunks(bytes);
  const exif = chunks?.find(({ type }) => type === (kind === "png" ? "eXIf" : "EXIF"));
  if (!exif) return null;
  return hasText(exif.content, 0, "Exif\0\0") ? orientationOf(exif.content) : turnOf(exif.content);
}

function turnOf(tiff: Uint8Array): number | null {
  if (tiff.length < 10) return null;
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
function exifOf(orientation: number): number[] {
  const header = [...latin("MM"), 0, 42, 0, 0, 0, 8];
  return [...header, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
}

function orientationSegment(orientation: number): Uint8Array {
  return new Uint8Array([0xff, APP1, 0, 34, ...latin("Exif\0\0"), ...exifOf(orientation)]);
}

/** A chunk of a PNG or a WebP. `whole` has its head and what follows its content. */
interface Chunk {
  type: string;
  content: Uint8Array;
  whole: Uint8Array;
}

/** The chunks up to the end of the picture; null for an incomplete one. */
function pngChunks(bytes: Uint8Array): Chunk[] | null {
  const view = viewOf(bytes);
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= bytes.length && chunks.length < MAX_PARTS;) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) return null;
    const type = textAt(bytes, at + 4, 4);
    chunks.push({ type, content: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) });
    if (type === "IEND") return chunks;
    at = end;
  }
  return null;
}

/** The chunks of the container; null for an incomplete one. */
function webpChunks(bytes: Uint8Array): Chunk[] | null {
  if (bytes.length < 20) return null;
  const view = viewOf(bytes);
  const all = 8 + view.getUint32(4, true);
  if (all > bytes.length) return null;
  const chunks: Chunk[] = [];
  for (let at = 12; at + 8 <= all;) {
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (at + 8 + size > all || chunks.length >= MAX_PARTS) return null;
    chunks.push({
      type: textAt(bytes, at, 4),
      content: bytes.subarray(at + 8, at + 8 + size),
      whole: bytes.slice(at, end),
    });
    at = end;
  }
  return chunks;
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
  const chunks = pngChunks(bytes);
  if (!chunks?.some(({ type }) => type === "IDAT")) return null;
  const turn = orientationIn("png", bytes);
  const kept = chunks.filter(({ type }) => PNG_KEPT.has(type));
  // Decoders look for the turn before the pixels only.
  const pixels = kept.findIndex(({ type }) => type === "IDAT");
  const turned = turn === null ? [] : [pngChunk("eXIf", exifOf(turn))];
  const wholes = kept.map(({ whole }) => whole);
  return join([bytes.subarray(0, 8), ...wholes.slice(0, pixels), ...turned, ...wholes.slice(pixels)]);
}

/** A chunk with its checksum, without which decoders ignore it. */
function pngChunk(type: string, content: number[]): Uint8Array {
  const body = new Uint8Array([...latin(type), ...content]);
  const whole = new Uint8Array(body.length + 8);
  viewOf(whole).setUint32(0, content.length);
  whole.set(body, 4);
  viewOf(whole).setUint32(body.length + 4, crc32(body));
  return whole;
}

/** The checksum of PNG and zip. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const WEBP_KEPT = new Set(["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]);
/** Bits in the flags of VP8X: Exif and XMP follow. */
const WEBP_METADATA_FLAGS = 0b0000_1100;
const WEBP_EXIF_FLAG = 0b0000_1000;

function stripWebp(bytes: Uint8Array): Uint8Array | null {
  const chunks = webpChunks(bytes);
  if (!chunks?.some(({ type }) => type === "VP8 " || type === "VP8L" || type === "ANMF")) return null;
  const turn = orientationIn("webp", bytes);
  const kept = chunks.flatMap(({ type, whole }) => {
    if (type === "VP8X") whole[8] = ((whole[8] ?? 0) & ~WEBP_METADATA_FLAGS) | (turn === null ? 0 : WEBP_EXIF_FLAG);
    return WEBP_KEPT.has(type) ? [whole] : [];
  });
  if (turn !== null) kept.push(new Uint8Array([...latin("EXIF"), 26, 0, 0, 0, ...exifOf(turn)]));
  const result = join([bytes.slice(0, 12), ...kept]);
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
