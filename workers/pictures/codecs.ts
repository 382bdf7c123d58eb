/** WebAssembly that reads, resizes and writes pictures. Each module is started when it is first needed. */
import encodeAvifPixels, { init as startAvifEncoder } from "@jsquash/avif/encode.js";
import decodeJpeg, { init as startJpegDecoder } from "@jsquash/jpeg/decode.js";
import encodeJpegPixels, { init as startJpegEncoder } from "@jsquash/jpeg/encode.js";
import decodePng, { init as startPngDecoder } from "@jsquash/png/decode.js";
import resizePixels, { initResize as startResizer } from "@jsquash/resize";
import decodeWebp, { init as startWebpDecoder } from "@jsquash/webp/decode.js";
import avifEncoder from "@jsquash/avif/codec/enc/avif_enc.wasm?module";
import jpegDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?module";
import jpegEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm?module";
import pngDecoder from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?module";
import resizer from "@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm?module";
import webpDecoder from "@jsquash/webp/codec/dec/webp_dec.wasm?module";
import { readPicture } from "#app/catalogue/picture-size.ts";

/** RGBA, four bytes a pixel. The same shape as the browser's ImageData, which workerd doesn't have. */
class Pixels {
  readonly colorSpace = "srgb";
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray<ArrayBuffer>, width: number, height = data.length / 4 / width) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

// The decoders make their results with it.
Object.assign(globalThis, { ImageData: globalThis.ImageData ?? Pixels });

export function toPixels(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): ImageData {
  return new ImageData(data, width, height);
}

/** Pixels that a photo may have. The WebAssembly that a PNG of this size needs takes 80 MB, and a worker has 128 MB in all. */
const PIXELS_MAX = 3_200_000;

/** The function with its module started once before the first call. A start that failed is tried again. */
function startedBy<Input extends unknown[], Output>(
  start: () => Promise<unknown>,
  run: (...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  let started: Promise<unknown> | null = null;
  return async (...input) => {
    started ??= start();
    await started.catch((error: unknown) => {
      started = null;
      throw error;
    });
    return run(...input);
  };
}

const DECODERS = {
  jpeg: startedBy(
    () => startJpegDecoder(jpegDecoder),
    (bytes: ArrayBuffer) => decodeJpeg(bytes, { preserveOrientation: true }),
  ),
  png: startedBy(
    () => startPngDecoder(pngDecoder),
    (bytes: ArrayBuffer) => decodePng(bytes),
  ),
  webp: startedBy(
    () => startWebpDecoder(webpDecoder),
    (bytes: ArrayBuffer) => decodeWebp(bytes),
  ),
};

/** The pixels of a JPEG, PNG or WebP photo. Null when it can't be read or has too many pixels. */
export async function readPixels(bytes: Uint8Array<ArrayBuffer>): Promise<ImageData | null> {
  const picture = readPicture(bytes);
  if (!picture || picture.width * picture.height > PIXELS_MAX) return null;
  try {
    return await DECODERS[picture.kind](bytes.buffer);
  } catch {
    return null;
  }
}

/** Resizes opaque pixels to exactly this size, px. */
export const resize = startedBy(
  () => startResizer(resizer),
  (pixels: ImageData, width: number, height: number) =>
    resizePixels(pixels, { width, height, method: "lanczos3", linearRGB: false, premultiply: false }),
);

/** `quality` is 0 to 100. */
export const encodeJpeg = startedBy(
  () => startJpegEncoder(jpegEncoder),
  async (pixels: ImageData, quality: number) => new Uint8Array(await encodeJpegPixels(pixels, { quality })),
);

/**
 * With these, an AVIF of a variant is as close to the photo as the WebP of the browser that uploaded it (SSIM 0.986 and
 * 0.987 at 320 px). A slower speed saves no more bytes and takes twice the time.
 */
const AVIF = { quality: 60, speed: 7 };

export const encodeAvif = startedBy(
  () => startAvifEncoder(avifEncoder),
  async (pixels: ImageData) => new Uint8Array(await encodeAvifPixels(pixels, AVIF)),
);
