/**
 * Makes a photo's variants in the browser: upright, small, and without place, time or camera, because the pixels are
 * drawn anew.
 */
import { rgbaToThumbHash } from "thumbhash";
import { sniffFile } from "#app/platform/upload-rules.ts";
import {
  isHeic,
  PHOTO_TEXTS,
  PORTRAIT_SIDES,
  portraitPart,
  PREVIEW_MAX_BYTES,
  PREVIEW_SIZE,
  previewPart,
  variantSizes,
} from "./photo-rules.ts";

export interface PreparedPhoto {
  /** Smallest first. */
  variants: Blob[];
  /** Null where none was asked for, and where it can't be made small enough. */
  preview: Blob | null;
  tone: string;
  thumbhash: string;
}

/** Why a file can't be uploaded, in words for its owner. */
export class PhotoError extends Error {
  override name = "PhotoError";
  /** The file itself is no photo of ours, so another try would end the same. */
  readonly isOfFile: boolean;

  constructor(words: string, { isOfFile = false } = {}) {
    super(words);
    this.isOfFile = isOfFile;
  }
}

const OF_FILE = { isOfFile: true };

const QUALITY = 0.8;
/** The first that makes a preview small enough is taken. The last is enough for noise. */
const PREVIEW_QUALITIES = [QUALITY, 0.65, 0.5, 0.35, 0.2, 0.1];
/** Thumbhashes are made from at most 100 px a side. */
const PLACEHOLDER_SIDE = 100;

/** For what a photo is prepared. */
export interface Preparation {
  /** A public page may show it as the cover of a listing. */
  withPreview: boolean;
  /** A square of a person or a logo. */
  isPortrait: boolean;
}

/** @throws PhotoError when this browser can't read the file as a picture */
export async function preparePhoto(file: Blob, { withPreview, isPortrait }: Preparation): Promise<PreparedPhoto> {
  const picture = await decode(file);
  try {
    if (isPortrait) return await preparePortrait(picture);
    const sizes = variantSizes(sizeOf(picture));
    const largest = sizes?.at(-1);
    if (!sizes || !largest) throw new PhotoError(PHOTO_TEXTS.too_small, OF_FILE);
    const canvas = draw(picture, largest.width, largest.height);
    const first = await encode(canvas, "image/webp");
    // Some browsers can read WebP but not write it. They return PNG instead.
    const type = first.type === "image/webp" ? "image/webp" : "image/jpeg";
    const variants = [type === first.type ? first : await encode(canvas, type)];
    let from = canvas;
    for (const { width, height } of sizes.slice(0, -1).toReversed()) {
      from = draw(from, width, height);
      variants.unshift(await encode(from, type));
    }
    return { variants, preview: withPreview ? await makePreview(canvas) : null, ...placeholderOf(from) };
  } finally {
    if ("close" in picture) picture.close();
  }
}

/** The middle of a picture as squares. A small picture is drawn larger, so that each portrait has the same variants. */
async function preparePortrait(picture: Decoded): Promise<PreparedPhoto> {
  const part = portraitPart(sizeOf(picture));
  if (!part) throw new PhotoError(PHOTO_TEXTS.too_small, OF_FILE);
  const [small, large] = PORTRAIT_SIDES;
  const canvas = draw(picture, large, large, part);
  const smaller = draw(canvas, small, small);
  const first = await encode(canvas, "image/webp");
  const type = first.type === "image/webp" ? "image/webp" : "image/jpeg";
  const variants = [await encode(smaller, type), type === first.type ? first : await encode(canvas, type)];
  return { variants, preview: null, ...placeholderOf(smaller) };
}

type Decoded = ImageBitmap | HTMLImageElement;

async function decode(file: Blob): Promise<Decoded> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  // SVG drawings may have no size in pixels. A phone's photo always has one.
  if (file.type === "image/svg+xml") throw new PhotoError(PHOTO_TEXTS.not_image, OF_FILE);
  try {
    return await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    return decodeAsElement(file).catch(() => {
      throw new PhotoError(
        isHeic(head) ? PHOTO_TEXTS.heic : sniffFile(head) ? PHOTO_TEXTS.unreadable : PHOTO_TEXTS.not_image,
        OF_FILE,
      );
    });
  }
}

/** Some browsers can read a format as an image only. */
async function decodeAsElement(file: Blob): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

function sizeOf(picture: Decoded): { width: number; height: number } {
  return "naturalWidth" in picture ? { width: picture.naturalWidth, height: picture.naturalHeight } : picture;
}

/** `part`: of the source. Default: all of it. */
function draw(
  source: CanvasImageSource,
  width: number,
  height: number,
  part?: ReturnType<typeof previewPart>,
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = contextOf(canvas);
  // Transparent parts would become black in a JPEG.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  if (part) context.drawImage(source, part.x, part.y, part.width, part.height, 0, 0, width, height);
  else context.drawImage(source, 0, 0, width, height);
  return canvas;
}

async function makePreview(photo: HTMLCanvasElement): Promise<Blob | null> {
  const { width, height } = PREVIEW_SIZE;
  const canvas = draw(photo, width, height, previewPart(photo));
  for (const quality of PREVIEW_QUALITIES) {
    const preview = await encode(canvas, "image/jpeg", quality);
    if (preview.size <= PREVIEW_MAX_BYTES) return preview;
  }
  return null;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (!context) throw new PhotoError(PHOTO_TEXTS.unreadable, OF_FILE);
  return context;
}

function encode(canvas: HTMLCanvasElement, type: string, quality = QUALITY): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new PhotoError(PHOTO_TEXTS.unreadable, OF_FILE))),
      type,
      quality,
    );
  });
}

function placeholderOf(source: HTMLCanvasElement): { tone: string; thumbhash: string } {
  const scale = Math.min(1, PLACEHOLDER_SIDE / Math.max(source.width, source.height));
  const small = draw(
    source,
    Math.max(1, Math.round(source.width * scale)),
    Math.max(1, Math.round(source.height * scale)),
  );
  const { data } = contextOf(small).getImageData(0, 0, small.width, small.height);
  return {
    tone: averageOf(data),
    thumbhash: btoa(String.fromCharCode(...rgbaToThumbHash(small.width, small.height, data))),
  };
}

function averageOf(rgba: Uint8ClampedArray): string {
  const sums = [0, 0, 0];
  for (let at = 0; at < rgba.length; at += 4)
    for (let channel = 0; channel < 3; channel += 1) sums[channel] = (sums[channel] ?? 0) + (rgba[at + channel] ?? 0);
  return `#${sums
    .map((sum) =>
      Math.round(sum / (rgba.length / 4))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}
