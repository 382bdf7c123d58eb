/** What has been copied once is copied again at each edit, whichever column it changes. */
import type { KeptSerial } from "#app/catalogue/serials/serials.server.ts";
import { COPIED, type CopyContents } from "#app/moderation/cases/copies.server.ts";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { completeProfile } from "#app/accounts/profile/complete-profile.server.ts";
import { signInWithIssuer } from "#app/accounts/login/issuer-sign-in.server.ts";
import { GOOGLE } from "#tests/support/issuers.ts";
import { changeDetails } from "#app/accounts/profile/settings.server.ts";
import { answerAppeal } from "#app/moderation/cases/undo-case.server.ts";
import { decideCase } from "#app/moderation/cases/decide-case.server.ts";
import { suspendListing } from "#app/moderation/suspensions/suspensions.server.ts";
import { mergeCategory } from "#app/admin/catalogue/categories.server.ts";
import { saveProfilePhoto } from "#app/catalogue/photos/profile-photo.server.ts";
import { storePhoto } from "#app/catalogue/photos/photos.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import { moveListings, openFirstShop, saveListing } from "#app/catalogue/selling/listings.server.ts";
import type { Wholesale } from "#app/catalogue/selling/wholesale-rules.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { copyOf } from "#app/db/copies.ts";
import { categories } from "#app/catalogue/tables.server.ts";
import { copies } from "#app/db/tables.server.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { subscriptions } from "#app/shops/tables.server.ts";
import type { CopyKind } from "#app/db/states/moderation.ts";
import type { ReviewTag } from "#app/db/states/review.ts";
import { editReview } from "#app/reviews/write-review.server.ts";
import type { ShopDetails } from "#app/shops/shop-form-rules.ts";
import { saveShop } from "#app/shops/shop-settings.server.ts";
import { activateSubscription } from "#app/shops/subscriptions.server.ts";
import { changeListing, db, makeProduct, makeUser, makeWholesaler, servicesAt } from "#tests/support/fixtures.ts";
import { sendAppeal } from "#app/moderation/cases/appeals.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { sendReport } from "#app/moderation/reports/report.server.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { finishedDeal, review } from "#tests/support/reviews.ts";
import { makeAdmin } from "#tests/support/visit.ts";

type Kind = Exclude<CopyKind, "talk">;

/** A key of what is copied: how its owner changes it, and nothing else; or why nobody does. */
type Changes<K extends Kind> = Record<keyof CopyContents[K], ((made: Made) => Promise<unknown>) | string>;

interface Made {
  id: string;
  ownerId: string;
  /** A new photo of the owner. */
  photo(): Promise<string>;
}

async function upload(ownerId: string): Promise<string> {
  const stored = await storePhoto(servicesAt(), ownerId, {
    variants: [
      { picture: { kind: "webp", width: 320, height: 320 }, bytes: crypto.getRandomValues(new Uint8Array(8)) },
    ],
    tone: "#aaaaaa",
    thumbhash: "",
  });
  if (!stored.ok) throw new Error(stored.code);
  return stored.image.key;
}

async function listCopies(kind: Kind, id: string): Promise<Record<string, unknown>[]> {
  const rows = await db.select().from(copies).where(eq(copies.subjectId, id)).orderBy(copies.id);
  return rows.filter((row) => row.kind === kind).map(({ content }) => JSON.parse(content) as Record<string, unknown>);
}

const count = (kind: Kind, ids: string) => write(db, [copyOf(COPIED[kind], idList(ids), Date.now())]);

const PERSON = { fullName: "Achieng Odhiambo", phone: null, campusLocation: "Main Campus", currentPassword: "" };
const changePerson = (change: Partial<typeof PERSON>) => async (person: Made) =>
  expect(await changeDetails(servicesAt(), person.id, { ...PERSON, ...change }, moveListings)).toMatchObject({
    ok: true,
  });

const SHOP: ShopDetails = {
  shopName: "Achieng Books",
  description: null,
  businessHours: null,
  policies: null,
  offersDelivery: false,
  preferredContact: null,
  banner: null,
  logo: null,
};
const changeShopOf =
  (change: Partial<ShopDetails>) =>
  async ({ ownerId }: Made) =>
    expect(await saveShop(servicesAt(), ownerId, { ...SHOP, ...change })).toMatchObject({ ok: true });

