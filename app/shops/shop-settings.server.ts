import { isOpenAccount } from "#app/accounts/open-account.server.ts";
import { LISTING_COPY } from "#app/catalogue/listing-copy.server.ts";
import { PERSON_COPY } from "#app/accounts/profile/person-copy.server.ts";
import { and, eq, sql } from "drizzle-orm";
import { asksForPoints } from "#app/accounts/profile/points-only.server.ts";
import { awayUntil } from "#app/accounts/profile/holiday.server.ts";
import { scoreOfShop } from "#app/accounts/trust/ratings.server.ts";
import type { Store } from "#app/db/client.ts";
import { expectThat, read, tryWrite, write } from "#app/db/batch.ts";
import { build, idList, pick } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import { listingsOf } from "#app/catalogue/listing-effects.server.ts";
import { attachPhotos, findPhotos, releasePhotos } from "#app/catalogue/photos/photos.server.ts";
import { largestPath } from "#app/catalogue/photos/image-sources.ts";
import { portraitPath, portraitPhoto } from "#app/catalogue/photos/portraits.ts";
import { indexShops } from "#app/catalogue/search/search-index.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { campusLocations, profiles, shops } from "#app/accounts/tables.server.ts";
import { bannerPhoto } from "./banner.ts";
import { shopValues, type ShopDetails, type ShopValues } from "./shop-form-rules.ts";

/** A user's shop settings for the form. */
export interface ShopEditor {
  /** False until the first save. */
  opened: boolean;
  values: ShopValues;
  /** The banner's photo, if there is one. */
  banner: ProductImage | null;
  /** The logo's. */
  logo: ProductImage | null;
  /** When the holiday ends, ms since 1970; null when they aren't on holiday. */
  awayUntil: number | null;
  /** Their campus, if it asks its sellers to hand over at meeting points, so that nothing is delivered. */
  askedBy: string | null;
  /** When it was last saved, ms since 1970. */
  updatedAt: number | null;
}

/** A user's own shop settings; empty ones when there is no shop yet. */
export async function findShopEditor({ db, now }: Store, userId: string): Promise<ShopEditor> {
  const {
    shop: [shop],
    asking: [asking],
  } = await read(db, {
    shop: build.select().from(shops).where(eq(shops.id, userId)),
    asking: build.select(pick(campusLocations, "name")).from(campusLocations).where(asksForPoints(userId)),
  });
  const banner = shop?.bannerUrl ? bannerPhoto(shop.bannerUrl) : null;
  const logo = portraitPhoto(shop?.logoUrl ?? null);
  return {
    opened: shop !== undefined,
    values: shopValues(shop ?? null, { banner: banner?.key ?? "", logo: logo?.key ?? "" }),
    banner,
    logo,
    askedBy: asking?.name ?? null,
    updatedAt: shop?.updatedAt ?? null,
    awayUntil: shop?.awayUntil != null && shop.awayUntil > now() ? shop.awayUntil : null,
  };
}

/**
 * Begins, changes or ends (null) the holiday of a shop's owner. `until` in ms since 1970. Payments under way when it
 * begins are kept. False when there is no shop yet. Safe to repeat. `mergedWith`: when the holiday ended with which
 * the change was merged.
 * @throws PreconditionFailed where somebody changed the holiday since `mergedWith` was read
 */
export async function changeHoliday(
  { db, now }: Store,
  userId: string,
  until: number | null,
  mergedWith?: number | null,
): Promise<boolean> {
  const { changed } = await write(db, {
    isAsRead: expectThat(mergedWith === undefined ? sql`1` : sql`${awayUntil(sql`${userId}`, now())} IS ${mergedWith}`),
    changed: build
      .update(shops)
      .set({ awayUntil: until, updatedAt: now() })
      .where(eq(shops.id, userId))
      .returning({ id: shops.id }),
  });
  return changed.length > 0;
}

