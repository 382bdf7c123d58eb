/**
 * A listing that is held for a look, taken down or deleted shows nobody but its seller its words or photos, wherever
 * others have come across it before. Each screen of somebody who has to do with it in every way is read as a whole,
 * with the data that it carries. To add a screen, add its address to `SCREENS`.
 */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { removeFromCart } from "#app/basket/cart.server.ts";
import { addToWishlist, removeFromWishlist } from "#app/basket/wishlist.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { sendDueNotices } from "#app/messaging/notices/message-notices.server.ts";
import { listMessages } from "#app/messaging/conversations/messages.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { advanceOffers } from "#app/offers/offer-timers.server.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import {
  changeListing,
  db,
  makeProduct,
  makeUser,
  orderedOne,
  putInCart,
  servicesAt,
  settleDeferred,
} from "#tests/support/fixtures.ts";
import { offerFor } from "#tests/support/offers.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { visit } from "#tests/support/visit.ts";

const HOUR = 60 * 60_000;

/** What nobody may read: of the name, of the description, and of the address of the photo. */
const SECRETS = ["Zorblax", "Quimblefax", "e".repeat(32)];

interface Scene {
  productId: string;
  sellerId: string;
  buyerId: string;
  orderId: string;
  itemId: string;
  unpaidOrderId: string;
  offerId: string;
}

/**
 * Somebody who has bought it, orders it again, offers a price, talks about it, and has it in the cart and on the
 * wishlist.
 */
async function makeScene(): Promise<Scene> {
  const deal = await payDeal();
  const { productId, sellerId, buyerId } = deal;
  await db.update(products).set({ takesOffers: true }).where(eq(products.id, productId));
  const say = (senderId: string, about: { kind: "item" | "product"; id: string }) =>
    sendMessage(servicesAt(), {
      senderId,
      recipientId: senderId === buyerId ? sellerId : buyerId,
      about,
      text: "Hello",
      key: crypto.randomUUID(),
    });
  expect(await say(sellerId, { kind: "item", id: deal.itemId })).toMatchObject({ ok: true });
  expect(await say(buyerId, { kind: "product", id: productId })).toMatchObject({ ok: true });
  expect(await say(sellerId, { kind: "product", id: productId })).toMatchObject({ ok: true });
  expect(await offerFor(productId, buyerId, 1_500)).toMatchObject({ ok: true });
  const offer = await env.DB.prepare("SELECT id FROM offers WHERE product_id = ?")
    .bind(productId)
    .first<{ id: string }>();
  const unpaidOrderId = await orderedOne(buyerId, productId);
  await putInCart(buyerId, productId);
  expect(await addToWishlist(servicesAt(), { userId: buyerId, productId })).toMatchObject({ ok: true });
  return { ...deal, unpaidOrderId, offerId: offer?.id ?? "" };
}

/** The seller edits it: these words and this photo must not be seen once it is hidden. */
async function edit(productId: string): Promise<void> {
  const image: ProductImage = {
    key: `img/${SECRETS[2]}`,
    format: "webp",
    width: 800,
    height: 600,
    widths: [400, 800],
    tone: "#808080",
    thumbhash: "",
  };
  const texts = { name: `${SECRETS[0]} kettle`, description: `${SECRETS[1]} works` };
  await changeListing(productId, { ...texts, images: [image], updatedAt: Date.now() });
}

const HIDDEN = {
  held: { suspendedAt: 5, heldFor: "zorblax" },
  "taken down": { suspendedAt: 5 },
  deleted: { deletedAt: 5 },
} satisfies Record<string, Partial<typeof products.$inferInsert>>;

const SCREENS: ((scene: Scene) => string)[] = [
  () => "/home",
  ({ productId }) => `/home/viewed?id=${productId}`,
  () => "/studentmarketplace",
  () => "/studentmarketplace/shops",
  () => "/search?q=kettle",
  () => "/search/suggestions?q=kettle",
  () => "/category",
  () => "/category/stationery",
  ({ productId }) => `/product/${productId}`,
  ({ productId }) => `/product/${productId}/offer`,
  ({ productId }) => `/product/${productId}/poster`,
  ({ productId }) => `/report/listing/${productId}`,
  ({ offerId }) => `/offers/${offerId}`,
  () => "/cart",
  () => "/wishlist",
  ({ unpaidOrderId }) => `/checkout/${unpaidOrderId}`,
  ({ unpaidOrderId }) => `/orders/${unpaidOrderId}`,
  ({ orderId }) => `/orders/${orderId}`,
  ({ orderId }) => `/order-confirmation/${orderId}`,
  ({ itemId }) => `/problems/${itemId}`,
  ({ itemId }) => `/meetings/${itemId}`,
  ({ itemId }) => `/reviews/${itemId}`,
  () => "/profile",
  () => "/profile?tab=orders",
  () => "/profile?tab=messages",
  ({ sellerId }) => `/profile?tab=messages&with=${sellerId}`,
  ({ sellerId }) => `/api/messages?with=${sellerId}`,
  ({ itemId }) => `/api/messages?item=${itemId}`,
  ({ sellerId }) => `/seller/${sellerId}`,
];

/** Which of these screens have one of the secrets. */
async function screensWithSecrets(scene: Scene, as: string | null, screens = SCREENS): Promise<string[]> {
  const found: string[] = [];
  for (const screen of screens) {
    const path = screen(scene);
    const response = await visit(path, { as });
    expect([path, response.status < 500]).toEqual([path, true]);
    const text = await response.text();
    if (SECRETS.some((secret) => text.includes(secret))) found.push(path);
  }
  return found;
}

