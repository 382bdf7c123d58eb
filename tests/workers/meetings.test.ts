/** Meetings: the buyer and the seller of a paid item agree on a place and time, and both are reminded. */
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { meetingRecord } from "#app/accounts/trust/reliability.server.ts";
import { handoverCode } from "#app/deals/code/handover-code.server.ts";
import { enterCode } from "#app/deals/code/enter-code.server.ts";
import { applyDealEvent } from "#app/deals/deal-events.server.ts";
import { sayMissed } from "#app/deals/say-missed.server.ts";
import { reportIssue } from "#app/deals/problems/issue-reports.server.ts";
import { restoreUser, suspendUser } from "#app/moderation/suspensions/suspensions.server.ts";
import { deleteAccount } from "#app/screens/actions/delete-account.server.ts";
import {
  attendance,
  blocks,
  campusLocations,
  credentials,
  meetingPoints,
  profiles,
  shops,
} from "#app/accounts/tables.server.ts";
import { dealEvents, meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { findCheckoutMeeting, saveCheckoutMeeting } from "#app/meetings/checkout-meeting.server.ts";
import { findItemMeeting } from "#app/meetings/find-meeting.server.ts";
import { sendReminders } from "#app/meetings/meeting-reminders.server.ts";
import { SUGGESTIONS_MAX } from "#app/meetings/meeting-rules.ts";
import { saveDelivery } from "#app/orders/delivery.server.ts";
import { findInbox } from "#app/messaging/conversations/conversations.server.ts";
import { listMessages } from "#app/messaging/conversations/messages.server.ts";
import { sendMessage } from "#app/messaging/sending/send-message.server.ts";
import { confirmFreeOrder } from "#app/payments/collect/confirm-free-order.server.ts";
import { type Deal, db, makeDeal, makeProduct, makeUser, readItem, servicesAt } from "#tests/support/fixtures.ts";
import { acceptedMeeting, inDays, makePoint, meet, readMeetingOf, setItemStatus } from "#tests/support/meetings.ts";
import { historyOf, pay, payDeal } from "#tests/support/paid-deal.ts";
import { makeAdmin, visit } from "#tests/support/visit.ts";
import { keysAfter } from "#tests/support/outbox.ts";
import { recordOf } from "#tests/support/seller-record.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function flagsOf({ itemId }: Deal): Promise<string> {
  const item = await readItem(itemId);
  return [item?.buyerContacted && "contacted", item?.buyerAgreed && "agreed"].filter(Boolean).join(" ");
}

const mailsAbout = ({ itemId }: Deal) => keysAfter(`meeting:${itemId}:`);

