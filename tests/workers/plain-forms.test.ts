/** What browsers without scripts send that others can't: a form again after "Back", and one without its tick. */
import { env } from "cloudflare:workers";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { blocks } from "#app/accounts/tables.server.ts";
import { cartItems } from "#app/basket/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { deliverItem, shipItem } from "#app/deals/fulfilment.server.ts";
import { problems } from "#app/deals/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { db, makeProduct, makeUser, putInCart, servicesAt } from "#tests/support/fixtures.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { finishedDeal } from "#tests/support/reviews.ts";
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

  test("asks, too, where scripts are only late", async () => {
    const page = await (await visit("/cart", { as: viewer })).text();
    const [form] = page.match(/<form(?:(?!<\/form>).)*value="clear-cart".*?<\/form>/s) ?? [""];
    expect(form.replace(/<noscript>.*?<\/noscript>/gs, "")).toContain('name="asks"');
  });

  test("shows what somebody wrote as a text", async () => {
    const asked = await visit("/?index", { as: viewer, form: { ...clear, note: '"><script>' } });
    expect(await asked.text()).toContain('value="&quot;&gt;&lt;script&gt;"');
  });
});

describe("a photo that is larger than a form may be", () => {
  const photo = new File([new Uint8Array(22 * 1024 * 1024)], "lamp.jpg", { type: "image/jpeg" });
  const send = async (path: string, as: string, fields: [name: string, value: string | File][]) => {
    const form = new FormData();
    for (const [name, value] of fields) form.append(name, value);
    const answer = await visit(path, { as, form });
    return { status: answer.status, page: await answer.text() };
  };

  test("leaves a listing's fields on both sides of it in the form", async () => {
    const id = crypto.randomUUID();
    const { status, page } = await send("/add-product", viewer, [
      ["productId", id],
      ["photoFile", photo],
      ["name", "Desk lamp"],
      ["price", "1200"],
      ["description", "Bright.\nTwo bulbs."],
    ]);
    expect(status).toBe(400);
    expect(page).toContain("This photo is larger than 10 MB");
    expect(page).toMatch(/name="name"[^>]*value="Desk lamp"|value="Desk lamp"[^>]*name="name"/);
    expect(page).toContain("Two bulbs.</textarea>");
    expect(await db.$count(products, eq(products.id, id))).toBe(0);
  });

  test("leaves a shop's settings in the form", async () => {
    const { status, page } = await send("/myshop/settings", viewer, [
      ["shopName", "Lamps and More"],
      ["bannerFile", photo],
      ["policies", "No returns."],
    ]);
    expect(status).toBe(413);
    expect(page).toContain("This photo is larger than 10 MB");
    expect(page).toContain('value="Lamps and More"');
    expect(page).toContain("No returns.</textarea>");
  });

  test("leaves what was written in a review, and what happened in the report of a problem", async () => {
    const done = await finishedDeal();
    const review = await send(`/reviews/${done.itemId}`, done.buyerId, [
      ["intent", "write"],
      ["rating", "4"],
      ["text", "Bright and clean."],
      ["photoFile", photo],
    ]);
    expect(review.status).toBe(413);
    expect(review.page).toContain("This photo is larger than 10 MB");
    expect(review.page).toContain("Bright and clean.</textarea>");
    const deal = await payDeal();
    await agreeOn(deal);
    await shipItem(servicesAt(), deal);
    const deals = { inspectionHours: 48, codeKey: env.HANDOVER_CODE_KEY };
    await deliverItem({ ...servicesAt(), deals }, deal);
    const { status, page } = await send(`/problems/${deal.itemId}`, deal.buyerId, [
      ["intent", "report"],
      ["kind", "damaged"],
      ["description", "It doesn't turn on."],
      ["photoFile", photo],
    ]);
    expect(status).toBe(413);
    expect(page).toContain("This photo is larger than 10 MB");
    expect(page).toContain("turn on.</textarea>");
    expect(await db.$count(problems, eq(problems.orderItemId, deal.itemId))).toBe(0);
  });
});

describe("a conversation", () => {
  test("is read to its beginning, page by page", async () => {
    const [other, at] = [await makeUser(), Date.now() - 60_000];
    for (let n = 1; n <= 70; n += 1)
      await giveMessage({ senderId: other, recipientId: viewer, message: `Word ${n}.`, createdAt: at + n });
    const read: string[] = [];
    let path: string | undefined = `/profile?tab=messages&with=${other}`;
    while (path !== undefined) {
      const page: string = await (await visit(path, { as: viewer })).text();
      const log = /role="log".*?<\/ol>/s.exec(page)?.[0] ?? "";
      read.unshift(...[...log.matchAll(/Word \d+\./g)].map(([word]) => word));
      path = /href="([^"]*before=[^"]*)"/.exec(log.slice(0, 2_000))?.[1]?.replaceAll("&amp;", "&");
      if (path !== undefined) expect(page).toContain("Show older messages");
    }
    expect(read).toEqual(Array.from({ length: 70 }, (_, n) => `Word ${n + 1}.`));
  });

  test("shows the newest messages at an address that names no place, without a link to them", async () => {
    const other = await makeUser();
    await giveMessage({ senderId: other, recipientId: viewer, message: "The newest." });
    const page = await (await visit(`/profile?tab=messages&with=${other}&before=x`, { as: viewer })).text();
    expect(page).toContain("The newest.");
    expect(page).not.toContain("See the newest messages");
  });

  test("is blocked, after a question, and opened again", async () => {
    const other = await makeUser();
    await giveMessage({ senderId: other, recipientId: viewer });
    const from = `/profile?tab=messages&with=${other}`;
    const isBlocked = () => db.$count(blocks, and(eq(blocks.userId, viewer), eq(blocks.blockedId, other)));
    const send = (form: Record<string, string>) =>
      visit("/conversations/safety", { as: viewer, form: { otherId: other, from, ...form } });
    expect((await send({ intent: "block", asks: "1" })).status).toBe(428);
    expect(await isBlocked()).toBe(0);
    const sure = await send({ intent: "block", asks: "1", sure: "on" });
    expect([sure.status, sure.headers.get("Location"), await isBlocked()]).toEqual([302, from, 1]);
    expect((await send({ intent: "unblock" })).status).toBe(302);
    expect(await isBlocked()).toBe(0);
  });
});
