import { initWasm as startRenderer, Resvg } from "@resvg/resvg-wasm";
import renderer from "@resvg/resvg-wasm/index_bg.wasm?module";
import { PREVIEW_MAX_BYTES, PREVIEW_SIZE, type PreviewContent } from "#app/catalogue/preview-rules.ts";
import { encodeJpeg, readPixels, resize, startedBy, toPixels } from "./codecs.ts";
import { readFont } from "./font.ts";
import fontBytes from "./fonts/bricolage-grotesque-700.ttf.bin";
import { type Box, placePhoto } from "./place-photo.ts";
import { layOutPreview } from "./preview-layout.ts";
import { previewSvg } from "./preview-svg.ts";

const { width, height } = PREVIEW_SIZE;

/** The photo's part. */
const PHOTO: Box = { x: 0, y: 0, width: height, height };

/** Tried in order until the picture is small enough. Only photos full of noise need the later ones. */
const QUALITIES = [80, 65, 45, 25, 10];

const font = readFont(fontBytes);

/** A preview as JPEG. `photo`: the bytes of its file; null leaves it out, and so does a photo that can't be read. */
export async function drawPreview(
  content: PreviewContent,
  photo: Uint8Array<ArrayBuffer> | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const read = photo && (await readPixels(photo));
  const shown = { ...content, photo: read ? content.photo : null };
  const svg = previewSvg(layOutPreview(shown, font), { width, height, hasPhoto: shown.photo !== null });
  const canvas = await render(svg);
  if (read && shown.photo) await drawPhoto(canvas, read, shown.photo.tone);
  const bytes = await encodeJpeg(canvas, QUALITIES, PREVIEW_MAX_BYTES);
  if (!bytes) throw new Error("A preview is too large at every quality");
  return bytes;
}

const render = startedBy(
  () => startRenderer(renderer),
  async (svg: string) => {
    const drawing = new Resvg(svg, {
      font: { fontBuffers: [new Uint8Array(fontBytes)], defaultFontFamily: "Bricolage Grotesque" },
    });
    try {
      const image = drawing.render();
      try {
        return toPixels(new Uint8ClampedArray(image.pixels), width, height);
      } finally {
        image.free();
      }
    } finally {
      drawing.free();
    }
  },
);

async function drawPhoto(canvas: ImageData, photo: ImageData, tone: string): Promise<void> {
  const { from, to } = placePhoto(photo, PHOTO);
  const background = [1, 3, 5].map((at) => Number.parseInt(tone.slice(at, at + 2), 16));
  const part = await resize(cut(photo, from, { background, shrink: shrinkOf(from, to) }), to.width, to.height);
  for (let y = PHOTO.y; y < PHOTO.y + PHOTO.height; y += 1)
    for (let x = PHOTO.x; x < PHOTO.x + PHOTO.width; x += 1) canvas.data.set([...background, 255], 4 * (y * width + x));
  for (let y = 0; y < to.height; y += 1)
    canvas.data.set(part.data.subarray(4 * y * to.width, 4 * (y + 1) * to.width), 4 * ((to.y + y) * width + to.x));
}

/**
 * How many pixels in each direction become one before a photo is resized: the resizer needs 16 bytes a pixel, so a
 * large photo is made smaller first. What is left is still larger than wanted.
 */
function shrinkOf(from: Box, to: Box): number {
  return Math.max(1, Math.floor(Math.min(from.width / to.width, from.height / to.height)));
}

/** A part of a picture on an opaque background, where squares of `shrink` by `shrink` pixels have become one. */
function cut(
  pixels: ImageData,
  from: Box,
  { background, shrink }: { background: readonly number[]; shrink: number },
): ImageData {
  const [outWidth, outHeight] = [Math.floor(from.width / shrink), Math.floor(from.height / shrink)];
  const data = new Uint8ClampedArray(4 * outWidth * outHeight);
  for (let y = 0; y < outHeight; y += 1)
    for (let x = 0; x < outWidth; x += 1) {
      const at = 4 * (y * outWidth + x);
      for (let channel = 0; channel < 3; channel += 1) {
        let sum = 0;
        for (let row = 0; row < shrink; row += 1)
          for (let column = 0; column < shrink; column += 1) {
            const pixel = 4 * ((from.y + y * shrink + row) * pixels.width + from.x + x * shrink + column);
            const alpha = (pixels.data[pixel + 3] ?? 0) / 255;
            sum += alpha * (pixels.data[pixel + channel] ?? 0) + (1 - alpha) * (background[channel] ?? 0);
          }
        data[at + channel] = sum / (shrink * shrink);
      }
      data[at + 3] = 255;
    }
  return toPixels(data, outWidth, outHeight);
}