test("a suggestion, a change and its acceptance stand in the conversation, and both are emailed", async () => {
  const point = await makePoint("Science block");
  const deal = await payDeal();
  expect(await meet(deal, "seller", "suggested", { values: inDays(2) })).toBe("ok");
  expect(await meet(deal, "buyer", "suggested", { values: inDays(3, { point }) })).toBe("ok");
  expect(await meet(deal, "seller", "accepted")).toBe("ok");
  expect(await readMeetingOf(deal.itemId)).toMatchObject({
    place: "Science block",
    pointId: point,
    proposedBy: deal.buyerId,
    state: "accepted",
    round: 2,
  });
  const { messages } = await listMessages(servicesAt(), deal.buyerId, { item: deal.itemId }, null);
  expect(messages.map(({ kind, senderId }) => [kind, senderId === deal.sellerId])).toEqual([
    ["meeting", true],
    ["meeting", false],
    ["meeting", true],
  ]);
  expect(messages[0]?.message).toMatch(/^Let's meet on \w{3} \d.*, 12:00\. Place: Hall 6, reception$/);
  // Every message shows the meeting as it is now.
  expect(messages.every(({ meeting }) => meeting?.state === "accepted" && meeting.isOpen)).toBe(true);
  expect(await mailsAbout(deal)).toEqual(["1 suggested buyer", "2 accepted buyer", "2 suggested seller"]);
});

test("the conversation leads to the meeting as long as there can be one", async () => {
  const deal = await payDeal();
  const shown = async () => {
    const found = await findInbox(servicesAt(), deal.buyerId, { withId: deal.sellerId, after: null });
    return found?.inbox.open?.hasMeeting;
  };
  await sendMessage(servicesAt(), {
    senderId: deal.sellerId,
    about: { kind: "item", id: deal.itemId },
    text: "Thank you for your order!",
    key: crypto.randomUUID(),
  });
  expect(await shown()).toBe(false);
  await meet(deal, "seller", "suggested");
  expect(await shown()).toBe(true);
  await setItemStatus(deal.itemId, "delivered");
  expect(await shown()).toBeNull();
});

test("an order with several meetings shows the safety tips once", async () => {
  const deal = await acceptedMeeting();
  const [item] = await db.select().from(orderItems).where(eq(orderItems.id, deal.itemId));
  if (!item) throw new Error("no item");
  const [itemId, productId] = [crypto.randomUUID(), await makeProduct(deal.sellerId)];
  await db.insert(orderItems).values({ ...item, id: itemId, productId });
  expect(await meet({ ...deal, itemId }, "seller", "suggested")).toBe("ok");
  const html = await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text();
  expect(html.split('aria-label="Meeting for ')).toHaveLength(3);
  expect(html.split('aria-label="Meet safely"')).toHaveLength(2);
});

describe("agreement", () => {
  test("a seller's suggestion contacts the buyer, and the buyer agrees by accepting it", async () => {
    const deal = await payDeal();
    await meet(deal, "seller", "suggested");
    expect(await flagsOf(deal)).toBe("contacted");
    await meet(deal, "buyer", "accepted");
    expect(await flagsOf(deal)).toBe("contacted agreed");
    expect(await historyOf(deal)).toEqual(["buyer: paid", "seller: buyer_contacted", "buyer: buyer_agreed"]);
  });

  test("a seller who accepts the buyer's suggestion has contacted a buyer who agreed by suggesting it", async () => {
    const deal = await payDeal();
    await meet(deal, "buyer", "suggested");
    expect(await flagsOf(deal)).toBe("");
    await Promise.all([meet(deal, "seller", "accepted"), meet(deal, "seller", "accepted")]);
    expect(await flagsOf(deal)).toBe("contacted agreed");
    expect(await historyOf(deal)).toEqual(["buyer: paid", "seller: buyer_contacted", "buyer: buyer_agreed"]);
  });

  test("declining agrees to nothing, and no later step takes the agreement back", async () => {
    const declined = await payDeal();
    await meet(declined, "seller", "suggested");
    await meet(declined, "buyer", "declined");
    expect(await flagsOf(declined)).toBe("contacted");

    const deal = await acceptedMeeting();
    await meet(deal, "seller", "suggested", { values: inDays(4) });
    await meet(deal, "buyer", "declined");
    expect(await flagsOf(deal)).toBe("contacted agreed");
  });
});

describe("who can do what", () => {
  test("nobody but the buyer and the seller finds the meeting or takes a step", async () => {
    const deal = await acceptedMeeting();
    const stranger = await makeUser();
    expect(await meet({ ...deal, buyerId: stranger }, "buyer", "cancelled")).toBe("not_found");
    expect(await findItemMeeting(servicesAt(), deal.itemId, stranger)).toBeNull();
    expect((await visit(`/meetings/${deal.itemId}`, { as: stranger })).status).toBe(404);
    expect((await visit(`/meetings/${deal.itemId}/meeting.ics`, { as: stranger })).status).toBe(404);
  });

  test("nobody accepts their own suggestion, or cancels the other side's before accepting it", async () => {
    const deal = await payDeal();
    expect(await meet(deal, "buyer", "accepted")).toBe("changed");
    await meet(deal, "seller", "suggested");
    expect(await meet(deal, "seller", "accepted")).toBe("changed");
    expect(await meet(deal, "buyer", "cancelled")).toBe("changed");
    expect(await meet(deal, "seller", "cancelled")).toBe("ok");
  });

  test.each(["pending_payment", "expired", "cancel_requested", "delivered", "completed", "cancelled", "refunded"])(
    "nothing can be arranged for an item that is %s",
    async (status) => {
      const deal = await payDeal();
      await meet(deal, "seller", "suggested");
      await setItemStatus(deal.itemId, status);
      for (const step of ["suggested", "accepted", "declined"] as const)
        expect(await meet(deal, "buyer", step)).toBe("not_open");
    },
  );

  test("a blocked person suggests and accepts nothing, but can still say that they don't come", async () => {
    const deal = await acceptedMeeting();
    await db.insert(blocks).values({ userId: deal.buyerId, blockedId: deal.sellerId, createdAt: Date.now() });
    expect(await meet(deal, "seller", "suggested", { values: inDays(5) })).toBe("blocked");
    expect(await meet(deal, "buyer", "suggested", { values: inDays(5) })).toBe("blocked_by_me");
    expect(await meet(deal, "seller", "cancelled")).toBe("ok");
    expect(await readMeetingOf(deal.itemId)).toMatchObject({ state: "cancelled", remindAt: null });
    expect(await mailsAbout(deal)).toContain("1 cancelled buyer");
  });

  test("nobody arranges anything with a suspended person, but says that they don't come; they get no emails", async () => {
    const deal = await acceptedMeeting();
    const mails = await mailsAbout(deal);
    await db.update(credentials).set({ suspendedAt: Date.now() }).where(eq(credentials.id, deal.sellerId));
    expect(await meet(deal, "buyer", "suggested")).toBe("no_recipient");
    expect(await meet(deal, "buyer", "cancelled")).toBe("ok");
    expect(await readMeetingOf(deal.itemId)).toMatchObject({ state: "cancelled", remindAt: null });
    expect(await mailsAbout(deal)).toEqual(mails);
  });
});

describe("places and times", () => {
  test("only the points of their campuses that aren't hidden can be chosen", async () => {
    const deal = await payDeal();
    const [here, hidden, ofOtherCampus] = [await makePoint(), await makePoint(), await makePoint()];
    await db.update(meetingPoints).set({ hiddenAt: 1 }).where(eq(meetingPoints.id, hidden));
    await db.update(meetingPoints).set({ campusId: 4 }).where(eq(meetingPoints.id, ofOtherCampus));
    const found = await findItemMeeting(servicesAt(), deal.itemId, deal.buyerId);
    const offered = found?.places.points.map(({ id }) => id) ?? [];
    expect([here, hidden, ofOtherCampus].map((id) => offered.includes(id))).toEqual([true, false, false]);
    for (const point of [hidden, ofOtherCampus])
      expect(await meet(deal, "buyer", "suggested", { values: inDays(2, { point }) })).toBe("invalid");
  });

  test("the guarded points come first, and the meeting at one says so", async () => {
    const deal = await payDeal();
    const [plain, guarded] = [await makePoint("Aaa steps"), await makePoint("Zzz gate")];
    await db.update(meetingPoints).set({ isGuarded: true }).where(eq(meetingPoints.id, guarded));
    const found = await findItemMeeting(servicesAt(), deal.itemId, deal.buyerId);
    const offered = found?.places.points.map(({ id }) => id) ?? [];
    expect(offered[0]).toBe(guarded);
    expect(offered).toContain(plain);
    for (const [point, isGuarded] of [
      [plain, false],
      [guarded, true],
    ] as const) {
      await meet(deal, "seller", "suggested", { values: inDays(2, { point }) });
      const page = await visit(`/meetings/${deal.itemId}`, { as: deal.buyerId });
      expect(/class="meeting-card__place.*?<\/p>/s.exec(await page.text())?.[0].includes("Guarded")).toBe(isGuarded);
    }
  });

  test("where the seller's campus asks for its points, what is ordered from then on is handed over there alone", async () => {
    const point = await makePoint();
    const ask = (pointsOnlySince: number | null) => db.update(campusLocations).set({ pointsOnlySince });
    const [before, after, service] = [await payDeal(), await payDeal(), await payDeal()];
    await db.update(orderItems).set({ handover: "service" }).where(eq(orderItems.id, service.itemId));
    await db.update(profiles).set({ campusLocationId: 1 });
    const place = (deal: Deal) => meet(deal, "buyer", "suggested");
    await db.update(orderItems).set({ createdAt: 1_000 }).where(eq(orderItems.id, before.itemId));
    await ask(1_001);
    try {
      expect(await Promise.all([before, service].map(place))).toEqual(["ok", "ok"]);
      expect(await place(after)).toBe("invalid");
      const page = await (await visit(`/meetings/${after.itemId}`, { as: after.buyerId })).text();
      expect(page).toContain("Main Campus asks that you hand over at one of its meeting points");
      expect(page).not.toContain("Another place");
      const checkout = await makeDeal();
      await db.update(profiles).set({ campusLocationId: 1 }).where(eq(profiles.id, checkout.sellerId));
      await db
        .insert(shops)
        .values({ id: checkout.sellerId, shopName: "Duka", offersDelivery: true, createdAt: 1, updatedAt: 1 });
      expect(await findCheckoutMeeting(servicesAt(), checkout.orderId, checkout.buyerId)).toMatchObject({
        askedBy: "Main Campus",
      });
      const choice = {
        option: "delivery",
        pickupConfirmed: false,
        address: "Hall 6, room 12",
        instructions: "",
      } as const;
      const order = { orderId: checkout.orderId, userId: checkout.buyerId, choice, phone: null };
      expect(await saveDelivery(servicesAt(), order)).toEqual({ ok: false, code: "no_delivery" });
      const seller = await (await visit(`/seller/${checkout.sellerId}`)).text();
      expect(seller).not.toContain("Offers delivery");
      expect(await meet(after, "seller", "suggested", { values: inDays(2, { point }) })).toBe("ok");
      await ask(null);
      expect(await saveDelivery(servicesAt(), order)).toEqual({ ok: true });
      expect(await (await visit(`/seller/${checkout.sellerId}`)).text()).toContain("Offers delivery");
    } finally {
      await ask(null);
    }
  });

  test("a suggestion can't be accepted when its time has passed", async () => {
    const deal = await payDeal();
    await meet(deal, "seller", "suggested", { values: inDays(1) });
    expect(await meet(deal, "buyer", "accepted", { offsetMs: 3 * DAY })).toBe("past");
    expect(await flagsOf(deal)).toBe("contacted");
  });

  test("the two of them can make twenty suggestions for an item", async () => {
    const deal = await payDeal();
    await meet(deal, "seller", "suggested");
    await db.update(meetings).set({ round: SUGGESTIONS_MAX }).where(eq(meetings.orderItemId, deal.itemId));
    expect(await meet(deal, "seller", "suggested")).toBe("too_many_suggestions");
    expect(await meet(deal, "buyer", "accepted")).toBe("ok");
  });
});

describe("at once", () => {
  test("the same suggestion is made once, however often it is sent", async () => {
    const deal = await payDeal();
    const values = inDays(2);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => meet(deal, "seller", "suggested", { values, round: 0 })),
    );
    expect(answers).toEqual(["ok", "ok", "ok", "ok"]);
    expect(await readMeetingOf(deal.itemId)).toMatchObject({ round: 1 });
    expect(await mailsAbout(deal)).toEqual(["1 suggested buyer"]);
  });

  test("of two different suggestions one counts, and the other person or tab is told", async () => {
    const deal = await payDeal();
    const both = await Promise.all([
      meet(deal, "seller", "suggested", { values: inDays(2), round: 0 }),
      meet(deal, "buyer", "suggested", { values: inDays(3), round: 0 }),
    ]);
    expect(both.toSorted()).toEqual(["changed", "ok"]);
    const tabs = await Promise.all([
      meet(deal, "seller", "suggested", { values: inDays(4), round: 1 }),
      meet(deal, "seller", "suggested", { values: inDays(5), round: 1 }),
    ]);
    expect(tabs.toSorted()).toEqual(["changed", "ok"]);
  });

  test("one accepts what the other changes: nobody has accepted what they haven't seen", async () => {
    const deal = await payDeal();
    await meet(deal, "seller", "suggested", { values: inDays(2) });
    const [accepted, changed] = await Promise.all([
      meet(deal, "buyer", "accepted", { round: 1 }),
      meet(deal, "seller", "suggested", { values: inDays(3), round: 1 }),
    ]);
    const meeting = await readMeetingOf(deal.itemId);
    expect(changed).toBe("ok");
    expect(meeting).toMatchObject({ state: "proposed", round: 2 });
    expect(["ok", "changed"]).toContain(accepted);
    expect(await flagsOf(deal)).toBe(accepted === "ok" ? "contacted agreed" : "contacted");
  });

  test("accepting twice is accepting once", async () => {
    const deal = await payDeal();
    await meet(deal, "seller", "suggested");
    expect(await Promise.all([meet(deal, "buyer", "accepted"), meet(deal, "buyer", "accepted")])).toEqual(["ok", "ok"]);
    expect(await meet(deal, "buyer", "accepted")).toBe("ok");
    expect(await mailsAbout(deal)).toEqual(["1 accepted seller", "1 suggested buyer"]);
  });
});

