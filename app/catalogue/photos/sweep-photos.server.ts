/** Deletes photos that nothing uses. */
import { and, eq, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { RETENTION } from "#app/platform/retention-rules.ts";
import { read, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { profiles, shops, uploads } from "#app/accounts/tables.server.ts";

import { countPhotos, filesOf, isOneOf, type PhotoServices, photosOf } from "./photos.server.ts";

/** Photos that are looked at together, of up to five files each. R2 deletes at most 1,000 files at once. */
const SWEPT_AT_ONCE = 200;

/** How long one sweep may take, in ms. The next one takes what is left. */
const SWEEP_MS = 20_000;

/**
 * Deletes photos that were uploaded or detached more than a day ago and that no listing, order, message, shop, review,
 * copy or reported problem uses. `uses`: SQL on `uploads`, whether something in another folder uses the photo. Returns
 * how many it deleted, and how many it had no time to look at. It can stop at any point: a photo is marked first, so
 * that nobody can attach it, and its row is deleted last.
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
  const [row] = await read(db, countPhotos(unattached(createdBefore)));
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
  const { checked, marked } = await write(services.db, {
    // One statement decides about each photo, so that none is marked without a look at who uses it.
    checked: build
      .update(uploads)
      .set({
        attachedAt: sql`CASE WHEN ${found.named} THEN ${now} END`,
        removingAt: sql`CASE WHEN NOT ${found.named} THEN ${now} END`,
      })
      .from(found)
      .where(eq(uploads.key, found.key))
      .returning({ key: uploads.key }),
    marked: photosOf(and(isNotNull(uploads.image), isNotNull(uploads.removingAt)))
      .orderBy(uploads.removingAt)
      .limit(SWEPT_AT_ONCE),
  });
  for (const bucket of ["media", "documents"] as const) {
    const images = marked.flatMap((photo) => (photo.bucket === bucket && photo.image ? [photo.image] : []));
    const files = images.flatMap(filesOf);
    if (files.length === 0) continue;
    await services[bucket].delete(files);
    // A photo that was taken down once has a private copy.
    if (bucket === "media") await services.documents.delete(files);
  }
  if (marked.length > 0)
    await write(services.db, [
      build.delete(uploads).where(and(isNotNull(uploads.removingAt), isOneOf(marked.map(({ key }) => key)))),
    ]);
  return { checked: checked.length, deleted: marked.length };
}

/**
 * SQL on `uploads`: a listing, a profile or a shop uses the photo. Each search has its own index, so that
 * it costs the same for somebody with a long history.
 */
const IS_NAMED = sql`(EXISTS (SELECT 1 FROM ${products}, json_each(${products.images}) image
    WHERE ${products.sellerId} = ${uploads.ownerId} AND ${products.deletedAt} IS NULL
      AND image.value ->> 'key' = ${uploads.key})
  OR EXISTS (SELECT 1 FROM ${profiles} WHERE ${profiles.id} = ${uploads.ownerId}
    AND instr(${profiles.photoUrl}, ${uploads.key}) > 0)
  OR EXISTS (SELECT 1 FROM ${shops} WHERE ${shops.id} = ${uploads.ownerId}
    AND (instr(${shops.bannerUrl}, ${uploads.key}) > 0 OR instr(${shops.logoUrl}, ${uploads.key}) > 0)))`;
