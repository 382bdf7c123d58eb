import { env } from "cloudflare:workers";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { deleteAccount } from "#app/accounts/delete-account.server.ts";
import { sweepPhotos } from "#app/catalogue/photos.server.ts";
import { readPicture } from "#app/catalogue/picture-size.ts";
import {
  PREVIEW_MAX_BYTES,
  type PictureMaker,
  PREVIEW_SIZE,
  type PreviewContent,
  previewPath,
} from "#app/catalogue/preview-rules.ts";
import { makeDuePreviews, makePreview, type PreviewServices } from "#app/catalogue/previews.server.ts";
import { productPreviews, products, uploads } from "#app/db/schema.ts";
import { publicProductPath } from "#app/platform/public-links.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
import { db, makeProduct, makeUser, servicesAt, settleDeferred } from "#tests/support/fixtures.ts";
import { runPreviewsJob } from "#workers/jobs/previews.ts";
import { encodeJpeg, readPixels, toPixels } from "#workers/pictures/codecs.ts";
import { drawPreview } from "#workers/pictures/draw-preview.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const CONTENT: PreviewContent = {
  name: "Casio fx-991EX calculator",
  price: 1_500,
  originalPrice: 2_200,
  condition: "like_new",
  location: "Main Campus",
  photo: null,
};
const PHOTO = { file: "img/a/800.webp", tone: "#d8d4cc" };

/** Red squares of 48 px. */
const RED = {
  webp: "UklGRkoAAABXRUJQVlA4ID4AAABwAwCdASowADAAPm02mEkkIyKhI4gAgA2JZwB2AAA+ekB2WgAA/vA4Q//G83mta3//9lY/9Kx/6Vj9ygAAAA==",
  png: "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAIAAADYYG7QAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAXUlEQVRYhe3WUQ3AAAwC0Uk5/yqQNhNLuo+XVEBD4OBZ/eqe8w/moSgUD03KOsfPgDEKxUOTss4hNAMtCsVDk7JwKGBMdUy5Zn50P81moEWheGhSFg4FjKmOfRqFF+cMAIjvufw7AAAAAElFTkSuQmCC",
  jpeg: "/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAwADADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAUH/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8An4CA1sAAAAAAAAAAAAAAAB//2Q==",
};

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The colour in the middle of the photo's part, as [red, green, blue] in steps of 16. */
async function colourOfPhoto(preview: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const pixels = await readPixels(preview);
  const at = 4 * (315 * PREVIEW_SIZE.width + 315);
  return Array.from(pixels?.data.subarray(at, at + 3) ?? [], (value) => Math.round(value / 16));
}

/** The photo's file with another size in its header, or cut off in its middle. */
const BROKEN = {
  larger: (kind: keyof typeof RED) => {
    const bytes = bytesOf(RED[kind]);
    const view = new DataView(bytes.buffer);
    if (kind === "png") view.setUint32(16, 60_000);
    if (kind === "webp") for (const at of [26, 28]) view.setUint16(at, 16_383, true);
    const frame = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xc0);
    if (kind === "jpeg") view.setUint16(frame + 7, 65_000);
    return bytes;
  },
  cut: (kind: keyof typeof RED) => bytesOf(RED[kind]).slice(0, -Math.floor(bytesOf(RED[kind]).length / 4)),
};

async function readRow(productId: string) {
  const [row] = await db.select().from(productPreviews).where(eq(productPreviews.productId, productId));
  return row;
}

async function change(productId: string, values: Partial<typeof products.$inferInsert>): Promise<void> {
  await db
    .update(products)
    .set({ ...values, updatedAt: Date.now() })
    .where(eq(products.id, productId));
}

/** Services whose pictures worker is `drawPreview`. They remember what is logged. */
function servicesWith(draw: PictureMaker["drawPreview"], offsetMs = 0): PreviewServices & { logged: string[] } {
  const { db: database, now, media, documents } = servicesAt(offsetMs);
  const logged: string[] = [];
  return {
    db: database,
    now,
    media,
    documents,
    logged,
    log: ({ event }) => logged.push(event),
    defer: () => {},
    pictures: { drawPreview: draw, writeAvif: async () => {} },
  };
}

