/** Wherever somebody agrees to a price, they read what the fee makes of it. Without a fee, nobody reads of one. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { addToWishlist } from "#app/basket/wishlist.server.ts";
import { products, serviceFees } from "#app/catalogue/tables.server.ts";
import { FEE_PAYERS, type FeePayer } from "#app/db/states/fee.ts";
import { publicProductPath } from "#app/public-links.ts";
import { db, makeProduct, makeUser, orderedOne, putInCart, servicesAt } from "#tests/support/fixtures.ts";
import { listForOffers, openOffer, take } from "#tests/support/offers.ts";
import { feeIs } from "#tests/support/service-fee.ts";
import { makeAdmin, visit, wordsOf } from "#tests/support/visit.ts";

const PRICE = 2_000;
const OFFERED = 1_500;
const COUNTERED = 1_700;

beforeEach(() => db.delete(serviceFees));

/** A seller with listings, and a buyer who has an offer in each state that somebody can still agree to. */
async function makeCampus() {
  const open = await openOffer(await listForOffers({ price: PRICE }), OFFERED);
  const countered = await openOffer(await listForOffers({ price: PRICE }), OFFERED);
  await take(countered, "countered", COUNTERED);
  const accepted = await openOffer(await listForOffers({ price: PRICE }), OFFERED);
  await take(accepted, "seller_accepted");
  const { sellerId } = open;
  const buyerId = await makeUser();
  const productId = await makeProduct(sellerId, { price: PRICE, name: "Lamp" });
  const taking = await listForOffers({ price: PRICE });
  await putInCart(buyerId, productId);
  await putInCart(accepted.buyerId, accepted.productId);
  const orderId = await orderedOne(buyerId, productId, { price: PRICE });
  // A seller is asked whether it is still there, and can lower its price for somebody who saved it.
  const stale = await makeProduct(sellerId, { price: PRICE, condition: "good" });
  const now = servicesAt().now();
  await db
    .update(products)
    .set({ askedAt: now, updatedAt: now - 1 })
    .where(eq(products.id, stale));
  await addToWishlist(servicesAt(), { userId: await makeUser(), productId: stale });
  return { open, countered, accepted, taking, sellerId, buyerId, productId, orderId, stale };
}

type Campus = Awaited<ReturnType<typeof makeCampus>>;

interface Place {
  side: FeePayer;
  path: (campus: Campus) => string;
  /** Undefined for a visitor. */
  reader: (campus: Campus) => string | undefined;
  /** What is read there of a fee of 5 %. */
  words: string[];
}

const conversation = (withId: string) => `/profile?tab=messages&with=${withId}`;
const PLUS = "Plus a service fee: 5%, at most KES 500";
const TYPED = "Service fee when it sells: 5%, at most KES 500";
const AT_OFFER = "You pay KES 1,575, with a service fee of KES 75.";
const AT_COUNTER = "You pay KES 1,785, with a service fee of KES 85.";
const FOR_OFFER = "You get KES 1,425 when it sells, after a service fee of KES 75.";
const FOR_COUNTER = "You get KES 1,615 when it sells, after a service fee of KES 85.";
const FOR_LOWER = "You get KES 1,710 when it sells, after a service fee of KES 90.";

