import { and, count, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { withoutMetadata } from "#app/platform/picture-privacy.ts";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { expectThat, runBatch, type Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { COPY_SHOWS_PHOTO } from "#app/db/copies.ts";
import { countIn, countOne } from "#app/db/rate-counters.ts";
import { type ProductImage, products, profiles, shops, uploads } from "#app/db/schema.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import {
  arePortrait,
  areVariants,
  isHeic,
  PHOTO_MAX_BYTES,
  type PhotoRefusal,
  PREVIEW_FILE,
  PREVIEW_MAX_BYTES,
  PREVIEW_SIZE,
  readThumbhash,
  readTone,
  refuseSize,
} from "./photo-rules.ts";
import { type Picture, readPicture } from "./picture-size.ts";

export interface PhotoServices extends Store {
  /** The public bucket. */
  media: R2Bucket;
  /** The private bucket. */
  documents: R2Bucket;
}

/** Where a photo is stored: `media` is public, `documents` is private. */
export type PhotoBucket = "media" | "documents";

/** The beginning of a photo's key tells its bucket. */
const PREFIXES: Record<PhotoBucket, string> = { media: "img", documents: "private" };

/** A photo whose bytes were checked and cleaned. The variants are sorted, smallest first. */
export interface CheckedPhoto {
  variants: { picture: Picture; bytes: Uint8Array<ArrayBuffer> }[];
  /** None for a photo that no public page shows, and for one from a browser without scripts. */
  preview?: Uint8Array<ArrayBuffer>;
  tone: string;
  thumbhash: string;
}

type Refused = { ok: false; code: PhotoRefusal };
type Checked = { ok: true; photo: CheckedPhoto } | Refused;

const DAY_MS = 24 * 60 * 60_000;
/** How many photos a user may upload in a day. */
const PHOTOS_A_DAY = 300;

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
 * Checks an original photo from a form without scripts. It is kept in this one size, without its metadata. `leastSide`: the
 * shortest side allowed, in px.
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

const FORMATS = { jpeg: "jpg", png: "png", webp: "webp" } as const satisfies Record<
  Picture["kind"],
  ProductImage["format"]
>;

/**
 * Stores a photo for `ownerId`, not attached to anything yet; otherwise the sweep deletes it after
 * a day. The key is computed from the owner and the bytes, so a repeat finds the stored photo and nobody overwrites
 * another's. Throws when the bucket or the database fails. It is safe to repeat.
 */
export async function storePhoto(
  services: PhotoServices,
  ownerId: string,
  photo: CheckedPhoto,
  bucket: PhotoBucket = "media",
): Promise<{ ok: true; image: ProductImage } | Refused> {
  const now = services.now();
  const image = await describe(ownerId, photo, bucket);
  // Recorded before the file is stored, so that the sweep finds files whose upload failed halfway.
  const [counted, [known]] = await runBatch(services.db, [
    countOne({ key: `photos:${ownerId}`, max: PHOTOS_A_DAY, windowMs: DAY_MS }, now),
    build
      .insert(uploads)
      .values({ key: image.key, ownerId, bucket, image, createdAt: now })
      .onConflictDoUpdate({ target: uploads.key, set: { createdAt: now }, setWhere: isNull(uploads.removingAt) })
      .returning({ image: uploads.image, removalCaseId: uploads.removalCaseId }),
  ]);
  if (countIn(counted) > PHOTOS_A_DAY) return { ok: false, code: "too_many" };
  // The same file would stand under the same address again.
  if (known?.removalCaseId) return { ok: false, code: "removed" };
  if (!known?.image) return { ok: false, code: "busy" };
  const put = (file: string, kind: Picture["kind"], bytes: Uint8Array<ArrayBuffer>) =>
    services[bucket].put(file, bytes, {
      onlyIf: { etagDoesNotMatch: "*" },
      httpMetadata: { contentType: `image/${kind}` },
    });
  await Promise.all([
    ...photo.variants.map(({ picture, bytes }) => put(photoFile(image, picture.width), picture.kind, bytes)),
    photo.preview && put(previewFile(image), "jpeg", photo.preview),
  ]);
  return { ok: true, image: known.image };
}

async function describe(
  ownerId: string,
  { variants, preview, tone, thumbhash }: CheckedPhoto,
  bucket: PhotoBucket,
): Promise<ProductImage> {
  const largest = variants.at(-1)?.picture;
  if (!largest) throw new Error("a photo without variants");
  const prints = await Promise.all(
    variants.map(async ({ picture, bytes }) => `${picture.width} ${await sha256Hex(bytes)}`),
  );
  if (preview) prints.push(`preview ${await sha256Hex(preview)}`);
  const hash = await sha256Hex(new TextEncoder().encode([ownerId, ...prints].join("\n")));
  return {
    key: `${PREFIXES[bucket]}/${hash.slice(0, 32)}`,
    format: FORMATS[largest.kind],
    width: largest.width,
    height: largest.height,
    widths: variants.map(({ picture }) => picture.width),
    tone,
    thumbhash,
    ...(preview && { preview: true }),
  };
}

function photoFile({ key, format }: ProductImage, width: number): string {
  return `${key}/${width}.${format ?? "webp"}`;
}

function previewFile({ key }: ProductImage): string {
  return `${key}/${PREVIEW_FILE}`;
}

/** The photos of these keys, in order. Null when one of them is missing or not `ownerId`'s. One round trip. */
export async function findPhotos(
  db: Database,
  ownerId: string,
  keys: readonly string[],
  bucket: PhotoBucket = "media",
): Promise<ProductImage[] | null> {
  if (keys.length === 0) return [];
  const [rows] = await runBatch(db, [photosOf(usablePhotos(ownerId, keys, bucket))]);
  const found = new Map(rows.map(({ key, image }) => [key, image]));
  const images = keys.flatMap((key) => found.get(key) ?? []);
  return images.length === keys.length ? images : null;
}

function photosOf(condition: SQL | undefined) {
  return build
    .select({ key: uploads.key, bucket: uploads.bucket, image: uploads.image })
    .from(uploads)
    .where(condition);
}

function ownPhotos(ownerId: string, keys: readonly string[], bucket: PhotoBucket) {
  return and(isOneOf(keys), eq(uploads.ownerId, ownerId), eq(uploads.bucket, bucket), isNull(uploads.removingAt));
}

/** The same without those that our team took down: nothing new shows them. */
function usablePhotos(ownerId: string, keys: readonly string[], bucket: PhotoBucket) {
  return and(ownPhotos(ownerId, keys, bucket), isNull(uploads.removalCaseId));
}

/** One value for all keys, because D1 allows 100 in a statement. */
function isOneOf(keys: readonly string[]) {
  return inArray(uploads.key, sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`);
}

/**
 * Statements for the batch that attaches these photos to something. The sweep then leaves them alone. They abort the
 * batch (PreconditionFailed) if one is missing or not `ownerId`'s. `keys` are distinct.
 */
export function attachPhotos(
  ownerId: string,
  keys: readonly string[],
  now: number,
  bucket: PhotoBucket = "media",
): Statement[] {
  if (keys.length === 0) return [];
  const own = usablePhotos(ownerId, keys, bucket);
  return [
    build.update(uploads).set({ attachedAt: now }).where(own),
    expectThat(sql`${countPhotos(own)} = ${keys.length}`),
  ];
}

/**
 * Statements for the batch that detaches these photos. A day later, the sweep deletes those that nothing uses any more.
 */
export function releasePhotos(ownerId: string, keys: readonly string[], now: number): Statement {
  return build
    .update(uploads)
    .set({ attachedAt: null, createdAt: now })
    .where(ownPhotos(ownerId, keys, "media"));
}

function countPhotos(condition: SQL | undefined) {
  return build.select({ count: count() }).from(uploads).where(condition);
}

/** Photos that are looked at together, of up to five files each. R2 deletes at most 1,000 files at once. */
const SWEPT_AT_ONCE = 200;

/** How long one sweep may take, in ms. The next one takes what is left. */
const SWEEP_MS = 20_000;

/**
 * Deletes photos that were uploaded or detached more than a day ago and that no listing, order, message, shop, review,
 * copy or reported problem uses. `uses`: SQL on `uploads`, whether something in another folder uses the photo.
 * Returns how many it deleted, and how many it had no time to look at. It can stop at any point: a photo is marked first,
 * so that nobody can attach it, and its row is deleted last.
 */
export async function sweepPhotos(
  services: PhotoServices,
  uses: readonly SQL[],
  untilMs = services.now() + SWEEP_MS,
): Promise<{ deleted: number; left: number }> {
  const createdBefore = services.now() - RETENTION.photos.keptMs;
  for (let deleted = 0; ;) {
    const step = await sweepSome(services, uses, createdBefore);
    deleted += step.deleted;
    if (Math.max(step.checked, step.deleted) < SWEPT_AT_ONCE) return { deleted, left: 0 };
    if (services.now() >= untilMs) return { deleted, left: await countUnattached(services.db, createdBefore) };
  }
}

/** Photos that a sweep has to look at. */
function unattached(createdBefore: number) {
  return and(
    isNotNull(uploads.image),
    isNull(uploads.attachedAt),
    isNull(uploads.removingAt),
    lt(uploads.createdAt, createdBefore),
  );
}

async function countUnattached(db: Database, createdBefore: number): Promise<number> {
  const [[row]] = await runBatch(db, [countPhotos(unattached(createdBefore))]);
  return row?.count ?? 0;
}

async function sweepSome(
  services: PhotoServices,
  uses: readonly SQL[],
  createdBefore: number,
): Promise<{ checked: number; deleted: number }> {
  const now = services.now();
  const found = build
    .select({ key: uploads.key, named: sql`${or(IS_NAMED, ...uses)}`.as("named") })
    .from(uploads)
    .where(unattached(createdBefore))
    .orderBy(uploads.createdAt)
    .limit(SWEPT_AT_ONCE)
    .as("found");
  const [checked, marked] = await runBatch(services.db, [
    // One statement decides about each photo, so that none is marked without a look at who uses it.
    build
      .update(uploads)
      .set({
        attachedAt: sql`CASE WHEN ${found.named} THEN ${now} END`,
        removingAt: sql`CASE WHEN NOT ${found.named} THEN ${now} END`,
      })
      .from(found)
      .where(eq(uploads.key, found.key))
      .returning({ key: uploads.key }),
    photosOf(and(isNotNull(uploads.image), isNotNull(uploads.removingAt)))
      .orderBy(uploads.removingAt)
      .limit(SWEPT_AT_ONCE),
  ]);
  for (const bucket of ["media", "documents"] as const) {
    const images = marked.flatMap((photo) => (photo.bucket === bucket && photo.image ? [photo.image] : []));
    const files = images.flatMap(filesOf);
    if (files.length === 0) continue;
    await services[bucket].delete(files);
    // A photo that was taken down once has a private copy.
    if (bucket === "media") await services.documents.delete(files);
  }
  if (marked.length > 0)
    await services.db.delete(uploads).where(and(isNotNull(uploads.removingAt), isOneOf(marked.map(({ key }) => key))));
  return { checked: checked.length, deleted: marked.length };
}

/** All files that a photo has. */
export function filesOf(image: ProductImage): string[] {
  const variants = image.widths.map((width) => photoFile(image, width));
  return image.preview ? [...variants, previewFile(image)] : variants;
}

/**
 * SQL on `uploads`: something of the catalogue uses the photo, or a kept copy. Each search has its own index, so that it costs
 * the same for somebody with a long history.
 */
const IS_NAMED = sql`(${COPY_SHOWS_PHOTO}
  OR EXISTS (SELECT 1 FROM ${products}, json_each(${products.images}) i
    WHERE ${products.sellerId} = ${uploads.ownerId} AND ${products.deletedAt} IS NULL AND i.value ->> 'key' = ${uploads.key})
  OR EXISTS (SELECT 1 FROM ${profiles} WHERE ${profiles.id} = ${uploads.ownerId} AND instr(${profiles.photoUrl}, ${uploads.key}) > 0)
  OR EXISTS (SELECT 1 FROM ${shops} WHERE ${shops.id} = ${uploads.ownerId}
    AND (instr(${shops.bannerUrl}, ${uploads.key}) > 0 OR instr(${shops.logoUrl}, ${uploads.key}) > 0)))`;
