import { and, eq, sql } from "drizzle-orm";
import type { Store } from "#app/db/client.ts";
import { commitBatch, expectThat, PreconditionFailed } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { attachPhotos, findPhotos, releasePhotos } from "#app/catalogue/photos/photos.server.ts";
import { largestPath } from "#app/catalogue/photos/image-sources.ts";
import { type ProductImage, profiles, shops } from "#app/db/schema.ts";
import { bannerPhoto } from "./banner.ts";
import { shopValues, type ShopDetails, type ShopValues } from "./shop-form-rules.ts";

/** A user's shop settings for the form. */
export interface ShopEditor {
  /** False until the first save. */
  opened: boolean;
  values: ShopValues;
  /** The banner's photo, if there is one. */
  banner: ProductImage | null;
  /** When the holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
  /** When it was last saved, ms since 1970. */
  updatedAt: number | null;
}

/** A user's own shop settings; empty ones when there is no shop yet. */
export async function findShopEditor({ db, now }: Store, userId: string): Promise<ShopEditor> {
  const [shop] = await db.select().from(shops).where(eq(shops.id, userId));
  const banner = shop?.bannerUrl ? bannerPhoto(shop.bannerUrl) : null;
  return {
    opened: shop !== undefined,
    values: shopValues(shop ?? null, banner?.key ?? ""),
    banner,
    updatedAt: shop?.updatedAt ?? null,
    awayUntil: shop?.awayUntil != null && shop.awayUntil > now() ? shop.awayUntil : null,
  };
}

/**
 * Begins, changes or ends (null) the holiday of a shop's owner. `until` in ms since 1970. Payments under way when it
 * begins are honoured. False when there is no shop yet. Safe to repeat.
 */
export async function changeHoliday({ db, now }: Store, userId: string, until: number | null): Promise<boolean> {
  const changed = await db
    .update(shops)
    .set({ awayUntil: until, updatedAt: now() })
    .where(eq(shops.id, userId))
    .returning({ id: shops.id });
  return changed.length > 0;
}

/** changed: somebody saved the settings between reading and writing them. */
export type ShopSaved = { ok: true; opened: boolean } | { ok: false; code: "banner_gone" | "changed" };

/**
 * Saves a user's own shop. The first save opens it and makes its owner a seller. The banner is a photo of theirs, or
 * the one that the shop has. Safe to repeat. `opened`: whether this was the first save. `mergedWith`: the settings that
 * the change was merged with; other ones refuse it.
 */
export async function saveShop(
  store: Store,
  userId: string,
  details: ShopDetails,
  mergedWith?: { updatedAt: number | null },
): Promise<ShopSaved> {
  const now = Math.max(store.now(), (mergedWith?.updatedAt ?? 0) + 1);
  const [before] = await store.db.select({ bannerUrl: shops.bannerUrl }).from(shops).where(eq(shops.id, userId));
  const had = before?.bannerUrl ? bannerPhoto(before.bannerUrl) : null;
  const kept = had !== null && had.key === details.banner;
  const photos = kept || details.banner === null ? [] : await findPhotos(store.db, userId, [details.banner]);
  if (photos === null) return { ok: false, code: "banner_gone" };
  const [photo] = photos;
  const bannerUrl = kept ? (before?.bannerUrl ?? null) : photo ? largestPath(photo) : null;
  const savedAt = build.select({ updatedAt: shops.updatedAt }).from(shops).where(eq(shops.id, userId));
  const { banner: _banner, ...texts } = details;
  const values = { ...texts, bannerUrl, updatedAt: now };
  try {
    await commitBatch(store.db, [
      ...(mergedWith ? [expectThat(sql`${savedAt} IS ${mergedWith.updatedAt}`)] : []),
      build
        .insert(shops)
        .values({ id: userId, ...values, createdAt: now })
        .onConflictDoUpdate({ target: shops.id, set: values }),
      build
        .update(profiles)
        .set({ isSeller: true, updatedAt: now })
        .where(and(eq(profiles.id, userId), eq(profiles.isSeller, false))),
      ...(had && !kept ? [releasePhotos(userId, [had.key], now)] : []),
      ...attachPhotos(userId, photo ? [photo.key] : [], now),
    ]);
  } catch (error) {
    if (!(error instanceof PreconditionFailed)) throw error;
    const [shop] = await store.db.select({ updatedAt: shops.updatedAt }).from(shops).where(eq(shops.id, userId));
    const isChanged = mergedWith !== undefined && (shop?.updatedAt ?? null) !== mergedWith.updatedAt;
    return { ok: false, code: isChanged ? "changed" : "banner_gone" };
  }
  return { ok: true, opened: before === undefined };
}