const LISTING: Listing = {
  name: "Graph books",
  price: 300,
  originalPrice: null,
  description: "A4, ruled",
  category: "stationery",
  // It has a serial number.
  chosenType: "laptop",
  facts: {},
  condition: "new",
  stock: null,
  takesOffers: false,
  lowestOffer: null,
};
const editListing =
  (change: Partial<Listing>, more: { wholesale?: Wholesale; photoKeys?: string[]; serial?: KeptSerial } = {}) =>
  async ({ id, ownerId }: Made) =>
    expect(
      await saveListing(servicesAt(), openHeldCases, {
        sellerId: ownerId,
        productId: id,
        listing: { ...LISTING, ...change },
        stockSeen: null,
        photoKeys: [],
        ...more,
      }),
    ).toMatchObject({ ok: true });

const changeReview =
  (change: { rating?: 1 | 5; tags?: ReviewTag[]; text?: string; photoKeys?: string[] }) =>
  async ({ id, ownerId }: Made) => {
    const [row] = await db.select({ itemId: reviews.orderItemId }).from(reviews).where(eq(reviews.id, id));
    const words = { tags: [], text: "", photoKeys: [], ...change };
    const edit = { itemId: row?.itemId ?? "", authorId: ownerId, opened: null, ...words };
    expect(await editReview(servicesAt(), edit)).toEqual({ ok: true, isUnchanged: false });
  };

const CHANGES: { [K in Kind]: { make(): Promise<Omit<Made, "photo">>; changes: Changes<K> } } = {
  person: {
    async make() {
      const id = await makeUser({ phone: null, name: PERSON.fullName });
      await saveShop(servicesAt(), id, SHOP);
      return { id, ownerId: id };
    },
    changes: {
      name: changePerson({ fullName: "Achieng Awuor" }),
      campus: changePerson({ campusLocation: "City Campus" }),
      photo: async ({ id, photo }) =>
        expect(await saveProfilePhoto(servicesAt(), id, { key: await photo(), before: "" })).toEqual({ ok: true }),
      shopName: changeShopOf({ shopName: "Achieng and Sons" }),
      description: changeShopOf({ description: "Books of all years" }),
      policies: changeShopOf({ policies: "No returns" }),
      contact: changeShopOf({ preferredContact: "WhatsApp" }),
      banner: async (made) => changeShopOf({ banner: await made.photo() })(made),
      logo: async (made) => changeShopOf({ logo: await made.photo() })(made),
    },
  },
  listing: {
    async make() {
      const ownerId = await makeWholesaler();
      const id = await makeProduct(ownerId);
      await editListing({})({ id, ownerId, photo: () => upload(ownerId) });
      return { id, ownerId };
    },
    changes: {
      name: editListing({ name: "Graph books, new" }),
      description: editListing({ description: "A4, squared" }),
      condition: editListing({ condition: "good", stock: null }),
      facts: editListing({ chosenType: "textbook", facts: { edition: "2nd" } }),
      category: editListing({ category: "textbooks" }),
      campus: ({ ownerId }) => write(db, moveListings(idList(ownerId), "City Campus", Date.now())),
      price: editListing({ price: 290 }),
      minQuantity: editListing({}, { wholesale: { terms: { minQuantity: 5, steps: [] }, sku: null } }),
      steps: editListing(
        {},
        { wholesale: { terms: { minQuantity: 1, steps: [{ fromQuantity: 10, price: 250 }] }, sku: null } },
      ),
      images: async (made) => editListing({}, { photoKeys: [await made.photo()] })(made),
      serial: editListing({}, { serial: { hash: "x", ending: "1234" } }),
      delivery: changeShopOf({ offersDelivery: true }),
      policies: changeShopOf({ policies: "No returns" }),
      about: changeShopOf({ description: "Books of all years" }),
      verified: "decided by our team",
    },
  },
  review: {
    async make() {
      const deal = await finishedDeal();
      await review(deal, "buyer");
      const [row] = await db.select({ id: reviews.id }).from(reviews).where(eq(reviews.orderItemId, deal.itemId));
      return { id: row?.id ?? "", ownerId: deal.buyerId };
    },
    changes: {
      rating: changeReview({ rating: 1 }),
      tags: changeReview({ tags: ["as_described"] }),
      text: changeReview({ text: "Good" }),
      images: async (made) => changeReview({ photoKeys: [await made.photo()] })(made),
    },
  },
  reply: {
    async make() {
      const deal = await finishedDeal();
      await review(deal, "buyer");
      await db.update(reviews).set({ reply: "Thanks" }).where(eq(reviews.orderItemId, deal.itemId));
      const [row] = await db.select({ id: reviews.id }).from(reviews).where(eq(reviews.orderItemId, deal.itemId));
      return { id: row?.id ?? "", ownerId: deal.sellerId };
    },
    changes: { text: "written once" },
  },
  message: {
    async make() {
      const [ownerId, recipientId] = [await makeUser(), await makeUser()];
      return { id: await giveMessage({ senderId: ownerId, recipientId }), ownerId };
    },
    changes: { text: "written once", images: "written once" },
  },
};

