/** What the preview of a product shows. A preview is the picture that a chat shows for a link. */
import type { Condition } from "./catalogue-rules.ts";

/** px. Chats and social networks ask for this size. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

/** WhatsApp shows no picture that is larger. */
export const PREVIEW_MAX_BYTES = 300_000;

export interface PreviewContent {
  name: string;
  /** KES; 0 is a giveaway. */
  price: number;
  /** KES; null when the price isn't reduced. */
  originalPrice: number | null;
  condition: Condition;
  /** The campus; null when it isn't known. */
  location: string | null;
  /** Null for a listing without a photo. */
  photo: PreviewPhoto | null;
}

export interface PreviewPhoto {
  /** The variant's key in the public bucket. */
  file: string;
  /** The photo's average colour, `#rrggbb`. */
  tone: string;
}

/** Makes pictures. The pictures worker implements it. */
export interface PictureMaker {
  /**
   * A JPEG of PREVIEW_SIZE and less than PREVIEW_MAX_BYTES. Equal content gives equal bytes. Null when this content can't
   * be drawn. Throws when the pictures worker itself doesn't work.
   */
  drawPreview(content: PreviewContent): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Writes a photo's file as AVIF beside it, where that is smaller (avifFile). It is safe to repeat.
   * @param file its key in the public bucket
   */
  writeAvif(file: string): Promise<void>;
}

/** The photo's part of a preview is a square of this side, px. A variant of this width loses nothing. */
const PHOTO_SIDE = PREVIEW_SIZE.height;

/** A photo as a product row describes it. */
interface Photo {
  key: string;
  format?: "webp" | "jpg" | "png";
  width: number;
  widths: number[];
  tone: string;
}

/** The variant of a photo that its preview is drawn from. */
export function previewPhoto(image: Photo): PreviewPhoto {
  const { key, format = "webp", tone } = image;
  const width = image.widths.find((one) => one >= PHOTO_SIDE) ?? image.widths.at(-1) ?? image.width;
  return { file: `${key}/${width}.${format}`, tone };
}

/** The address of a preview. `key` as in `product_previews`. */
export function previewPath(key: string): string {
  return `/files/${key}/${PREVIEW_SIZE.width}.jpg`;
}
