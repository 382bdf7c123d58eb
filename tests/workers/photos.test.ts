import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import { PHOTO_MAX_BYTES, PREVIEW_SIZE, variantSizes } from "#app/catalogue/photos/photo-rules.ts";
import { sweepDeletedAccounts } from "#app/moderation/erase.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { attachPhotos, findPhotos, releasePhotos, storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { checkOriginal, checkPhoto } from "#app/catalogue/photos/check-photo.server.ts";
import { deleteListing } from "#app/catalogue/selling/listings.server.ts";
import { answerAppeal } from "#app/moderation/cases/undo-case.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { moveRemovedPhotos } from "#app/catalogue/photos/removed-photos.server.ts";
import { sendAppeal } from "#app/moderation/cases/appeals.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { PreconditionFailed, write } from "#app/db/batch.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { shops, uploads } from "#app/accounts/tables.server.ts";
import { ORIGIN, sessionCookie } from "#tests/support/accounts.ts";
import { db, makeDeal, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { extendedWebp, jpeg, png, webp } from "#tests/support/pictures.ts";

const HOUR_MS = 60 * 60_000;
const PHOTO = { width: 4000, height: 3000 };

/** What a browser makes of a photo. */
function variantsOf(size = PHOTO, seed = "pixels"): Uint8Array<ArrayBuffer>[] {
  return (variantSizes(size) ?? []).map((variant) => webp(variant, seed));
}

async function send(
  files: Uint8Array<ArrayBuffer>[],
  options: { as?: string; origin?: string } = {},
): Promise<{ status: number; data?: ProductImage; error?: string }> {
  const form = new FormData();
  for (const file of files) form.append("variant", new File([file], "photo.webp", { type: "image/webp" }));
  form.append("tone", "#c0a080");
  form.append("thumbhash", "1QcSHQRnh493V4dIh4eXh1h4kJUI");
  const headers = {
    Origin: options.origin ?? ORIGIN,
    ...(options.as ? { Cookie: await sessionCookie(options.as) } : {}),
  };
  const response = await env.APP.fetch(`${ORIGIN}/api/photos`, { method: "POST", body: form, headers });
  return { status: response.status, ...(await response.json<object>()) };
}

async function upload(as: string, seed: string): Promise<ProductImage> {
  const { data } = await send(variantsOf(PHOTO, seed), { as });
  if (!data) throw new Error("the photo was refused");
  return data;
}

let day = 0;

/** Asks as of a day later each time, when no data centre has its copy any more. */
async function isServed(image: ProductImage, width = image.widths[0]): Promise<boolean> {
  day += 1;
  const response = await env.APP.fetch(`${ORIGIN}/files/${image.key}/${width}.${image.format}`, {
    headers: { "X-Days-Ahead": String(day) },
  });
  await response.arrayBuffer();
  return response.status === 200;
}

async function attach(ownerId: string, keys: string[]): Promise<void> {
  await write(db, attachPhotos(ownerId, keys, Date.now()));
}

test("a photo is kept in its variants, described, and served for ever under a name of its content", async () => {
  const user = await makeUser();
  const { status, data: image } = await send(variantsOf().toReversed(), { as: user });
  expect(status).toBe(200);
  expect(image).toEqual({
    key: expect.stringMatching(/^img\/[0-9a-f]{32}$/),
    format: "webp",
    width: 1600,
    height: 1200,
    widths: [320, 640, 1080, 1600],
    tone: "#c0a080",
    thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
  });
  for (const width of image!.widths) {
    const served = await env.APP.fetch(`${ORIGIN}/files/${image!.key}/${width}.webp`);
    expect([served.headers.get("Content-Type"), served.headers.get("Cache-Control")]).toEqual([
      "image/webp",
      "public, max-age=31536000, immutable",
    ]);
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(webp({ width, height: width * 0.75 }));
  }
});

test("the same photo again is the same photo, also twice at once, and another's is another", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const [one, two] = await Promise.all([send(variantsOf(), { as: user }), send(variantsOf(), { as: user })]);
  expect(one.data).toEqual(two.data);
  expect((await send(variantsOf(), { as: user })).data).toEqual(one.data);
  expect((await send(variantsOf(), { as: other })).data?.key).not.toBe(one.data?.key);
  expect(await db.select().from(uploads).where(eq(uploads.ownerId, user))).toHaveLength(1);
});

