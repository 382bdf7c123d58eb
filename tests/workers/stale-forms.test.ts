/**
 * A form that was opened before somebody else's change, in another tab or on another device. Browsers without scripts.
 */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { makeProduct, makeUser } from "#tests/support/fixtures.ts";
import { fieldsOf, multipart, openForm } from "#tests/support/open-form.ts";
import { visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 30_000 });

interface Stale {
  make(): Promise<{
    owner: string;
    page: string;
    action: string;
    having: string;
    row: () => Promise<Record<string, unknown>>;
  }>;
  /** Two fields with what each of two tabs writes, and the column of each. */
  first: { field: string; column: string; values: [string, string]; saved: [unknown, unknown] };
  second: { field: string; column: string; value: string; saved: unknown };
}

const row = (table: string, id: string) => async () =>
  (await env.DB.prepare(`SELECT * FROM ${table} WHERE id = ?`).bind(id).first<Record<string, unknown>>()) ?? {};

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
      await env.DB.prepare(
        "INSERT INTO shops (id, shop_name, description, created_at, updated_at) VALUES (?, 'Kettles', 'Old', 1, 1)",
      )
        .bind(owner)
        .run();
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
};

test.each(Object.entries(FORMS))(
  "%s: two tabs change two fields, and both changes stay",
  async (_name, { make, first, second }) => {
    const { owner, page, action, having, row: read } = await make();
    const [one, other] = [await openForm(page, owner, having), await openForm(page, owner, having)];
    expect(one).toHaveProperty(first.field);
    const send = (values: Record<string, string>) => visit(action, { as: owner, form: multipart(values) });
    expect((await send({ ...one, [first.field]: first.values[0] })).status).toBe(302);
    expect((await send({ ...other, [second.field]: second.value })).status).toBe(302);
    expect(await read()).toMatchObject({ [first.column]: first.saved[0], [second.column]: second.saved });
  },
);

test.each(Object.entries(FORMS))(
  "%s: two tabs change one field, and the second chooses",
  async (_name, { make, first }) => {
    const { owner, page, action, having, row: read } = await make();
    const [one, other] = [await openForm(page, owner, having), await openForm(page, owner, having)];
    const send = (values: Record<string, string>) => visit(action, { as: owner, form: multipart(values) });
    await send({ ...one, [first.field]: first.values[0] });
    const asked = await send({ ...other, [first.field]: first.values[1] });
    const html = await asked.text();
    expect([asked.status >= 400, html.includes("Changed meanwhile to")]).toEqual([true, true]);
    expect(await read()).toMatchObject({ [first.column]: first.saved[0] });
    const form = [...html.matchAll(/<form\b[^>]*>([^]*?)<\/form>/g)]
      .map(([, content = ""]) => content)
      .find((content) => content.includes(`name="${having}"`));
    const again = { ...fieldsOf(form ?? ""), [first.field]: first.values[1] };
    expect((await send(again)).status).toBe(302);
    expect(await read()).toMatchObject({ [first.column]: first.saved[1] });
  },
);

test.each(Object.entries(FORMS))(
  "%s: a form that was sent without a change writes nothing",
  async (_name, { make, first }) => {
    const { owner, page, action, having, row: read } = await make();
    const [one, other] = [await openForm(page, owner, having), await openForm(page, owner, having)];
    const send = (values: Record<string, string>) => visit(action, { as: owner, form: multipart(values) });
    await send({ ...one, [first.field]: first.values[0] });
    const before = await read();
    expect((await send(other)).status).toBe(302);
    expect(await read()).toEqual(before);
  },
);

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
  expect(asked.headers.get("Location")).toBe("/profile?tab=settings");
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
