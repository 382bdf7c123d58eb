/** What people chose about notifications: saved, and followed when something would leave. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { write } from "#app/db/batch.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { notify } from "#app/notifications/notify.server.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import {
  findEmailChoice,
  findNotificationSettings,
  saveNotificationSettings,
  turnEmails,
} from "#app/notifications/settings.server.ts";
import { OFFERED_CHOICES, QUIET_AT_FIRST } from "#app/notifications/settings-rules.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";
import { db, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

const services = servicesAt();
const SETTINGS = "/settings/notifications";
const ALL = OFFERED_CHOICES.join(" ");

function form(off: readonly string[], more: Record<string, string> = {}): FormData {
  const sent = new FormData();
  for (const [name, value] of Object.entries({ intent: "save", opened: ALL, ...more })) sent.set(name, value);
  for (const choice of OFFERED_CHOICES) if (!off.includes(choice)) sent.append("choice", choice);
  return sent;
}

const night = { quiet: "on", from: "22:00", until: "07:00" };

/** What leaves of a payment and a review for this person. */
async function sentTo(userId: string): Promise<string[]> {
  const reader = openParty({ id: userId, email: `${userId}@campus.test`, name: "Wanjiku" });
  const key = crypto.randomUUID();
  await write(db, [
    ...notify(
      reader,
      { kind: "payment_received", data: { orderId: "o1", amount: 500, receipt: "TKL1ABCDEF" } },
      `payment_received:${key}`,
      0,
    ),
    ...notify(
      reader,
      { kind: "review_written", data: { role: "buyer", productName: "Kettle", orderItemId: "i1", until: 9e12 } },
      `review_written:${key}`,
      0,
    ),
  ]);
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail) };
  while ((await drainOutbox({ ...servicesAt(), pause: async () => {} }, { mailer, push: null })) > 0);
  return sent
    .filter(({ to }) => to.startsWith(userId))
    .map(({ template }) => template)
    .toSorted();
}

test("everything is on at first but the weekly email, with quiet hours at night", async () => {
  const userId = await makeUser();
  expect(await findNotificationSettings(db, userId)).toEqual({ choices: {}, quiet: QUIET_AT_FIRST });
  const page = await (await visit(SETTINGS, { as: userId })).text();
  expect(page.match(/name="choice"/g)).toHaveLength(OFFERED_CHOICES.length);
  expect(page.match(/<input[^>]*name="choice"[^>]*checked=""/g)).toHaveLength(OFFERED_CHOICES.length - 1);
  expect(await sentTo(userId)).toEqual(["payment_received", "review_written"]);
});

test("what is turned off no longer leaves, and money always does", async () => {
  const userId = await makeUser();
  const saved = await visit(SETTINGS, { as: userId, form: form(OFFERED_CHOICES, night) });
  expect([saved.status, saved.headers.get("Location")]).toEqual([302, SETTINGS]);
  expect(await sentTo(userId)).toEqual(["payment_received"]);
  await visit(SETTINGS, { as: userId, form: form([], { ...night, opened: "" }) });
  expect(await sentTo(userId)).toEqual(["payment_received", "review_written"]);
});

test("a form that was opened before an email's link was used doesn't turn that email on again", async () => {
  const userId = await makeUser();
  await turnEmails(services, { userId, group: "reviews", on: false });
  await visit(SETTINGS, { as: userId, form: form(["offers.email"], night) });
  const { choices } = await findNotificationSettings(db, userId);
  expect(choices).toEqual({ "reviews.email": false, "offers.email": false });
});

test("a form that was opened before other quiet hours were chosen doesn't bring the old ones back", async () => {
  const userId = await makeUser();
  const openedQuiet = "22:00 07:00";
  const quietOf = async () => (await findNotificationSettings(db, userId)).quiet;
  const send = (hours: Record<string, string>) => visit(SETTINGS, { as: userId, form: form(["offers.email"], hours) });
  await send({ ...night, openedQuiet });
  expect(await quietOf()).toEqual(QUIET_AT_FIRST);
  const page = await (await visit(SETTINGS, { as: userId })).text();
  expect(page).toContain(`name="openedQuiet" value="${openedQuiet}"`);
  await send({ ...night, from: "20:30", openedQuiet });
  await send({ ...night, openedQuiet });
  expect(await quietOf()).toEqual({ from: 20 * 60 + 30, until: 7 * 60 });
  await send({ from: "20:30", until: "07:00", openedQuiet: "20:30 07:00" });
  expect(await quietOf()).toBeNull();
  await send({ ...night, openedQuiet });
  expect(await quietOf()).toBeNull();
  await send({ ...night, openedQuiet: "" });
  expect(await quietOf()).toEqual(QUIET_AT_FIRST);
});

test("two people's choices are apart, and two changes at once are both kept", async () => {
  const [mine, yours] = [await makeUser(), await makeUser()];
  await Promise.all([
    turnEmails(services, { userId: mine, group: "offers", on: false }),
    turnEmails(services, { userId: mine, group: "messages", on: false }),
    saveNotificationSettings(services, mine, { changes: { "orders.push": false }, quiet: null }),
  ]);
  expect((await findNotificationSettings(db, mine)).choices).toEqual({
    "offers.email": false,
    "messages.email": false,
    "orders.push": false,
  });
  expect(await findNotificationSettings(db, yours)).toEqual({ choices: {}, quiet: QUIET_AT_FIRST });
});

test("a time that isn't one is refused at its field, and what was ticked stays", async () => {
  const userId = await makeUser();
  const answer = await visit(SETTINGS, { as: userId, form: form(["offers.email"], { ...night, until: "late" }) });
  expect(answer.status).toBe(400);
  const page = await answer.text();
  expect(page).toContain("Enter a time, such as 22:00");
  expect(page.match(/<input[^>]*name="choice"[^>]*checked=""/g)).toHaveLength(OFFERED_CHOICES.length - 1);
  expect(await findNotificationSettings(db, userId)).toEqual({ choices: {}, quiet: QUIET_AT_FIRST });
});

test("a deleted account leaves no choices, and none can be made for it", async () => {
  const userId = await makeUser();
  await turnEmails(services, { userId, group: "offers", on: false });
  expect((await deleteAccount(services, userId)).ok).toBe(true);
  const rows = await env.DB.prepare("SELECT COUNT(*) AS count FROM notification_settings WHERE user_id = ?")
    .bind(userId)
    .first<{ count: number }>();
  expect(rows?.count).toBe(0);
  expect(await turnEmails(services, { userId, group: "offers", on: false })).toBeNull();
  expect(await findEmailChoice(db, { userId, group: "offers" })).toBeNull();
});