test("whoever deletes their account takes the places in their own words along", async () => {
  const deal = await acceptedMeeting();
  await setItemStatus(deal.itemId, "completed");
  expect(await deleteAccount(servicesAt(), deal.buyerId)).toMatchObject({ ok: true });
  expect(await readMeetingOf(deal.itemId)).toMatchObject({ place: "Hall 6, reception" });
  expect(await deleteAccount(servicesAt(), deal.sellerId)).toMatchObject({ ok: true });
  expect(await readMeetingOf(deal.itemId)).toMatchObject({ place: "Deleted place" });
});

describe("reminders", () => {
  /** So high (KES) that a suspension holds the deal. */
  const HELD_PRICE = 71_000;
  async function holdDealOf({ sellerId }: Deal) {
    const [admin] = [await makeAdmin(), await makeAdmin()];
    expect(await suspendUser(servicesAt(), admin, sellerId, "Took money")).toEqual({ ok: true, waits: true });
    return admin!;
  }
  const dueIn = async ({ itemId }: Deal) => ((await readMeetingOf(itemId))?.startsAt ?? 0) - Date.now() - HOUR;

  test("both are reminded an hour before, once, also by two runs at once", async () => {
    const deal = await acceptedMeeting();
    const due = await dueIn(deal);
    await sendReminders(servicesAt(due - 5 * MINUTE));
    expect(await mailsAbout(deal)).not.toContain("1 reminder buyer");
    await Promise.all([sendReminders(servicesAt(due + 1_000)), sendReminders(servicesAt(due + 1_000))]);
    await sendReminders(servicesAt(due + MINUTE));
    expect((await mailsAbout(deal)).filter((mail) => mail.includes("reminder"))).toEqual([
      "1 reminder buyer",
      "1 reminder seller",
    ]);
    expect(await readMeetingOf(deal.itemId)).toMatchObject({ remindAt: null, state: "accepted" });
  });

  test.each([
    ["was cancelled", (deal: Deal) => meet(deal, "buyer", "cancelled")],
    ["was changed and not accepted again", (deal: Deal) => meet(deal, "buyer", "suggested", { values: inDays(6) })],
    ["is for an item that was handed over", ({ itemId }: Deal) => setItemStatus(itemId, "delivered")],
    ["is for an item that was cancelled", ({ itemId }: Deal) => setItemStatus(itemId, "cancelled")],
  ])("nobody is reminded of a meeting that %s", async (_, change) => {
    const deal = await acceptedMeeting(inDays(2), HELD_PRICE);
    const due = await dueIn(deal);
    await change(deal);
    await sendReminders(servicesAt(due + MINUTE));
    expect((await mailsAbout(deal)).filter((mail) => mail.includes("reminder"))).toEqual([]);
    expect(await readMeetingOf(deal.itemId)).toMatchObject({ remindAt: null });
  });

  test("nobody is reminded of a meeting on hold, and both are once the hold ends in time", async () => {
    const deal = await acceptedMeeting(inDays(2), HELD_PRICE);
    const due = await dueIn(deal);
    const reminders = async () => (await mailsAbout(deal)).filter((mail) => mail.includes("reminder"));
    const admin = await holdDealOf(deal);
    for (const minutes of [1, 5, 10]) await sendReminders(servicesAt(due + minutes * MINUTE));
    expect(await reminders()).toEqual([]);
    expect(await restoreUser(servicesAt(), admin, deal.sellerId)).toEqual({ ok: true });
    await sendReminders(servicesAt(due + 15 * MINUTE));
    await sendReminders(servicesAt(due + 20 * MINUTE));
    expect(await reminders()).toEqual(["1 reminder buyer", "1 reminder seller"]);
    expect(await readMeetingOf(deal.itemId)).toMatchObject({ remindAt: null });
  });

  test("nobody is reminded after the hold where it ends after the beginning", async () => {
    const deal = await acceptedMeeting(inDays(2), HELD_PRICE);
    const due = await dueIn(deal);
    const admin = await holdDealOf(deal);
    await sendReminders(servicesAt(due + MINUTE));
    expect(await restoreUser(servicesAt(), admin, deal.sellerId)).toEqual({ ok: true });
    await sendReminders(servicesAt(due + 2 * HOUR));
    expect((await mailsAbout(deal)).filter((mail) => mail.includes("reminder"))).toEqual([]);
    expect(await readMeetingOf(deal.itemId)).toMatchObject({ remindAt: null });
  });

  test("nobody is reminded after the beginning", async () => {
    const deal = await acceptedMeeting();
    await sendReminders(servicesAt((await dueIn(deal)) + 2 * HOUR));
    expect((await mailsAbout(deal)).filter((mail) => mail.includes("reminder"))).toEqual([]);
  });
});

