/** Payouts: what may send, change or stop one, also with two workers at once. */
import { env } from "cloudflare:workers";
import { and, eq, like, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { discrepancies, ledgerEntries, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import type { PaymentGateway, PayoutAnswer, PayoutReport } from "#app/payments/gateway.ts";
import { deliveredPayout } from "#app/payments/payment-api.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import { PreconditionFailed, write } from "#app/db/batch.ts";
import { openDatabase } from "#app/db/client.ts";
import { makeAdmin } from "#tests/support/visit.ts";
import { booksOff, type Deal, db, makeDeal, readPayout, servicesAt } from "#tests/support/fixtures.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import { mpesaConfirms } from "#tests/support/receipts.ts";
import { recordTransfer, reserveTransfer, retryTransfer } from "#app/admin/money/transfer-moves.server.ts";
import { advanceTransfer } from "#app/payments/transfers/send-transfer.server.ts";
import { transferResultLost } from "#app/payments/transfers/transfer-results.server.ts";
import { findTransfer, resumeParked } from "#app/payments/transfers/transfers.server.ts";
import { asPayout, reportTransfer, retryBySeller } from "#tests/support/transfers.ts";

const HOUR = 60 * 60_000;

let deal: Deal;
const payoutId = () => deal.itemId;

/** A paid and delivered item, with its payout in the given state and a matching ledger. */
async function makePayout(
  state: "due" | "sent" | "unknown" | "parked",
  resultCode: string | null = null,
): Promise<void> {
  const now = Date.now();
  const charge = [
    ["mpesa_collection", 1_900],
    ["escrow", -1_900],
  ] as const;
  const release = [
    ["escrow", 1_900],
    ["seller_payable", -1_900],
  ] as const;
  const leg = (
    transactionId: string,
    kind: "charge" | "release",
    [account, amount]: readonly ["mpesa_collection" | "escrow" | "seller_payable", number],
  ) =>
    db.insert(ledgerEntries).values({
      id: crypto.randomUUID(),
      transactionId,
      account,
      kind,
      amount,
      orderId: deal.orderId,
      orderItemId: deal.itemId,
      createdAt: now,
    });
  await write(db, [
    leg(`charge:${deal.orderId}`, "charge", charge[0]),
    leg(`charge:${deal.orderId}`, "charge", charge[1]),
    leg(`release:${deal.itemId}`, "release", release[0]),
    leg(`release:${deal.itemId}`, "release", release[1]),
    db.insert(payouts).values({
      id: payoutId(),
      orderItemId: deal.itemId,
      sellerId: deal.sellerId,
      amount: 1_900,
      state,
      resultCode,
      waitReason: state === "parked" ? "not_registered" : null,
      phone: state === "due" ? null : "254722000021",
      conversationId: crypto.randomUUID(),
      callbackToken: crypto.randomUUID(),
      sendCount: state === "due" ? 0 : 1,
      nextActionAt: state === "parked" ? null : now,
      createdAt: now,
      updatedAt: now,
    }),
    db.insert(payoutItems).values({ orderItemId: deal.itemId, payoutId: payoutId(), amount: 1_900, createdAt: now }),
  ]);
  await env.DB.batch([
    env.DB.prepare("UPDATE orders SET payment_status = 'completed' WHERE id = ?").bind(deal.orderId),
    env.DB.prepare("UPDATE order_items SET status = 'completed' WHERE id = ?").bind(deal.itemId),
    env.DB.prepare(
      `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token, receipt,
        confirmed_at, created_at, updated_at)
        VALUES (?1, 'order', ?2, ?3, '254722000020', 1900, 'succeeded', ?1, ?1, ?4, ?4, ?4)`,
    ).bind(crypto.randomUUID(), deal.orderId, deal.buyerId, now),
  ]);
}

beforeEach(async () => {
  deal = await makeDeal();
});

/** Services whose gateway counts its payouts and answers after a moment. */
function counting() {
  const sent: string[] = [];
  const payOut: PaymentGateway["payOut"] = async ({ conversationId }) => {
    sent.push(conversationId);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { kind: "accepted", providerConversationId: `AG_${conversationId.slice(0, 8)}` };
  };
  const services = servicesAt();
  return { sent, services: { ...services, gateway: { ...services.gateway, payOut } } };
}

test("ten workers at the same moment send a due payout to M-Pesa once", async () => {
  await makePayout("due");
  const { sent, services } = counting();
  await Promise.all(Array.from({ length: 10 }, () => advanceTransfer(services, asPayout(payoutId()))));
  expect(sent).toHaveLength(1);
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "sent", sendCount: 1 });
});

