/** Everything that a client's key makes once, done by two people with one key: each gets their own. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { generateCodes } from "#app/admin/people/codes.server.ts";
import { addToCart } from "#app/basket/cart.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { makeOffer } from "#app/offers/make-offer.server.ts";
import { makeProduct, makeUser, orderOne, servicesAt } from "#tests/support/fixtures.ts";
import { makeAdmin } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 30_000 });

interface Keyed {
  /** What both do, as somebody with a key. */
  act(as: string, key: string, common: { sellerId: string; productId: string }): Promise<unknown>;
  /** How many there are of somebody's. `?` is their id. */
  count: string;
  /** Of how many one act makes. */
  made?: number;
  /** The answer names what was made. */
  isDistinct?: true;
  person?: () => Promise<string>;
}

/** By the column that keeps the key; null where the key becomes the row's id. */
const KEYED: Record<string, Keyed> = {
  "orders.idempotency_key": {
    act: (userId, key, { productId }) => orderOne(userId, productId, { key }),
    count: "SELECT COUNT(*) AS n FROM orders WHERE user_id = ?",
    isDistinct: true,
  },
  "cart_items.last_addition_key": {
    act: (userId, key, { productId }) => addToCart(servicesAt(), { userId, productId, quantity: 1, key }),
    count: "SELECT SUM(quantity) AS n FROM cart_items WHERE user_id = ?",
  },
  "messages.idempotency_key": {
    act: (senderId, key, { productId }) =>
      sendMessage(servicesAt(), { senderId, about: { kind: "product", id: productId }, text: `From ${senderId}`, key }),
    count: "SELECT COUNT(*) AS n FROM messages WHERE sender_id = ?",
  },
  "an offer": {
    act: (buyerId, key, { productId }) =>
      makeOffer(servicesAt(), { buyerId, productId, amount: 1500, revision: 0, note: "", key }),
    count: "SELECT COUNT(*) AS n FROM offers WHERE buyer_id = ?",
  },
  "access codes": {
    act: async (id, key) => {
      const codes = await generateCodes(servicesAt(), { id, email: `${id}@campus.test` }, 3, key);
      return { ok: codes !== null, codes };
    },
    count: "SELECT COUNT(*) AS n FROM wholesaler_codes WHERE created_by = ?",
    made: 3,
    isDistinct: true,
    person: async () => (await makeAdmin()).id,
  },
};

/** Columns with a key of the server's own, or of no act. */
const OTHERS = [
  "categories.name_key",
  "notifications.key",
  "outbox.dedupe_key",
  "passkeys.public_key",
  "rate_counters.key",
  "uploads.key",
];

test.each(Object.entries(KEYED))(
  "%s: two people with one key each get their own, once",
  async (_what, { act, count, isDistinct, made = 1, person = makeUser }) => {
    const sellerId = await makeUser({ name: "Achieng Odhiambo" });
    const productId = await makeProduct(sellerId, { price: 1900 });
    await env.DB.prepare("UPDATE products SET stock = NULL, takes_offers = 1 WHERE id = ?").bind(productId).run();
    const [one, other] = [await person(), await person()];
    const key = crypto.randomUUID();
    const of = async (id: string) => (await env.DB.prepare(count).bind(id).first<{ n: number }>())?.n;
    const [first, second] = [
      await act(one, key, { sellerId, productId }),
      await act(other, key, { sellerId, productId }),
    ];
    expect([first, second]).toMatchObject([{ ok: true }, { ok: true }]);
    // Again, and at once: the same, and each sees only their own.
    const again = await Promise.all([act(one, key, { sellerId, productId }), act(other, key, { sellerId, productId })]);
    expect(again).toMatchObject([{ ok: true }, { ok: true }]);
    expect([await of(one), await of(other)]).toEqual([made, made]);
    if (isDistinct) {
      expect(first).not.toEqual(second);
      expect(again).toEqual([first, second]);
    }
  },
);

test("every column with a client's key is in the table", async () => {
  const { results } = await env.DB.prepare(
    `SELECT m.name || '.' || c.name AS name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
      AND (c.name = 'key' OR c.name LIKE '%\\_key' ESCAPE '\\') AND m.name NOT LIKE '\\_cf%' ESCAPE '\\'`,
  ).all<{ name: string }>();
  const found = results.map(({ name }) => name).toSorted();
  const known = [...Object.keys(KEYED).filter((name) => name.includes(".")), ...OTHERS];
  expect(found.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !found.includes(name))).toEqual([]);
});
