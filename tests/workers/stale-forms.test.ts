/**
 * A form that was opened before somebody else's change, in another tab or on another device, or is sent at the same
 * moment as another. Browsers without scripts. Each form that says what it was opened with has its row here
 * (tests/rules/stale-forms.test.ts).
 */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { lastDayOf } from "#app/accounts/profile/holiday.ts";
import { dayBounds } from "#app/platform/east-africa-time.ts";
import { slowDatabase } from "#tests/support/faults.ts";
import { makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { fieldsOf, multipart, openForm } from "#tests/support/open-form.ts";
import { finishedDeal, review } from "#tests/support/reviews.ts";
import { visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 30_000 });

const DAY_MS = 24 * 60 * 60_000;

interface Stale {
  make(): Promise<{
    owner: string;
    page: string;
    action: string;
    having: string;
    /** What a form needs besides. */
    also?: Record<string, string>;
    row: () => Promise<Record<string, unknown>>;
    first?: First;
  }>;
  /** A field with what each of two tabs writes, and its column. */
  first?: First;
  /** Another field, which one of them writes; none where the form has only one. */
  second?: { field: string; column: string; value: string; saved: unknown };
  /** It is sent once: whoever asks for its page again is led elsewhere. */
  isOnce?: true;
}

interface First {
  field: string;
  column: string;
  values: [string, string];
  saved: [unknown, unknown];
}

const row = (table: string, id: string) => async () =>
  (await env.DB.prepare(`SELECT * FROM ${table} WHERE id = ?`).bind(id).first<Record<string, unknown>>()) ?? {};

const openShop = (owner: string) =>
  env.DB.prepare(
    "INSERT INTO shops (id, shop_name, description, created_at, updated_at) VALUES (?, 'Kettles', 'Old', 1, 1)",
  )
    .bind(owner)
    .run();

async function upload(owner: string): Promise<string> {
  const stored = await storePhoto(servicesAt(), owner, {
    variants: [
      { picture: { kind: "webp", width: 320, height: 320 }, bytes: crypto.getRandomValues(new Uint8Array(8)) },
    ],
    tone: "#aaaaaa",
    thumbhash: "",
  });
  if (!stored.ok) throw new Error(stored.code);
  return stored.image.key;
}

