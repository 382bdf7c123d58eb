/**
 * What the operators are told of an outage, and by which ways. The simulation plays the outages themselves
 * (tests/support/simulation/outages.ts).
 */
import { env } from "cloudflare:workers";
import { eq, like } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { noteRun, watchFigures, watchJob } from "#app/admin/operations/alarms.server.ts";
import { readCredentialDays } from "#app/admin/operations/operator-dates.server.ts";
import { write } from "#app/db/batch.ts";
import { queueEffect, type Traffic } from "#app/db/outbox.ts";
import { alarms } from "#app/admin/tables.server.ts";
import { leases, outbox } from "#app/db/tables.server.ts";
import { payouts, refunds } from "#app/payments/tables.server.ts";
import type { WaitReason } from "#app/db/states/transfer.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { pauseChannel } from "#app/payments/transfers/paused-channels.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { listDevices, type PushSession, saveSubscription } from "#app/notifications/push/push-subscriptions.server.ts";
import { saveNotificationSettings } from "#app/notifications/settings.server.ts";
import { ALARMS } from "#app/admin/operations/alarm-rules.ts";
import {
  db,
  makeDeal,
  makeUser,
  quietServices,
  readAttempts,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";
import { writeMail } from "#workers/mail/write-mail.tsx";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OPERATORS = ["otieno@operators.test", "wanjiru@operators.test"];

/** The services of the operators' job, so many ms ahead. */
function at(ms: number) {
  return {
    db,
    now: () => Date.now() + ms,
    log: () => {},
    adminEmails: OPERATORS,
    supportEmail: "help@chuoni.test",
    credentialHash: null as string | null,
  };
}

/** The operators' job, some time after every email has left. */
async function watch(services: ReturnType<typeof at>): Promise<void> {
  await env.DB.prepare("UPDATE outbox SET done_at = created_at WHERE done_at IS NULL AND topic = 'mail'").run();
  await watchFigures(services);
}

/** The alarms that were emailed: "name on" or "name over", one for each operator. */
async function told(): Promise<string[]> {
  const rows = await db.select({ payload: outbox.payload }).from(outbox).where(like(outbox.dedupeKey, "alarm:%"));
  return rows
    .map(({ payload }) => JSON.parse(payload) as Extract<Mail, { template: "alarm" }>)
    .map(({ to, data }) => `${data.alarm} ${data.over ? "over" : "on"} ${to}`)
    .toSorted();
}

const toAll = (...names: string[]) => names.flatMap((alarm) => OPERATORS.map((to) => `${alarm} ${to}`)).toSorted();

beforeEach(async () => {
  await env.DB.batch(
    ["alarms", "outbox", "leases", "discrepancies", "operator_dates"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
  // A test may have ended payments hours ahead.
  await env.DB.prepare("UPDATE payment_attempts SET settled_at = NULL").run();
});

test("a silent job is noticed by requests, and is over once it runs again", async () => {
  await watchJob(at(HOUR));
  expect(await told()).toEqual([]);
  await write(db, [noteRun(Date.now())]);
  await watchJob(at(4 * MINUTE));
  expect(await told()).toEqual([]);
  await Promise.all([watchJob(at(6 * MINUTE)), watchJob(at(6 * MINUTE))]);
  await watchJob(at(HOUR));
  expect(await told()).toEqual(toAll("job_silent on"));
  for (const minutes of [61, 66, 72, 73]) await watch(at(minutes * MINUTE));
  expect(await told()).toEqual(toAll("job_silent on", "job_silent over"));
});

test("a request finds out by itself that the job has stopped", async () => {
  await write(db, [noteRun(Date.now() - 10 * MINUTE)]);
  // A request of another test may have looked within the last minute.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * MINUTE });
  await visit("/api/health").finally(() => vi.useRealTimers());
  expect(await db.select({ name: alarms.name }).from(alarms)).toEqual([{ name: "job_silent" }]);
});

test("the credential's age is noted when it changes, and told before its password ends", async () => {
  const later = (ms: number, hash: string) => ({ ...at(ms), credentialHash: hash });
  expect(await readCredentialDays(later(0, "a"))).toBeNull();
  for (const day of [0, 1, 79]) await watch(later(day * DAY, "a"));
  expect(await readCredentialDays(later(79 * DAY, "a"))).toBe(79);
  expect(await told()).toEqual([]);
  await Promise.all([watch(later(80 * DAY, "a")), watch(later(80 * DAY, "a"))]);
  expect(await told()).toEqual(toAll("credential_old on"));
  expect(await readCredentialDays(later(80 * DAY, "b"))).toBeNull();
  for (const minutes of [1, 2, 13]) await watch(later(80 * DAY + minutes * MINUTE, "b"));
  expect(await readCredentialDays(later(80 * DAY + HOUR, "b"))).toBe(0);
  expect(await told()).toEqual(toAll("credential_old on", "credential_old over"));
});

/** An account with a device that gets pushes, and that is never disturbed but by what must be. */
async function withDevice(userId: string) {
  const sandbox = env.SANDBOX_OBJECT.getByName("sandbox");
  const browser = await sandbox.subscribe(servicesAt().push!.publicKey);
  const session: PushSession = { id: crypto.randomUUID(), userId, epoch: 1, endsAt: Date.now() + DAY };
  await saveSubscription(servicesAt(), session, browser, "Chrome on Android");
  await saveNotificationSettings(servicesAt(), userId, { changes: {}, quiet: { from: 0, until: 24 * 60 - 1 } });
  expect(await listDevices(servicesAt(), userId)).toHaveLength(1);
  return async () => (await sandbox.pushes()).filter((push) => push.browser === browser.id).toReversed();
}

test("an operator's devices show each alarm once, and once that it is over, also at night; nobody else's do", async () => {
  const admin = await makeAdmin();
  const shown = await withDevice(admin.id);
  const other = await makeUser();
  const shownToOther = await withDevice(other);
  const operators = (ms: number) => ({ ...at(ms), adminEmails: [admin.email, `${other}@campus.test`] });
  const send = (ms: number) =>
    drainOutbox(
      { ...at(ms), pause: async () => {} },
      { mailer: { send: () => Promise.resolve() }, push: servicesAt().push },
    );
  await pauseChannel(servicesAt(), "b2c", { code: "1", message: "The balance is insufficient", reason: "our_float" });
  await Promise.all([watch(operators(0)), watch(operators(0))]);
  await watch(operators(MINUTE));
  await send(MINUTE);
  const { title } = ALARMS.money_stopped;
  const path = "/admin/operations";
  expect(await shown()).toMatchObject([{ title, body: "", path }]);
  await db.delete(leases).where(eq(leases.name, "payouts_hold"));
  for (const minutes of [2, 13, 14]) await watch(operators(minutes * MINUTE));
  await send(15 * MINUTE);
  expect(new Set((await shown()).map((push) => push.title))).toEqual(new Set([title, `Over: ${title}`]));
  expect(await shown()).toHaveLength(2);
  for (const push of await shown()) expect(`${push.title} ${push.body}`).not.toMatch(/\d/);
  // Its owner is no admin, so the address gets the email alone.
  expect(await shownToOther()).toEqual([]);
});

test("what comes and goes is told once", async () => {
  const pause = () =>
    pauseChannel(servicesAt(), "reversal", { code: "21", message: "role", reason: "our_configuration" });
  const resume = () => db.delete(leases).where(eq(leases.name, "reversals_hold"));
  for (let minute = 0; minute < 14; minute += 2) {
    await (minute % 4 === 0 ? pause() : resume());
    await watch(at(minute * MINUTE));
  }
  expect(await told()).toEqual(toAll("money_stopped on"));
});

test("unanswered prompts are told until the window has none, so a quiet night ends the alarm and one more prompt doesn't", async () => {
  for (let n = 0; n < 5; n += 1) await unanswered(0);
  await watch(at(MINUTE));
  await unanswered(20 * MINUTE);
  for (const minutes of [31, 45, 49]) await watch(at(minutes * MINUTE));
  expect(await told()).toEqual(toAll("prompts_dead on"));
  for (const minutes of [51, 60]) await watch(at(minutes * MINUTE));
  expect(await told()).toEqual(toAll("prompts_dead on"));
  await watch(at(62 * MINUTE));
  expect(await told()).toEqual(toAll("prompts_dead on", "prompts_dead over"));
  for (let n = 0; n < 5; n += 1) await unanswered(8 * HOUR);
  await watch(at(8 * HOUR + MINUTE));
  expect(await told()).toEqual(toAll("prompts_dead on", "prompts_dead on", "prompts_dead over"));
});

/** A payment whose prompt nobody answered, so many ms ahead. */
async function unanswered(ms: number): Promise<void> {
  const { orderId, buyerId: userId } = await makeDeal();
  await requestOrderPayment(quietServices(), { orderId, userId, phone: uniquePhone("00") });
  const [attempt] = await readAttempts(orderId);
  const report = { event: "declined", code: "1037", message: "No answer", reason: "no_answer" } as const;
  await applyAttemptEvent(servicesAt(ms), attempt?.id ?? "", report);
}

test("what is parked is told once nobody has touched it for a day, unless it waits for its seller or on purpose", async () => {
  const sold = await payDeal();
  await agreeOn(sold);
  const delivered = await applyDealEvent(servicesAt(), {
    itemId: sold.itemId,
    event: "code_entered",
    by: sold.sellerId,
  });
  expect(delivered).toMatchObject({ ok: true });
  const bought = await payDeal();
  await applyDealEvent(servicesAt(), { itemId: bought.itemId, event: "cancelled_by_buyer", by: bought.buyerId });
  const park = async (table: typeof payouts | typeof refunds, waitReason: WaitReason, ms = 0) => {
    const parked = { state: "parked", waitReason, nextActionAt: null, updatedAt: Date.now() + ms } as const;
    await db
      .update(table)
      .set(parked)
      .where(eq(table.orderItemId, table === payouts ? sold.itemId : bought.itemId));
  };
  const lookAt = async (hours: number) => {
    await db.delete(alarms);
    await watch(at(hours * HOUR + MINUTE));
    return (await db.select().from(alarms)).map(({ name }) => name);
  };
  await park(payouts, "not_registered");
  await park(refunds, "parked_by_admin");
  expect(await lookAt(48)).toEqual([]);
  await park(payouts, "no_record");
  expect([await lookAt(23), await lookAt(25)]).toEqual([[], ["transfers_parked"]]);
  // Somebody has begun to send it by hand.
  await park(payouts, "sending_by_hand", 20 * HOUR);
  expect([await lookAt(25), await lookAt(45)]).toEqual([[], ["transfers_parked"]]);
  await park(payouts, "not_registered");
  // Nobody but our team can mend a refund.
  await park(refunds, "not_registered");
  expect(await lookAt(25)).toEqual(["transfers_parked"]);
});

test.each<[Traffic, number]>([
  ["security", 30],
  ["money", 30],
  ["messages", 30],
  ["news", 180],
])("an email of %s that nobody has tried is late after %i minutes", async (traffic, minutes) => {
  const mail = { to: "wanjiku@campus.test", template: "welcome", data: { name: "" } };
  await write(db, [queueEffect("late", mail, { topic: "mail", traffic, now: Date.now() })]);
  await watchFigures(at((minutes - 1) * MINUTE));
  expect(await told()).toEqual([]);
  await watchFigures(at((minutes + 1) * MINUTE));
  expect(await told()).toEqual(toAll("emails_failing on"));
});

test("without operators the support address is told; the email says what to do", async () => {
  await pauseChannel(servicesAt(), "b2c", { code: "1", message: "The balance is insufficient", reason: "our_float" });
  await watch({ ...at(0), adminEmails: [] });
  const [row] = await db.select().from(outbox).where(like(outbox.dedupeKey, "alarm:%"));
  const mail = JSON.parse(row?.payload ?? "") as Mail;
  expect(mail.to).toBe("help@chuoni.test");
  const { subject, text } = writeMail(mail, { origin: "https://chuoni.example", pepper: "pepper" });
  expect(subject).toBe("Alarm: M-Pesa refuses our payouts or refunds");
  expect(text).toContain("top up the utility account");
  expect(text).toContain("https://chuoni.example/admin/operations");
});