/** changed: somebody saved the settings between reading and writing them. */
export type ShopSaved = { ok: true; opened: boolean } | { ok: false; code: "photo_gone" | "changed" };

/**
 * Saves a user's own shop. The first save opens it and makes its owner a seller. The banner and the logo are photos of
 * theirs, or those that the shop has. Safe to repeat. `opened`: whether this was the first save. `mergedWith`: the
 * settings that the change was merged with; other ones refuse it.
 */
export async function saveShop(
  store: Store,
  userId: string,
  details: ShopDetails,
  mergedWith?: { updatedAt: number | null },
): Promise<ShopSaved> {
  const now = Math.max(store.now(), (mergedWith?.updatedAt ?? 0) + 1);
  const [before] = await store.db
    .select({ bannerUrl: shops.bannerUrl, logoUrl: shops.logoUrl })
    .from(shops)
    .where(eq(shops.id, userId));
  const had = {
    banner: before?.bannerUrl ? bannerPhoto(before.bannerUrl) : null,
    logo: portraitPhoto(before?.logoUrl ?? null),
  };
  const oldKeys = [had.banner?.key, had.logo?.key].filter((key) => key !== undefined);
  const changed = [
    details.banner === had.banner?.key ? null : details.banner,
    details.logo === had.logo?.key ? null : details.logo,
  ];
  const newKeys = [...new Set(changed.filter((key) => key !== null))];
  const photos = await findPhotos(store.db, userId, newKeys);
  if (photos === null) return { ok: false, code: "photo_gone" };
  const photoOf = (key: string) => photos.find((photo) => photo.key === key) ?? null;
  const bannerUrl = urlOf(details.banner, had.banner, before?.bannerUrl, photoOf, largestPath);
  const logoUrl = urlOf(details.logo, had.logo, before?.logoUrl, photoOf, portraitPath);
  const savedAt = build.select({ updatedAt: shops.updatedAt }).from(shops).where(eq(shops.id, userId));
  const { banner: _banner, logo: _logo, ...texts } = details;
  const values = { ...texts, bannerUrl, logoUrl, updatedAt: now };
  const isDone = await tryWrite(store.db, [
    expectThat(isOpenAccount(userId)),
    ...(mergedWith ? [expectThat(sql`${savedAt} IS ${mergedWith.updatedAt}`)] : []),
    build
      .insert(shops)
      .values({ id: userId, ...values, ratingScore: scoreOfShop(sql`${userId}`), createdAt: now })
      .onConflictDoUpdate({ target: shops.id, set: values }),
    ...indexShops(idList(userId)),
    copyEdited(PERSON_COPY, idList(userId), now),
    // A listing promises what its shop says.
    copyEdited(LISTING_COPY, listingsOf(userId), now),
    build
      .update(profiles)
      .set({ isSeller: true, updatedAt: now })
      .where(and(eq(profiles.id, userId), eq(profiles.isSeller, false))),
    releasePhotos(
      userId,
      oldKeys.filter((key) => key !== details.banner && key !== details.logo),
      now,
    ),
    ...attachPhotos(userId, newKeys, now),
  ]);
  if (!isDone) {
    const [shop] = await store.db.select({ updatedAt: shops.updatedAt }).from(shops).where(eq(shops.id, userId));
    const isChanged = mergedWith !== undefined && (shop?.updatedAt ?? null) !== mergedWith.updatedAt;
    return { ok: false, code: isChanged ? "changed" : "photo_gone" };
  }
  return { ok: true, opened: before === undefined };
}

/** The address to keep of a photo: as it was where the photo stays, of the new one, or null where there is none. */
function urlOf(
  key: string | null,
  had: ProductImage | null,
  hadUrl: string | null | undefined,
  photoOf: (key: string) => ProductImage | null,
  pathOf: (photo: ProductImage) => string,
): string | null {
  if (key === null) return null;
  if (key === had?.key) return hadUrl ?? null;
  const photo = photoOf(key);
  return photo && pathOf(photo);
}