const PLACES: Record<string, Place> = {
  "a product": {
    side: "buyer",
    path: ({ productId }) => `/product/${productId}`,
    reader: ({ buyerId }) => buyerId,
    words: [PLUS],
  },
  "a product's public page": {
    side: "buyer",
    path: ({ productId }) => publicProductPath({ id: productId, name: "Lamp" }),
    reader: () => undefined,
    words: [PLUS],
  },
  "a product at the agreed price": {
    side: "buyer",
    path: ({ accepted }) => `/product/${accepted.productId}`,
    reader: ({ accepted }) => accepted.buyerId,
    words: [PLUS, "Pay KES 1,575"],
  },
  "the cart": {
    side: "buyer",
    path: () => "/cart",
    reader: ({ buyerId }) => buyerId,
    words: ["Service feeKES 100"],
  },
  "the cart with an accepted offer": {
    side: "buyer",
    path: () => "/cart",
    reader: ({ accepted }) => accepted.buyerId,
    words: [AT_OFFER, "Pay KES 1,575"],
  },
  "the checkout": {
    side: "buyer",
    path: ({ orderId }) => `/checkout/${orderId}`,
    reader: ({ buyerId }) => buyerId,
    words: ["Service feeKES 100"],
  },
  "the form of an offer": {
    side: "buyer",
    path: ({ taking }) => `/product/${taking.productId}/offer`,
    reader: ({ buyerId }) => buyerId,
    words: [PLUS],
  },
  "the buyer's card of an offer": {
    side: "buyer",
    path: ({ open }) => conversation(open.sellerId),
    reader: ({ open }) => open.buyerId,
    words: [AT_OFFER],
  },
  "the buyer's card of a counter-offer": {
    side: "buyer",
    path: ({ countered }) => conversation(countered.sellerId),
    reader: ({ countered }) => countered.buyerId,
    words: [AT_COUNTER],
  },
  "the buyer's card of an accepted offer": {
    side: "buyer",
    path: ({ accepted }) => conversation(accepted.sellerId),
    reader: ({ accepted }) => accepted.buyerId,
    words: [AT_OFFER, "Pay KES 1,575"],
  },
  "the buyer's page of an offer": {
    side: "buyer",
    path: ({ countered }) => `/offers/${countered.offerId}`,
    reader: ({ countered }) => countered.buyerId,
    words: [AT_COUNTER],
  },
  "a new listing": {
    side: "seller",
    path: () => "/add-product",
    reader: ({ sellerId }) => sellerId,
    words: [TYPED],
  },
  "a listing that changes": {
    side: "seller",
    path: ({ productId }) => `/product/${productId}/edit`,
    reader: ({ sellerId }) => sellerId,
    words: [TYPED],
  },
  "an own listing, and its lower price": {
    side: "seller",
    path: ({ stale }) => `/product/${stale}`,
    reader: ({ sellerId }) => sellerId,
    words: ["You get KES 1,900 when it sells, after a service fee of KES 100.", FOR_LOWER],
  },
  "whether it is still available, for less": {
    side: "seller",
    path: () => "/myshop/still-available",
    reader: ({ sellerId }) => sellerId,
    words: [`At KES 1,800: ${FOR_LOWER}`],
  },
  "the seller's card of an offer": {
    side: "seller",
    path: ({ open }) => conversation(open.buyerId),
    reader: ({ open }) => open.sellerId,
    words: [FOR_OFFER, TYPED],
  },
  "the seller's card of a counter-offer": {
    side: "seller",
    path: ({ countered }) => conversation(countered.buyerId),
    reader: ({ countered }) => countered.sellerId,
    words: [FOR_COUNTER],
  },
  "the seller's page of an offer": {
    side: "seller",
    path: ({ open }) => `/offers/${open.offerId}`,
    reader: ({ open }) => open.sellerId,
    words: [FOR_OFFER, TYPED],
  },
};

/** What a page says, without the data of its script. */
async function read({ path, reader }: Place, campus: Campus): Promise<string> {
  const response = await visit(path(campus), { as: reader(campus) });
  expect(response.status).toBe(200);
  return wordsOf((await response.text()).replaceAll(/<script[\s\S]*?<\/script>/g, ""));
}

test.each([...FEE_PAYERS, null])("where the fee is paid by %s, its side reads it in each place", async (payer) => {
  if (payer) await feeIs(await makeAdmin(), { payer });
  const campus = await makeCampus();
  const faults: Record<string, string[]> = {};
  for (const [name, place] of Object.entries(PLACES)) {
    const words = await read(place, campus);
    const isSaid = place.side === payer;
    faults[name] = isSaid ? place.words.filter((said) => !words.includes(said)) : (words.match(/service fee/gi) ?? []);
  }
  expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
});
