import { and, count, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { type Statement, expectThat, read, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { countIn, countOne } from "#app/db/rate-counters.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { uploads } from "#app/accounts/tables.server.ts";
import { sha256Hex } from "#app/platform/sha256.ts";
import type { CheckedPhoto, Refused } from "./check-photo.server.ts";
import { PREVIEW_FILE } from "./photo-rules.ts";
import type { Picture } from "./picture-size.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

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

/** How many photos a user may upload in a day. */
const PHOTOS_A_DAY = 300;

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
  const {
    counted,
    known: [known],
  } = await write(services.db, {
    counted: countOne({ key: `photos:${ownerId}`, max: PHOTOS_A_DAY, windowMs: DAY_MS }, now),
    known: build
      .insert(uploads)
      .values({ key: image.key, ownerId, bucket, image, createdAt: now })
      .onConflictDoUpdate({ target: uploads.key, set: { createdAt: now }, setWhere: isNull(uploads.removingAt) })
      .returning({ image: uploads.image, removalCaseId: uploads.removalCaseId }),
  });
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
  const rows = await read(db, photosOf(usablePhotos(ownerId, keys, bucket)));
  const found = new Map(rows.map(({ key, image }) => [key, image]));
  const images = keys.flatMap((key) => found.get(key) ?? []);
  return images.length === keys.length ? images : null;
}

export function photosOf(condition: SQL | undefined) {
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
export function isOneOf(keys: readonly string[]) {
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

export function countPhotos(condition: SQL | undefined) {
  return build.select({ count: count() }).from(uploads).where(condition);
}

/** All files that a photo has. */
export function filesOf(image: ProductImage): string[] {
  const variants = image.widths.map((width) => photoFile(image, width));
  return image.preview ? [...variants, previewFile(image)] : variants;
}
