/** What follows from a change of a listing has followed, whatever changed it. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import {
  restoreListing,
  restoreUser,
  suspendListing,
  suspendUser,
} from "#app/moderation/suspensions/suspensions.server.ts";
import type { Listing } from "#app/catalogue/selling/listing-rules.ts";
import {
  createListing,
  deleteListing,
  moveListings,
  saveListing,
  setListingStatus,
  setListingStock,
} from "#app/catalogue/selling/listings.server.ts";
import { write } from "#app/db/batch.ts";
import { idList } from "#app/db/build.ts";
import { listingNews } from "#app/catalogue/tables.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { lowerListingPrice, renewListings } from "#app/upkeep/still-available.server.ts";
import { changeListing, db, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { brokenListing } from "#tests/support/simulation/audit-listings.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { KETTLE } from "#tests/support/kettle.ts";

let sellerId: string;
let productId: string;

beforeEach(async () => {
  sellerId = await makeUser();
  productId = await makeProduct(sellerId, { condition: "good", price: 1_900 });
  await db.delete(listingNews);
});

const services = servicesAt();
const setStatus = (status: "active" | "sold") => setListingStatus(services, { sellerId, productId, status });
const setStock = (stock: number, seen: number) => setListingStock(services, { sellerId, productId, stock, seen });
const edit = (change: Partial<Listing>) =>
  saveListing(services, openHeldCases, {
    sellerId,
    productId,
    listing: { ...KETTLE, ...change },
    stockSeen: 1,
    photoKeys: [],
  });

async function setOff(status: "unconfirmed" | "sold"): Promise<void> {
  await changeListing(productId, { status, checkAt: null });
}

/** Each use case, and the kinds of news that it makes of the listing. */
const CHANGES: [what: string, change: () => Promise<unknown>, news: string[]][] = [
  [
    "it is listed",
    () =>
      createListing(services, openHeldCases, {
        seller: { id: sellerId, name: "Wanjiku", campusLocation: null },
        productId: crypto.randomUUID(),
        listing: KETTLE,
        photoKeys: [],
      }),
    ["new"],
  ],
  ["its price falls", () => edit({ price: 1_000 }), ["cheaper"]],
  ["its price rises", () => edit({ price: 2_500 }), []],
  ["an edit holds it", () => edit({ name: "Kettle and bhang" }), []],
  ["it is sold, and back", () => setStatus("sold").then(() => setStatus("active")), ["back"]],
  ["its stock is gone, and back", () => setStock(0, 1).then(() => setStock(2, 0)), ["back"]],
  ["it is deleted", () => deleteListing(services, { sellerId, productId }), []],
  ["its seller moves", () => write(db, moveListings(idList(sellerId), "City Campus", Date.now())), []],
  [
    "its seller confirms it",
    () => setOff("unconfirmed").then(() => renewListings(services, { sellerId, productIds: [productId] })),
    ["back"],
  ],
  ["its price is lowered", () => lowerListingPrice(services, { sellerId, productId, seen: 1_900 }), ["cheaper"]],
  [
    "it is taken down, and restored",
    async () => {
      const admin = await makeAdmin();
      await suspendListing(services, admin, productId, "Fake");
      await restoreListing(services, admin, productId);
    },
    ["new"],
  ],
  [
    "its seller is suspended, and restored",
    async () => {
      const admin = await makeAdmin();
      await suspendUser(services, admin, sellerId, "Fake");
      await restoreUser(services, admin, sellerId);
    },
    ["new"],
  ],
];

test.each(CHANGES)("%s", async (_, change, news) => {
  await change();
  expect(await brokenListing(env.DB)).toBeNull();
  const noted = await db.select({ kind: listingNews.kind }).from(listingNews);
  expect(noted.map(({ kind }) => kind)).toEqual(news);
});