/** Bytes that name the content: different for different contents. */
async function quickDrawing(content: PreviewContent): Promise<Uint8Array<ArrayBuffer>> {
  return new TextEncoder().encode(JSON.stringify(content));
}

/** Whether the picture is in the bucket. A data centre may serve it for another hour. */
async function isKept(key: string | null | undefined): Promise<boolean> {
  return (await env.MEDIA.head(previewPath(key ?? "").slice("/files/".length))) !== null;
}

test("a new listing's preview is a JPEG of 1200 × 630 at an address that never changes its content", async () => {
  const product = await makeProduct(await makeUser(), { name: "Desk lamp 💡", price: 800 });
  expect(await makePreview(servicesAt(), product)).toBe(true);
  const row = await readRow(product);
  expect(row).toMatchObject({ dueAt: null, attempts: 0, failure: null });
  const response = await env.APP.fetch(ORIGIN + previewPath(row?.key ?? ""));
  expect([response.status, response.headers.get("Content-Type"), response.headers.get("Cache-Control")]).toEqual([
    200,
    "image/jpeg",
    "public, max-age=31536000, immutable",
  ]);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(readPicture(bytes)).toEqual({ kind: "jpeg", ...PREVIEW_SIZE });
  expect(bytes.length).toBeLessThan(PREVIEW_MAX_BYTES);
  expect(await makePreview(servicesAt(), product)).toBe(false);
});

test.each(Object.entries(RED))("a %s photo fills its part of the picture", async (_, base64) => {
  const preview = await drawPreview({ ...CONTENT, photo: PHOTO }, bytesOf(base64));
  expect(await colourOfPhoto(preview)).toEqual([12, 2, 2]);
});

test.each(Object.keys(RED) as (keyof typeof RED)[])("a broken %s photo does no harm", async (kind) => {
  const larger = BROKEN.larger(kind);
  const size = readPicture(larger);
  expect((size?.width ?? 0) * (size?.height ?? 0)).toBeGreaterThan(2_000_000);
  expect(await readPixels(larger)).toBeNull();
  // A decoder may read what is there of a cut photo. Either way, the next one is read as ever.
  const cut = await readPixels(BROKEN.cut(kind));
  expect(cut === null || (cut.width === 48 && cut.height === 48)).toBe(true);
  expect(await readPixels(bytesOf(RED[kind]))).toMatchObject({ width: 48, height: 48 });
});

test("a photo that is gone or can't be read is left out", async () => {
  const without = await drawPreview(CONTENT, null);
  expect(await drawPreview({ ...CONTENT, photo: PHOTO }, null)).toEqual(without);
  expect(await drawPreview({ ...CONTENT, photo: PHOTO }, bytesOf(RED.jpeg).slice(0, 120))).toEqual(without);
  expect(await drawPreview({ ...CONTENT, photo: PHOTO }, new TextEncoder().encode("<svg/>"))).toEqual(without);
});

/** A JPEG's first quantisation table, which depends on its quality. */
function quantisationOf(jpeg: Uint8Array): Uint8Array {
  const at = jpeg.findIndex((byte, n) => byte === 0xff && jpeg[n + 1] === 0xdb);
  return jpeg.slice(at + 5, at + 5 + 64);
}

test("equal content gives equal bytes, and the busiest photo stays below 300 KB", async ({ task }) => {
  let seed = 1;
  const noise = Uint8ClampedArray.from({ length: 4 * 630 * 630 }, (_, at) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return at % 4 === 3 ? 255 : (seed >> 16) & 255;
  });
  const photo = await encodeJpeg(toPixels(noise, 630, 630), [95]);
  const [busy, again] = [
    await drawPreview({ ...CONTENT, photo: PHOTO }, photo),
    await drawPreview({ ...CONTENT, photo: PHOTO }, photo),
  ];
  const plain = await drawPreview(CONTENT, null);
  expect(again).toEqual(busy);
  expect(readPicture(busy)).toEqual({ kind: "jpeg", ...PREVIEW_SIZE });
  expect(busy.length).toBeLessThan(PREVIEW_MAX_BYTES);
  // Not at the first quality.
  expect(quantisationOf(busy)).not.toEqual(quantisationOf(plain));
  task.meta.counted = `previews: ${busy.length} bytes for a photo of noise, ${plain.length} without a photo`;
});

