/** The photo of a member and the logo of a shop: who sees them, who changes them, and what becomes of them. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { answerAppeal } from "#app/moderation/cases/undo-case.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { findCasePage } from "#app/moderation/cases/find-case.server.ts";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { profiles, shops } from "#app/accounts/tables.server.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import { sendAppeal } from "#app/moderation/cases/appeals.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { saveShop } from "#app/shops/shop-settings.server.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { jpeg, webp } from "#tests/support/pictures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

const DAY_MS = 24 * 60 * 60_000;
const PORTRAIT = [96, 320].map((side) => ({ width: side, height: side }));

let person: string;

beforeEach(async () => {
  person = await makeUser({ name: "Achieng Odhiambo" });
});

function send(as: string, sizes: { width: number; height: number }[], seed: string): Promise<Response> {
  const form = new FormData();
  for (const size of sizes) form.append("variant", new File([webp(size, seed)], "p.webp", { type: "image/webp" }));
  form.append("portrait", "yes");
  return visit("/api/photos", { as, form });
}

async function upload(as: string, seed: string): Promise<ProductImage> {
  return (await (await send(as, PORTRAIT, seed)).json<{ data: ProductImage }>()).data;
}

/** Sends the form of the settings, opened with the photo `opened` (empty for none). */
function save(as: string, key: string, opened: string, file?: File): Promise<Response> {
  const form = new FormData();
  form.append("intent", "photo");
  form.append("photo", key);
  form.append("opened", JSON.stringify({ photo: opened }));
  if (file) form.append("photoFile", file);
  return visit("/settings", { as, form });
}

/** A page as a visitor reads it, at its full address. */
async function read(path: string): Promise<string> {
  const answer = await visit(path);
  const to = answer.headers.get("Location");
  return (to ? await visit(new URL(to, "http://localhost").pathname) : answer).text();
}

async function photoOf(id: string): Promise<string | null> {
  const [row] = await db.select({ url: profiles.photoUrl }).from(profiles).where(eq(profiles.id, id));
  return row?.url ?? null;
}

async function openShop(logo: string | null, banner: string | null = null): Promise<void> {
  const texts = { description: null, businessHours: null, policies: null, preferredContact: null };
  expect(
    await saveShop(servicesAt(), person, {
      shopName: "Kanga Corner",
      ...texts,
      offersDelivery: false,
      banner,
      logo,
    }),
  ).toMatchObject({ ok: true });
}

test("the two of a deal see each other's photo, so that they know each other when they meet", async () => {
  const { buyerId, sellerId, orderId, itemId } = await payDeal();
  const [buyerPhoto, sellerPhoto] = [await upload(buyerId, "buyer"), await upload(sellerId, "seller")];
  await save(buyerId, buyerPhoto.key, "");
  await save(sellerId, sellerPhoto.key, "");
  expect(await (await visit(`/orders/${orderId}`, { as: buyerId })).text()).toContain(sellerPhoto.key);
  expect(await (await visit(`/seller/orders/${itemId}`, { as: sellerId })).text()).toContain(buyerPhoto.key);
});

test("members see a photo with the product and the shop, visitors never, and a logo everybody", async () => {
  const photo = await upload(person, "face");
  expect((await save(person, photo.key, "")).status).toBe(302);
  expect(await photoOf(person)).toBe(`/files/${photo.key}/96.webp`);
  await openShop(null);
  const product = await makeProduct(person);
  const member = await makeUser();
  for (const path of [`/product/${product}`, `/seller/${person}`])
    expect(await (await visit(path, { as: member })).text()).toContain(photo.key);
  for (const path of [`/seller/${person}`, `/p/${shortIdOf(product)}`]) {
    const html = await read(path);
    expect(html).toContain("Casio");
    expect(html).not.toContain(photo.key);
  }

  const logo = await upload(person, "logo");
  await openShop(logo.key);
  const other = await makeProduct(person);
  for (const path of [`/seller/${person}`, `/s/${shortIdOf(person)}`, `/p/${shortIdOf(other)}`]) {
    const html = await read(path);
    expect(html).toContain(logo.key);
    expect(html).not.toContain(photo.key);
  }
});

test("a photo must come as the two squares, and must be the member's own", async () => {
  expect((await send(person, [{ width: 96, height: 96 }], "one")).status).toBe(422);
  expect(
    (
      await send(
        person,
        [
          { width: 96, height: 96 },
          { width: 320, height: 240 },
        ],
        "wide",
      )
    ).status,
  ).toBe(422);
  const others = await upload(await makeUser(), "other");
  expect((await save(person, others.key, "")).status).toBe(409);
  expect(await photoOf(person)).toBeNull();
});

