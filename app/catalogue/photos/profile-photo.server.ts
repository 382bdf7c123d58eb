import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { eq, sql } from "drizzle-orm";
import { expectThat, tryWrite } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import type { Database, Store } from "#app/db/client.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { attachPhotos, findPhotos, releasePhotos } from "./photos.server.ts";
import { portraitPath, portraitPhoto } from "./portraits.ts";

/** The key of somebody's profile photo; empty for none. */
export async function findProfilePhoto(db: Database, userId: string): Promise<string> {
  const [row] = await db.select({ url: profiles.photoUrl }).from(profiles).where(eq(profiles.id, userId));
  return portraitPhoto(row?.url ?? null)?.key ?? "";
}

/** gone: the photo was deleted, or isn't theirs. changed: it was changed between reading and writing. */
export type PhotoSaved = { ok: true } | { ok: false; code: "gone" | "changed" };

/** Sets somebody's profile photo (`key`), or removes it (null), unless it is no longer `before` (empty for none). */
export async function saveProfilePhoto(
  store: Store,
  userId: string,
  { key, before }: { key: string | null; before: string },
): Promise<PhotoSaved> {
  const now = store.now();
  const photos = key === null ? [] : await findPhotos(store.db, userId, [key]);
  if (photos === null) return { ok: false, code: "gone" };
  const [photo] = photos;
  const had = build.select({ url: profiles.photoUrl }).from(profiles).where(eq(profiles.id, userId));
  const isDone = await tryWrite(store.db, [
    expectThat(isOpenAccount(userId)),
    expectThat(before === "" ? sql`${had} IS NULL` : sql`${had} LIKE ${`/files/${before}/%`}`),
    build
      .update(profiles)
      .set({ photoUrl: photo ? portraitPath(photo) : null, updatedAt: now })
      .where(eq(profiles.id, userId)),
    copyEdited(PERSON_COPY, idList(userId), now),
    ...(before === "" ? [] : [releasePhotos(userId, [before], now)]),
    ...attachPhotos(userId, photo ? [photo.key] : [], now),
  ]);
  if (isDone) return { ok: true };
  return { ok: false, code: (await findProfilePhoto(store.db, userId)) === before ? "gone" : "changed" };
}