describe("a suggestion at checkout", () => {
  const soon = () => ({ pointId: null, place: "Gate A", startsAt: Date.now() + DAY });

  async function saleMailOf({ itemId }: Deal): Promise<unknown> {
    const [mail] = await db
      .select()
      .from(outbox)
      .where(eq(outbox.dedupeKey, `new_sale:${itemId}`));
    return (JSON.parse(mail?.payload ?? "null") as { data: unknown } | null)?.data;
  }

  async function orderWith(suggestion: ReturnType<typeof soon>, price = 1_900): Promise<Deal> {
    const deal = await makeDeal({ price });
    await saveCheckoutMeeting(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, suggestion });
    return deal;
  }

  test("is read back at checkout, and is only the buyer's own to make", async () => {
    const suggestion = soon();
    const deal = await orderWith(suggestion);
    await saveCheckoutMeeting(servicesAt(), { orderId: deal.orderId, userId: await makeUser(), suggestion: null });
    const found = await findCheckoutMeeting(servicesAt(), deal.orderId, deal.buyerId);
    expect(found.suggestion).toEqual(suggestion);
    expect(await findCheckoutMeeting(servicesAt(), deal.orderId, await makeUser())).toMatchObject({ suggestion: null });
    // The form would refuse it, or show it for another day.
    const later = servicesAt(DAY - 10 * MINUTE);
    expect(await findCheckoutMeeting(later, deal.orderId, deal.buyerId)).toMatchObject({ suggestion: null });
  });

  test.each(["paid", "paid late", "free and confirmed"])(
    "waits for the seller's answer once the order is %s",
    async (way) => {
      const deal = await orderWith(soon(), way === "free and confirmed" ? 0 : 1_900);
      expect(await readMeetingOf(deal.itemId)).toBeNull();
      if (way === "free and confirmed") {
        const buyer = { id: deal.buyerId, email: "b@campus.test", fullName: "B" };
        expect(await confirmFreeOrder(servicesAt(), { orderId: deal.orderId, buyer })).toMatchObject({ ok: true });
      } else await pay(deal, { late: way === "paid late" });
      expect(await readMeetingOf(deal.itemId)).toMatchObject({
        state: "proposed",
        place: "Gate A",
        proposedBy: deal.buyerId,
        round: 1,
      });
      expect(await saleMailOf(deal)).toMatchObject({ hasMeeting: true });
      expect(await flagsOf(deal)).toBe("");
      expect(await meet(deal, "seller", "accepted")).toBe("ok");
      expect(await flagsOf(deal)).toBe("contacted agreed");
    },
  );

  test("is not made when its time has passed before the payment", async () => {
    const deal = await orderWith({ ...soon(), startsAt: Date.now() - MINUTE });
    await pay(deal);
    expect(await readMeetingOf(deal.itemId)).toBeNull();
    expect(await saleMailOf(deal)).toMatchObject({ hasMeeting: false });
  });

  test("can't be changed by the form once the order is paid", async () => {
    const deal = await orderWith(soon());
    await pay(deal);
    await saveCheckoutMeeting(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, suggestion: null });
    const [order] = await db.select().from(orders).where(eq(orders.id, deal.orderId));
    expect(order?.meetingPlace).toBe("Gate A");
  });
});