test("without scripts an original is kept upright and without its place, and a tiny one is refused", async () => {
  const original = new File([jpeg({ width: 400, height: 600 }, 6)], "me.jpg", { type: "image/jpeg" });
  expect((await save(person, "", "", original)).status).toBe(302);
  const url = await photoOf(person);
  expect(url).toMatch(/^\/files\/img\/[0-9a-f]{32}\/600\.jpg$/);
  const bytes = await (await visit(url ?? "")).text();
  expect(bytes).not.toContain("-1.2921");
  const tiny = new File([jpeg({ width: 100, height: 100 })], "me.jpg", { type: "image/jpeg" });
  const refused = await save(person, "", "", tiny);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("This photo is too small");
  expect(await photoOf(person)).toBe(url);
});

test("a form that was opened before another change asks first; sent again, it counts", async () => {
  const [one, two] = [await upload(person, "one"), await upload(person, "two")];
  await save(person, one.key, "");
  const late = await save(person, two.key, "");
  expect(late.status).toBe(409);
  expect(await late.text()).toContain("Your photo was changed meanwhile, too.");
  expect(await photoOf(person)).toContain(one.key);
  expect((await save(person, two.key, one.key)).status).toBe(302);
  expect(await photoOf(person)).toContain(two.key);
  // Twice the same changes nothing.
  expect((await save(person, two.key, one.key)).status).toBe(302);
  expect((await save(person, "", two.key)).status).toBe(302);
  expect(await photoOf(person)).toBeNull();
  await sweepUnusedPhotos(servicesAt(2 * DAY_MS));
  expect(await env.MEDIA.head(`${two.key}/320.webp`)).toBeNull();
});

test("a sweep keeps the photo and the logo that are in use", async () => {
  const [photo, logo] = [await upload(person, "kept"), await upload(person, "kept logo")];
  await save(person, photo.key, "");
  await openShop(logo.key);
  await env.DB.prepare("UPDATE uploads SET attached_at = NULL WHERE owner_id = ?").bind(person).run();
  await sweepUnusedPhotos(servicesAt(2 * DAY_MS));
  for (const { key } of [photo, logo]) expect(await env.MEDIA.head(`${key}/320.webp`)).not.toBeNull();
});

test("a report keeps the photo, the logo and the banner as they were; our team removes them, and an appeal brings them back", async () => {
  const [photo, logo] = [await upload(person, "rude"), await upload(person, "rude logo")];
  const banner = await upload(person, "rude banner");
  await save(person, photo.key, "");
  await openShop(logo.key, banner.key);
  const reporterId = await makeUser();
  const report = { subject: "person", subjectId: person, reporterId, reason: "harassment", text: "" } as const;
  expect(await sendReport(servicesAt(), report)).toMatchObject({ ok: true });
  const [open] = await db.select().from(moderationCases).where(eq(moderationCases.reportedId, person));
  const caseId = open?.id ?? "";
  const [admin, other] = [await makeAdmin(), await makeAdmin()];
  const decision = { caseId, decision: "removed", statement: "It insults somebody." } as const;
  expect(await decideCase(servicesAt(1000), admin, decision)).toMatchObject({ ok: true });
  expect(await photoOf(person)).toBeNull();
  const [shop] = await db.select().from(shops).where(eq(shops.id, person));
  expect([shop?.logoUrl, shop?.bannerUrl]).toEqual([null, null]);
  for (const { key } of [photo, logo, banner])
    for (const side of [96, 320]) expect(await env.MEDIA.head(`${key}/${side}.webp`)).toBeNull();
  await sweepUnusedPhotos(servicesAt(3 * DAY_MS));
  const shown = await findCasePage(servicesAt().db, admin, caseId);
  expect(shown?.copied?.images.map(({ key }) => key)).toEqual([photo.key, logo.key, banner.key]);
  expect(JSON.stringify(shown?.copied)).not.toContain("/files/");

  await sendAppeal(servicesAt(2000), { token: open?.appealToken ?? "", text: "It is my face" });
  expect(await answerAppeal(servicesAt(3000), other, { caseId, granted: true, answer: "Sorry" })).toMatchObject({
    ok: true,
  });
  expect(await photoOf(person)).toContain(photo.key);
  const [after] = await db.select().from(shops).where(eq(shops.id, person));
  expect(after?.logoUrl).toContain(logo.key);
  expect(after?.bannerUrl).toContain(banner.key);
  const again = await findCasePage(servicesAt().db, admin, caseId);
  expect(again?.person).toMatchObject({ logoUrl: after?.logoUrl, bannerUrl: after?.bannerUrl });
  expect(await env.MEDIA.head(`${photo.key}/320.webp`)).not.toBeNull();
});

test("a deleted account leaves no photo and no logo", async () => {
  const [photo, logo] = [await upload(person, "leaving"), await upload(person, "leaving logo")];
  await save(person, photo.key, "");
  await openShop(logo.key);
  expect(await deleteAccount(servicesAt(), person)).toMatchObject({ ok: true });
  expect(await photoOf(person)).toBeNull();
  await sweepUnusedPhotos(servicesAt(2 * DAY_MS));
  for (const { key } of [photo, logo]) expect(await env.MEDIA.head(`${key}/320.webp`)).toBeNull();
});