const FORMS: Record<string, Stale> = {
  "a listing": {
    async make() {
      const owner = await makeUser({ name: "Achieng Odhiambo" });
      const id = await makeProduct(owner, { price: 2000 });
      const path = `/product/${id}/edit`;
      return { owner, page: path, action: path, having: "price", row: row("products", id) };
    },
    first: { field: "price", column: "price", values: ["1500", "1800"], saved: [1500, 1800] },
    second: { field: "name", column: "name", value: "Red kettle", saved: "Red kettle" },
  },
  "a shop": {
    async make() {
      const owner = await makeUser({ name: "Achieng Odhiambo" });
      await openShop(owner);
      return {
        owner,
        page: "/myshop/settings",
        action: "/myshop/settings",
        having: "shopName",
        row: row("shops", owner),
      };
    },
    first: { field: "description", column: "description", values: ["One", "Two"], saved: ["One", "Two"] },
    second: { field: "shopName", column: "shop_name", value: "Red kettles", saved: "Red kettles" },
  },
  "somebody's details": {
    async make() {
      const owner = await makeUser({ name: "Achieng Odhiambo" });
      return {
        owner,
        page: "/profile?tab=settings",
        action: "/settings",
        having: "fullName",
        row: row("profiles", owner),
      };
    },
    first: {
      field: "fullName",
      column: "full_name",
      values: ["Achieng Atieno", "Achieng Awuor"],
      saved: ["Achieng Atieno", "Achieng Awuor"],
    },
    second: { field: "phone", column: "phone", value: "0733 000 099", saved: "254733000099" },
  },
  "somebody's photo": {
    async make() {
      const owner = await makeUser();
      const keys = [await upload(owner), await upload(owner)] as const;
      const [one, other] = keys.map((key) => expect.stringContaining(key));
      return {
        owner,
        page: "/profile?tab=settings",
        action: "/settings",
        // The form has no other field of its own in each state.
        having: 'intent" value="photo',
        row: row("profiles", owner),
        first: { field: "photo", column: "photo_url", values: [...keys], saved: [one, other] },
      };
    },
  },
  "a holiday": {
    async make() {
      const owner = await makeUser();
      await openShop(owner);
      await env.DB.prepare("UPDATE shops SET away_until = ? WHERE id = ?")
        .bind(dayBounds(lastDayOf(Date.now() + 5 * DAY_MS)).until, owner)
        .run();
      const days = [lastDayOf(Date.now() + 9 * DAY_MS), lastDayOf(Date.now() + 19 * DAY_MS)] as const;
      const [one, other] = days.map((day) => dayBounds(day).until);
      return {
        owner,
        page: "/myshop/settings",
        action: "/myshop/settings",
        having: "lastDay",
        row: row("shops", owner),
        first: { field: "lastDay", column: "away_until", values: [...days], saved: [one, other] },
      };
    },
  },
  "a profile that is completed": {
    async make() {
      const owner = await makeUser({ name: "Achieng Odhiambo", phone: null });
      await env.DB.prepare("UPDATE profiles SET campus_location = NULL WHERE id = ?").bind(owner).run();
      const path = "/complete-profile";
      const also = { campusLocation: "Main Campus" };
      return { owner, page: path, action: path, having: "fullName", also, row: row("profiles", owner) };
    },
    first: {
      field: "fullName",
      column: "full_name",
      values: ["Achieng Atieno", "Achieng Awuor"],
      saved: ["Achieng Atieno", "Achieng Awuor"],
    },
    second: { field: "phone", column: "phone", value: "0733 000 099", saved: "254733000099" },
    isOnce: true,
  },
  "becoming a seller": {
    async make() {
      const owner = await makeUser({ phone: null });
      await env.DB.prepare("UPDATE profiles SET is_seller = 0 WHERE id = ?").bind(owner).run();
      const path = "/become-seller";
      return {
        owner,
        page: path,
        action: path,
        having: "promise",
        also: { promise: "on" },
        row: row("profiles", owner),
      };
    },
    first: {
      field: "phone",
      column: "phone",
      values: ["0733 000 099", "0733 000 088"],
      saved: ["254733000099", "254733000088"],
    },
    isOnce: true,
  },
  "a review": {
    async make() {
      const deal = await finishedDeal();
      await review(deal, "buyer", { rating: 5, text: "Good" });
      const path = `/reviews/${deal.itemId}`;
      const read = async () =>
        (await env.DB.prepare("SELECT * FROM reviews WHERE order_item_id = ?")
          .bind(deal.itemId)
          .first<Record<string, unknown>>()) ?? {};
      return { owner: deal.buyerId, page: path, action: path, having: "rating", row: read };
    },
    first: { field: "text", column: "text", values: ["Not so good", "Bad"], saved: ["Not so good", "Bad"] },
    second: { field: "rating", column: "rating", value: "3", saved: 3 },
  },
};

/** A form's owner, what both tabs have opened, and how each sends it. */
async function openTwice({ make, ...form }: Stale) {
  const { owner, page, action, having, also, row: read, first = form.first } = await make();
  if (!first) throw new Error("a form without a field");
  const [one, other] = [await openForm(page, owner, having), await openForm(page, owner, having)];
  const send = (values: Record<string, string>, bindings: Parameters<typeof visit>[1] = {}) =>
    visit(action, { as: owner, form: multipart({ ...values, ...also }), ...bindings });
  return { first, having, one, other, read, send };
}

const TWO_FIELDS = Object.entries(FORMS).flatMap(([name, form]) =>
  form.second ? [[name, { ...form, second: form.second }] as const] : [],
);
const REOPENED = Object.entries(FORMS).filter(([, { isOnce }]) => !isOnce);

test.each(TWO_FIELDS)("%s: two tabs change two fields, and both changes stay", async (_name, form) => {
  const { second } = form;
  const { first, one, other, read, send } = await openTwice(form);
  expect((await send({ ...one, [first.field]: first.values[0] })).status).toBe(302);
  expect((await send({ ...other, [second.field]: second.value })).status).toBe(302);
  expect(await read()).toMatchObject({ [first.column]: first.saved[0], [second.column]: second.saved });
});

test.each(REOPENED)("%s: two tabs change one field, and the second chooses", async (_name, form) => {
  const { first, having, one, other, read, send } = await openTwice(form);
  await send({ ...one, [first.field]: first.values[0] });
  const asked = await send({ ...other, [first.field]: first.values[1] });
  const html = await asked.text();
  expect([asked.status >= 400, /[Cc]hanged meanwhile|in another/.test(html)]).toEqual([true, true]);
  expect(await read()).toMatchObject({ [first.column]: first.saved[0] });
  const content = [...html.matchAll(/<form\b[^>]*>([^]*?)<\/form>/g)]
    .map(([, inner = ""]) => inner)
    .find((inner) => inner.includes(`name="${having}"`));
  const again = { ...fieldsOf(content ?? ""), [first.field]: first.values[1] };
  expect((await send(again)).status).toBe(302);
  expect(await read()).toMatchObject({ [first.column]: first.saved[1] });
});