describe("the calendar file", () => {
  const calendarOf = (deal: Deal, as: string) => visit(`/meetings/${deal.itemId}/meeting.ics`, { as });

  test("is there for both once the meeting is accepted, and no more when it is cancelled", async () => {
    const deal = await acceptedMeeting(inDays(2, { otherPlace: "Hall 6; reception, left side" }));
    const meeting = await readMeetingOf(deal.itemId);
    for (const as of [deal.buyerId, deal.sellerId]) {
      const response = await calendarOf(deal, as);
      expect(response.headers.get("Content-Type")).toBe("text/calendar; charset=utf-8");
      const text = await response.text();
      const begins = new Date(meeting?.startsAt ?? 0).toISOString().replaceAll(/[-:]|\.000/g, "");
      expect(text).toContain(`\r\nDTSTART:${begins}\r\n`);
      expect(text).toContain(String.raw`LOCATION:Hall 6\; reception\, left side`);
      expect(text).toContain(`UID:meeting-${deal.itemId}@`);
    }
    await meet(deal, "seller", "cancelled");
    expect((await calendarOf(deal, deal.buyerId)).status).toBe(404);
  });
});

describe("they didn't come", () => {
  /** Three hours after the meeting of `acceptedMeeting`. */
  const AFTER = 3 * DAY;
  const say = async ({ itemId, ...sides }: Deal, who: "buyer" | "seller", offsetMs = AFTER) => {
    const said = await sayMissed(servicesAt(offsetMs), { itemId, by: sides[`${who}Id`] });
    return said.ok ? "ok" : said.code;
  };
  const meetingsOf = async (id: string) => {
    const row = await db.get<{ record: string }>(sql`SELECT ${meetingRecord(sql`${id}`)} AS record`);
    return JSON.parse(row?.record ?? "") as unknown;
  };
  const enter = async (deal: Deal, offsetMs = AFTER) => {
    const services = servicesAt(offsetMs);
    const code = await handoverCode(services.deals.codeKey, deal.itemId);
    return enterCode(services, { itemId: deal.itemId, sellerId: deal.sellerId, code });
  };
  const cancel = (deal: Deal, offsetMs = AFTER) =>
    applyDealEvent(servicesAt(offsetMs), { itemId: deal.itemId, event: "cancelled_by_seller", by: deal.sellerId });

  test("a seller who says it isn't marked for cancelling, and it counts for the buyer, who is told", async () => {
    const deal = await acceptedMeeting();
    expect(await say(deal, "seller", 0)).toBe("refused");
    expect(await say({ ...deal, sellerId: await makeUser() }, "seller")).toBe("not_found");
    expect(await Promise.all([say(deal, "seller"), say(deal, "seller")])).toEqual(["ok", "ok"]);
    expect((await keysAfter(`deal:${deal.itemId}:`)).filter((key) => key === "buyer_missed buyer")).toHaveLength(1);
    expect(await meetingsOf(deal.buyerId)).toEqual([1, 1]);
    expect(await meetingsOf(deal.sellerId)).toEqual([1, 0]);
    expect(await cancel(deal)).toMatchObject({ ok: true });
    expect(await recordOf(deal.sellerId)).toMatchObject({ cancelled: 0 });
    // The buyer answers after the end, and nothing changes for the seller.
    expect(await say(deal, "buyer", AFTER + DAY)).toBe("ok");
    expect([await meetingsOf(deal.buyerId), await meetingsOf(deal.sellerId)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(await recordOf(deal.sellerId)).toMatchObject({ cancelled: 0 });
  });

  test("a seller who only answers the buyer is marked for cancelling", async () => {
    // So soon that the buyer's silence doesn't free them.
    const deal = await acceptedMeeting(inDays(1));
    expect([await say(deal, "buyer", 2 * DAY), await say(deal, "seller", 2 * DAY)]).toEqual(["ok", "ok"]);
    const page = await (await visit(`/seller/orders/${deal.itemId}`, { as: deal.sellerId })).text();
    expect(page).toContain("Each of you says that they came");
    expect(page).not.toContain("If you cancel this sale");
    expect(await cancel(deal, 2 * DAY)).toMatchObject({ ok: true });
    expect(await recordOf(deal.sellerId)).toMatchObject({ cancelled: 1 });
  });

  test("where both say it at once it counts for neither, and one of them answers the other", async () => {
    const deal = await acceptedMeeting();
    expect(await Promise.all([say(deal, "seller"), say(deal, "buyer")])).toEqual(["ok", "ok"]);
    expect(await meetingsOf(deal.buyerId)).toEqual([0, 0]);
    const answers = await db.select().from(dealEvents).where(eq(dealEvents.orderItemId, deal.itemId));
    expect(answers.filter(({ reason }) => reason === "answer")).toHaveLength(1);
  });

  test("who came late came, and who needed another meeting didn't", async () => {
    const late = await acceptedMeeting();
    await say(late, "seller");
    expect(await enter(late)).toMatchObject({ ok: true });
    expect(await meetingsOf(late.buyerId)).toEqual([1, 0]);

    const again = await acceptedMeeting();
    await say(again, "seller");
    await meet(again, "buyer", "suggested", { values: inDays(6), offsetMs: AFTER });
    await meet(again, "seller", "accepted", { offsetMs: AFTER });
    await enter(again, 6 * DAY);
    expect(await meetingsOf(again.buyerId)).toEqual([1, 1]);
  });

  test("nobody missed the meeting of a deal that had ended before its time", async () => {
    const deal = await acceptedMeeting();
    const ended = { itemId: deal.itemId, event: "cancelled_by_seller", by: deal.sellerId } as const;
    expect(await applyDealEvent(servicesAt(), ended)).toMatchObject({ ok: true });
    expect([await say(deal, "buyer"), await say(deal, "seller")]).toEqual(["refused", "refused"]);
    expect([await meetingsOf(deal.buyerId), await meetingsOf(deal.sellerId)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  test("once the code is entered both came, whatever our team decides about the money", async () => {
    for (const isReportedFirst of [true, false]) {
      const deal = await acceptedMeeting();
      const report = { userId: deal.buyerId, orderId: deal.orderId, itemId: deal.itemId, description: "It rattles" };
      await say(deal, "seller");
      if (isReportedFirst) await reportIssue(servicesAt(AFTER), report);
      expect(await enter(deal)).toMatchObject(isReportedFirst ? { ok: false, code: "reported" } : { ok: true });
      if (!isReportedFirst) {
        await reportIssue(servicesAt(AFTER), report);
        const stop = { itemId: deal.itemId, event: "payout_stopped", by: null } as const;
        expect(await applyDealEvent(servicesAt(AFTER), stop)).toMatchObject({ ok: true, status: "in_review" });
      }
      expect(await meetingsOf(deal.buyerId)).toEqual([1, 0]);
      const refund = { itemId: deal.itemId, event: "team_refunded", by: (await makeAdmin()).id } as const;
      expect(await applyDealEvent(servicesAt(AFTER), refund)).toMatchObject({ ok: true, status: "refunded" });
      expect([await meetingsOf(deal.buyerId), await meetingsOf(deal.sellerId)]).toEqual([
        [1, 0],
        [1, 0],
      ]);
    }
  });

  test("cancelling a meeting, or suggesting another time, undoes it before its time and not afterwards", async () => {
    for (const step of ["cancelled", "suggested"] as const) {
      const before = await acceptedMeeting();
      await meet(before, "buyer", step, { values: inDays(5) });
      expect(await say(before, "seller")).toBe("refused");
      const after = await acceptedMeeting();
      expect(await meet(after, "buyer", step, { values: inDays(5), offsetMs: AFTER })).toBe("ok");
      expect(await say(after, "seller")).toBe("ok");
    }
  });

  test("several meetings of the same two are one, and their pages say it from five people on", async () => {
    const deal = await acceptedMeeting();
    await say(deal, "seller");
    const row = { missedBy: null, buyerId: deal.buyerId };
    for (let other = 0; other < 4; other += 1) {
      const met = await makeDeal();
      await db.insert(attendance).values({ ...row, orderItemId: met.itemId, sellerId: met.sellerId });
    }
    const twice = await makeDeal();
    await db.insert(attendance).values({ ...row, orderItemId: twice.itemId, sellerId: deal.sellerId });
    expect(await meetingsOf(deal.buyerId)).toEqual([5, 1]);
    for (const [path, as] of [
      [`/people/${deal.buyerId}/reviews?as=buyer`, deal.sellerId],
      [`/seller/orders/${deal.itemId}`, deal.sellerId],
    ] as const)
      expect(await (await visit(path, { as })).text()).toContain("Missed 1 of 5 meetings");
  });

  test("a page without scripts says it once, and then what became of it", async () => {
    const deal = await acceptedMeeting();
    await db
      .update(meetings)
      .set({ startsAt: Date.now() - 3 * HOUR })
      .where(eq(meetings.orderItemId, deal.itemId));
    const page = `/seller/orders/${deal.itemId}`;
    expect(await (await visit(page, { as: deal.sellerId })).text()).toContain("They Didn");
    const form = { intent: "missed", itemId: deal.itemId };
    expect((await visit(page, { as: deal.sellerId, form })).status).toBe(200);
    expect(await (await visit(page, { as: deal.sellerId })).text()).toContain("it doesn&#x27;t count against you");
    expect(await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text()).toContain("I Was There");
    expect((await visit(`/orders/${deal.orderId}`, { as: deal.buyerId, form })).status).toBe(200);
    expect((await visit(`/orders/${deal.orderId}`, { as: await makeUser(), form })).status).toBe(404);
  });
});

describe("somebody else hands it over", () => {
  /** An item whose meeting is today, with the link that its seller has made. */
  async function withLink() {
    const deal = await acceptedMeeting();
    await db.update(meetings).set({ startsAt: Date.now() }).where(eq(meetings.orderItemId, deal.itemId));
    return { deal, path: await makeLink(deal) };
  }
  async function makeLink({ itemId, sellerId }: Deal): Promise<string> {
    const page = `/seller/orders/${itemId}`;
    expect((await visit(page, { as: sellerId, form: { intent: "link" } })).status).toBe(200);
    return linkOn(await (await visit(page, { as: sellerId })).text());
  }
  const linkOn = (html: string) => /href="(\/handover\/[^"]+)"/.exec(html)?.[1] ?? "";
  const send = (path: string, code: string) => visit(path, { form: { code } });
  const codeOf = ({ itemId }: Deal) => handoverCode(servicesAt().deals.codeKey, itemId);
  const wrong = async (deal: Deal, by: number) =>
    String((Number(await codeOf(deal)) + by) % 1_000_000).padStart(6, "0");

  test("the right code completes the sale as the seller's own, and both are told who entered it", async () => {
    const { deal, path } = await withLink();
    const page = await visit(path);
    const html = await page.text();
    expect(html).toContain('content="noindex"');
    expect(html).toContain("Hall 6, reception");
    const shown = html.slice(html.indexOf("<main"), html.indexOf("</main>")).replaceAll(/<[^>]*>/g, " ");
    expect(shown).not.toMatch(/KES|2547\d{8}|07\d{8}|@/);
    expect(await (await visit(`/orders/${deal.orderId}`, { as: deal.buyerId })).text()).toContain(
      "asked somebody else",
    );
    const answers = await Promise.all([send(path, await codeOf(deal)), send(path, await codeOf(deal))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await readItem(deal.itemId))?.status).toBe("completed");
    const entered = await db.select().from(dealEvents).where(eq(dealEvents.orderItemId, deal.itemId));
    expect(entered.filter(({ event }) => event === "code_entered")).toMatchObject([
      { reason: "helper", actorId: deal.sellerId },
    ]);
    const told = (await db.select().from(outbox)).filter(({ dedupeKey }) => dedupeKey.includes(`:${deal.itemId}:`));
    expect(told.filter(({ payload }) => payload.includes('"code_entered"'))).toHaveLength(2);
    for (const [at, as] of [
      [`/orders/${deal.orderId}`, deal.buyerId],
      [`/seller/orders/${deal.itemId}`, deal.sellerId],
    ] as const)
      expect(await (await visit(at, { as })).text()).toContain("Somebody whom");
    expect(await (await visit(path)).text()).toContain("handed over");
  });

  test("only who has the link spends its tries", async () => {
    const { deal, path } = await withLink();
    const keys: string[] = [];
    const limit = async ({ key }: { key: string }) => {
      keys.push(key);
      return { success: true };
    };
    const enterAt = async (at: string, code: string) =>
      (await visit(at, { form: { code }, bindings: { LIMIT_WRITE: { limit } } })).status;
    expect(await enterAt(`${path.slice(0, -5)}AAAAA`, await codeOf(deal))).toBe(404);
    expect(await enterAt(`/handover/${deal.itemId}`, "12")).toBe(404);
    expect(keys).toEqual([]);
    expect(await enterAt(path, "12")).toBe(400);
    expect(keys).toHaveLength(1);
  });

  test("wrong codes by the link and by the seller are the same five", async () => {
    const { deal, path } = await withLink();
    for (const by of [1, 2, 3]) expect((await send(path, await wrong(deal, by))).status).toBe(400);
    const own = { itemId: deal.itemId, sellerId: deal.sellerId, code: await wrong(deal, 4) };
    expect(await enterCode(servicesAt(), own)).toMatchObject({ code: "wrong_code", left: 1 });
    expect((await send(path, await wrong(deal, 5))).status).toBe(409);
    expect((await send(path, await codeOf(deal))).status).toBe(409);
    expect(await (await visit(path)).text()).toContain("Too many wrong codes");
    expect((await readItem(deal.itemId))?.status).toBe("processing");
  });

  test("another link, the seller's stop and another day end it, and nobody else's signature opens one", async () => {
    const { deal, path } = await withLink();
    const next = await makeLink(deal);
    expect(next).not.toBe(path);
    expect([(await visit(path)).status, (await send(path, await codeOf(deal))).status]).toEqual([404, 404]);
    expect((await visit(`${next.slice(0, -5)}AAAAA`)).status).toBe(404);
    await db
      .update(meetings)
      .set({ startsAt: Date.now() + 2 * DAY })
      .where(eq(meetings.orderItemId, deal.itemId));
    expect((await send(next, await codeOf(deal))).status).toBe(409);
    const later = await makeLink(deal);
    expect(await (await visit(later)).text()).toContain("Not yet");
    expect((await send(later, await codeOf(deal))).status).toBe(409);
    const stop = { as: deal.sellerId, form: { intent: "stop-link" } };
    expect((await visit(`/seller/orders/${deal.itemId}`, stop)).status).toBe(200);
    expect((await visit(later)).status).toBe(404);
    expect((await readItem(deal.itemId))?.status).toBe("processing");
    const others = { as: await makeUser(), form: { intent: "link" } };
    expect((await visit(`/seller/orders/${deal.itemId}`, others)).status).toBe(404);
  });
});
