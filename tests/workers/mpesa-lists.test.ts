/**
 * M-Pesa's own lists, from the sandbox: a payment is found without its callback, counted once, or waits for a person.
 */
import { env } from "cloudflare:workers";
import { eq, isNull } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { acceptPayment } from "#app/admin/money/money-moves.server.ts";
import { acceptLine, closeLine, openListsPage, sendStatement } from "#app/admin/money/mpesa-lists.server.ts";
import { discrepancies, mpesaLists, receiptChecks, unmatchedLines } from "#app/payments/tables.server.ts";
import type { PullAnswer } from "#app/payments/gateway.ts";
import { closeMatched } from "#app/payments/books/mpesa-lists.server.ts";
import { pullPayments } from "#app/payments/books/pull.server.ts";
import { accountReference } from "#app/payments/collect/prompt-rules.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import { applyAttemptEvent } from "#app/payments/collect/settlement.server.ts";
import type { Services } from "#app/request/services.ts";
import { write } from "#app/db/batch.ts";
import { receiveCallback } from "#tests/support/callbacks.ts";
import { eventually } from "#tests/support/eventually.ts";
import {
  booksOff,
  type Deal,
  db,
  makeDeal,
  readAttempts,
  readOrder,
  runSandbox,
  servicesAt,
  settleDeferred,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { newReceipt, paidReport } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { runPullJob } from "#workers/jobs/payments.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const sandbox = env.SANDBOX_OBJECT.getByName("sandbox");

/** A moment after everything that a test has paid, in ms from now. Pulled lists overlap it. */
const LATER = 20 * MINUTE;

beforeEach(async () => {
  await env.DB.batch([
    ...["leases", "discrepancies", "unmatched_lines", "mpesa_lists"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
    // What the tests before have paid is history.
    env.DB.prepare(
      "UPDATE payment_attempts SET created_at = created_at - 8640000000, settled_at = settled_at - 8640000000",
    ),
  ]);
});

/** An order whose payer's phone ends so: 05 pays, and the callback is lost; 77 pays. */
async function pay(ending: string, deal?: Deal): Promise<Deal> {
  const paid = deal ?? (await makeDeal());
  const phone = uniquePhone(ending);
  await requestOrderPayment(servicesAt(), { orderId: paid.orderId, userId: paid.buyerId, phone });
  await runSandbox();
  if (ending === "77")
    await eventually(async () =>
      expect((await readAttempts(paid.orderId)).at(-1)).toMatchObject({ state: "succeeded" }),
    );
  return paid;
}

async function openLines() {
  const rows = await db.select().from(unmatchedLines).where(isNull(unmatchedLines.closedAt));
  return rows.map(({ finding, receipt, recordId }) => ({ finding, receipt, recordId }));
}

/** The services with an M-Pesa that lists these payments. */
function listing(answer: PullAnswer, offset = LATER): Services {
  const real = servicesAt(offset);
  return { ...real, gateway: { ...real.gateway, pull: async () => answer } };
}

function payment(receipt: string, amount: number, reference: string | null, phone: string | null = null) {
  return { receipt, at: Date.now(), amountCents: amount * 100, reference, phone, reason: "c2b-pay-bill-debit" };
}

interface ReceiptAnswer {
  phone: string;
  amount: number;
  code?: number;
  status?: string;
  payer?: string;
  receiver?: string;
}

/** M-Pesa answers the question about a receipt that an admin has entered for a payment. Returns the outcome. */
async function answerReceiptCheck(receipt: string, said: ReceiptAnswer): Promise<string> {
  const [check] = await db.select().from(receiptChecks).where(eq(receiptChecks.receipt, receipt));
  const parameters = {
    DebitPartyName: `${said.payer ?? said.phone} - A Student`,
    CreditPartyName: `${said.receiver ?? env.DARAJA_SHORTCODE} - Chuoni`,
    TransactionStatus: said.status ?? "Completed",
    Amount: said.amount,
    ReceiptNo: receipt,
  };
  const ResultParameter = Object.entries(parameters).map(([Key, Value]) => ({ Key, Value }));
  const body = JSON.stringify({ Result: { ResultCode: said.code ?? 0, ResultParameters: { ResultParameter } } });
  return receiveCallback(servicesAt(), { kind: "receipt", token: check?.token ?? "", body });
}

const listed = (...payments: ReturnType<typeof payment>[]): PullAnswer => ({ kind: "listed", payments, unreadable: 0 });

describe("pulled from M-Pesa", () => {
  test("a payment whose callback was lost is counted once, however often and at once the list is pulled", async () => {
    const deal = await pay("05");
    expect((await readOrder(deal.orderId)).paymentStatus).toBe("processing");
    await Promise.all([pullPayments(servicesAt(LATER)), pullPayments(servicesAt(LATER))]);
    await pullPayments(servicesAt(LATER + HOUR));
    const { prompts } = await sandbox.activity();
    const receipt = prompts[0]?.receipt;
    expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", receipt });
    const [attempt] = await readAttempts(deal.orderId);
    // A query must still confirm it before money leaves us.
    expect(attempt).toMatchObject({ state: "succeeded", receipt, confirmedAt: null });
    expect(attempt?.nextQueryAt).not.toBeNull();
    expect(await openLines()).toEqual([]);
    expect(await booksOff()).toEqual({});
    const lists = await db.select().from(mpesaLists).orderBy(mpesaLists.createdAt);
    expect(lists.reduce((sum, { learned }) => sum + learned, 0)).toBeGreaterThan(0);
    expect(lists.at(-1)).toMatchObject({ learned: 0, missingHere: 0, missingThere: 0, different: 0 });
  });

  test("the callback that comes after the list changes nothing", async () => {
    const deal = await makeDeal();
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
    const [attempt] = await readAttempts(deal.orderId);
    const receipt = newReceipt();
    const answer = listed(payment(receipt, deal.amount, accountReference(deal.orderId), attempt?.phone ?? ""));
    await pullPayments(listing(answer));
    const paid = {
      event: "paid",
      receipt,
      paidAt: null,
      checkoutRequestId: attempt?.checkoutRequestId ?? null,
    } as const;
    expect(await applyAttemptEvent(servicesAt(), attempt?.id ?? "", paid)).toBe("unchanged");
    expect(await booksOff()).toEqual({});
  });

  test("a payment that a query has confirmed gets its receipt", async () => {
    const deal = await pay("05");
    const [attempt] = await readAttempts(deal.orderId);
    await applyAttemptEvent(servicesAt(), attempt?.id ?? "", { event: "confirmed" });
    await pullPayments(servicesAt(LATER));
    const [after] = await readAttempts(deal.orderId);
    expect(after).toMatchObject({ state: "succeeded", receipt: expect.stringMatching(/^[A-Z0-9]{10}$/) });
    expect(await openLines()).toEqual([]);
  });

  test.each([
    ["nobody's reference", (deal: Deal) => payment(newReceipt(), deal.amount, "KAMAU")],
    ["no reference", (deal: Deal) => payment(newReceipt(), deal.amount, null)],
    ["another amount", (deal: Deal) => payment(newReceipt(), deal.amount + 1, accountReference(deal.orderId))],
    [
      "another number",
      (deal: Deal) => payment(newReceipt(), deal.amount, accountReference(deal.orderId), "254700999999"),
    ],
  ])("a payment with %s settles nothing, and waits for a person", async (_, made) => {
    const deal = await makeDeal();
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
    const listedPayment = made(deal);
    await pullPayments(listing(listed(listedPayment)));
    expect((await readOrder(deal.orderId)).paymentStatus).toBe("processing");
    expect(await openLines()).toEqual([{ finding: "missing_here", receipt: listedPayment.receipt, recordId: null }]);
    const page = await (await visit("/admin/money/lists", { as: (await makeAdmin()).id })).text();
    expect(page).toContain(listedPayment.receipt);
    expect(page).toContain("We don&#x27;t have it");
  });

  const saidOf = {
    "M-Pesa doesn't know": { code: 2032 },
    "is for another amount": { amount: 1 },
    "another number paid": { payer: "254799999999" },
    "went to another account": { receiver: "999999" },
  };

  test.each(Object.entries(saidOf))(
    "after an admin has mistyped its receipt as one that %s, a payment is still counted",
    async (_, said) => {
      const deal = await makeDeal();
      const phone = uniquePhone("00");
      await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone });
      const id = (await readAttempts(deal.orderId))[0]?.id ?? "";
      await applyAttemptEvent(servicesAt(), id, { event: "timed_out" });
      const mistyped = newReceipt();
      expect(await acceptPayment(servicesAt(), await makeAdmin(), id, mistyped)).toEqual({ ok: true });
      expect(await answerReceiptCheck(mistyped, { phone, amount: deal.amount, ...said })).toBe("receipt_rejected");
      const about = () => db.select().from(discrepancies).where(eq(discrepancies.subject, id));
      expect(await about()).toMatchObject([{ kind: "payment_in_doubt", resolvedAt: null }]);

      const receipt = newReceipt();
      await pullPayments(listing(listed(payment(receipt, deal.amount, accountReference(deal.orderId), phone))));
      expect(await readOrder(deal.orderId)).toMatchObject({ paymentStatus: "completed", receipt });
      expect(await openLines()).toEqual([]);
      expect(await about()).toMatchObject([{ resolution: "paid after all" }]);
    },
  );

  test("a payment that counts already still gets its receipt after an admin has mistyped it", async () => {
    const deal = await pay("05");
    const id = (await readAttempts(deal.orderId))[0]?.id ?? "";
    await applyAttemptEvent(servicesAt(), id, { event: "confirmed" });
    const mistyped = newReceipt();
    expect(await acceptPayment(servicesAt(), await makeAdmin(), id, mistyped)).toEqual({ ok: true });
    await answerReceiptCheck(mistyped, { phone: "", amount: deal.amount, code: 2032 });
    const about = () => db.select().from(discrepancies).where(eq(discrepancies.subject, id));
    expect(await about()).toMatchObject([{ kind: "payment_in_doubt", resolvedAt: null }]);
    await pullPayments(servicesAt(LATER));
    expect((await readAttempts(deal.orderId))[0]?.receipt).toMatch(/^[A-Z0-9]{10}$/);
    expect(await about()).toMatchObject([{ kind: "payment_in_doubt", resolution: "its receipt came" }]);
  });

  test("a payment that M-Pesa says was sent back waits for a person, also when the list still has it", async () => {
    const deal = await makeDeal();
    const phone = uniquePhone("00");
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone });
    const id = (await readAttempts(deal.orderId))[0]?.id ?? "";
    await applyAttemptEvent(servicesAt(), id, { event: "timed_out" });
    const receipt = newReceipt();
    expect(await acceptPayment(servicesAt(), await makeAdmin(), id, receipt)).toEqual({ ok: true });
    await answerReceiptCheck(receipt, { phone, amount: deal.amount, status: "Reversed" });
    await pullPayments(listing(listed(payment(receipt, deal.amount, accountReference(deal.orderId), phone))));
    expect((await readAttempts(deal.orderId))[0]?.state).toBe("expired");
    expect(await openLines()).toMatchObject([{ finding: "missing_here", receipt }]);
  });

  test("a payment that an admin has judged stays as they judged it", async () => {
    const deal = await makeDeal();
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
    const [attempt] = await readAttempts(deal.orderId);
    const id = attempt?.id ?? "";
    await applyAttemptEvent(servicesAt(), id, { event: "mismatched", detail: "another amount" });
    await applyAttemptEvent(servicesAt(), id, { event: "dismissed" });
    await pullPayments(listing(listed(payment(newReceipt(), deal.amount, accountReference(deal.orderId)))));
    expect((await readAttempts(deal.orderId))[0]?.state).toBe("failed");
    expect(await openLines()).toMatchObject([{ finding: "missing_here" }]);
  });

  test("beside an attempt that waits for a person, a payment isn't given to one that failed", async () => {
    const deal = await makeDeal();
    const phone = uniquePhone("01");
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone });
    await runSandbox();
    await eventually(async () => expect((await readAttempts(deal.orderId)).at(-1)?.state).toBe("failed"));
    const again = servicesAt(5 * MINUTE);
    await requestOrderPayment(again, { orderId: deal.orderId, userId: deal.buyerId, phone });
    const second = (await readAttempts(deal.orderId)).at(-1);
    await applyAttemptEvent(again, second?.id ?? "", { event: "mismatched", detail: "no receipt" });
    await pullPayments(listing(listed(payment(newReceipt(), deal.amount, accountReference(deal.orderId), phone))));
    expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["failed", "held"]);
    expect(await openLines()).toMatchObject([{ finding: "missing_here" }]);
  });

  test("beside an attempt whose receipt is another payment's, a payment isn't given to one that failed", async () => {
    const [deal, other] = [await makeDeal(), await makeDeal({ price: 400 })];
    const phone = uniquePhone("01");
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone });
    await runSandbox();
    await eventually(async () => expect((await readAttempts(deal.orderId)).at(-1)?.state).toBe("failed"));
    const again = servicesAt(5 * MINUTE);
    await requestOrderPayment(again, { orderId: deal.orderId, userId: deal.buyerId, phone });
    const second = (await readAttempts(deal.orderId)).at(-1);
    const wrong = paidReport();
    await applyAttemptEvent(again, second?.id ?? "", wrong);
    await pullPayments(
      listing(
        listed(
          payment(wrong.receipt ?? "", other.amount, accountReference(other.orderId)),
          payment(newReceipt(), deal.amount, accountReference(deal.orderId), phone),
        ),
      ),
    );
    expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["failed", "succeeded"]);
    expect((await openLines()).map(({ finding }) => finding).toSorted()).toEqual(["different", "missing_here"]);
  });

  test("of two attempts that a payment may be, neither is chosen", async () => {
    const deal = await makeDeal();
    const phone = uniquePhone("01");
    for (const at of [0, 5 * MINUTE]) {
      await requestOrderPayment(servicesAt(at), { orderId: deal.orderId, userId: deal.buyerId, phone });
      await runSandbox();
      await eventually(async () => expect((await readAttempts(deal.orderId)).at(-1)?.state).toBe("failed"));
    }
    expect(await readAttempts(deal.orderId)).toHaveLength(2);
    await pullPayments(listing(listed(payment(newReceipt(), deal.amount, accountReference(deal.orderId), phone))));
    expect((await readAttempts(deal.orderId)).map(({ state }) => state)).toEqual(["failed", "failed"]);
    const page = await openListsPage({ db }, null);
    expect(page?.lines[0]?.possible).toHaveLength(2);
  });

  test("a payment that we count and M-Pesa doesn't list waits for a person, until a list has it", async () => {
    const deal = await pay("77");
    const [attempt] = await readAttempts(deal.orderId);
    await pullPayments(listing(listed()));
    expect(await openLines()).toContainEqual({
      finding: "missing_there",
      receipt: attempt?.receipt,
      recordId: attempt?.id,
    });
    await pullPayments(servicesAt(LATER));
    expect(await openLines()).toEqual([]);
  });

  test("a list that doesn't come for hours is told once, and no longer when it comes", async () => {
    const failing = (offset: number) => listing({ kind: "unknown", code: "http_500", message: "" }, offset);
    const told = () => db.select().from(discrepancies).where(isNull(discrepancies.resolvedAt));
    await pullPayments(listing(listed(), 0));
    await pullPayments(failing(HOUR));
    expect(await told()).toEqual([]);
    await pullPayments(failing(4 * HOUR));
    await pullPayments(failing(5 * HOUR));
    expect(await told()).toMatchObject([{ kind: "mpesa_list", subject: "silent" }]);
    await pullPayments(listing(listed(), 6 * HOUR));
    expect(await told()).toEqual([]);
    // M-Pesa keeps two days. What is older must come from a statement.
    await pullPayments(listing(listed(), 100 * HOUR));
    expect(await told()).toMatchObject([{ kind: "mpesa_list", subject: expect.stringMatching(/^gap:/) }]);
  });

  test("every page is read, and a failed one keeps nothing", async () => {
    const all = Array.from({ length: 230 }, () => payment(newReceipt(), 10, null));
    const asked: number[] = [];
    const real = servicesAt(LATER);
    const paging: Services = {
      ...real,
      gateway: {
        ...real.gateway,
        pull: async ({ offset }) => {
          asked.push(offset);
          return listed(...all.slice(offset, offset + 100));
        },
      },
    };
    expect(await pullPayments(paging)).toMatchObject({ kind: "listed", lines: 230, unmatched: 230 });
    expect(asked).toEqual([0, 100, 200]);
    const half: Services = {
      ...paging,
      gateway: {
        ...paging.gateway,
        pull: async ({ offset }) =>
          offset === 0 ? listed(...all.slice(0, 100)) : { kind: "unknown", code: "timeout", message: "" },
      },
    };
    const before = await db.$count(mpesaLists);
    expect(await pullPayments(half)).toEqual({ kind: "failed" });
    expect(await db.$count(mpesaLists)).toBe(before);
  });

  test("the job asks every half hour, and not where the shortcode has no such list", async () => {
    await runPullJob(servicesAt(LATER));
    await runPullJob(servicesAt(LATER + MINUTE));
    expect(await db.$count(mpesaLists)).toBe(1);
    await runPullJob(servicesAt(LATER + 31 * MINUTE));
    expect(await db.$count(mpesaLists)).toBe(2);
    const without = servicesAt(LATER + 2 * HOUR);
    await runPullJob({ ...without, payments: { ...without.payments, pullNumber: "" } });
    expect(await db.$count(mpesaLists)).toBe(2);
  });
});

