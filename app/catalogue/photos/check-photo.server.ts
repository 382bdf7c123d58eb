/** Checks the bytes of photos before they are stored. */
import { withoutMetadata } from "#app/platform/picture-privacy.ts";
import {
  arePortrait,
  areVariants,
  isHeic,
  PHOTO_MAX_BYTES,
  type PhotoRefusal,
  PREVIEW_MAX_BYTES,
  PREVIEW_SIZE,
  readThumbhash,
  readTone,
  refuseSize,
} from "./photo-rules.ts";
import { type Picture, readPicture } from "./picture-size.ts";

/** A photo whose bytes were checked and cleaned. The variants are sorted, smallest first. */
export interface CheckedPhoto {
  variants: { picture: Picture; bytes: Uint8Array<ArrayBuffer> }[];
  /** None for a photo that no public page shows, and for one from a browser without scripts. */
  preview?: Uint8Array<ArrayBuffer>;
  tone: string;
  thumbhash: string;
}

export type Refused = { ok: false; code: PhotoRefusal };
type Checked = { ok: true; photo: CheckedPhoto } | Refused;

/** How many photos a user may upload in a day. */

interface PhotoParts {
  preview?: File;
  tone?: unknown;
  thumbhash?: unknown;
  /** It is a square of a person or a logo. */
  isPortrait?: boolean;
}

/**
 * Checks the variants and the preview that a browser made of one photo, by their content: type, size and shape. Removes
 * all metadata. Nobody decodes them, so they may show different pictures; admins can open each in a case.
 */
export async function checkPhoto(
  files: readonly File[],
  { preview: sent, tone, thumbhash, isPortrait = false }: PhotoParts,
): Promise<Checked> {
  const read = await readFiles(files);
  if (!read.ok) return read;
  const variants = read.variants.toSorted((one, other) => one.picture.width - other.picture.width);
  const pictures = variants.map(({ picture }) => picture);
  if (!(isPortrait ? arePortrait : areVariants)(pictures) || pictures.some(({ kind }) => kind !== pictures[0]?.kind))
    return { ok: false, code: "unreadable" };
  const photo: CheckedPhoto = { variants, tone: readTone(tone), thumbhash: readThumbhash(thumbhash) };
  if (!sent) return { ok: true, photo };
  const preview = await readPreview(sent);
  return preview ? { ok: true, photo: { ...photo, preview } } : { ok: false, code: "unreadable" };
}

/** A preview's bytes without metadata; null for anything but a JPEG of its size and length. */
async function readPreview(file: File): Promise<Uint8Array<ArrayBuffer> | null> {
  if (file.size > PREVIEW_MAX_BYTES) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const picture = readPicture(bytes);
  if (picture?.kind !== "jpeg" || picture.width !== PREVIEW_SIZE.width || picture.height !== PREVIEW_SIZE.height)
    return null;
  const clean = withoutMetadata(picture.kind, bytes);
  return clean && new Uint8Array(clean);
}

/**
 * Checks an original photo from a form without scripts. It is kept in this one size, without its metadata. `leastSide`:
 * the shortest side allowed, in px.
 */
export async function checkOriginal(file: File, leastSide?: number): Promise<Checked> {
  const read = await readFiles([file]);
  if (!read.ok) return read;
  const refusal = read.variants.map(({ picture }) => refuseSize(picture, leastSide)).find((code) => code !== null);
  if (refusal) return { ok: false, code: refusal };
  return { ok: true, photo: { variants: read.variants, tone: readTone(null), thumbhash: "" } };
}

async function readFiles(files: readonly File[]): Promise<{ ok: true; variants: CheckedPhoto["variants"] } | Refused> {
  if (files.reduce((sum, { size }) => sum + size, 0) > PHOTO_MAX_BYTES) return { ok: false, code: "too_large" };
  const variants: CheckedPhoto["variants"] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const picture = readPicture(bytes);
    if (!picture) return { ok: false, code: isHeic(bytes) ? "heic" : "not_image" };
    const clean = withoutMetadata(picture.kind, bytes);
    if (!clean) return { ok: false, code: "unreadable" };
    variants.push({ picture, bytes: new Uint8Array(clean) });
  }
  return variants.length > 0 ? { ok: true, variants } : { ok: false, code: "not_image" };
}