test.each(REOPENED)("%s: a form that was sent without a change writes nothing", async (_name, form) => {
  const { first, one, other, read, send } = await openTwice(form);
  await send({ ...one, [first.field]: first.values[0] });
  const before = await read();
  expect((await send(other)).status).toBe(302);
  expect(await read()).toEqual(before);
});

/** Sends `slow` through a database in which `other` is sent from beginning to end, just before the first write. */
async function sendAtOnce(
  send: Awaited<ReturnType<typeof openTwice>>["send"],
  slow: Record<string, string>,
  other: Record<string, string>,
): Promise<Response> {
  const database = slowDatabase(env.DB, async () => expect((await send(other)).status).toBe(302));
  const answer = await send(slow, { bindings: { DB: database.db } });
  // Otherwise the two weren't sent at once.
  expect(database.hasWritten()).toBe(true);
  return answer;
}

test.each(TWO_FIELDS)("%s: two tabs save two fields at once, and neither is undone", async (_name, form) => {
  const { second } = form;
  const { first, one, other, read, send } = await openTwice(form);
  const slow = { ...one, [second.field]: second.value };
  const answer = await sendAtOnce(send, slow, { ...other, [first.field]: first.values[0] });
  expect(await read()).toMatchObject({
    [first.column]: first.saved[0],
    // Who isn't told otherwise has saved.
    ...(answer.status === 302 && { [second.column]: second.saved }),
  });
});

test.each(Object.entries(FORMS))("%s: two tabs save one field at once, and the later one is asked", async (_, form) => {
  const { first, one, other, read, send } = await openTwice(form);
  const slow = { ...one, [first.field]: first.values[1] };
  const answer = await sendAtOnce(send, slow, { ...other, [first.field]: first.values[0] });
  expect(await read()).toMatchObject({ [first.column]: first.saved[0] });
  expect(form.isOnce ? answer.headers.get("Location") !== "/home" : answer.status >= 400).toBe(true);
});

test("a listing's form, or the draft that kept it, saves its words after a sale, which stays", async () => {
  const owner = await makeUser({ name: "Achieng Odhiambo" });
  const id = await makeProduct(owner, { stock: 3 });
  const path = `/product/${id}/edit`;
  const form = await openForm(path, owner, "price");
  await env.DB.prepare("UPDATE products SET stock = 2, updated_at = updated_at + 1000 WHERE id = ?").bind(id).run();
  const saved = await visit(path, { as: owner, form: multipart({ ...form, name: "Red kettle" }) });
  expect(saved.status).toBe(302);
  expect(await row("products", id)()).toMatchObject({ name: "Red kettle", stock: 2 });
});

test("a profile that two tabs complete keeps both changes, and Settings shows what both filled in", async () => {
  const owner = await makeUser({ name: "Achieng Odhiambo", phone: null });
  await env.DB.prepare("UPDATE profiles SET campus_location = NULL WHERE id = ?").bind(owner).run();
  const opened = await openForm("/complete-profile", owner, "fullName");
  const send = (change: Record<string, string>) =>
    visit("/complete-profile", { as: owner, form: { ...opened, ...change } });
  expect((await send({ campusLocation: "Main Campus", fullName: "Achieng Atieno" })).status).toBe(302);
  expect((await send({ campusLocation: "Main Campus", phone: "0733 000 099" })).status).toBe(302);
  expect(await row("profiles", owner)()).toMatchObject({ full_name: "Achieng Atieno", phone: "254733000099" });
  const asked = await send({ campusLocation: "City Campus" });
  expect(asked.headers.get("Location")).toBe("/profile?tab=settings&section=details");
  expect(await row("profiles", owner)()).toMatchObject({ campus_location: "Main Campus" });
});

test("somebody who becomes a seller from an old page keeps the number that Settings saved meanwhile", async () => {
  const owner = await makeUser({ phone: "254712000001" });
  await env.DB.prepare("UPDATE profiles SET is_seller = 0 WHERE id = ?").bind(owner).run();
  const opened = await openForm("/become-seller", owner, "promise");
  const send = (change: Record<string, string>) =>
    visit("/become-seller", { as: owner, form: { ...opened, promise: "on", ...change } });
  await env.DB.prepare("UPDATE profiles SET phone = '254733000099' WHERE id = ?").bind(owner).run();
  const asked = await send({ phone: "0712 000 002" });
  expect([asked.status, await asked.text()]).toEqual([409, expect.stringContaining("Changed meanwhile to")]);
  expect((await send({})).status).toBe(302);
  expect(await row("profiles", owner)()).toMatchObject({ is_seller: 1, phone: "254733000099" });
});