const KEYS = Object.entries(CHANGES).flatMap(([kind, { make, changes }]) =>
  Object.entries<((made: Made) => Promise<unknown>) | string>(changes).map(
    ([key, change]) => [kind as Kind, key, make, change] as const,
  ),
);

test.each(Object.keys(CHANGES) as Kind[])("the table has each key of what is copied of a %s", async (kind) => {
  const { id } = await CHANGES[kind].make();
  await count(kind, id);
  expect((await listCopies(kind, id)).map((copy) => Object.keys(copy).toSorted())).toEqual([
    Object.keys(CHANGES[kind].changes).toSorted(),
  ]);
});

test.each(KEYS.filter(([, , , change]) => typeof change === "function"))(
  "an edit of a %s that changes its %s alone is copied, where it was copied before",
  async (kind, key, make, change) => {
    const made = await make();
    const { id, ownerId } = made;
    const edit = change as (made: Made) => Promise<unknown>;
    await count(kind, id);
    await edit({ ...made, photo: () => upload(ownerId) });
    const [before, after, ...more] = await listCopies(kind, id);
    expect(more).toEqual([]);
    expect(Object.keys(before ?? {}).filter((name) => !same(before?.[name], after?.[name]))).toEqual([key]);

    const other = await make();
    await edit({ ...other, photo: () => upload(other.ownerId) });
    expect(await listCopies(kind, other.id)).toEqual([]);
  },
);

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

test("whoever completes their profile again, and whoever opens a shop, is copied as well", async () => {
  const id = await makeUser({ phone: null });
  await count("person", id);
  const store = { ...servicesAt(), passwordPepper: "pepper" };
  const values = { fullName: "Achieng Awuor", phone: "", campusLocation: "City Campus", isSeller: false };
  expect(await completeProfile(store, id, values)).toEqual({ ok: true });
  await write(db, openFirstShop({ id, name: "Achieng Awuor" }, Date.now()));
  expect(await listCopies("person", id)).toMatchObject([
    { shopName: null },
    { name: "Achieng Awuor", campus: "City Campus", shopName: null },
    { name: "Achieng Awuor", shopName: expect.stringContaining("Achieng") },
  ]);
});

test("what our team moves to another category is copied again", async () => {
  const [id, category] = [await makeProduct(await makeUser()), `extra-${crypto.randomUUID()}`];
  const createdBy = await makeUser();
  await db.insert(categories).values({ id: category, name: category, nameKey: category, createdBy, createdAt: 1 });
  await changeListing(id, { category });
  await count("listing", id);
  expect(await mergeCategory(servicesAt(), await makeAdmin(), category, "stationery")).toEqual({ ok: true });
  expect(await listCopies("listing", id)).toMatchObject([{ category }, { category: "Stationery" }]);
});

