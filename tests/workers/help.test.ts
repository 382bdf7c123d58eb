import { and, eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { outbox } from "#app/db/tables.server.ts";
import { shortOrderId } from "#app/orders/order-rules.ts";
import { CONTACTS_A_DAY } from "#app/screens/help/contact-rules.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { readRow } from "#tests/support/accounts.ts";
import { db, makeDeal, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { UNLIMITED, visit } from "#tests/support/visit.ts";

vi.setConfig({ testTimeout: 60_000 });

/** What our team was asked with this text. */
async function asked(text: string) {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.topic, "mail"), sql`instr(${outbox.payload}, ${text}) > 0`));
  return rows.map(({ payload }) => JSON.parse(payload) as { to: string; data: Record<string, unknown> });
}

const ask = (form: Record<string, string>, as?: string) =>
  visit("/help/contact", { as: as ?? null, form, bindings: UNLIMITED });

test("an answer is found by its words and stands at an address of its own, for visitors, too", async () => {
  const found = await (await visit("/help?q=rudisha+pesa")).text();
  expect(found).toContain('href="/help/refunds"');
  const answer = await visit("/help/code");
  expect(await answer.text()).toContain("What is the handover code?");
  expect(answer.headers.get("X-Robots-Tag")).toBeNull();
  expect((await visit("/help/no-such-answer")).status).toBe(404);
  expect(await (await visit("/protection")).text()).toContain("we hold the money");
});

test("a question carries its order to our team, once, and only to whoever bought or sold in it", async () => {
  const deal = await makeDeal();
  const text = `Where is it? ${crypto.randomUUID()}`;
  const form = { formKey: crypto.randomUUID(), order: deal.orderId, text };
  const page = await (await visit(`/help/contact?order=${deal.orderId}`, { as: deal.buyerId })).text();
  expect(page).toContain(`About order ${shortOrderId(deal.orderId)}`);
  for (const _ of [1, 2]) expect((await ask(form, deal.buyerId)).headers.get("Location")).toBe("/help");
  const sent = await asked(text);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ to: servicesAt().supportEmail, data: { userId: deal.buyerId } });
  expect(sent[0]?.data.order).toContain(deal.orderId);
  // "Back" brings the same form again.
  await ask({ ...form, text: `${text} And when?` }, deal.buyerId);
  expect(await asked(text)).toHaveLength(2);

  const others = await makeUser();
  const elsewhere = `Not mine ${crypto.randomUUID()}`;
  expect(await (await visit(`/help/contact?order=${deal.orderId}`, { as: others })).text()).not.toContain(
    "About order",
  );
  await ask({ ...form, formKey: crypto.randomUUID(), text: elsewhere }, others);
  expect((await asked(elsewhere))[0]?.data.order).toBeNull();
  await ask({ ...form, formKey: crypto.randomUUID(), text: `${elsewhere} sold` }, deal.sellerId);
  expect((await asked(`${elsewhere} sold`))[0]?.data.order).toContain(deal.orderId);
});

test("a visitor's question needs an address, keeps what was typed, and never writes to that address", async () => {
  const text = `Can I join? ${crypto.randomUUID()}`;
  const refused = await ask({ email: "me@", text });
  expect(refused.status).toBe(400);
  const page = await refused.text();
  expect(page).toContain(text);
  expect(page).toContain('value="me@"');
  const email = `${crypto.randomUUID()}@campus.test`;
  expect((await ask({ formKey: crypto.randomUUID(), email: ` ${email.toUpperCase()} `, text })).status).toBe(302);
  expect(await asked(text)).toMatchObject([
    { to: servicesAt().supportEmail, data: { email, userId: null, order: null } },
  ]);
});

test("a member can ask five times a day, and the words go with the account", async () => {
  const userId = await makeUser();
  const text = crypto.randomUUID();
  const send = () => ask({ formKey: crypto.randomUUID(), text }, userId);
  for (let each = 0; each < CONTACTS_A_DAY.member; each++) expect((await send()).status).toBe(302);
  expect((await send()).status).toBe(429);
  expect(await asked(text)).toHaveLength(CONTACTS_A_DAY.member);
  const asVisitor = { formKey: crypto.randomUUID(), text, email: String((await readRow("credentials", userId)).email) };
  expect((await ask(asVisitor)).status).toBe(302);
  expect(await deleteAccount(servicesAt(), userId)).toMatchObject({ ok: true });
  expect(await asked(text)).toEqual([]);
});