describe("a statement that an admin sends", () => {
  async function statement(account: "collection" | "payouts" = "collection"): Promise<Uint8Array> {
    const csv = await sandbox.statement({ account, from: Date.now() - HOUR, until: Date.now() + HOUR });
    return new TextEncoder().encode(csv);
  }

  async function send(as: string, bytes: Uint8Array, account = "collection"): Promise<Response> {
    const form = new FormData();
    form.set("intent", "send");
    form.set("account", account);
    form.set("file", new File([bytes as Uint8Array<ArrayBuffer>], "statement.csv", { type: "text/csv" }));
    return visit("/admin/money/lists", { as, form });
  }

  test("settles nothing by itself; one press asks M-Pesa, and its answer settles the payment and closes the line", async () => {
    const admin = await makeAdmin();
    const deal = await pay("05");
    const answer = await send(admin.id, await statement());
    expect(answer.headers.get("Location")).toMatch(/^\/admin\/money\/lists\?list=/);
    expect((await readOrder(deal.orderId)).paymentStatus).toBe("processing");
    const page = await openListsPage({ db }, null);
    const line = page?.lines.find(({ reference }) => reference === accountReference(deal.orderId));
    const [attempt] = await readAttempts(deal.orderId);
    expect(line).toMatchObject({ finding: "missing_here", possible: [{ id: attempt?.id }] });
    const named = { id: line?.id ?? "", attempt: attempt?.id ?? "" };
    expect(await acceptLine(servicesAt(), admin, named)).toBe("payment_accepted");
    await runSandbox();
    await eventually(async () => expect((await readOrder(deal.orderId)).paymentStatus).toBe("completed"));
    await settleDeferred();
    await write(db, [closeMatched(Date.now())]);
    expect((await openLines()).filter(({ receipt }) => receipt === line?.receipt)).toEqual([]);
    expect(await booksOff()).toEqual({});
    // The list's own page still has the line, as matched.
    const one = await (await visit(answer.headers.get("Location") ?? "", { as: admin.id })).text();
    expect(one).toContain("Matched since");
  });

  test("that was forged can't make a payment: M-Pesa doesn't confirm its receipt", async () => {
    const admin = await makeAdmin();
    const deal = await makeDeal();
    await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("00") });
    const [attempt] = await readAttempts(deal.orderId);
    const receipt = newReceipt();
    const file = `Receipt No.,Completion Time,Details,Transaction Status,Paid In,Withdrawn,A/C No.\n${receipt},26-11-2026 10:00:00,Pay Bill,Completed,${deal.amount},,${accountReference(deal.orderId)}`;
    expect((await send(admin.id, new TextEncoder().encode(file))).status).toBe(302);
    await acceptLine(servicesAt(), admin, { id: `missing_here:${receipt}`, attempt: attempt?.id ?? "" });
    await runSandbox();
    await eventually(async () => {
      const [check] = await db.select().from(receiptChecks).where(eq(receiptChecks.receipt, receipt));
      expect(check?.state).toBe("rejected");
    });
    expect((await readOrder(deal.orderId)).paymentStatus).not.toBe("completed");
  });

  test("matches payments, payouts and refunds, and says so", async () => {
    const admin = await makeAdmin();
    await pay("77");
    await sandbox.sendByHand("254712345677", 900);
    const sent = await sendStatement(servicesAt(), admin, { bytes: await statement("payouts"), account: "payouts" });
    expect(sent).toMatchObject({ ok: true, unmatched: 1 });
    const page = await openListsPage({ db }, sent.ok ? sent.listId : "");
    expect(page?.list).toMatchObject({ account: "payouts", missingHere: 1, ignored: 1 });
    expect(page?.lines).toMatchObject([{ finding: "missing_here", listedCents: -90_000 }]);
  });

  test("a line that an admin has dealt with stays closed, is in the audit log, and can't be closed twice", async () => {
    const admin = await makeAdmin();
    const receipt = newReceipt();
    const answer = listed(payment(receipt, 70, "RENT"));
    await pullPayments(listing(answer));
    const id = `missing_here:${receipt}`;
    const form = { intent: "close-line", id, subject: "x", resolution: "Sent back in the portal" };
    expect((await visit("/admin/money/lists", { as: admin.id, form })).status).toBe(302);
    expect(await closeLine(servicesAt(), admin, id, "again")).toBe("stale");
    await pullPayments(listing(answer, LATER + HOUR));
    expect(await openLines()).toEqual([]);
    const log = await env.DB.prepare("SELECT actor_id AS actor, detail FROM audit_log WHERE subject = ?")
      .bind(`line:${id}`)
      .all();
    expect(log.results).toEqual([{ actor: admin.id, detail: "Sent back in the portal" }]);
  });

  test("nobody deals with a line about their own money", async () => {
    const deal = await pay("77");
    const [attempt] = await readAttempts(deal.orderId);
    await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(deal.buyerId).run();
    const admin = { id: deal.buyerId, email: "" };
    await pullPayments(listing(listed()));
    expect(await closeLine(servicesAt(), admin, `missing_there:${attempt?.id}`, "Fine")).toBe("own_money");
  });

  test("closes no line about its sender's own money, and says who sent it where it closes one", async () => {
    const own = await pay("77");
    const other = await pay("77");
    await env.DB.prepare("UPDATE profiles SET admin_role = 'owner' WHERE id = ?").bind(own.buyerId).run();
    // M-Pesa lists neither, and whoever writes a file can write both.
    await pullPayments(listing(listed()));
    const paid = [await readAttempts(own.orderId), await readAttempts(other.orderId)].map(([attempt]) => attempt);
    const rows = paid.map((attempt) => `${attempt?.receipt},26-11-2026 10:00:00,${attempt?.amount},`);
    const file = ["Receipt No.,Completion Time,Paid In,Withdrawn", ...rows].join("\n");
    expect((await send(own.buyerId, new TextEncoder().encode(file))).status).toBe(302);
    const lines = await db.select().from(unmatchedLines);
    const closedBy = (id?: string) => lines.find(({ recordId }) => recordId === id)?.closedBy;
    expect((await openLines()).map(({ recordId }) => recordId)).toEqual([paid[0]?.id]);
    expect([closedBy(paid[0]?.id), closedBy(paid[1]?.id)]).toEqual([null, own.buyerId]);
  });

  test.each([
    ["no file", new Uint8Array(), "collection", 400],
    ["no account", new TextEncoder().encode("x"), "bank", 400],
    ["no statement", new TextEncoder().encode("a,b\n1,2"), "collection", 400],
    ["too much", new Uint8Array(2 * 1024 * 1024 + 100_000), "collection", 413],
  ])("with %s is refused with words at the field", async (_, bytes, account, status) => {
    const admin = await makeAdmin();
    expect((await send(admin.id, bytes, account)).status).toBe(status);
    expect(await db.$count(mpesaLists)).toBe(0);
  });

  test("of another business is refused as a whole", async () => {
    const head = "Receipt No.,Completion Time,Paid In,Withdrawn";
    const lines = Array.from({ length: 301 }, (_, n) => `OTHER${String(n).padStart(5, "0")},26-11-2026 10:00:00,10,`);
    const bytes = new TextEncoder().encode([head, ...lines].join("\n"));
    const sent = await sendStatement(servicesAt(), await makeAdmin(), { bytes, account: "collection" });
    expect(sent).toMatchObject({ ok: false, error: expect.stringContaining("301 lines") });
    expect(await openLines()).toEqual([]);
  });
});