test("a preview is due again when something that it shows changes, and only then", async () => {
  const product = await makeProduct(await makeUser(), { price: 900 });
  const image = { key: "img/00000000000000000000000000000001", width: 320, height: 320, widths: [320] };
  const shown = { ...image, tone: "#d8d4cc", thumbhash: "" };
  const second = { ...shown, key: "img/00000000000000000000000000000002" };
  const isDueAfter = async (values: Parameters<typeof change>[1]) => {
    await makePreview(servicesWith(quickDrawing), product);
    expect(await readRow(product)).toMatchObject({ dueAt: null });
    await change(product, values);
    return (await readRow(product))?.dueAt === 0;
  };
  expect(await isDueAfter({ name: "Another name" })).toBe(true);
  expect(await isDueAfter({ price: 800 })).toBe(true);
  expect(await isDueAfter({ originalPrice: 1_000 })).toBe(true);
  expect(await isDueAfter({ condition: "fair" })).toBe(true);
  expect(await isDueAfter({ location: "City Campus" })).toBe(true);
  expect(await isDueAfter({ images: [shown] })).toBe(true);
  expect(await isDueAfter({ images: [shown, second] })).toBe(false);
  expect(await isDueAfter({ images: [second, shown] })).toBe(true);
  expect(await isDueAfter({ stock: 3, description: "More words", status: "sold" })).toBe(false);
  expect(await isDueAfter({ name: "Another name", price: 800 })).toBe(false);
});

