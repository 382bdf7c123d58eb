/**
 * While the end of a deal waits for a second admin, both sides know, the buyer can leave, and the admins are reminded.
 */
import { DESK_ACTS } from "#app/admin/desk-acts.server.ts";
import { env } from "cloudflare:workers";
import { eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { Admin } from "#app/team/perform-act.server.ts";
import { confirmProposal, declineProposal, listProposals } from "#app/moderation/second-admin/proposals.server.ts";
import { restoreUser, suspendListing, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { remindOfProposals } from "#app/moderation/second-admin/waiting-proposals.server.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { refunds } from "#app/payments/tables.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { shipItem } from "#app/deals/fulfilment.server.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { booksOff, type Deal, db, readItem, servicesAt } from "#tests/support/fixtures.ts";
import { meet } from "#tests/support/meetings.ts";
import { agreeOn, payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";

const HOUR = 60 * 60_000;
const PRICE = 71_000;
const REASON = "Took money and ran";

let first: Admin;
let second: Admin;
let deal: Deal;

beforeEach(async () => {
  await env.DB.prepare("UPDATE profiles SET admin_role = NULL").run();
  await env.DB.prepare("UPDATE admin_proposals SET state = 'void' WHERE state = 'open'").run();
  [first, second] = [await makeAdmin(), await makeAdmin()];
  deal = await payDeal({ price: PRICE });
});

/** The steps that were emailed to somebody about holds. */
async function heldMails(userId: string): Promise<string[]> {
  const rows = await db
    .select({ payload: outbox.payload })
    .from(outbox)
    .where(like(outbox.payload, `%"to":"${userId}@%`));
  return rows
    .map(({ payload }) => JSON.parse(payload) as Mail)
    .flatMap((mail) => ("price" in mail.data && "step" in mail.data ? [mail.data.step] : []))
    .filter((step) => step === "held" || step === "resumed" || step === "party_gone");
}

async function proposalId(): Promise<string> {
  return (await listProposals(servicesAt())).rows[0]?.id ?? "";
}

const suspend = async () =>
  expect(await suspendUser(servicesAt(), first, deal.sellerId, REASON)).toEqual({ ok: true, waits: true });
const cancel = (event: "cancelled_by_buyer" | "cancel_requested" = "cancelled_by_buyer") =>
  applyDealEvent(servicesAt(), { itemId: deal.itemId, event, by: deal.buyerId });

describe("the buyer of a suspended seller", () => {
  test("is told that it waits, and what comes of it; the seller isn't", async () => {
    await suspend();
    expect(await heldMails(deal.buyerId)).toEqual(["held"]);
    expect(await heldMails(deal.sellerId)).toEqual([]);
    expect(await confirmProposal(servicesAt(), second, { id: await proposalId(), seenAmount: PRICE }, DESK_ACTS)).toBe(
      "confirmed",
    );
    await advanceDeals(servicesAt(1));
    expect(await heldMails(deal.buyerId)).toEqual(["held", "party_gone"]);
  });

  test("is told that it goes on, when a second admin declines", async () => {
    await suspend();
    expect(await declineProposal(servicesAt(), second, await proposalId())).toBe("deals_kept");
    expect(await heldMails(deal.buyerId)).toEqual(["held", "resumed"]);
  });

  test("isn't left to an admin who may not confirm that it ends", async () => {
    await suspend();
    const id = await proposalId();
    await env.DB.prepare("UPDATE profiles SET admin_role = 'finance' WHERE id = ?").bind(second.id).run();
    expect(await declineProposal(servicesAt(), second, id)).toBe("stale");
    await env.DB.prepare("UPDATE profiles SET admin_role = 'support' WHERE id = ?").bind(second.id).run();
    await db.insert(auditLog).values({
      id: crypto.randomUUID(),
      actorId: first.id,
      action: "admin_made",
      subject: `user:${second.id}`,
      createdAt: Date.now(),
    });
    expect(await declineProposal(servicesAt(), second, id)).toBe("new_admin");
    expect(await heldMails(deal.buyerId)).toEqual(["held"]);
    expect(await proposalId()).toBe(id);
  });

  test("is told each time that it waits and goes on, and the seller who is back, too", async () => {
    for (let time = 1; time <= 2; time += 1) {
      await suspend();
      expect(await restoreUser(servicesAt(), first, deal.sellerId)).toEqual({ ok: true });
    }
    expect(await heldMails(deal.buyerId)).toEqual(["held", "resumed", "held", "resumed"]);
    expect(await heldMails(deal.sellerId)).toEqual(["resumed", "resumed"]);
  });

  test("reads on the order that the money is safe, and nothing of what the clock or the seller would do", async () => {
    await agreeOn(deal);
    const read = async () => (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text();
    expect(await read()).toContain("If it isn&#x27;t handed over or shipped by");
    await suspend();
    const page = await read();
    expect(page).toContain("On hold while our team decides");
    expect(page).toContain("money is safe with us");
    expect(page).not.toMatch(/handed over or shipped by|will message you/);
  });

  test("is sent to no meeting by Home or the list of orders", async () => {
    await meet(deal, "seller", "suggested");
    await meet(deal, "buyer", "accepted");
    const read = async () =>
      Promise.all(
        ["/home", "/profile?tab=orders"].map(async (path) => (await visit(path, { as: deal.buyerId })).text()),
      );
    for (const page of await read()) expect(page).toMatch(/Meet on \w{3} \d+ \w{3} at 12:00/);
    await suspend();
    for (const page of await read()) {
      expect(page).toContain("On hold");
      expect(page).not.toMatch(/Meet on \w{3} \d+ \w{3} at 12:00/);
    }
  });

  test("cancels at once before agreeing", async () => {
    await suspend();
    expect(await cancel()).toMatchObject({ ok: true, status: "cancelled" });
    expect(await db.select().from(refunds).where(eq(refunds.orderItemId, deal.itemId))).toMatchObject([
      { amount: PRICE, reason: "cancelled_by_buyer" },
    ]);
    expect(await booksOff()).toEqual({});
  });

  test("doesn't move the money with one admin alone once it may have been handed over", async () => {
    await agreeOn(deal);
    await suspend();
    expect(await cancel()).toMatchObject({ ok: false, code: "already_agreed" });
    await restoreUser(servicesAt(), first, deal.sellerId);
    await shipItem(servicesAt(), deal);
    await suspend();
    expect(await cancel()).toMatchObject({ ok: false, code: "wrong_state" });
    expect(await readItem(deal.itemId)).toMatchObject({ status: "shipped" });
  });
});

test("both sides of a listing that was taken down are told, and still ask each other to cancel", async () => {
  await agreeOn(deal);
  expect(await suspendListing(servicesAt(), first, deal.productId, REASON)).toEqual({ ok: true, waits: true });
  for (const userId of [deal.buyerId, deal.sellerId]) expect(await heldMails(userId)).toEqual(["held"]);
  const page = await (await visit(`/seller/orders/${deal.itemId}`, { as: deal.sellerId })).text();
  expect(page).toContain("On hold while our team decides");
  expect(page).not.toContain("handed over or shipped by");
  expect(await cancel()).toMatchObject({ ok: false, code: "already_agreed" });
  expect(await cancel("cancel_requested")).toMatchObject({ ok: true });
});

test("each admin is emailed once a day while something waits for a second one, without an end", async () => {
  const reminded = async () =>
    (await db.select().from(outbox).where(like(outbox.dedupeKey, "proposals_waiting:%"))).length;
  expect(await remindOfProposals(servicesAt())).toBe(0);
  await suspend();
  for (const day of [0, 1, 30]) {
    const before = await reminded();
    await Promise.all([1, 2, 3].map(() => remindOfProposals(servicesAt(day * 24 * HOUR))));
    expect((await reminded()) - before).toBe(2);
  }
  // The buyer has left, so nothing waits.
  await cancel();
  expect(await remindOfProposals(servicesAt(40 * 24 * HOUR))).toBe(0);
});
