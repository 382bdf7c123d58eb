/** Reads a picture's type and size from its own bytes. The name and the headers of a request can't be trusted. */
import { orientationIn, orientationOf } from "#app/platform/picture-privacy.ts";
import { sniffFile } from "#app/platform/upload-rules.ts";

/** A still picture as it is displayed, after rotation. */
export interface Picture {
  kind: "jpeg" | "png" | "webp";
  /** px. */
  width: number;
  height: number;
}

interface Size {
  width: number;
  height: number;
}

/** Null for anything but a still JPEG, PNG or WebP with a size in its header. */
export function readPicture(bytes: Uint8Array): Picture | null {
  const kind = sniffFile(bytes);
  if (kind !== "jpeg" && kind !== "png" && kind !== "webp") return null;
  const stored = SIZES[kind](bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const isTurned = kind !== "jpeg" && (orientationIn(kind, bytes) ?? 0) >= FIRST_SIDEWAYS;
  const size = stored && isTurned ? { width: stored.height, height: stored.width } : stored;
  return size && size.width > 0 && size.height > 0 ? { kind, ...size } : null;
}

const SIZES = { jpeg: jpegSize, png: pngSize, webp: webpSize } as const satisfies Record<
  Picture["kind"],
  (bytes: Uint8Array, view: DataView) => Size | null
>;

const APP1 = 0xe1;
const SOS = 0xda;
/** The markers among SOF0 to SOF15 that aren't frames: DHT, JPG and DAC. */
const NO_FRAME = new Set([0xc4, 0xc8, 0xcc]);
/** From this value on, width and height are swapped. */
const FIRST_SIDEWAYS = 5;

function jpegSize(bytes: Uint8Array, view: DataView): Size | null {
  let sideways = false;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === SOS) return null;
    const end = at + 2 + view.getUint16(at + 2);
    if (marker === APP1) sideways = (orientationOf(bytes.subarray(at + 4, end)) ?? 0) >= FIRST_SIDEWAYS;
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME.has(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return sideways ? { width: height, height: width } : { width, height };
    }
    at = end;
  }
  return null;
}

function pngSize(bytes: Uint8Array, view: DataView): Size | null {
  return bytes.length >= 24 && textAt(bytes, 12) === "IHDR"
    ? { width: view.getUint32(16), height: view.getUint32(20) }
    : null;
}

const ANIMATED = 0b10;

function webpSize(bytes: Uint8Array, view: DataView): Size | null {
  if (bytes.length < 30) return null;
  if (textAt(bytes, 12) !== "VP8X") return frameSize(bytes, view, 12);
  if ((bytes[20] ?? 0) & ANIMATED) return null;
  const canvas = { width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 };
  for (
    let at = 30;
    at + 18 <= bytes.length;
    at += 8 + view.getUint32(at + 4, true) + (view.getUint32(at + 4, true) % 2)
  ) {
    const frame = frameSize(bytes, view, at);
    if (frame) return frame.width === canvas.width && frame.height === canvas.height ? canvas : null;
  }
  return null;
}

/** The size of the frame whose chunk begins at `at`; null for any other chunk. */
function frameSize(bytes: Uint8Array, view: DataView, at: number): Size | null {
  const type = textAt(bytes, at);
  if (type === "VP8 " && bytes[at + 11] === 0x9d)
    return { width: view.getUint16(at + 14, true) & 0x3fff, height: view.getUint16(at + 16, true) & 0x3fff };
  if (type !== "VP8L" || bytes[at + 8] !== 0x2f) return null;
  const bits = view.getUint32(at + 9, true);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