test("a picture of an earlier price never replaces a newer one", async () => {
  const product = await makeProduct(await makeUser(), { price: 900 });
  let newer: string | null | undefined;
  const slow = servicesWith(async (content) => {
    // While this one draws, the price changes and another worker draws the new one.
    await change(product, { price: 700 });
    await makePreview(servicesWith(quickDrawing), product);
    newer = (await readRow(product))?.key;
    return quickDrawing(content);
  });
  expect(await makePreview(slow, product)).toBe(false);
  expect(newer).toMatch(/^og\//);
  expect(await readRow(product)).toMatchObject({ key: newer, dueAt: null, failure: null });
  expect(slow.logged).toEqual([]);
});

test("of two workers at once, one draws", async () => {
  const product = await makeProduct(await makeUser());
  const draw = vi.fn<typeof quickDrawing>(quickDrawing);
  const made = await Promise.all([1, 2].map(() => makePreview(servicesWith(draw), product)));
  expect(made.toSorted()).toEqual([false, true]);
  expect(draw).toHaveBeenCalledTimes(1);
});

test("a preview that fails is tried again after longer and longer pauses, and given up after four tries", async () => {
  const product = await makeProduct(await makeUser());
  const broken = (offsetMs: number) => servicesWith(async () => null, offsetMs);
  const tryAt = async (minutes: number) => {
    const services = broken(minutes * MINUTE_MS);
    await makePreview(services, product);
    return services.logged.length;
  };
  expect([await tryAt(0), await tryAt(4), await tryAt(6), await tryAt(30)]).toEqual([1, 0, 1, 0]);
  expect([await tryAt(40), await tryAt(230), await tryAt(10_000)]).toEqual([1, 1, 0]);
  expect(await readRow(product)).toMatchObject({ key: null, dueAt: null, failure: "drawing", attempts: 4 });
  await change(product, { price: 1 });
  expect(await makePreview(servicesWith(quickDrawing), product)).toBe(true);
});

test("while the pictures worker doesn't work, a run stops at the first listing, and no listing loses a try", async () => {
  await db.update(productPreviews).set({ dueAt: null });
  const seller = await makeUser();
  const [first, second] = [await makeProduct(seller), await makeProduct(seller)];
  const away = vi.fn<PictureMaker["drawPreview"]>(() => Promise.reject(new Error("no such worker")));
  for (let minute = 0; minute < 60; minute += 1) await runPreviewsJob(servicesWith(away, minute * MINUTE_MS));
  expect(away.mock.calls.length).toBeLessThanOrEqual(60);
  for (const product of [first, second])
    expect(await readRow(product)).toMatchObject({ attempts: 0, failure: "drawing", dueAt: expect.any(Number) });
  await runPreviewsJob(servicesWith(quickDrawing, 66 * MINUTE_MS));
  for (const product of [first, second]) expect(await readRow(product)).toMatchObject({ dueAt: null, failure: null });
});

test("a picture that the sweep takes away while it is published counts as a failure", async () => {
  const product = await makeProduct(await makeUser());
  const services = servicesWith(quickDrawing);
  const { media } = services;
  const put = async (...input: Parameters<R2Bucket["put"]>) => {
    await db
      .update(uploads)
      .set({ removingAt: 1 })
      .where(eq(uploads.key, input[0].split("/").slice(0, 2).join("/")));
    return media.put(...input);
  };
  const late = { ...services, media: { put } as Partial<R2Bucket> as R2Bucket };
  expect(await makePreview(late, product)).toBe(false);
  expect(await readRow(product)).toMatchObject({ key: null, failure: "storage", attempts: 1 });
  expect(services.logged).toEqual(["preview_failed"]);
});

test("a try that was cut off is made good after five minutes", async () => {
  const product = await makeProduct(await makeUser());
  void makePreview(
    servicesWith(() => new Promise(() => {})),
    product,
  );
  await eventually(async () => expect(await readRow(product)).toMatchObject({ failure: "interrupted", attempts: 1 }));
  expect(await makePreview(servicesWith(quickDrawing, 4 * MINUTE_MS), product)).toBe(false);
  expect(await makePreview(servicesWith(quickDrawing, 6 * MINUTE_MS), product)).toBe(true);
});

test("a replaced picture is kept for a day, and one that a listing shows stays", async () => {
  const seller = await makeUser();
  const product = await makeProduct(seller, { price: 900, name: "Two alike" });
  const twin = await makeProduct(seller, { price: 900, name: "Two alike" });
  const draw = servicesWith(quickDrawing);
  await makePreview(draw, product);
  await makePreview(draw, twin);
  const old = (await readRow(product))?.key;
  expect((await readRow(twin))?.key).toBe(old);
  await change(product, { price: 700 });
  await makePreview(draw, product);
  await sweepPhotos(servicesAt(2 * DAY_MS));
  // The twin still shows it.
  expect(await isKept(old)).toBe(true);
  await change(twin, { price: 700 });
  await makePreview(draw, twin);
  await sweepPhotos(servicesAt(DAY_MS / 2));
  expect(await isKept(old)).toBe(true);
  await sweepPhotos(servicesAt(2 * DAY_MS));
  expect(await isKept(old)).toBe(false);
  expect(await isKept((await readRow(product))?.key)).toBe(true);
});

test.each([
  ["taken down", { suspendedAt: 1 }],
  ["deleted", { deletedAt: 1 }],
])("a listing that is %s loses its picture, and gets one again when it comes back", async (_, hidden) => {
  const product = await makeProduct(await makeUser());
  const draw = servicesWith(quickDrawing);
  await makePreview(draw, product);
  const key = (await readRow(product))?.key;
  await change(product, hidden);
  expect(await readRow(product)).toMatchObject({ key: null, dueAt: null });
  await change(product, { price: 1 });
  expect(await makePreview(draw, product)).toBe(false);
  await sweepPhotos(servicesAt(2 * DAY_MS));
  expect(await isKept(key)).toBe(false);
  await change(product, { suspendedAt: null, deletedAt: null });
  expect(await makePreview(draw, product)).toBe(true);
});

test("a listing that is held for a look gets no picture", async () => {
  const product = await makeProduct(await makeUser());
  await change(product, { suspendedAt: 1, heldFor: "gun" });
  expect(await makePreview(servicesWith(quickDrawing), product)).toBe(false);
});

test("a deleted account leaves no preview", async () => {
  const seller = await makeUser();
  const product = await makeProduct(seller);
  await makePreview(servicesWith(quickDrawing), product);
  const key = (await readRow(product))?.key;
  expect(await deleteAccount(servicesAt(), seller)).toMatchObject({ ok: true });
  await sweepPhotos(servicesAt(2 * DAY_MS));
  expect(await isKept(key)).toBe(false);
  expect(await db.select().from(uploads).where(eq(uploads.ownerId, seller))).toEqual([]);
});

test("a run of the job makes twenty previews, and reads nothing but what is due", async () => {
  await db.update(productPreviews).set({ dueAt: null });
  const seller = await makeUser();
  for (let n = 0; n < 45; n += 1) await makeProduct(seller, { name: `Item ${n}` });
  const at = Date.now();
  const services = { ...servicesWith(quickDrawing), now: () => at };
  const left = async () => (await db.all(sql`SELECT 1 FROM product_previews WHERE due_at IS NOT NULL`)).length;
  await Promise.all([runPreviewsJob(services), runPreviewsJob(services)]);
  expect(await left()).toBe(25);
  // The next run begins as soon as this one has ended.
  await runPreviewsJob(services);
  expect(await left()).toBe(5);
  await runPreviewsJob(services);
  expect(await left()).toBe(0);
  expect(services.logged).toEqual(["previews_made", "previews_made", "previews_made"]);
  const plan = await db.all<{ detail: string }>(
    sql`EXPLAIN QUERY PLAN SELECT product_id FROM product_previews WHERE due_at <= 1 ORDER BY due_at LIMIT 1`,
  );
  expect(plan.map(({ detail }) => detail).join()).toContain("INDEX product_previews_due");
  expect(await makeDuePreviews(services, { most: 20, untilMs: at + MINUTE_MS })).toBe(0);
});

test("a run of the job begins no preview after ten seconds", async () => {
  await db.update(productPreviews).set({ dueAt: null });
  const seller = await makeUser();
  for (let n = 0; n < 5; n += 1) await makeProduct(seller, { name: `Slow ${n}` });
  let at = Date.now();
  const slow = servicesWith(async (content) => {
    at += 4_000;
    return quickDrawing(content);
  });
  await runPreviewsJob({ ...slow, now: () => at });
  expect(await db.select().from(productPreviews).where(eq(productPreviews.dueAt, 0))).toHaveLength(2);
});

/** The picture tags of a public page that is not in the data centre's cache. */
async function tagsOf(path: string): Promise<Record<string, string>> {
  const { pages } = await import("#tests/support/pages.ts");
  const info = { id: "test", nonce: "n1", address: null, publicPage: true };
  const html = await (await pages(new Request(ORIGIN + path), servicesAt(), info)).text();
  return Object.fromEntries(
    [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):image[^"]*)" content="([^"]*)"/g)].map(
      ([, name = "", content = ""]) => [name, content],
    ),
  );
}