const [small = new Uint8Array(), ...larger] = variantsOf();
const large = larger.at(-1) ?? new Uint8Array();
const middle = larger.slice(0, -1);

test.each<[string, Uint8Array<ArrayBuffer>[], number, string]>([
  ["nothing", [], 415, "Please upload an image file"],
  [
    "a page called photo.webp",
    [new TextEncoder().encode("<script>alert(1)</script>")],
    415,
    "Please upload an image file",
  ],
  [
    "an iPhone's HEIC",
    [new TextEncoder().encode("\0\0\0\x18ftypheic\0\0\0\0mif1heic")],
    415,
    "We can't read this HEIC photo. Please choose a JPG or PNG",
  ],
  [
    "a small variant of another shape",
    [webp({ width: 320, height: 320 }), ...middle, large],
    422,
    "We couldn't read this photo. Please choose another one",
  ],
  [
    "a variant too few",
    [small, ...middle.slice(1), large],
    422,
    "We couldn't read this photo. Please choose another one",
  ],
  [
    "a variant too many",
    [small, ...middle, ...middle.slice(1), large],
    422,
    "We couldn't read this photo. Please choose another one",
  ],
  [
    "a wall of pixels",
    [small, ...middle, webp({ width: 16_000, height: 12_000 })],
    422,
    "We couldn't read this photo. Please choose another one",
  ],
  [
    "variants of two formats",
    [jpeg({ width: 320, height: 240 }), ...middle, large],
    422,
    "We couldn't read this photo. Please choose another one",
  ],
  [
    "a container that lies about its frame",
    [small, ...middle, extendedWebp({ width: 1600, height: 1200 }, { frame: { width: 1600, height: 1600 } })],
    415,
    "Please upload an image file",
  ],
  [
    "a moving picture",
    [small, ...middle, extendedWebp({ width: 1600, height: 1200 }, { animated: true })],
    415,
    "Please upload an image file",
  ],
  [
    "a picture cut short",
    [small, ...middle, large.slice(0, -8)],
    422,
    "We couldn't read this photo. Please choose another one",
  ],
])("an upload of %s is refused", async (_what, files, status, error) => {
  const user = await makeUser();
  expect(await send(files, { as: user })).toEqual({ success: false, status, error });
  expect(await db.select().from(uploads).where(eq(uploads.ownerId, user))).toEqual([]);
});

test("an upload above 10 MB is refused, whatever it says of itself", async () => {
  const padded = new Uint8Array(PHOTO_MAX_BYTES + 1);
  padded.set(large);
  const refused = await send([small, ...middle, padded], { as: await makeUser() });
  expect(refused).toEqual({ success: false, status: 413, error: "This photo is larger than 10 MB" });
});

test("where a photo was taken is never kept", async () => {
  const owner = await makeUser();
  const { data } = await send(
    [small, ...middle, extendedWebp({ width: 1600, height: 1200 }, { place: "-1.2921,36.82" })],
    { as: owner },
  );
  const served = await env.APP.fetch(`${ORIGIN}/files/${data?.key}/1600.webp`);
  const text = new TextDecoder("latin1").decode(await served.arrayBuffer());
  expect(text).toContain("VP8 ");
  expect(text).not.toContain("-1.2921");

  const checked = await checkOriginal(new File([jpeg({ width: 400, height: 300 }, 6)], "IMG_1.jpg"));
  if (!checked.ok) throw new Error(checked.code);
  const stored = await storePhoto(servicesAt(), owner, checked.photo);
  expect(stored).toMatchObject({ ok: true, image: { format: "jpg", width: 300, height: 400, widths: [300] } });
  const [original] = checked.photo.variants;
  expect(new TextDecoder("latin1").decode(original?.bytes)).not.toContain("-1.2921");
});

test("a small file that would fill a phone's memory is refused before it is stored", async () => {
  for (const picture of [png({ width: 9_999, height: 9_999 }), jpeg({ width: 4_096, height: 4_096 })]) {
    const checked = await checkOriginal(new File([picture], "bomb.png"));
    expect(checked).toEqual({ ok: false, code: "too_many_pixels" });
  }
});