const OPENED: Record<string, (id: string) => Promise<unknown>> = {
  async held(id) {
    await changeListing(id, { heldFor: "weapons", suspendedAt: Date.now() });
    await write(db, openHeldCases(idList(id), Date.now()));
  },
  async reported(subjectId) {
    const report = { subject: "listing", subjectId, reporterId: await makeUser(), reason: "scam", text: "" } as const;
    expect(await sendReport(servicesAt(), report)).toMatchObject({ ok: true });
  },
  "taken down by hand": async (id) =>
    expect(await suspendListing(servicesAt(), await makeAdmin(), id, "Stolen")).toMatchObject({ ok: true }),
};

test.each(Object.keys(OPENED))("the case of a listing that is %s keeps it as it was, whatever follows", async (way) => {
  const id = await makeProduct(await makeUser());
  await OPENED[way]?.(id);
  await changeListing(id, { name: "Penknife" });
  if (way === "held") await OPENED.held?.(id);
  const kept = await db
    .select({ name: sql<string>`${copies.content} ->> 'name'` })
    .from(moderationCases)
    .innerJoin(copies, eq(copies.id, moderationCases.copyId))
    .where(eq(moderationCases.subjectId, id));
  expect(kept).toEqual([{ name: "Casio fx-991ES" }]);
  expect(await listCopies("listing", id)).toMatchObject([{ name: "Casio fx-991ES" }, { name: "Penknife" }]);
});

test("what our team does to a person's pictures is copied, and what an appeal gives back", async () => {
  const id = await makeUser();
  const [photo, banner] = [await upload(id), await upload(id)];
  await saveProfilePhoto(servicesAt(), id, { key: photo, before: "" });
  await saveShop(servicesAt(), id, { ...SHOP, banner });
  const report = {
    subject: "person",
    subjectId: id,
    reporterId: await makeUser(),
    reason: "harassment",
    text: "",
  } as const;
  expect(await sendReport(servicesAt(), report)).toMatchObject({ ok: true });
  const [found] = await db.select().from(moderationCases).where(eq(moderationCases.subjectId, id));
  const { id: caseId, appealToken: token } = found ?? { id: "", appealToken: "" };
  const removal = { caseId, decision: "removed", statement: "Not you" } as const;
  expect(await decideCase(servicesAt(1), await makeAdmin(), removal)).toMatchObject({ ok: true });
  expect(await sendAppeal(servicesAt(2), { token, text: "It is me" })).toMatchObject({ ok: true });
  const granted = { caseId, granted: true, answer: "Sorry" };
  expect(await answerAppeal(servicesAt(3), await makeAdmin(), granted)).toMatchObject({ ok: true });
  expect(await listCopies("person", id)).toMatchObject([
    { photo: expect.stringContaining(photo), banner: expect.stringContaining(banner) },
    { photo: null, banner: null },
    { photo: expect.stringContaining(photo), banner: expect.stringContaining(banner) },
  ]);
});

test("what Google says of somebody, and a shop that a plan opens, are copied", async () => {
  const id = await makeUser({ name: "Achieng Odhiambo" });
  await count("person", id);
  await db.update(credentials).set({ emailConfirmedAt: null }).where(eq(credentials.id, id));
  const identity = { subject: id, email: `${id}@campus.test`, emailVerified: true, name: "Achieng Awuor" };
  expect(await signInWithIssuer(servicesAt(), GOOGLE, identity)).toMatchObject({ ok: true, userId: id });
  const times = { createdAt: 1, updatedAt: 1 };
  await db.insert(subscriptions).values({ id, userId: id, plan: "weekly_featured", amount: 400, ...times });
  const paid = { id, userId: id, ownerName: "Achieng", plan: "weekly_featured", proUntil: null, featuredUntil: null };
  await write(db, activateSubscription({ ...paid, plan: "weekly_featured" }, Date.now()).statements);
  expect(await listCopies("person", id)).toMatchObject([
    { name: "Achieng Odhiambo" },
    // Whoever signed up without confirming the address may have been somebody else.
    { name: "", campus: null },
    { name: "Achieng Awuor", shopName: null },
    { name: "Achieng Awuor", shopName: expect.stringContaining("Achieng") },
  ]);
});