test("a payment that goes back to the buyer does not release a payout, although M-Pesa has confirmed it", async () => {
  await makePayout("due");
  const returned = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare("UPDATE payment_attempts SET confirmed_at = NULL WHERE order_id = ?").bind(deal.orderId),
    env.DB.prepare(
      `INSERT INTO payment_attempts (id, purpose, order_id, user_id, phone, amount, state, callback_token, created_at,
        updated_at)
        VALUES (?1, 'order', ?2, ?3, '254722000020', 1900, 'pushed', ?1, 1, 1)`,
    ).bind(returned, deal.orderId, deal.buyerId),
  ]);
  const paidAgain = { event: "paid", receipt: "TPAIDAGAIN", paidAt: null, checkoutRequestId: null } as const;
  await applyAttemptEvent(servicesAt(), returned, paidAgain);
  await applyAttemptEvent(servicesAt(), returned, { event: "confirmed" });
  expect(await db.select().from(refunds).where(eq(refunds.attemptId, returned))).toHaveLength(1);

  const { sent, services } = counting();
  await advanceTransfer(services, asPayout(payoutId()));
  expect(sent).toEqual([]);
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", waitReason: "payment_unconfirmed" });

  await env.DB.prepare("UPDATE payment_attempts SET confirmed_at = 1 WHERE order_id = ?").bind(deal.orderId).run();
  await db.update(payouts).set({ nextActionAt: 0 }).where(eq(payouts.id, payoutId()));
  await advanceTransfer(services, asPayout(payoutId()));
  expect(sent).toHaveLength(1);
});

test("a worker that was held up does not send a payout that M-Pesa has postponed for another worker meanwhile", async () => {
  await makePayout("due");
  const { sent, services } = counting();
  const client = services.db.$client;
  const heldUp = Object.assign(Object.create(services.db), {
    $client: {
      prepare: (query: string) => client.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        await db.update(payouts).set({ sendCount: 1, nextActionAt: 9e12 }).where(eq(payouts.id, payoutId()));
        return client.batch(statements);
      },
    },
  }) as typeof services.db;
  await advanceTransfer({ ...services, db: heldUp }, asPayout(payoutId()));
  expect(sent).toEqual([]);
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 1, nextActionAt: 9e12 });
});

test("a worker that was held up before its claim does not send a payout that another worker has sent meanwhile", async () => {
  await makePayout("due");
  const { sent, services } = counting();
  const other = counting();
  let read = false;
  const late = new Proxy(env.DB, {
    get(target, name) {
      if (name !== "prepare") return Reflect.get(target, name).bind(target);
      return (query: string) => {
        const statement = target.prepare(query);
        // What decides whether money may leave; the payout itself has been read before.
        if (!query.includes("leases") || read) return statement;
        return {
          bind: (...values: unknown[]) => ({
            raw: async () => {
              read = true;
              const rows = await statement.bind(...values).raw();
              const postponed = { kind: "refused", code: "26", message: "busy", reason: "provider_busy" } as const;
              const payOut = async () => ({ ...postponed, pausesChannel: false, retryAfterMs: 60_000 });
              await advanceTransfer(
                { ...other.services, gateway: { ...other.services.gateway, payOut } },
                asPayout(payoutId()),
              );
              return rows;
            },
          }),
        };
      };
    },
  });
  await advanceTransfer({ ...services, db: openDatabase(late) }, asPayout(payoutId()));
  expect(read).toBe(true);
  expect(sent).toEqual([]);
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 1 });
});

async function report(outcome: PayoutReport["outcome"], told: Partial<PayoutReport> = {}): Promise<string> {
  const payout = await readPayout(deal.itemId);
  return reportTransfer(servicesAt(), asPayout(payoutId()), {
    conversationId: payout?.conversationId ?? null,
    outcome,
    code: "x",
    message: "x",
    amountCents: null,
    receipt: null,
    ...told,
  });
}

const PAID = () => ({ kind: "done", receipt: `T${deal.itemId.slice(0, 9).toUpperCase()}` }) as const;
const FAILED = {
  kind: "failed",
  code: "2040",
  message: "No M-Pesa",
  reason: "not_registered",
  pausesChannel: false,
} as const;

