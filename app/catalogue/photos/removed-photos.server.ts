/** Photos that our team took down with what showed them: out of the public bucket at once, and kept for their case. */
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { type Statement, read, write } from "#app/db/batch.ts";
import { asBoolean, build } from "#app/db/build.ts";
import type { Logging } from "#app/db/client.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { uploads } from "#app/accounts/tables.server.ts";
import { filesOf, type PhotoBucket, type PhotoServices } from "./photos.server.ts";

/** Statement: the photos with these keys (SQL that selects them) leave their public addresses because of this case. */
export function removePhotos(caseId: string, keys: SQL): Statement {
  return build
    .update(uploads)
    .set({ removalCaseId: caseId })
    .where(and(sql`${uploads.key} IN (${keys})`, eq(uploads.bucket, "media")));
}

/** Statement: what left because of this case comes back. */
export function restorePhotos(caseId: string, now: number): Statement {
  return (
    build
      .update(uploads)
      // Also where the move hasn't been noted yet, so that the way back is made in any case.
      .set({ removalCaseId: null, movedAt: sql`COALESCE(${uploads.movedAt}, ${now})` })
      .where(eq(uploads.removalCaseId, caseId))
  );
}

/** SQL: the files aren't where they belong. As the partial index has it. */
const IS_MISPLACED = sql`(${uploads.removalCaseId} IS NULL) <> (${uploads.movedAt} IS NULL)`;
const MOVED_AT_ONCE = 20;

/**
 * Moves the files of photos that were taken down into the private bucket, and of those that were restored back. Returns
 * how many. The private copy stays until the photo is deleted, so nothing is lost wherever this stops and however many
 * do it at once.
 */
export async function moveRemovedPhotos(services: PhotoServices & Logging): Promise<number> {
  const misplaced = await read(
    services.db,
    build
      .select({ key: uploads.key, image: uploads.image, isRemoved: asBoolean(isNotNull(uploads.removalCaseId)) })
      .from(uploads)
      .where(IS_MISPLACED)
      .limit(MOVED_AT_ONCE),
  );
  const moved = await oneByOne(
    misplaced,
    (photo) => movePhoto(services, photo),
    ({ key }, error) => services.log({ event: "photo_not_moved", level: "error", key, error: String(error) }),
  );
  return moved.length;
}

async function movePhoto(
  services: PhotoServices,
  { key, image, isRemoved }: { key: string; image: ProductImage | null; isRemoved: boolean },
): Promise<void> {
  const files = image ? filesOf(image) : [];
  if (!isRemoved) {
    await copyFiles(services, files, "documents", "media");
    await noteMove(services, key, null);
    return;
  }
  await copyFiles(services, files, "media", "documents");
  await services.media.delete(files);
  // It was restored meanwhile.
  if (!(await noteMove(services, key, services.now()))) await copyFiles(services, files, "documents", "media");
}

/**
 * False if the photo doesn't belong there any more. `movedAt`: when it left its public address, ms; null once it is
 * back.
 */
async function noteMove({ db }: PhotoServices, key: string, movedAt: number | null): Promise<boolean> {
  const belongs = movedAt === null ? isNull(uploads.removalCaseId) : isNotNull(uploads.removalCaseId);
  const { result } = await write(db, {
    result: build
      .update(uploads)
      .set({ movedAt })
      .where(and(eq(uploads.key, key), belongs)),
  });
  return result.meta.changes === 1;
}

async function copyFiles(services: PhotoServices, files: string[], from: PhotoBucket, to: PhotoBucket): Promise<void> {
  for (const file of files) {
    const object = await services[from].get(file);
    if (object) await services[to].put(file, await object.arrayBuffer(), { httpMetadata: object.httpMetadata ?? {} });
  }
}

/** Whose photo it is, if our team took it down; null for every other key. */
export async function ownerOfRemoved({ db }: Pick<PhotoServices, "db">, key: string): Promise<string | null> {
  const [row] = await db
    .select({ ownerId: uploads.ownerId })
    .from(uploads)
    .where(and(eq(uploads.key, key), isNotNull(uploads.removalCaseId)));
  return row?.ownerId ?? null;
}
