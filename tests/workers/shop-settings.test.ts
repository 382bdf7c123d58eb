import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import { profiles, shops, uploads } from "#app/accounts/tables.server.ts";
import { storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { readShop } from "#app/shops/shop-check-rules.ts";
import { readShopForm } from "#app/shops/shop-form-rules.ts";
import { findShopEditor, saveShop } from "#app/shops/shop-settings.server.ts";
import { db, makeUser, servicesAt } from "#tests/support/fixtures.ts";

const services = servicesAt();
const DAY = 24 * 60 * 60_000;

function details(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ shopName: "Duka la Njeri", ...fields })) form.set(name, value);
  const reading = readShop(readShopForm(form));
  if (!reading.ok) throw new Error("not a shop");
  return reading.details;
}

let photos = 0;
/** A photo that `ownerId` has uploaded. */
async function upload(ownerId: string): Promise<string> {
  photos += 1;
  const bytes = new TextEncoder().encode(`banner ${photos}`);
  const stored = await storePhoto(services, ownerId, {
    variants: [{ picture: { kind: "webp", width: 1280, height: 400 }, bytes }],
    tone: "#aaaaaa",
    thumbhash: "",
  });
  if (!stored.ok) throw new Error(stored.code);
  return stored.image.key;
}

async function readShopRow(id: string) {
  const [row] = await db.select().from(shops).where(eq(shops.id, id));
  return row;
}

test("the first save opens a shop and makes its owner a seller; the next ones change it, and keep its plan", async () => {
  const userId = await makeUser();
  expect(await findShopEditor(services, userId)).toMatchObject({
    opened: false,
    values: { shopName: "" },
    banner: null,
  });
  expect(await saveShop(services, userId, details({ policies: "No returns on food" }))).toEqual({
    ok: true,
    opened: true,
  });
  const [owner] = await db.select().from(profiles).where(eq(profiles.id, userId));
  expect(owner?.isSeller).toBe(true);

  await db.update(shops).set({ featuredUntil: 99 }).where(eq(shops.id, userId));
  const changed = details({
    shopName: "Njeri Books",
    offersDelivery: "on",
    hoursKind: "text",
    hoursText: "After class",
  });
  // Two at once, and once more: one shop, with the same values.
  await Promise.all([saveShop(services, userId, changed), saveShop(services, userId, changed)]);
  expect(await saveShop(services, userId, changed)).toEqual({ ok: true, opened: false });
  expect(await readShopRow(userId)).toMatchObject({
    shopName: "Njeri Books",
    offersDelivery: true,
    businessHours: "After class",
    policies: null,
    featuredUntil: 99,
  });
  expect(await findShopEditor(services, userId)).toMatchObject({
    opened: true,
    values: { shopName: "Njeri Books", hoursKind: "text", hoursText: "After class", offersDelivery: true },
  });
});

test("a banner is its owner's photo, stays while the rest is edited, and the one before it is swept", async () => {
  const userId = await makeUser();
  const first = await upload(userId);
  await saveShop(services, userId, details({ banner: first }));
  expect(await readShopRow(userId)).toMatchObject({ bannerUrl: `/files/${first}/1280.webp` });
  expect((await findShopEditor(services, userId)).banner).toMatchObject({ key: first, widths: [1280] });
  await saveShop(services, userId, details({ banner: first, description: "Set books" }));
  await sweepUnusedPhotos(servicesAt(2 * DAY));
  expect(await readShopRow(userId)).toMatchObject({ bannerUrl: `/files/${first}/1280.webp`, description: "Set books" });
  expect(await db.$count(uploads, eq(uploads.key, first))).toBe(1);

  const second = await upload(userId);
  await saveShop(services, userId, details({ banner: second }));
  await sweepUnusedPhotos(servicesAt(2 * DAY));
  expect(await db.$count(uploads, eq(uploads.key, first))).toBe(0);
  expect(await db.$count(uploads, eq(uploads.key, second))).toBe(1);

  await saveShop(services, userId, details({ banner: "" }));
  expect(await readShopRow(userId)).toMatchObject({ bannerUrl: null });
});

test("a banner can't be somebody else's photo, or one that is gone", async () => {
  const [userId, other] = [await makeUser(), await makeUser()];
  const theirs = await upload(other);
  expect(await saveShop(services, userId, details({ banner: theirs }))).toEqual({ ok: false, code: "photo_gone" });
  expect(await saveShop(services, userId, details({ banner: "img/nothing" }))).toEqual({
    ok: false,
    code: "photo_gone",
  });
  expect(await readShopRow(userId)).toBeUndefined();
  // A save changes only the user's own shop, whatever else is sent.
  await saveShop(services, other, details({ shopName: "Theirs" }));
  await saveShop(services, userId, details({ shopName: "Mine" }));
  expect(await readShopRow(other)).toMatchObject({ shopName: "Theirs" });
});