test("while it is shown, its words and photos are there", async () => {
  const scene = await makeScene();
  const { productId, sellerId, buyerId } = scene;
  await edit(productId);
  const seen = await screensWithSecrets(scene, buyerId);
  const shows = [
    "/cart",
    "/wishlist",
    "/search?q=kettle",
    `/product/${productId}`,
    `/orders/${scene.orderId}`,
    `/checkout/${scene.unpaidOrderId}`,
    `/problems/${scene.itemId}`,
    `/offers/${scene.offerId}`,
    `/profile?tab=messages&with=${sellerId}`,
    `/api/messages?with=${sellerId}`,
  ];
  expect(seen).toEqual(expect.arrayContaining(shows));
  expect(await (await visit("/campus/search?q=kettle")).text()).toContain(`${SECRETS[0]} kettle`);
  // The tests below look for words of their own listings.
  await db.update(products).set({ deletedAt: 5 }).where(eq(products.id, productId));
});

test.each(Object.keys(HIDDEN) as (keyof typeof HIDDEN)[])(
  "the words and photos of a listing that is %s are nowhere",
  async (state) => {
    const scene = await makeScene();
    const { productId, sellerId, buyerId } = scene;
    await edit(productId);
    const search = () => "/campus/search?q=kettle";
    const open = [
      search,
      () => `/p/${shortIdOf(productId)}`,
      () => `/s/${shortIdOf(sellerId)}`,
      () => "/c/stationery",
      () => "/campus/main-campus",
      () => `/seller/${sellerId}`,
    ];
    await changeListing(productId, HIDDEN[state]);
    expect(await screensWithSecrets(scene, buyerId), "for the buyer").toEqual([]);
    for (const path of [`/orders/${scene.orderId}`, `/api/messages?item=${scene.itemId}`])
      expect(await (await visit(path, { as: buyerId })).text(), "what was bought").toContain("Casio fx-991ES");
    expect(await screensWithSecrets(scene, null, open), "for visitors").toEqual([]);

    // What is sent: a message that names it, emails that wait for their time, and the answers of buttons.
    const about = { kind: "product", id: productId } as const;
    for (const [senderId, recipientId] of [
      [sellerId, buyerId],
      [buyerId, sellerId],
    ] as const) {
      const sent = await sendMessage(servicesAt(), {
        senderId,
        recipientId,
        about,
        text: "Hi",
        key: crypto.randomUUID(),
      });
      expect(sent.ok).toBe(true);
      expect(JSON.stringify(sent)).not.toContain(SECRETS[0]);
      // The conversation goes on, but not about the hidden listing.
      expect(sent).toMatchObject({ message: { productId: null, productName: null } });
    }
    await settleDeferred();
    await advanceOffers(servicesAt(HOUR));
    await sendDueNotices(servicesAt(HOUR));
    const mails = await db.select({ payload: outbox.payload }).from(outbox);
    const toBuyer = mails.map(({ payload }) => payload).filter((payload) => payload.includes(buyerId));
    expect(toBuyer.filter((payload) => SECRETS.some((secret) => payload.includes(secret)))).toEqual([]);
    expect(
      toBuyer.filter((payload) => payload.includes('"ended"')),
      "the offer has ended",
    ).toHaveLength(1);
    // Words that stand for a name on a page say nothing in an email.
    expect(toBuyer.filter((payload) => payload.includes("Removed product"))).toEqual([]);
    const line = { userId: buyerId, productId };
    expect(await removeFromCart(servicesAt(), line)).toEqual({ ok: true, name: "Removed product" });
    expect(await removeFromWishlist(servicesAt(), line)).toEqual({ ok: true, name: "Removed product" });
  },
);

test("a message about an item goes on naming what was bought, whatever its seller calls the listing now", async () => {
  const scene = await makeScene();
  await edit(scene.productId);
  for (const viewer of [scene.buyerId, scene.sellerId]) {
    const page = await listMessages(servicesAt(), viewer, { item: scene.itemId }, null);
    expect(page.messages.map(({ productName }) => productName)).toEqual(["Casio fx-991ES"]);
  }
});

test.each(["held", "taken down"] as const)("its seller goes on seeing a listing that is %s", async (state) => {
  const scene = await makeScene();
  await edit(scene.productId);
  await db.update(products).set(HIDDEN[state]).where(eq(products.id, scene.productId));
  const own = [
    ({ productId }: Scene) => `/product/${productId}`,
    ({ productId }: Scene) => `/product/${productId}/edit`,
    () => "/myshop",
    ({ buyerId }: Scene) => `/profile?tab=messages&with=${buyerId}`,
    ({ itemId }: Scene) => `/seller/orders/${itemId}`,
  ];
  expect(await screensWithSecrets(scene, scene.sellerId, own)).toEqual(own.map((screen) => screen(scene)));
});

test("a listing that is hidden isn't celebrated, whatever its address says", async () => {
  const sellerId = await makeUser();
  const productId = await makeProduct(sellerId);
  const page = async () => (await visit(`/product/${productId}?just=listed`, { as: sellerId })).text();
  expect(await page()).toContain("Share on WhatsApp");
  await changeListing(productId, { heldFor: "weapons", suspendedAt: Date.now() });
  expect(await page()).not.toContain("Share on WhatsApp");
});