test("the public page names the preview with its size and type, and makes one that is missing", async () => {
  const product = await makeProduct(await makeUser(), { name: "Desk lamp", price: 800, condition: "good" });
  const path = publicProductPath({ id: product, name: "Desk lamp" });
  expect(await tagsOf(path)).toEqual({});
  await settleDeferred();
  const url = ORIGIN + previewPath((await readRow(product))?.key ?? "");
  const alt = expect.stringMatching(/^Desk lamp · KES 800 · Used - Good · /);
  expect(await tagsOf(path)).toEqual({
    "og:image": url,
    "og:image:type": "image/jpeg",
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": alt,
    "twitter:image": url,
    "twitter:image:alt": alt,
  });
  // A picture of the old price is not shown while the new one is being made.
  await change(product, { price: 700 });
  await db
    .update(productPreviews)
    .set({ dueAt: Date.now() + DAY_MS })
    .where(eq(productPreviews.productId, product));
  expect(await tagsOf(path)).toEqual({});
});

test("a new listing writes five rows for its preview, with the index entries", async () => {
  const seller = await makeUser();
  await makeProduct(seller);
  const written = async () => {
    const { meta } = await env.DB.prepare(
      "INSERT INTO products (id, name, description, price, seller_id, created_at, updated_at) VALUES (?, 'Mug', '', 100, ?, 1, 1)",
    )
      .bind(crypto.randomUUID(), seller)
      .run();
    return meta.rows_written;
  };
  const withPreview = await written();
  const name = "product_previews_listed";
  const trigger = await env.DB.prepare("SELECT sql FROM sqlite_master WHERE name = ?").bind(name).first<string>("sql");
  await env.DB.prepare(`DROP TRIGGER ${name}`).run();
  try {
    expect(withPreview - (await written())).toBe(5);
  } finally {
    await env.DB.prepare(trigger ?? "").run();
  }
});
