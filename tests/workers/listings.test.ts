import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { sweepUnusedPhotos } from "#app/admin/operations/sweep-photos.server.ts";
import { listCart } from "#app/basket/cart.server.ts";
import { browseFeed, listCategories } from "#app/catalogue/browse/browse.server.ts";
import { NO_LIST_FILTERS } from "#app/catalogue/browse/list-filters.ts";
import { writeCounts } from "#app/catalogue/browse/count-categories.server.ts";
import { addCategory } from "#app/catalogue/selling/categories.server.ts";
import { LISTING_ANSWERS } from "#app/catalogue/selling/listing-answers.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import {
  createListing,
  deleteListing,
  openListing,
  openNewListing,
  saveListing,
  setListingStatus,
  setListingStock,
} from "#app/catalogue/selling/listings.server.ts";
import { variantSizes } from "#app/catalogue/photos/photo-rules.ts";
import { storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { checkPhoto } from "#app/catalogue/photos/check-photo.server.ts";
import { findProductPage } from "#app/catalogue/product/product-page.server.ts";
import { FEED_PAGE_SIZE } from "#app/catalogue/catalogue-rules.ts";
import { write } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { categories, products } from "#app/catalogue/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles, shops, uploads } from "#app/accounts/tables.server.ts";
import {
  changeListing,
  db,
  makeProduct,
  makeUser,
  makeWholesaler,
  putInCart,
  servicesAt,
  setVerification,
} from "#tests/support/fixtures.ts";
import { databaseThrough } from "#tests/support/faults.ts";
import { listOwnListings } from "#tests/support/reads.ts";
import { visit } from "#tests/support/visit.ts";
import { webp } from "#tests/support/pictures.ts";

const DAY_MS = 24 * 60 * 60_000;
const LISTING: Listing = {
  name: "Ramtons kettle",
  price: 1_200,
  originalPrice: 1_800,
  description: "Boils in three minutes",
  category: "kitchen",
  chosenType: null,
  facts: {},
  condition: "good",
  stock: 1,
  takesOffers: false,
  lowestOffer: null,
};

async function upload(ownerId: string, seed: string): Promise<ProductImage> {
  const files = (variantSizes({ width: 900, height: 900 }) ?? []).map(
    (size) => new File([webp(size, seed)], "photo.webp"),
  );
  const checked = await checkPhoto(files, {});
  const stored = checked.ok ? await storePhoto(servicesAt(), ownerId, checked.photo) : checked;
  if (!stored.ok) throw new Error(stored.code);
  return stored.image;
}

function sellerOf(id: string) {
  return { id, name: "Wanjiku Otieno", campusLocation: "Main Campus" };
}

async function list(
  sellerId: string,
  change: { listing?: Partial<Listing>; photos?: ProductImage[]; productId?: string } = {},
) {
  const productId = change.productId ?? crypto.randomUUID();
  const photoKeys = (change.photos ?? []).map(({ key }) => key);
  return {
    productId,
    answer: await createListing(servicesAt(), openHeldCases, {
      seller: sellerOf(sellerId),
      productId,
      listing: { ...LISTING, ...change.listing },
      photoKeys,
    }),
  };
}

async function readProduct(productId: string) {
  const [product] = await db.select().from(products).where(eq(products.id, productId));
  if (!product) throw new Error("no such product");
  return product;
}

async function isAttached({ key }: ProductImage): Promise<boolean> {
  const [row] = await db.select().from(uploads).where(eq(uploads.key, key));
  return row !== undefined && row.attachedAt !== null;
}

test("a listing is for sale with its photos in order, on the seller's campus, and opens their shop", async () => {
  const seller = await makeUser();
  const [one, two] = [await upload(seller, "one"), await upload(seller, "two")];
  const { productId, answer } = await list(seller, { photos: [two, one] });
  expect(answer).toEqual({ ok: true, productId, heldFor: null });
  const product = await readProduct(productId);
  const { chosenType: _chosenType, ...columns } = LISTING;
  expect(product).toMatchObject({
    ...columns,
    status: "active",
    soldAt: null,
    location: "Main Campus",
    sellerId: seller,
    imageUrl: `/files/${two.key}/900.webp`,
  });
  expect(product.images).toEqual([two, one]);
  expect(await findProductPage(servicesAt(), productId, seller)).toMatchObject({
    product: { category: "Kitchen", image: { key: two.key } },
  });
  expect([await isAttached(one), await isAttached(two)]).toEqual([true, true]);
  expect(await db.select().from(shops).where(eq(shops.id, seller))).toMatchObject([{ shopName: "Wanjiku's Shop" }]);
  expect(await db.select().from(profiles).where(eq(profiles.id, seller))).toMatchObject([{ isSeller: true }]);
});

test("a seller without a campus lists from Unknown, and keeps the name of a shop they have", async () => {
  const seller = await makeUser();
  await db.insert(shops).values({ id: seller, shopName: "Duka la Wanjiku", createdAt: 1, updatedAt: 1 });
  const productId = crypto.randomUUID();
  await createListing(servicesAt(), openHeldCases, {
    seller: { ...sellerOf(seller), campusLocation: null },
    productId,
    listing: LISTING,
    photoKeys: [],
  });
  expect(await readProduct(productId)).toMatchObject({ location: "Unknown", imageUrl: null, images: [] });
  expect(await db.select().from(shops).where(eq(shops.id, seller))).toMatchObject([{ shopName: "Duka la Wanjiku" }]);
});

test("the same form twice, also at once, lists once; a changed one is not taken for it", async () => {
  const seller = await makeUser();
  const photos = [await upload(seller, "once")];
  const productId = crypto.randomUUID();
  const answers = await Promise.all([
    list(seller, { productId, photos }),
    list(seller, { productId, photos }),
    list(seller, { productId, photos }),
  ]);
  expect(answers.map(({ answer }) => answer)).toEqual([1, 2, 3].map(() => ({ ok: true, productId, heldFor: null })));
  expect((await listOwnListings(db, seller, null)).products).toHaveLength(1);
  expect((await list(seller, { productId, listing: { price: 999 } })).answer).toEqual({ ok: false, code: "posted" });
  for (const listing of [{ facts: { brand: "Mika" } }, { chosenType: "phone" }, { takesOffers: true }])
    expect((await list(seller, { productId, listing })).answer).toEqual({ ok: false, code: "posted" });
  expect((await list(await makeUser(), { productId })).answer).toEqual({ ok: false, code: "posted" });
  expect(await readProduct(productId)).toMatchObject({ price: 1_200, sellerId: seller });
});

test("a listing takes neither another's photos nor ones that are gone, and no category that is not there", async () => {
  const [seller, other] = [await makeUser(), await makeUser()];
  const theirs = await upload(other, "theirs");
  expect((await list(seller, { photos: [theirs] })).answer).toEqual({ ok: false, code: "photos" });
  expect((await list(seller, { photos: [{ ...theirs, key: "img/0123456789abcdef" }] })).answer).toEqual({
    ok: false,
    code: "photos",
  });
  expect((await list(seller, { listing: { category: "unheard-of" } })).answer).toEqual({ ok: false, code: "category" });
  expect((await listOwnListings(db, seller, null)).products).toEqual([]);
  expect(await isAttached(theirs)).toBe(false);
});

/** Services whose writes of listings all come a moment after `other`. */
function alwaysLate(other: () => Promise<unknown>) {
  const late = databaseThrough(env.DB, async (call, queries) => {
    if (queries.some((query) => /^(?:insert into|update) "products"/i.test(query))) await other();
    return call();
  });
  return { ...servicesAt(), db: openDatabase(late) };
}

test("an edit that a sale or another edit always comes before isn't answered with a photo that is gone", async () => {
  const seller = await makeUser();
  const { productId } = await list(seller, { listing: { stock: 9 } });
  let tries = 0;
  const services = alwaysLate(async () => {
    tries += 1;
    await db
      .update(products)
      .set({ stock: 9 - tries })
      .where(eq(products.id, productId));
  });
  const edit = { listing: { ...LISTING, name: "Kettle", stock: 9 }, stockSeen: 9, photoKeys: [] };
  const saved = await saveListing(services, openHeldCases, { sellerId: seller, productId, ...edit });
  expect([tries, saved]).toEqual([3, { ok: false, code: "changed" }]);
  expect(await readProduct(productId)).toMatchObject({ name: LISTING.name, stock: 6 });
});

test("a wholesaler whose verification ends while they list reads that, and nothing about photos", async () => {
  const seller = await makeWholesaler();
  const services = alwaysLate(() => setVerification(seller, "rejected"));
  const answer = await createListing(services, openHeldCases, {
    seller: sellerOf(seller),
    productId: crypto.randomUUID(),
    listing: LISTING,
    wholesale: { terms: { minQuantity: 6, steps: [] }, sku: null },
    photoKeys: [],
  });
  expect(answer).toEqual({ ok: false, code: "wholesale" });
  expect((await listOwnListings(db, seller, null)).products).toEqual([]);
});

test("an edit keeps, adds, reorders and drops photos; what is dropped is swept", async () => {
  const seller = await makeUser();
  const [kept, dropped] = [await upload(seller, "kept"), await upload(seller, "dropped")];
  const { productId } = await list(seller, { photos: [kept, dropped] });
  const added = await upload(seller, "added");
  const change = { name: "Ramtons kettle 1.7 L", price: 1_000, originalPrice: null };
  expect(
    await saveListing(servicesAt(5), openHeldCases, {
      sellerId: seller,
      productId,
      listing: { ...LISTING, ...change },
      stockSeen: 1,
      photoKeys: [added.key, kept.key],
    }),
  ).toEqual({ ok: true, productId, heldFor: null });
  expect(await readProduct(productId)).toMatchObject({
    ...change,
    imageUrl: `/files/${added.key}/900.webp`,
    images: [{ key: added.key }, { key: kept.key }],
  });
  await sweepUnusedPhotos(servicesAt(2 * DAY_MS));
  expect([await isAttached(kept), await isAttached(added), await isAttached(dropped)]).toEqual([true, true, false]);
  expect(await env.MEDIA.head(`${dropped.key}/900.webp`)).toBeNull();
});

test("nobody edits, sells or opens a listing that is gone", async () => {
  const seller = await makeUser();
  const { productId } = await list(seller);
  expect(await deleteListing(servicesAt(), { sellerId: seller, productId })).toBe(true);
  expect(
    await saveListing(servicesAt(), openHeldCases, {
      sellerId: seller,
      productId,
      listing: LISTING,
      stockSeen: 1,
      photoKeys: [],
    }),
  ).toEqual({
    ok: false,
    code: "not_found",
  });
  expect(await setListingStatus(servicesAt(), { sellerId: seller, productId, status: "active" })).toMatchObject({
    code: "not_found",
  });
  expect(await openListing(servicesAt(), seller, productId)).toBeNull();
  expect((await list(seller, { productId })).answer).toEqual({ ok: false, code: "posted" });
});

test("a product counts as gone from when it was marked, until it is for sale again", async () => {
  const seller = await makeUser();
  const productId = await makeProduct(seller);
  const change = (status: "active" | "sold" | "out_of_stock", offset: number) =>
    setListingStatus(servicesAt(offset), { sellerId: seller, productId, status });
  expect(await change("sold", 0)).toMatchObject({ ok: true });
  const { soldAt } = await readProduct(productId);
  expect(soldAt).toBeGreaterThan(0);
  await change("sold", 60_000);
  expect(await readProduct(productId)).toMatchObject({ status: "sold", soldAt });
  await change("out_of_stock", 0);
  expect(await readProduct(productId)).toMatchObject({ status: "out_of_stock", soldAt });
  await change("active", 0);
  expect(await readProduct(productId)).toMatchObject({ status: "active", soldAt: null });
});

test("a deleted listing is gone for everybody, cannot be bought from a cart, and its photos are swept; deleting twice is once", async () => {
  const [seller, buyer] = [await makeUser(), await makeUser()];
  const image = await upload(seller, "gone");
  const { productId } = await list(seller, { photos: [image] });
  await putInCart(buyer, productId);
  const product = { sellerId: seller, productId };
  expect(await Promise.all([deleteListing(servicesAt(), product), deleteListing(servicesAt(), product)])).toEqual([
    true,
    true,
  ]);
  expect(await findProductPage(servicesAt(), productId, buyer)).toBeNull();
  expect((await listOwnListings(db, seller, null)).products).toEqual([]);
  expect(await listCart({ db, now: Date.now }, buyer)).toMatchObject([{ available: false }]);
  await sweepUnusedPhotos(servicesAt(2 * DAY_MS));
  expect(await env.MEDIA.head(`${image.key}/900.webp`)).toBeNull();
});

test("two edits at once leave the photos of one of them, and none attached that nobody shows", async () => {
  const seller = await makeUser();
  const { productId } = await list(seller);
  const [mine, other] = [await upload(seller, "window one"), await upload(seller, "window two")];
  const save = (image: ProductImage) =>
    saveListing(servicesAt(), openHeldCases, {
      sellerId: seller,
      productId,
      listing: LISTING,
      stockSeen: 1,
      photoKeys: [image.key],
    });
  expect(await Promise.all([save(mine), save(other)])).toEqual([
    { ok: true, productId, heldFor: null },
    { ok: true, productId, heldFor: null },
  ]);
  const shown = (await readProduct(productId)).images.map(({ key }) => key);
  expect(shown).toHaveLength(1);
  for (const image of [mine, other]) expect(await isAttached(image)).toBe(shown.includes(image.key));
});

test("the form opens with what the listing says, and keeps a category that is plain text", async () => {
  const seller = await makeUser();
  const productId = await makeProduct(seller, { price: 1_900 });
  await db.update(products).set({ category: "Mitumba", originalPrice: 2_500 }).where(eq(products.id, productId));
  const desk = await openListing(servicesAt(), seller, productId);
  expect(desk?.editing?.values).toMatchObject({
    name: "Casio fx-991ES",
    price: "1900",
    originalPrice: "2500",
    category: "Mitumba",
    condition: "new",
  });
  expect(desk?.categories).toContainEqual({ id: "Mitumba", name: "Mitumba" });
  // One that is not offered keeps its name.
  await db
    .insert(categories)
    .values({ id: "7f3a9c21", name: "Mats", nameKey: "mats", status: "pending", createdAt: 0 });
  await db.update(products).set({ category: "7f3a9c21" }).where(eq(products.id, productId));
  expect((await openListing(servicesAt(), seller, productId))?.categories).toContainEqual({
    id: "7f3a9c21",
    name: "Mats",
  });
  await db.update(products).set({ category: "Mitumba" }).where(eq(products.id, productId));
  const listing = { ...LISTING, category: "Mitumba" };
  expect(
    await saveListing(servicesAt(), openHeldCases, {
      sellerId: seller,
      productId,
      listing,
      stockSeen: 1,
      photoKeys: [],
    }),
  ).toMatchObject({
    ok: true,
  });
  expect((await list(seller, { listing: { category: "Mitumba" } })).answer).toEqual({ ok: false, code: "category" });
});

test("an edit sets the stock, never undoes a sale, and never promises less than is being paid for", async () => {
  const seller = await makeUser();
  const { productId } = await list(seller, { listing: { stock: 5 } });
  const save = (stockSeen: number | null, stock: number | null, name = LISTING.name) =>
    saveListing(servicesAt(), openHeldCases, {
      sellerId: seller,
      productId,
      listing: { ...LISTING, name, stock },
      stockSeen,
      photoKeys: [],
    });
  expect((await openListing(servicesAt(), seller, productId))?.editing?.values).toMatchObject({
    stock: "5",
    stockSeen: "5",
  });
  // One is sold while the form is open. What doesn't touch the stock is saved.
  await db.update(products).set({ stock: 4, reserved: 2 }).where(eq(products.id, productId));
  expect(await save(5, 5, "Kettle")).toEqual({ ok: true, productId, heldFor: null });
  expect(await readProduct(productId)).toMatchObject({ name: "Kettle", stock: 4 });
  expect(await save(5, 6, "Pan")).toEqual({ ok: false, code: "stock_changed", stock: 4 });
  expect(await readProduct(productId)).toMatchObject({ name: "Kettle", stock: 4 });
  expect(await save(4, 1)).toEqual({ ok: false, code: "stock_reserved", reserved: 2 });
  // A repeat of what has been saved is saved.
  expect([await save(4, 2), await save(4, 2)]).toEqual([1, 2].map(() => ({ ok: true, productId, heldFor: null })));
  expect(await save(2, null)).toEqual({ ok: true, productId, heldFor: null });
  expect((await openListing(servicesAt(), seller, productId))?.editing?.values).toMatchObject({ madeToOrder: "on" });
  expect(await save(null, 7)).toEqual({ ok: true, productId, heldFor: null });
  expect(await readProduct(productId)).toMatchObject({ stock: 7, reserved: 2 });
});

test("the stock is set in one step from the number that was seen, and 0 and back take it off sale and back", async () => {
  const seller = await makeUser();
  const { productId } = await list(seller, { listing: { stock: 3, condition: "new" } });
  const step = (seen: number, stock: number) =>
    setListingStock(servicesAt(), { sellerId: seller, productId, seen, stock });
  // Two tabs press + at once: one of them is told the number that the other made.
  expect((await Promise.all([step(3, 4), step(3, 2)])).filter(({ ok }) => ok)).toHaveLength(1);
  await db.update(products).set({ stock: 4 }).where(eq(products.id, productId));
  expect(await step(3, 4)).toEqual({ ok: true, stock: 4 });
  expect(await step(3, 5)).toEqual({ ok: false, code: "stock_changed", stock: 4 });
  await db.update(products).set({ reserved: 2 }).where(eq(products.id, productId));
  expect(await step(4, 1)).toEqual({ ok: false, code: "stock_reserved", stock: 4, reserved: 2 });
  await db.update(products).set({ reserved: 0 }).where(eq(products.id, productId));
  expect(await step(4, 0)).toEqual({ ok: true, stock: 0 });
  expect(await readProduct(productId)).toMatchObject({ status: "out_of_stock" });
  const activate = async (seen?: number) => {
    const { updatedAt } = await readProduct(productId);
    return setListingStatus(servicesAt(), { sellerId: seller, productId, status: "active", seen: seen ?? updatedAt });
  };
  expect(await activate()).toEqual({ ok: false, code: "needs_stock" });
  expect(await step(0, 2)).toEqual({ ok: true, stock: 2 });
  expect(await readProduct(productId)).toMatchObject({ status: "active", stock: 2 });
  // A used product is usually a single one.
  await changeListing(productId, { condition: "good", stock: 0 });
  expect(await readProduct(productId)).toMatchObject({ status: "sold" });
  const { updatedAt: seen } = await readProduct(productId);
  expect(await activate(seen)).toMatchObject({ ok: true });
  expect(await readProduct(productId)).toMatchObject({ status: "active", stock: 1 });
  // The same press once more gives it no second piece: not while the first is there, and not once it is sold.
  expect(await activate(seen)).toMatchObject({ ok: true });
  const sale = { stock: 0, updatedAt: Date.now() + 1_000 };
  await changeListing(productId, sale);
  const { updatedAt } = sale;
  expect(await activate(seen)).toEqual({ ok: false, code: "changed", status: "sold", updatedAt });
  const form = { intent: "status", status: "active", seen: `${seen}` };
  const stale = await visit(`/product/${productId}/manage`, { as: seller, form });
  expect([stale.status, await stale.json()]).toEqual([
    409,
    expect.objectContaining({ message: LISTING_ANSWERS.meanwhile, status: "sold", madeAt: updatedAt }),
  ]);
  expect(await readProduct(productId)).toMatchObject({ status: "sold", stock: 0 });
  // A card that doesn't know the version learns it from the answer.
  const unseen = await visit(`/product/${productId}/manage`, {
    as: seller,
    form: { intent: "status", status: "active" },
  });
  expect([unseen.status, await unseen.json()]).toEqual([409, expect.objectContaining({ madeAt: updatedAt })]);
  // Its page, and the list of its seller, send what they have shown.
  for (const path of [`/product/${productId}`, "/myshop"])
    expect(await (await visit(path, { as: seller })).text()).toContain(`name="seen" value="${updatedAt}"`);
  expect(await activate(updatedAt)).toMatchObject({ ok: true });
  expect(await readProduct(productId)).toMatchObject({ status: "active", stock: 1 });
  expect(await setListingStock(servicesAt(), { sellerId: await makeUser(), productId, seen: 1, stock: 2 })).toEqual({
    ok: false,
    code: "not_found",
  });
});

test("changes in one ms are versions of their own, and each refuses an edit of the version before", async () => {
  const seller = await makeUser();
  const { productId } = await list(seller, { listing: { stock: 3, condition: "new" } });
  const own = { sellerId: seller, productId };
  const frozen = { ...servicesAt(), now: () => 1_000 };
  const changes: (() => Promise<unknown>)[] = [
    () => setListingStock(frozen, { ...own, seen: 3, stock: 4 }),
    () => setListingStatus(frozen, { ...own, status: "out_of_stock" }),
    () => changeListing(productId, { price: 900, updatedAt: 1_000 }),
    () => setListingStock(frozen, { ...own, seen: 4, stock: 5 }),
  ];
  for (const change of changes) {
    const { updatedAt, stock, images } = await readProduct(productId);
    await change();
    expect((await readProduct(productId)).updatedAt).toBe(updatedAt + 1);
    const edit = { ...own, listing: LISTING, stockSeen: stock, photoKeys: images.map(({ key }) => key) };
    expect(await saveListing(frozen, openHeldCases, { ...edit, mergedWith: updatedAt })).toEqual({
      ok: false,
      code: "changed",
    });
  }
  await deleteListing(frozen, own);
  const { deletedAt, updatedAt } = await readProduct(productId);
  expect(deletedAt).toBe(1_000);
  expect(updatedAt).toBeGreaterThan(1_000);
});

test("a seller's listings come page by page, sold ones too, and nobody else's", async () => {
  const [seller, other] = [await makeUser(), await makeUser()];
  const ids: string[] = [];
  for (let n = 0; n < FEED_PAGE_SIZE + 2; n += 1)
    ids.push(await makeProduct(seller, { status: n % 2 ? "sold" : "active" }));
  await makeProduct(other);
  const first = await listOwnListings(db, seller, null);
  const second = await listOwnListings(db, seller, first.next);
  expect([first.products.length, second.products.length, second.after, second.next]).toEqual([
    FEED_PAGE_SIZE,
    2,
    first.next,
    null,
  ]);
  expect([...first.products, ...second.products].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test("a suggested category can be chosen at once; the same in other letters is refused and named, also at the same moment", async () => {
  const user = await makeUser();
  const added = await addCategory(servicesAt(), user, " Musical  Instruments ");
  expect(added).toEqual({ ok: true, category: { id: "musical-instruments", name: "Musical Instruments" } });
  expect((await openNewListing(servicesAt(), { id: user, phone: null })).categories).toContainEqual({
    id: "musical-instruments",
    name: "Musical Instruments",
  });
  expect((await list(user, { listing: { category: "musical-instruments" } })).answer.ok).toBe(true);

  for (const name of ["MUSICAL INSTRUMENTS", "musical-instruments", "Kitchen"]) {
    expect(await addCategory(servicesAt(), user, name)).toMatchObject({
      ok: false,
      error: "This category already exists; we selected it",
    });
  }
  expect(await addCategory(servicesAt(), user, "kitchen")).toMatchObject({ known: { id: "kitchen", name: "Kitchen" } });
  const both = await Promise.all([
    addCategory(servicesAt(), user, "Bikes"),
    addCategory(servicesAt(), await makeUser(), "bikes"),
  ]);
  expect(both.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await db.select().from(categories).where(eq(categories.nameKey, "bikes"))).toMatchObject([
    { status: "approved" },
  ]);
  expect(await addCategory(servicesAt(), user, "  ")).toEqual({ ok: false, error: "Category name is required" });
});

test("the most used categories lead, an added one shows once something is listed in it, and deleting counts back", async () => {
  const user = await makeUser();
  const shown = async () => {
    await write(db, [writeCounts()]);
    const { categories: found } = await browseFeed(servicesAt(), {
      after: null,
      filters: NO_LIST_FILTERS,
    });
    return found.map(({ id }) => id);
  };
  const added = await addCategory(servicesAt(), user, "Yoyos");
  expect(added).toMatchObject({ ok: true });
  expect(await shown()).not.toContain("yoyos");
  const listed = [];
  for (let n = 0; n < 3; n += 1) listed.push((await list(user, { listing: { category: "yoyos" } })).productId);
  const ids = await shown();
  expect(ids.indexOf("yoyos")).toBeGreaterThanOrEqual(0);
  expect(ids.indexOf("yoyos")).toBeLessThan(ids.indexOf("textbooks"));
  const [first = "", second = "", third = ""] = listed;
  await deleteListing(servicesAt(), { sellerId: user, productId: first });
  await db.update(products).set({ suspendedAt: 1 }).where(eq(products.id, second));
  expect((await listCategories(db)).find(({ id }) => id === "yoyos")).toMatchObject({ listings: 1 });
  await db.update(products).set({ category: "textbooks" }).where(eq(products.id, third));
  expect(await shown()).not.toContain("yoyos");
});

test("Other is the last category, however much is listed in it", async () => {
  const user = await makeUser();
  for (let n = 0; n < 3; n += 1) await list(user, { listing: { category: "other" } });
  const { categories: shown } = await browseFeed(servicesAt(), {
    after: null,
    filters: NO_LIST_FILTERS,
  });
  expect(shown.at(-1)?.id).toBe("other");
  expect((await listCategories(db)).at(-1)).toMatchObject({ id: "other", listings: 3 });
});

test("a category that nobody knows answers 404, and one that is empty or plain text doesn't", async () => {
  const user = await makeUser();
  const { productId } = await list(user, {});
  await db.update(products).set({ category: "Sand & Stone" }).where(eq(products.id, productId));
  const pages = ["/category/none", "/category/none?min=100", "/category/textbooks", "/category/Textbooks?min=99000"];
  pages.push("/category/Sand%20%26%20Stone", "/category/Sand%20%26%20Stone?min=99000");
  const answers = await Promise.all(
    pages.map(async (page) => {
      const answer = await visit(page, { as: user });
      return [page, answer.status, (await answer.text()).includes("Page Not Found")];
    }),
  );
  expect(answers).toEqual(pages.map((page, n) => [page, n < 2 ? 404 : 200, n < 2]));
});

test("nobody fills the marketplace alone", async () => {
  const user = await makeUser();
  for (const [key, count] of [
    [`listings:${user}`, 200],
    [`categories:${user}`, 10],
  ] as const) {
    await env.DB.prepare("INSERT INTO rate_counters (key, window_start, count) VALUES (?, ?, ?)")
      .bind(key, Date.now(), count)
      .run();
  }
  expect((await list(user)).answer).toEqual({ ok: false, code: "too_many" });
  expect(await addCategory(servicesAt(), user, "One more")).toEqual({ ok: false, error: "Failed to add category" });
});
