/** What browsers without scripts send that others can't: a form again after "Back", and one without its tick. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { cartItems } from "#app/basket/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { db, makeProduct, makeUser, putInCart } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

let viewer: string;
let product: string;

beforeEach(async () => {
  [viewer, product] = [await makeUser(), await makeProduct(await makeUser())];
});

describe("a message", () => {
  const key = crypto.randomUUID();
  const send = (text: string) =>
    visit("/api/messages", {
      as: viewer,
      form: { about: `product:${product}`, text, key, from: "/profile?tab=messages" },
    });
  const sent = async () => {
    const rows = await db.select().from(messages).where(eq(messages.senderId, viewer)).orderBy(messages.createdAt);
    return rows.map(({ message }) => message);
  };

  test("that is sent twice is stored once", async () => {
    for (const text of ["Hi", "Hi"]) expect((await send(text)).status).toBe(303);
    expect(await sent()).toEqual(["Hi"]);
  });

  test("in other words, from the page that Back brings, is another one", async () => {
    for (const text of ["Hi", "At four at the gate?"]) expect((await send(text)).status).toBe(303);
    expect((await sent()).toSorted()).toEqual(["At four at the gate?", "Hi"]);
  });
});

describe("a form that asks", () => {
  const clear = { intent: "clear-cart", from: "/cart", asks: "1" };
  const inCart = () => db.$count(cartItems, eq(cartItems.userId, viewer));

  beforeEach(async () => {
    await putInCart(viewer, product);
  });

  test("does nothing without its tick, and asks once more with all that it holds", async () => {
    const asked = await visit("/?index", { as: viewer, form: clear, headers: { Referer: "https://chuoni.test/cart" } });
    expect(asked.status).toBe(428);
    const page = await asked.text();
    expect(page).toContain("Are you sure?");
    expect(page).toContain('<a href="/cart">');
    expect(await inCart()).toBe(1);
    const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]);
    expect(Object.fromEntries(fields)).toEqual({ ...clear, sure: "yes" });
    expect((await visit("/?index", { as: viewer, form: Object.fromEntries(fields) })).status).toBe(302);
    expect(await inCart()).toBe(0);
  });

  test("is sent with its tick", async () => {
    expect((await visit("/?index", { as: viewer, form: { ...clear, sure: "on" } })).status).toBe(302);
    expect(await inCart()).toBe(0);
  });

  test("shows what somebody wrote as a text", async () => {
    const asked = await visit("/?index", { as: viewer, form: { ...clear, note: '"><script>' } });
    expect(await asked.text()).toContain('value="&quot;&gt;&lt;script&gt;"');
  });
});