test.each([
  ["paid first", true],
  ["failed first", false],
])("a payout that is reported as paid and as failed at once is paid, %s", async (_order, paidFirst) => {
  await makePayout("sent");
  const outcomes = Array.from({ length: 10 }, (_, n) => ((n % 2 === 0) === paidFirst ? PAID() : FAILED));
  await Promise.all(outcomes.map((outcome) => report(outcome)));
  expect(await readPayout(deal.itemId)).toMatchObject({
    state: "done",
    receipt: PAID().receipt,
    nextActionAt: null,
  });
  expect(await db.select().from(ledgerEntries).where(eq(ledgerEntries.payoutId, payoutId()))).toHaveLength(2);
  expect(await booksOff()).toEqual({});
});

test("a failure that does not say which payout failed leaves the payout alone", async () => {
  await makePayout("sent");
  const before = await readPayout(deal.itemId);
  expect(await report(FAILED, { conversationId: null })).toBe("undecided");
  expect(await readPayout(deal.itemId)).toEqual(before);
  expect(await report(FAILED)).toBe("parked");
});

/** M-Pesa answers a look-up of the payout that it has no record of it. */
async function answerWithoutRecord(): Promise<string> {
  const token = (await readPayout(deal.itemId))?.callbackToken ?? "";
  return receiveCallback(servicesAt(), { kind: "lookup", token, body: '{"Result":{"ResultCode":2032}}' });
}

test("look-ups that M-Pesa refuses park nothing, and our team reads why it can't find out", async () => {
  await makePayout("unknown");
  const services = servicesAt();
  const refused = { kind: "refused", code: "500.003.02", message: "System is busy", retryAfterMs: null } as const;
  const gateway = { ...services.gateway, lookUpPayout: async () => refused };
  const lines: object[] = [];
  const log = (line: object) => void lines.push(line);
  for (const _ of [1, 2, 3, 4, 5]) {
    await db.update(payouts).set({ nextActionAt: 0 }).where(eq(payouts.id, payoutId()));
    await advanceTransfer({ ...services, gateway, log }, asPayout(payoutId()));
  }
  const looked = { event: "transfer_looked_up", level: "warn", code: "500.003.02", message: "System is busy" };
  expect(lines.filter((line) => "lookup" in line)).toEqual(
    [1, 2, 3, 4, 5].map((lookup) => expect.objectContaining({ ...looked, lookup })),
  );
  expect(await db.select().from(discrepancies).where(eq(discrepancies.subject, payoutId()))).toMatchObject([
    {
      kind: "payout_in_doubt",
      detail: "M-Pesa was asked 5 times and gave no result. It doesn't take the question: 500.003.02: System is busy",
    },
  ]);
  // The first answer at last: it was only just recorded, perhaps.
  expect(await answerWithoutRecord()).toBe("no_record");
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "unknown" });
});

test("two answers that M-Pesa has no record of a payout change nothing; after the third one a person has to look", async () => {
  await makePayout("unknown");
  const told = () => db.select().from(discrepancies).where(eq(discrepancies.subject, payoutId()));
  // However often M-Pesa was asked.
  await db.update(payouts).set({ lookupCount: 9 }).where(eq(payouts.id, payoutId()));
  for (const _ of [1, 2]) expect(await answerWithoutRecord()).toBe("no_record");
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "unknown", waitReason: null });
  // One answer that is delivered again and again.
  await db.update(payouts).set({ lookupCount: 1 }).where(eq(payouts.id, payoutId()));
  expect(await answerWithoutRecord()).toBe("no_record");
  await db.update(payouts).set({ lookupCount: 3 }).where(eq(payouts.id, payoutId()));
  expect(await told()).toEqual([]);

  const before = await readPayout(deal.itemId);
  const answers = await Promise.all([1, 2, 3].map(answerWithoutRecord));
  expect(answers.toSorted()).toEqual(["parked", "unchanged", "unchanged"]);
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "parked", waitReason: "no_record", nextActionAt: null });
  expect(await told()).toMatchObject([{ kind: "payout_parked", resolvedAt: null }]);

  // Nobody but an admin sends it again, and under the same id.
  const seller = { orderItemId: deal.itemId, sellerId: deal.sellerId };
  expect(await retryBySeller(servicesAt(), seller)).toBe(false);
  const { sent, services } = counting();
  await advanceTransfer(services, asPayout(payoutId()));
  expect(sent).toEqual([]);
  await retryTransfer(services, await makeAdmin(), asPayout(payoutId()));
  await advanceTransfer(services, asPayout(payoutId()));
  expect(sent).toEqual([before?.conversationId]);
});