test("only its owner attaches a photo, and only while it is there", async () => {
  const [owner, stranger] = [await makeUser(), await makeUser()];
  const image = await upload(owner, "mine");
  expect(await findPhotos(db, stranger, [image.key])).toBeNull();
  expect(await findPhotos(db, owner, [image.key, "img/0123456789abcdef"])).toBeNull();
  expect(await findPhotos(db, owner, [image.key])).toEqual([image]);
  await expect(attach(stranger, [image.key])).rejects.toThrow(PreconditionFailed);
  await expect(attach(owner, [image.key, "img/0123456789abcdef"])).rejects.toThrow(PreconditionFailed);
  await attach(owner, [image.key]);
  await sweepUnusedPhotos(servicesAt(48 * HOUR_MS));
  expect(await isServed(image)).toBe(true);
});

test("with an account its photos go, of messages and listings alike, but for those that orders show", async () => {
  const [owner, other, deal] = [await makeUser(), await makeUser(), await makeDeal()];
  const [written, listed] = [await upload(owner, "written"), await upload(owner, "listed")];
  await attach(owner, [written.key, listed.key]);
  await db
    .update(products)
    .set({ images: [listed] })
    .where(eq(products.id, await makeProduct(owner)));
  await env.DB.prepare(
    `INSERT INTO messages (id, thread, sender_id, recipient_id, message, images, sender_name, recipient_name,
      created_at) VALUES (?, 't', ?, ?, '', ?, 'A', 'B', 1)`,
  )
    .bind(crypto.randomUUID(), owner, other, JSON.stringify([written]))
    .run();
  const sold = await upload(deal.sellerId, "sold");
  await attach(deal.sellerId, [sold.key]);
  await env.DB.prepare("UPDATE order_items SET product_image = ? WHERE seller_id = ?")
    .bind(JSON.stringify(sold), deal.sellerId)
    .run();

  for (const id of [owner, deal.sellerId]) expect(await deleteAccount(servicesAt(), id)).toMatchObject({ ok: true });
  await sweepUnusedPhotos(servicesAt(25 * HOUR_MS));
  expect([await isServed(written), await isServed(listed), await isServed(sold)]).toEqual([false, false, true]);
});

test("the sweep takes photos that nothing shows for a day, and no others", async () => {
  const { sellerId } = await makeDeal();
  const fresh = servicesAt();
  const [forgotten, listed, ordered, banner] = [
    await upload(sellerId, "a"),
    await upload(sellerId, "b"),
    await upload(sellerId, "c"),
    await upload(sellerId, "d"),
  ];
  const kept = [listed, ordered, banner];
  await attach(
    sellerId,
    kept.map(({ key }) => key),
  );
  const productId = await makeProduct(sellerId);
  await db
    .update(products)
    .set({ images: [listed] })
    .where(eq(products.id, productId));
  await env.DB.prepare("UPDATE order_items SET product_image = ? WHERE seller_id = ?")
    .bind(JSON.stringify(ordered), sellerId)
    .run();
  await db.insert(shops).values({
    id: sellerId,
    shopName: "Duka",
    bannerUrl: `/files/${banner.key}/1600.webp`,
    createdAt: 0,
    updatedAt: 0,
  });
  // Detached from one listing, but shown elsewhere.
  await write(db, [
    releasePhotos(
      sellerId,
      kept.map(({ key }) => key),
      fresh.now(),
    ),
  ]);

  await sweepUnusedPhotos(servicesAt(23 * HOUR_MS));
  expect(await isServed(forgotten)).toBe(true);
  await sweepUnusedPhotos(servicesAt(25 * HOUR_MS));
  expect(await isServed(forgotten)).toBe(false);
  for (const image of kept) expect(await isServed(image)).toBe(true);
  expect(await findPhotos(db, sellerId, [forgotten.key])).toBeNull();

  // Nothing uses it any more, so it is deleted after another day.
  await db.update(products).set({ deletedAt: 1 }).where(eq(products.id, productId));
  await write(db, [releasePhotos(sellerId, [listed.key], fresh.now())]);
  await sweepUnusedPhotos(servicesAt(25 * HOUR_MS));
  expect(await isServed(listed)).toBe(false);
});

