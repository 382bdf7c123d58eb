/** The lowest price that a seller accepts in offers is the seller's secret: no page or endpoint tells it to a buyer. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { products } from "#app/catalogue/tables.server.ts";
import { db, makeUser, putInCart } from "#tests/support/fixtures.ts";
import { acceptedOffer, listForOffers, openOffer, orderOffer, take } from "#tests/support/offers.ts";
import { visit } from "#tests/support/visit.ts";

/** An unlikely number, so that finding it means that it leaked. */
const SECRET = 13_579;

test("the lowest price is on no page, in no data and in no answer that a buyer gets", async () => {
  const listing = await listForOffers({ price: 24_680, lowestOffer: SECRET, stock: 5 });
  const { sellerId, productId } = listing;
  const low = await makeUser();
  const refused = await visit(`/product/${productId}/offer`, {
    as: low,
    form: { amount: "12000", note: "", formKey: crypto.randomUUID() },
  });
  expect(refused.status).toBe(400);
  const refusedText = await refused.text();
  expect(refusedText).toContain("You can try a higher amount");

  const open = await openOffer(listing, 20_000);
  await take(open, "countered", 22_000);
  const accepted = await acceptedOffer(listing, 21_000);
  const orderId = await orderOffer(accepted);
  const [product] = await db.select({ name: products.name }).from(products).where(eq(products.id, productId));

  const texts: [string, string][] = [["the refused form", refusedText]];
  for (const buyer of [low, open.buyerId, accepted.buyerId]) {
    await putInCart(buyer, productId);
    const paths = [
      `/product/${productId}`,
      `/product/${productId}/offer`,
      `/product/${productId}/offer?amount=${SECRET - 1}`,
      `/offers/${open.offerId}`,
      `/offers/${accepted.offerId}`,
      `/checkout/${orderId}`,
      `/orders/${orderId}`,
      `/seller/${sellerId}`,
      `/search?q=${encodeURIComponent(product?.name ?? "")}`,
      "/studentmarketplace",
      "/home",
      "/cart",
      "/wishlist",
      `/profile?tab=messages&with=${sellerId}`,
    ];
    for (const path of paths) {
      const [address = "", query] = path.split("?");
      for (const each of [path, `${address}.data${query ? `?${query}` : ""}`])
        texts.push([each, (await (await visit(each, { as: buyer })).text()).replace(`amount=${SECRET - 1}`, "")]);
    }
    for (const path of [`/api/messages?with=${sellerId}`, "/api/messages/unread"])
      texts.push([path, await (await visit(path, { as: buyer })).text()]);
  }
  expect(texts.filter(([, text]) => text.includes(String(SECRET))).map(([path]) => path)).toEqual([]);
  // The seller reads it in the form of the listing.
  expect(await (await visit(`/product/${productId}/edit`, { as: sellerId })).text()).toContain(String(SECRET));
});