test("a payout without a record that was paid all the same is paid", async () => {
  await makePayout("unknown");
  await db.update(payouts).set({ lookupCount: 3 }).where(eq(payouts.id, payoutId()));
  for (const _ of [1, 2, 3]) await answerWithoutRecord();
  expect(await report(PAID())).toBe("done");
  expect(await db.select().from(discrepancies).where(eq(discrepancies.subject, payoutId()))).toMatchObject([
    { kind: "payout_parked", resolution: "sent after all" },
  ]);
  expect(await booksOff()).toEqual({});
});

test.each([
  [190_000, []],
  [180_000, ["M-Pesa says KES 1800, the payout is KES 1900"]],
  [190_001, ["M-Pesa says KES 1900.01, the payout is KES 1900"]],
  ["unreadable" as const, ["M-Pesa says an amount that cannot be read, the payout is KES 1900"]],
])(
  "a payout that M-Pesa made of %s cents is paid, and our team is told where that is not its amount",
  async (amountCents, details) => {
    await makePayout("sent");
    expect(await report(PAID(), { amountCents })).toBe("done");
    const raised = await db
      .select({ detail: discrepancies.detail })
      .from(discrepancies)
      .where(and(eq(discrepancies.kind, "payout_amount"), eq(discrepancies.subject, payoutId())));
    expect(raised.map(({ detail }) => detail)).toEqual(details);
  },
);

test.each([
  ["keeps its conversation id where M-Pesa never said that it failed", null, true],
  ["takes a new one where M-Pesa did", "2040", false],
])("a parked payout that is tried again %s, and goes out under it", async (_case, resultCode, stays) => {
  await makePayout("parked", resultCode);
  const before = await readPayout(deal.itemId);
  const retries = await Promise.all(
    Array.from({ length: 5 }, () => retryBySeller(servicesAt(), { orderItemId: deal.itemId, sellerId: deal.sellerId })),
  );
  expect(retries.filter(Boolean)).toHaveLength(1);
  const { sent, services } = counting();
  await advanceTransfer(services, asPayout(payoutId()));
  expect(sent).toHaveLength(1);
  expect(sent[0] === before?.conversationId).toBe(stays);
});

test("a seller is told each time why M-Pesa didn't send a payout, also where it refuses at once", async () => {
  await makePayout("due");
  const refused = (reason: "invalid_phone" | "receiver_limit") => {
    const { services } = counting();
    const payOut = async () =>
      ({ kind: "refused", code: "x", message: "no", reason, pausesChannel: false, retryAfterMs: null }) as const;
    return { ...services, gateway: { ...services.gateway, payOut } };
  };
  const told = async () => {
    const rows = await db
      .select()
      .from(outbox)
      .where(like(outbox.dedupeKey, "payout_parked:%"))
      .orderBy(sql`rowid`);
    return rows
      .filter(({ dedupeKey }) => dedupeKey.includes(payoutId()))
      .map(({ payload }) => (JSON.parse(payload) as { data: { reason: string } }).data.reason);
  };
  for (const reason of ["invalid_phone", "invalid_phone", "receiver_limit"] as const) {
    await advanceTransfer(refused(reason), asPayout(payoutId()));
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "parked", waitReason: reason });
    await sellersRetry();
  }
  const unknown = "M-Pesa doesn't recognize your phone number.";
  expect(await told()).toEqual([unknown, unknown, "Your M-Pesa account has reached its limit."]);
});

const sellersRetry = () => retryBySeller(servicesAt(), { orderItemId: deal.itemId, sellerId: deal.sellerId });

test("while an admin sends a payout by hand, nobody else can send it, and M-Pesa's late failure changes nothing", async () => {
  await makePayout("parked", "2040");
  const before = await readPayout(deal.itemId);
  const admin = await makeAdmin();
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId()), "TBYHAND001")).toEqual({
    ok: false,
    code: "stale",
  });
  expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId()))).toBe(true);
  expect(await readPayout(deal.itemId)).toMatchObject({
    state: "parked",
    waitReason: "sending_by_hand",
    nextActionAt: null,
  });
  expect(await sellersRetry()).toBe(false);
  const { sent, services } = counting();
  const seller = { orderItemId: deal.itemId, sellerId: deal.sellerId };
  expect(await deliveredPayout(services, seller)).toMatchObject({ ok: false, waitReason: "sending_by_hand" });
  // From a page that was opened before the reservation.
  expect(await retryTransfer(servicesAt(), admin, asPayout(payoutId()))).toBeNull();
  // A retry that had read the payout before it was reserved.
  if (!before) throw new Error("no payout");
  await expect(write(db, resumeParked({ ...before, kind: "payout", method: "b2c" }, Date.now()))).rejects.toThrow(
    PreconditionFailed,
  );
  await advanceTransfer(services, asPayout(payoutId()));
  expect(await report(FAILED)).toBe("unchanged");
  expect(sent).toEqual([]);
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId()), "TBYHAND001")).toEqual({ ok: true });
  expect(await mpesaConfirms("TBYHAND001")).toBe("receipt_confirmed");
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "done", receipt: "TBYHAND001", waitReason: null });
  expect(await booksOff()).toEqual({});
});