test("the photos of a reported listing that its seller deletes stay with its case, which says so", async () => {
  const [seller, reporter, admin] = [await makeUser(), await makeUser(), await makeAdmin()];
  const image = await upload(seller, "evidence");
  await attach(seller, [image.key]);
  const productId = await makeProduct(seller);
  await db
    .update(products)
    .set({ images: [image] })
    .where(eq(products.id, productId));
  await sendReport(servicesAt(), {
    subject: "listing",
    subjectId: productId,
    reporterId: reporter,
    reason: "scam",
    text: "",
  });
  expect(await deleteListing(servicesAt(), { sellerId: seller, productId })).toBe(true);
  await sweepUnusedPhotos(servicesAt(25 * HOUR_MS));
  expect(await isServed(image)).toBe(true);

  const opened = await env.DB.prepare("SELECT id FROM moderation_cases WHERE subject_id = ?")
    .bind(productId)
    .first<{ id: string }>();
  const caseId = opened?.id ?? "";
  const html = await (await visit(`/admin/moderation/${caseId}`, { as: admin.id })).text();
  expect(html).toContain("The seller deleted this listing on");
  expect(html).toContain(image.key);

  await decideCase(servicesAt(), admin, { caseId, decision: "warned", statement: "A scam" });
  await sweepUnusedPhotos(servicesAt(50 * HOUR_MS));
  expect(await isServed(image)).toBe(false);
  const kept = () => env.DOCUMENTS.head(`${image.key}/${image.widths[0]}.${image.format}`);
  expect(await kept()).not.toBeNull();

  await deleteAccount(servicesAt(), seller);
  await sweepDeletedAccounts(servicesAt(31 * 24 * HOUR_MS));
  await sweepUnusedPhotos(servicesAt(33 * 24 * HOUR_MS));
  expect(await kept()).toBeNull();
});

test("a sweep that was cut off is finished by the next, and its photos are attached by nobody meanwhile", async () => {
  const owner = await makeUser();
  const image = await upload(owner, "half");
  const failing = {
    ...servicesAt(25 * HOUR_MS),
    media: { delete: () => Promise.reject(new Error("R2 is away")) } as Partial<R2Bucket> as R2Bucket,
  };
  await expect(sweepUnusedPhotos(failing)).rejects.toThrow("R2 is away");
  await expect(attach(owner, [image.key])).rejects.toThrow(PreconditionFailed);
  expect(await send(variantsOf(PHOTO, "half"), { as: owner })).toMatchObject({
    status: 503,
    error: "Please wait a moment, then try again",
  });
  expect((await sweepUnusedPhotos(servicesAt(25 * HOUR_MS))).deleted).toBeGreaterThan(0);
  expect((await send(variantsOf(PHOTO, "half"), { as: owner })).data).toEqual(image);
  expect(await isServed(image)).toBe(true);
});

/** Records photos without files that nothing uses. Returns their keys. */
async function recordPhotos(ownerId: string, count: number, prefix: string): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, n) => `${prefix}/${String(n).padStart(32, "0")}`);
  await env.DB.batch(
    keys.map((key) =>
      env.DB.prepare(
        "INSERT INTO uploads (key, owner_id, bucket, image, created_at) VALUES (?, ?, 'media', ?, ?)",
      ).bind(
        key,
        ownerId,
        JSON.stringify({ key, format: "jpg", width: 32, height: 32, widths: [32], tone: "#ffffff", thumbhash: "" }),
        Date.now(),
      ),
    ),
  );
  return keys;
}

async function countUploads(ownerId: string): Promise<number> {
  return (await db.select().from(uploads).where(eq(uploads.ownerId, ownerId))).length;
}

test("the sweep keeps every photo that is used, however many there are, and works until none is due", async () => {
  await sweepUnusedPhotos(servicesAt(25 * HOUR_MS));
  const seller = await makeUser();
  const product = await makeProduct(seller);
  const keys = await recordPhotos(seller, 330, "img/used");
  await db
    .update(products)
    .set({ images: keys.map((key) => ({ key, width: 32, height: 32, widths: [32], tone: "#ffffff", thumbhash: "" })) })
    .where(eq(products.id, product));
  await recordPhotos(seller, 230, "img/unused");
  expect(await sweepUnusedPhotos(servicesAt(25 * HOUR_MS))).toEqual({ deleted: 230, left: 0 });
  expect(await countUploads(seller)).toBe(330);
});

test("a sweep without time left says how many photos it did not look at", async () => {
  const owner = await makeUser();
  await recordPhotos(owner, 250, "img/late");
  const services = servicesAt(25 * HOUR_MS);
  expect(await sweepUnusedPhotos(services, services.now())).toEqual({ deleted: 200, left: 50 });
  expect(await sweepUnusedPhotos(services)).toEqual({ deleted: 50, left: 0 });
});

