/**
 * WebAssembly that reads, resizes and writes pictures. Each module is started when it is first needed and stays, because a
 * worker has 128 MB in all and V8 is slow to collect the memory of instances that were forgotten. The memory of an
 * instance never shrinks, so the limits of pixels below bound the sum (docs/decisions/preview-pictures.md).
 */
import avifEncoder from "@jsquash/avif/codec/enc/avif_enc.js";
import { defaultOptions as avifDefaults } from "@jsquash/avif/meta.js";
import jpegDecoder from "@jsquash/jpeg/codec/dec/mozjpeg_dec.js";
import jpegEncoder from "@jsquash/jpeg/codec/enc/mozjpeg_enc.js";
import { defaultOptions as jpegDefaults } from "@jsquash/jpeg/meta.js";
import { initEmscriptenModule as startCodec } from "@jsquash/jpeg/utils.js";
import decodePng, { init as startPngDecoder } from "@jsquash/png/decode.js";
import resizePixels, { initResize as startResizer } from "@jsquash/resize";
import webpDecoder from "@jsquash/webp/codec/dec/webp_dec.js";
import avifEncoderWasm from "@jsquash/avif/codec/enc/avif_enc.wasm?module";
import jpegDecoderWasm from "@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm?module";
import jpegEncoderWasm from "@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm?module";
import pngDecoderWasm from "@jsquash/png/codec/pkg/squoosh_png_bg.wasm?module";
import resizerWasm from "@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm?module";
import webpDecoderWasm from "@jsquash/webp/codec/dec/webp_dec.wasm?module";
import { type Picture, readPicture } from "#app/catalogue/picture-size.ts";

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

/** Pixels that a photo may have. A photo of 9 to 16 that is 800 pixels wide has 1,140,000. */
const PIXELS_MAX: Record<Picture["kind"], number> = { jpeg: 1_200_000, webp: 1_200_000, png: 640_000 };

/** Pixels that become an AVIF. Its encoder takes 40 MB for so many. */
const AVIF_PIXELS_MAX = 1_000_000;

/** The function with its module started once before the first call. A start that failed is tried again. */
export function startedBy<Input extends unknown[], Output>(
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

/** A codec that is started once. Where a start failed, the next call tries again. */
function keptCodec<Codec>(start: () => Promise<Codec>): () => Promise<Codec> {
  let codec: Promise<Codec> | null = null;
  return async () => {
    codec ??= start();
    try {
      return await codec;
    } catch (error) {
      codec = null;
      throw error;
    }
  };
}

const jpegReader = keptCodec(() => startCodec(jpegDecoder, jpegDecoderWasm));
const webpReader = keptCodec(() => startCodec(webpDecoder, webpDecoderWasm));
const jpegWriter = keptCodec(() => startCodec(jpegEncoder, jpegEncoderWasm));
const avifWriter = keptCodec(() => startCodec(avifEncoder, avifEncoderWasm));

const DECODERS: Record<Picture["kind"], (bytes: ArrayBuffer) => Promise<ImageData | null>> = {
  jpeg: async (bytes) => (await jpegReader()).decode(bytes, true),
  png: startedBy(
    () => startPngDecoder(pngDecoderWasm),
    (bytes: ArrayBuffer) => decodePng(bytes),
  ),
  webp: async (bytes) => (await webpReader()).decode(bytes),
};

/** The pixels of a JPEG, PNG or WebP photo. Null when it can't be read or has too many pixels. */
export async function readPixels(bytes: Uint8Array<ArrayBuffer>, pixelsMax = Infinity): Promise<ImageData | null> {
  const picture = readPicture(bytes);
  if (!picture || picture.width * picture.height > Math.min(PIXELS_MAX[picture.kind], pixelsMax)) return null;
  try {
    return await DECODERS[picture.kind](bytes.buffer);
  } catch {
    return null;
  }
}

/** Resizes opaque pixels to exactly this size, px. */
export const resize = startedBy(
  () => startResizer(resizerWasm),
  (pixels: ImageData, width: number, height: number) =>
    resizePixels(pixels, { width, height, method: "lanczos3", linearRGB: false, premultiply: false }),
);

/**
 * The JPEG of the first of these qualities, 0 to 100, that has less than `bytesMax` bytes. Null when none has.
 */
export async function encodeJpeg(
  pixels: ImageData,
  qualities: readonly number[],
  bytesMax = Infinity,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const codec = await jpegWriter();
  for (const quality of qualities) {
    const bytes = codec.encode(pixels.data, pixels.width, pixels.height, { ...jpegDefaults, quality });
    if (bytes.length < bytesMax) return new Uint8Array(bytes);
  }
  return null;
}

/**
 * With these, an AVIF of a variant is as close to the photo as the WebP of the browser that uploaded it (SSIM 0.986 and
 * 0.987 at 320 px). A slower speed saves no more bytes and takes twice the time.
 */
const AVIF = { ...avifDefaults, quality: 60, speed: 7 };

/** A photo as AVIF. Null when it can't be read or has too many pixels, or when its width isn't `width`, px. */
export async function encodeAvif(
  photo: Uint8Array<ArrayBuffer>,
  width: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pixels = await readPixels(photo, AVIF_PIXELS_MAX);
  // A decoder that ignored the camera's orientation would show it sideways.
  if (pixels?.width !== width) return null;
  const codec = await avifWriter();
  const bytes = codec.encode(pixels.data, pixels.width, pixels.height, AVIF);
  return bytes && new Uint8Array(bytes);
}