test("of an admin's reservation and many retries at the same moment one wins, and the payout leaves once at most", async () => {
  await makePayout("parked", "2040");
  const [admin, other] = [await makeAdmin(), await makeAdmin()];
  const [retries, reservations, again] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, sellersRetry)),
    Promise.all([admin, other].map((by) => reserveTransfer(servicesAt(), by, asPayout(payoutId())))),
    retryTransfer(servicesAt(), other, asPayout(payoutId())),
  ]);
  const won = [...retries, ...reservations, again !== null];
  expect(won.filter(Boolean)).toHaveLength(1);
});

test("a payout without a result that an admin sends by hand is looked up no more, and one that M-Pesa paid, too, is told", async () => {
  await makePayout("unknown");
  const admin = await makeAdmin();
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId()), "TBYHAND002")).toEqual({
    ok: false,
    code: "stale",
  });
  expect(await reserveTransfer(servicesAt(), admin, asPayout(payoutId()))).toBe(true);
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "parked", nextActionAt: null });
  // A failure that would have let the seller try again.
  expect(await report(FAILED)).toBe("unchanged");
  expect(await sellersRetry()).toBe(false);
  expect(await report(PAID())).toBe("done");
  expect(await recordTransfer(servicesAt(), admin, asPayout(payoutId()), "TBYHAND002")).toEqual({
    ok: false,
    code: "sent_twice",
  });
  const told = await db.select().from(discrepancies).where(eq(discrepancies.subject, payoutId()));
  expect(told.filter(({ resolvedAt }) => resolvedAt === null).map(({ kind }) => kind)).toEqual(["payout_paid_twice"]);
  expect(await booksOff()).toEqual({});
});

/** What M-Pesa may answer to a payout that it pays all the same. */
const ANSWERS: Record<string, PayoutAnswer> = {
  accepted: { kind: "accepted", providerConversationId: "AG_1" },
  "known already": { kind: "duplicate" },
  lost: { kind: "unknown", code: "0", message: "The answer was lost" },
};

test.each(
  Object.keys(ANSWERS).flatMap((answer) => [true, false].map((timesOut) => [answer, timesOut ? "" : "not "] as const)),
)(
  "a payout whose answer is %s, and whose result does %stime out, is asked for once, looked up by its id, and paid by a late result",
  async (name, not) => {
    await makePayout("due");
    const transfer = asPayout(payoutId());
    const id = (await readPayout(deal.itemId))?.conversationId ?? "";
    const asked: string[] = [];
    const at = (hours: number) => {
      const services = servicesAt(hours * HOUR);
      const payOut: PaymentGateway["payOut"] = async ({ conversationId }) => {
        asked.push(`pay ${conversationId}`);
        return ANSWERS[name] ?? { kind: "duplicate" };
      };
      const lookUpPayout: PaymentGateway["lookUpPayout"] = async ({ conversationId }) => {
        asked.push(`look up ${conversationId}`);
        return { kind: "accepted" };
      };
      return { ...services, gateway: { ...services.gateway, payOut, lookUpPayout } };
    };
    await advanceTransfer(at(0), transfer);
    const sent = await findTransfer({ db }, transfer);
    if (not === "" && sent) await transferResultLost(at(0), sent);
    for (const hours of [1, 2, 3]) await advanceTransfer(at(hours), transfer);
    expect(asked).toEqual([`pay ${id}`, ...[1, 2, 3].map(() => `look up ${id}`)]);
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "unknown", sendCount: 1, conversationId: id });
    const outcome = { kind: "done", receipt: `LATE${id.slice(0, 6).toUpperCase()}` } as const;
    const late = { conversationId: id, outcome, code: "0", message: "", amountCents: null, receipt: outcome.receipt };
    expect(await reportTransfer(at(4), transfer, late)).toBe("done");
    expect(await readPayout(deal.itemId)).toMatchObject({ state: "done", receipt: outcome.receipt });
    expect(await booksOff()).toEqual({});
  },
);