test("a day has only so many uploads", async () => {
  const owner = await makeUser();
  await env.DB.prepare("INSERT INTO rate_counters (key, window_start, count) VALUES (?, ?, 300)")
    .bind(`photos:${owner}`, Date.now())
    .run();
  expect(await send(variantsOf(), { as: owner })).toMatchObject({
    status: 429,
    error: "You've uploaded too many photos today. Please try again tomorrow",
  });
});

describe("a photo that our team takes down", () => {
  const address = (image: ProductImage, file: string) => `/files/${image.key}/${file}`;
  const filesOf = (image: ProductImage) => [...image.widths.map((width) => `${width}.${image.format}`), "preview.jpg"];

  /** A photo with all its sizes and its preview. */
  async function photoWithPreview(ownerId: string, seed: string): Promise<ProductImage> {
    const files = variantsOf(PHOTO, seed).map((bytes, n) => new File([bytes], `${n}.webp`));
    const checked = await checkPhoto(files, { preview: new File([jpeg(PREVIEW_SIZE)], "preview.jpg") });
    if (!checked.ok) throw new Error(checked.code);
    const stored = await storePhoto(servicesAt(), ownerId, checked.photo);
    if (!stored.ok) throw new Error(stored.code);
    return stored.image;
  }

  /** Statuses of all its files, some minutes later each time, when no data centre has a copy any more. */
  async function statuses(image: ProductImage, as?: string): Promise<number[]> {
    day += 0.01;
    const headers = {
      "X-Days-Ahead": String(day),
      ...(as ? { Cookie: await sessionCookie(as) } : {}),
    };
    return Promise.all(
      filesOf(image).map(async (file) => (await env.APP.fetch(`${ORIGIN}${address(image, file)}`, { headers })).status),
    );
  }

  /** What shows a photo, whose it is, and its case. */
  async function shown(subject: "listing" | "message" | "review") {
    const deal = await makeDeal();
    const [owner, reporterId] = [subject === "review" ? deal.buyerId : deal.sellerId, await makeUser()];
    const image = await photoWithPreview(owner, `${subject} ${crypto.randomUUID()}`);
    const json = JSON.stringify([image]);
    const id = subject === "listing" ? deal.productId : crypto.randomUUID();
    if (subject === "listing")
      await db
        .update(products)
        .set({ images: [image] })
        .where(eq(products.id, id));
    if (subject === "message")
      await env.DB.prepare(
        `INSERT INTO messages (id, thread, sender_id, recipient_id, message, images, sender_name, recipient_name, read,
          created_at)
          VALUES (?1, ?2, ?3, ?4, 'Look', ?5, 'A', 'B', 1, 1)`,
      )
        .bind(id, [owner, reporterId].toSorted().join(":"), owner, reporterId, json)
        .run();
    if (subject === "review")
      await env.DB.prepare(
        `INSERT INTO reviews (id, order_item_id, author_id, subject_id, subject_role, rating, photos, publish_at,
          published_at, created_at)
          VALUES (?1, ?2, ?3, ?4, 'seller', 1, ?5, 1, 1, 1)`,
      )
        .bind(id, deal.itemId, owner, deal.sellerId, json)
        .run();
    await db.update(uploads).set({ attachedAt: 1 }).where(eq(uploads.key, image.key));
    const sent = await sendReport(servicesAt(), {
      subject,
      subjectId: id,
      reporterId,
      reason: "personal_data",
      text: "",
    });
    expect(sent).toMatchObject({ ok: true });
    const [opened] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, id));
    return { owner, image, id, caseId: opened?.id ?? "", token: opened?.appealToken ?? "" };
  }

  const removed = { decision: "removed", statement: "It shows somebody's ID." } as const;

  test.each(["listing", "message", "review"] as const)(
    "with a %s leaves its public address at once in all its sizes, stays with its case, and comes back after an appeal",
    async (subject) => {
      const { owner, image, caseId, token } = await shown(subject);
      const [admin, other] = [await makeAdmin(), await makeAdmin()];
      const all = (status: number) => filesOf(image).map(() => status);
      expect(await statuses(image)).toEqual(all(200));
      expect(await decideCase(servicesAt(), admin, { caseId, ...removed })).toMatchObject({ ok: true });
      for (const file of filesOf(image)) expect(await env.MEDIA.head(`${image.key}/${file}`)).toBeNull();
      expect(await statuses(image)).toEqual(all(404));
      expect(await statuses(image, await makeUser())).toEqual(all(404));
      expect(await statuses(image, owner)).toEqual(all(200));
      expect(await statuses(image, admin.id)).toEqual(all(200));
      await sweepUnusedPhotos(servicesAt(3 * 24 * HOUR_MS));
      expect(await statuses(image, admin.id)).toEqual(all(200));

      await sendAppeal(servicesAt(), { token, text: "It is mine" });
      expect(await answerAppeal(servicesAt(), other, { caseId, granted: true, answer: "Sorry" })).toMatchObject({
        ok: true,
      });
      expect(await statuses(image)).toEqual(all(200));
    },
  );

  test("is gone from the copies of a data centre within a minute", async () => {
    const { image, caseId } = await shown("listing");
    const file = address(image, `${image.widths[0]}.webp`);
    day += 1;
    const after = async (seconds: number) => {
      const headers = { "X-Days-Ahead": String(day + seconds / 86_400) };
      return (await env.APP.fetch(`${ORIGIN}${file}`, { headers })).status;
    };
    expect(await after(0)).toBe(200);
    await decideCase(servicesAt(), await makeAdmin(), { caseId, ...removed });
    expect(await after(61)).toBe(404);
  });

  test("can't be sent or shown again", async () => {
    const { owner, image, caseId } = await shown("listing");
    await decideCase(servicesAt(), await makeAdmin(), { caseId, ...removed });
    expect(await findPhotos(db, owner, [image.key])).toBeNull();
    await expect(write(db, attachPhotos(owner, [image.key], Date.now()))).rejects.toThrow(PreconditionFailed);
    expect(await env.MEDIA.head(`${image.key}/preview.jpg`)).toBeNull();
  });

  test("stays where it is when a report finds nothing wrong", async () => {
    const { image, caseId } = await shown("listing");
    await decideCase(servicesAt(), await makeAdmin(), { caseId, decision: "dismissed", statement: "" });
    expect(await statuses(image)).toEqual(filesOf(image).map(() => 200));
  });

  test("moves once the bucket answers again, and is lost nowhere between", async () => {
    const { image, caseId, token } = await shown("listing");
    const [admin, other] = [await makeAdmin(), await makeAdmin()];
    const failing = (calls: number) => {
      let left = calls;
      const count = (name: string) => {
        if (!["get", "put", "delete"].includes(name)) return;
        left -= 1;
        if (left < 0) throw new Error("the bucket is away");
      };
      const wrap = (bucket: R2Bucket) =>
        new Proxy(bucket, {
          get(target, name: string) {
            const value = Reflect.get(target, name) as unknown;
            if (typeof value !== "function") return value;
            return (...args: unknown[]) => {
              count(name);
              return Reflect.apply(value, target, args) as unknown;
            };
          },
        });
      const services = servicesAt();
      return { ...services, media: wrap(services.media), documents: wrap(services.documents) };
    };
    expect(await decideCase(failing(0), admin, { caseId, ...removed })).toMatchObject({ ok: true });
    for (let calls = 1; (await moveRemovedPhotos(failing(calls))) < 1; calls += 1) expect(calls).toBeLessThan(50);
    expect(await statuses(image)).toEqual(filesOf(image).map(() => 404));
    expect(await moveRemovedPhotos(servicesAt())).toBe(0);
    await sendAppeal(servicesAt(), { token, text: "It is mine" });
    await answerAppeal(failing(0), other, { caseId, granted: true, answer: "Sorry" });
    for (let calls = 1; (await moveRemovedPhotos(failing(calls))) < 1; calls += 1) expect(calls).toBeLessThan(50);
    expect(await statuses(image)).toEqual(filesOf(image).map(() => 200));
    expect(await moveRemovedPhotos(servicesAt())).toBe(0);
  });

  test("is public where it was restored while its files were still being moved", async () => {
    const { image, caseId, token } = await shown("listing");
    const [admin, other] = [await makeAdmin(), await makeAdmin()];
    const services = servicesAt();
    let isRestored = false;
    const media = new Proxy(services.media, {
      get(target, name: string) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          if (name === "delete" && !isRestored) {
            isRestored = true;
            await sendAppeal(servicesAt(), { token, text: "It is mine" });
            await answerAppeal(servicesAt(), other, { caseId, granted: true, answer: "Sorry" });
          }
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
    await decideCase({ ...services, media }, admin, { caseId, ...removed });
    expect(isRestored).toBe(true);
    expect(await statuses(image)).toEqual(filesOf(image).map(() => 200));
  });
});
