/** Previews: what chats show for a product's link. The seller's browser makes one with each photo of a listing. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import { attachPhotos, releasePhotos } from "#app/catalogue/photos/photos.server.ts";
import { PREVIEW_MAX_BYTES, PREVIEW_SIZE } from "#app/catalogue/photos/photo-rules.ts";
import { write } from "#app/db/batch.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { uploads } from "#app/accounts/tables.server.ts";
import { publicProductPath } from "#app/public-links.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { jpeg, png, webp } from "#tests/support/pictures.ts";
import { visit } from "#tests/support/visit.ts";

const DAY_MS = 24 * 60 * 60_000;

interface Sent {
  preview?: Uint8Array<ArrayBuffer>;
  seed?: string;
  path?: string;
}

function send(as: string, { preview, seed, path = "/api/photos" }: Sent): Promise<Response> {
  const form = new FormData();
  form.append("variant", new File([webp({ width: 300, height: 200 }, seed)], "photo.webp"));
  if (preview) form.append("preview", new File([preview], "preview.jpg"));
  return visit(path, { as, form });
}

async function upload(as: string, sent: Sent): Promise<ProductImage> {
  const answer = await send(as, sent);
  expect(answer.status).toBe(200);
  return (await answer.json<{ data: ProductImage }>()).data;
}

/** A product of `sellerId` with these photos. */
async function listed(sellerId: string, images: ProductImage[]): Promise<string> {
  const id = await makeProduct(sellerId, { name: "Desk lamp", price: 800 });
  const keys = images.map(({ key }) => key);
  if (keys.length > 0) await write(db, attachPhotos(sellerId, keys, Date.now()));
  await db.update(products).set({ images }).where(eq(products.id, id));
  return id;
}

/** The picture tags of a product's public page. */
async function tagsOf(productId: string): Promise<Record<string, string>> {
  const html = await (await visit(publicProductPath({ id: productId, name: "Desk lamp" }))).text();
  return Object.fromEntries(
    [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):image[^"]*)" content="([^"]*)"/g)].map(
      ([, name = "", content = ""]) => [name, content],
    ),
  );
}

test("the public page names its cover's preview, which is served for ever and without the place", async () => {
  const seller = await makeUser();
  const image = await upload(seller, { preview: jpeg(PREVIEW_SIZE, 1) });
  expect(image.preview).toBe(true);
  const other = await upload(seller, { preview: jpeg(PREVIEW_SIZE), seed: "second" });
  const url = `${ORIGIN}/files/${image.key}/preview.jpg`;
  expect(await tagsOf(await listed(seller, [image, other]))).toEqual({
    "og:image": url,
    "og:image:type": "image/jpeg",
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": "Desk lamp",
    "twitter:image": url,
    "twitter:image:alt": "Desk lamp",
  });
  const served = await visit(url.slice(ORIGIN.length));
  expect([served.status, served.headers.get("Content-Type"), served.headers.get("Cache-Control")]).toEqual([
    200,
    "image/jpeg",
    "public, max-age=31536000, immutable",
  ]);
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(jpeg(PREVIEW_SIZE));
});

test("without a preview the cover stands in, and without a photo our own picture", async () => {
  const seller = await makeUser();
  const image = await upload(seller, {});
  expect(image).not.toHaveProperty("preview");
  expect(await tagsOf(await listed(seller, [image]))).toMatchObject({
    "og:image": `${ORIGIN}/files/${image.key}/300.webp`,
    "og:image:type": "image/webp",
    "og:image:width": "300",
    "og:image:height": "200",
    "og:image:alt": "Desk lamp",
  });
  expect(await tagsOf(await listed(seller, []))).toMatchObject({
    "og:image": `${ORIGIN}/art/share.jpg`,
    "og:image:width": "1200",
    "og:image:height": "630",
    "og:image:alt": expect.stringContaining("Chuoni"),
  });
});

test.each([
  ["a page called preview.jpg", new TextEncoder().encode("<script>alert(1)</script>")],
  ["a PNG", png(PREVIEW_SIZE)],
  ["a WebP", webp(PREVIEW_SIZE)],
  ["another size", jpeg({ width: 1200, height: 631 })],
  ["a JPEG cut short", jpeg(PREVIEW_SIZE).slice(0, -2)],
  ["more than 300 KB", new Uint8Array([...jpeg(PREVIEW_SIZE), ...new Uint8Array(PREVIEW_MAX_BYTES)])],
])("a preview that is %s is refused with its photo", async (_what, preview) => {
  const seller = await makeUser();
  const answer = await send(seller, { preview });
  expect([answer.status, await answer.json()]).toEqual([
    422,
    { success: false, error: "We couldn't read this photo. Please choose another one" },
  ]);
  expect(await db.select().from(uploads).where(eq(uploads.ownerId, seller))).toEqual([]);
});

test("the same variants with another preview are another photo, so that nothing replaces a preview", async () => {
  const seller = await makeUser();
  const [first, again, without] = [
    await upload(seller, { preview: jpeg(PREVIEW_SIZE) }),
    await upload(seller, { preview: jpeg(PREVIEW_SIZE) }),
    await upload(seller, {}),
  ];
  expect(again).toEqual(first);
  expect(without.key).not.toBe(first.key);
});

test("a private photo has no preview", async () => {
  const image = await upload(await makeUser(), { preview: jpeg(PREVIEW_SIZE), path: "/api/photos/private" });
  expect(image).not.toHaveProperty("preview");
  expect(await env.DOCUMENTS.head(`${image.key}/preview.jpg`)).toBeNull();
});

test("the sweep deletes a preview with its photo", async () => {
  const seller = await makeUser();
  const image = await upload(seller, { preview: jpeg(PREVIEW_SIZE) });
  const isKept = async () => (await env.MEDIA.head(`${image.key}/preview.jpg`)) !== null;
  const product = await listed(seller, [image]);
  await sweepUnusedPhotos(servicesAt(2 * DAY_MS));
  expect(await isKept()).toBe(true);
  await db.update(products).set({ deletedAt: 1 }).where(eq(products.id, product));
  await write(db, [releasePhotos(seller, [image.key], Date.now())]);
  await sweepUnusedPhotos(servicesAt(2 * DAY_MS));
  expect(await isKept()).toBe(false);
});
