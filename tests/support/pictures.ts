/** Small pictures for tests: headers that a decoder would read, with hardly any pixels. */

function latin(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

function bigEndian(value: number, bytes: 2 | 4): number[] {
  return bytes === 2 ? [value >> 8, value & 255] : [...bigEndian(value >>> 16, 2), ...bigEndian(value & 0xffff, 2)];
}

function littleEndian(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 255);
}

interface Size {
  width: number;
  height: number;
}

/** A JPEG. `turned` (1 to 8) is the camera's orientation, with a location. */
export function jpeg({ width, height }: Size, turned?: number): Uint8Array<ArrayBuffer> {
  const place = latin("-1.2921,36.82");
  const exif = turned
    ? [
        0xff,
        0xe1,
        ...bigEndian(34 + place.length, 2),
        ...latin("Exif\0\0MM"),
        0,
        42,
        0,
        0,
        0,
        8,
        0,
        1,
        0x01,
        0x12,
        0,
        3,
        0,
        0,
        0,
        1,
        0,
        turned,
        0,
        0,
        0,
        0,
        0,
        0,
        ...place,
      ]
    : [];
  const frame = [0xff, 0xc0, 0, 11, 8, ...bigEndian(height, 2), ...bigEndian(width, 2), 1, 1, 0x11, 0];
  const scan = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3];
  return new Uint8Array([0xff, 0xd8, ...exif, ...frame, ...scan, 0xff, 0xd9]);
}

function pngChunk(type: string, content: number[]): number[] {
  return [...bigEndian(content.length, 4), ...latin(type), ...content, 0, 0, 0, 0];
}

export function png({ width, height }: Size, words = "", turned?: number): Uint8Array<ArrayBuffer> {
  const chunks = [
    ...pngChunk("IHDR", [...bigEndian(width, 4), ...bigEndian(height, 4), 8, 2, 0, 0, 0]),
    ...(words ? pngChunk("tEXt", latin(words)) : []),
    ...(turned ? pngChunk("eXIf", exifOf(turned)) : []),
    ...pngChunk("IDAT", [1, 2, 3]),
    ...pngChunk("IEND", []),
  ];
  return new Uint8Array([0x89, ...latin("PNG\r\n"), 0x1a, 0x0a, ...chunks]);
}

/** Exif with a turn and a place. */
function exifOf(turned: number): number[] {
  const entry = [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turned, 0, 0, 0, 0, 0, 0];
  return [...latin("MM"), 0, 42, 0, 0, 0, 8, ...entry, ...latin("-1.2921,36.82")];
}

function riffChunk(type: string, content: number[]): number[] {
  return [...latin(type), ...littleEndian(content.length, 4), ...content, ...(content.length % 2 ? [0] : [])];
}

function riff(chunks: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...latin("RIFF"), ...littleEndian(chunks.length + 4, 4), ...latin("WEBP"), ...chunks]);
}

function frameOf({ width, height }: Size, seed: string): number[] {
  return riffChunk("VP8 ", [
    0x30,
    1,
    0,
    0x9d,
    1,
    0x2a,
    ...littleEndian(width, 2),
    ...littleEndian(height, 2),
    ...latin(seed.padEnd(8)),
  ]);
}

/** A WebP. Different seeds differ only in their pixels. */
export function webp(size: Size, seed = "pixels"): Uint8Array<ArrayBuffer> {
  return riff(frameOf(size, seed));
}

/**
 * A WebP whose container has the size `canvas` and whose frame has the size `frame`, with a location in its metadata.
 */
export function extendedWebp(
  canvas: Size,
  options: { frame?: Size; animated?: boolean; place?: string; turned?: number } = {},
): Uint8Array<ArrayBuffer> {
  const head = riffChunk("VP8X", [
    options.animated ? 0b1010 : 0b1000,
    0,
    0,
    0,
    ...littleEndian(canvas.width - 1, 3),
    ...littleEndian(canvas.height - 1, 3),
  ]);
  return riff([
    ...head,
    ...frameOf(options.frame ?? canvas, "pixels"),
    ...riffChunk("EXIF", options.turned ? exifOf(options.turned) : latin(options.place ?? "-1.2921,36.82")),
  ]);
}

/** A lossless WebP. */
export function losslessWebp({ width, height }: Size): Uint8Array<ArrayBuffer> {
  return riff(riffChunk("VP8L", [0x2f, ...littleEndian((width - 1) | ((height - 1) << 14), 4), ...latin("pixels  ")]));
}
