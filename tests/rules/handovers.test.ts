/** How a deal goes by the type of thing: its periods, and that nothing speaks of a parcel where there is none. */
import { withoutFees } from "#tests/support/item-price.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOTHING_MISSED } from "#app/accounts/trust/missed-meeting-rules.ts";
import { HANDOVER_TERMS, handoverOf } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { ITEM_TYPES } from "#app/catalogue/types/item-types.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";
import { linkWords } from "#app/deals/code/handover-link-texts.ts";
import { type Handover, HANDOVERS } from "#app/db/states/handover.ts";
import { DEAL_EVENTS, DEAL_REMINDERS } from "#app/db/states/deal.ts";
import { ITEM_STATUSES } from "#app/db/states/item.ts";
import { DEAL_READERS, type DealRole } from "#app/deals/deal-rules.ts";
import { dealNotice } from "#app/deals/words/deal-notice-rules.ts";
import { summarizeDeal } from "#app/deals/words/deal-summary.server.ts";
import { historyWords } from "#app/deals/words/history-words.ts";
import { listedStep } from "#app/deals/words/next-step-texts.ts";
import type { KindData } from "#app/notifications/kinds.ts";
import { inspectionHours, SHORT_CHECK_MOST, timersOf } from "#app/orders/deal-timer-rules.ts";
import { itemStatusLabel, pickupSteps } from "#app/orders/order-rules.ts";
import { inEastAfrica } from "#app/platform/east-africa-time.ts";
import { dealMail, freedMail } from "#app/screens/notifications/words/deal-words.ts";
import { helpQuestions } from "#app/screens/help/questions.ts";
import { wordsOf } from "#app/screens/notifications/words/words.ts";

const HOUR = 60 * 60_000;
const NOW = Date.UTC(2026, 4, 3, 9, 0);
const handovers = fc.constantFrom(...HANDOVERS);
const times = fc.integer({ min: NOW, max: NOW + 400 * 24 * HOUR });

describe("periods", () => {
  test("the money goes back when the time of its own kind is over, and never before a reminder", () => {
    fc.assert(
      fc.property(handovers, times, (handover, now) => {
        const timers = timersOf("processing", {
          handover,
          now,
          paidAt: now,
          problemOpenedAt: null,
          inspectionHours: 0,
        });
        const end = timers.at(-1);
        expect(end).toEqual({ kind: "not_shipped", dueAt: now + HANDOVER_TERMS[handover].within * HOUR });
        expect(timers.map(({ dueAt }) => dueAt)).toEqual(timers.map(({ dueAt }) => dueAt).toSorted((a, b) => a - b));
        expect(timers).toHaveLength(DEAL_REMINDERS.length - 1 + 1);
      }),
    );
  });

  test("a ticket is paid out at nine of the morning after the agreed time, and a morning later of a new seller", () => {
    const seller = { handover: "ticket" as const, subtotal: 500, soldTo: 3, isVerified: true, numberChanged: false };
    fc.assert(
      fc.property(times, fc.integer({ min: -48, max: 14 * 24 }), (now, ahead) => {
        const agreedFor = now + ahead * HOUR;
        const hours = inspectionHours(48, seller, { now, agreedFor });
        const begins = Math.max(now, agreedFor);
        expect(now + hours * HOUR - begins).toBeGreaterThanOrEqual(12 * HOUR);
        expect(now + hours * HOUR - begins).toBeLessThan(36 * HOUR);
        expect(inEastAfrica(now + hours * HOUR).toISOString()).toContain("T09:00:00.000");
        expect(inspectionHours(48, { ...seller, soldTo: 0 }, { now, agreedFor })).toBe(hours + 24);
      }),
    );
  });

  test("saying before the agreed time that the buyer has it shortens nothing, and no kind is checked longer than a thing", () => {
    fc.assert(
      fc.property(
        handovers,
        times,
        fc.integer({ min: 0, max: 14 * 24 }),
        fc.nat(60_000),
        (handover, now, ahead, subtotal) => {
          fc.pre(subtotal > 0);
          const seller = { handover, subtotal, soldTo: 3, isVerified: true, numberChanged: false };
          const agreedFor = now + ahead * HOUR;
          const early = inspectionHours(48, seller, { now, agreedFor });
          expect(early).toBeCloseTo(ahead + inspectionHours(48, seller, { now: agreedFor, agreedFor }), 6);
          expect(early).toBeLessThanOrEqual(ahead + 48);
          if (subtotal > SHORT_CHECK_MOST) expect(early).toBeCloseTo(ahead + 48, 6);
        },
      ),
    );
  });

  test("whoever is new is never checked for less time than who isn't, and nobody's time is nothing", () => {
    fc.assert(
      fc.property(handovers, times, fc.integer({ min: 1, max: 200 }), (handover, now, base) => {
        const seller = { handover, subtotal: 500, soldTo: 3, isVerified: true, numberChanged: false };
        const usual = inspectionHours(base, seller, { now, agreedFor: now });
        expect(usual).toBeGreaterThan(0);
        expect(inspectionHours(base, { ...seller, soldTo: 0 }, { now, agreedFor: now })).toBeGreaterThan(usual);
      }),
    );
  });
});

test.each([
  ["barber", "fashion", "service"],
  ["laptop-repair", "computers", "service"],
  ["ticket", "other", "ticket"],
  ["room", "furniture", "room"],
  ["meal", "other", "food"],
  ["bed", "rooms", "thing"],
  ["laptop", "services", "thing"],
  [null, "services", "service"],
  [null, "Rooms", "room"],
  [null, "food", "food"],
  [null, "electronics", "thing"],
  [null, null, "thing"],
  ["gone-type", "rooms", "thing"],
] as const)("a listing of type %s in %s is a %s", (type, category, handover) => {
  expect(handoverOf({ type, category }, KEPT_TABLE.types)).toBe(handover);
});

test("every kept service is done, and every kind has a type", () => {
  const of = (type: (typeof ITEM_TYPES)[number]) => handoverOf({ type: type.id, category: null }, KEPT_TABLE.types);
  expect(new Set(ITEM_TYPES.filter(({ kind }) => kind === "service").map(of))).toEqual(new Set(["service"]));
  expect(new Set(ITEM_TYPES.map(of))).toEqual(new Set(HANDOVERS));
});

/** Everything that both sides read of a deal of this kind. */
const LINK_STATES = ["open", "early", "done", "code_closed", "ended"] as const;
const LINK_NAMES = { name: "Braids", buyer: "Njeri", seller: "Otieno", day: "Sat 28 Nov 2026" };

function allTexts(handover: Handover): string[] {
  const turn = {
    buyerContacted: true,
    buyerAgreed: true,
    isDelivery: false,
    lastWriter: null,
    lastWroteAt: null,
    agreedAt: null,
    blockedBy: null,
    missed: NOTHING_MISSED,
  };
  const deal = {
    id: "item",
    name: "Braids",
    handover,
    buyerContacted: true,
    buyerAgreed: true,
    shippedAt: NOW,
    wrongCodes: 0,
    ...withoutFees(1_900),
    hasOpenReport: false,
    hasOpenIssue: false,
    isSellerGone: false,
    handoverLink: null,
    isOnHold: false,
    turn,
    dueAt: NOW,
    offeredRefund: 400,
    refund: null,
  };
  const data = {
    productName: "Braids",
    handover,
    price: 1_900,
    orderId: "order-id",
    orderItemId: "item",
    amount: 400,
    note: null,
    until: NOW,
  };
  const sides: DealRole[] = ["buyer", "seller"];
  const names = { buyer: { buyer: "you", seller: "Achieng" }, seller: { buyer: "Brian", seller: "you" } };
  const entry = { reason: null, amount: 400, handover, price: withoutFees(1_900) };
  return [
    ...sides.flatMap((side) =>
      ITEM_STATUSES.flatMap((status) =>
        [false, true].flatMap((isDelivery) => {
          const summary = summarizeDeal(
            side,
            { ...deal, status, turn: { ...turn, isDelivery }, latest: null },
            names[side],
            null,
            NOW,
          );
          const { sending, ...called } = summary.called;
          const step = listedStep(
            side,
            { ...deal, status, meeting: null, deliveryOption: isDelivery ? "delivery" : "pickup" },
            NOW,
          );
          return [
            summary.words.title,
            ...summary.words.sentences,
            step.text ?? "",
            ...Object.values(called),
            ...Object.values(sending),
          ];
        }),
      ),
    ),
    ...ITEM_STATUSES.map((status) => itemStatusLabel(status, handover)),
    ...LINK_STATES.flatMap((state) => Object.values(linkWords(state, HANDOVER_WORDS[handover], LINK_NAMES))),
    ...DEAL_EVENTS.flatMap((event) => [
      ...(["buyer", "seller", "admin"] as const).map((reader) => historyWords({ ...entry, event }, reader)),
      ...sides.map((role) => dealNotice(event, role, "Braids", { ...entry, subtotal: 1_900 }) ?? ""),
    ]),
    ...Object.entries(DEAL_READERS).flatMap(([step, readers]) =>
      readers.flatMap((role) => {
        const mail = dealMail({ ...data, role, step: step as keyof typeof DEAL_READERS });
        return [mail.subject, ...mail.paragraphs];
      }),
    ),
    ...ITEM_STATUSES.map((status) =>
      freedMail({
        productName: "Braids",
        orderId: "order-id",
        price: 1_900,
        handover,
        status,
        shippedAt: NOW,
        until: NOW,
      }),
    ),
  ];
}

/** Words of a parcel: what nobody says of a haircut, a gate or a key. */
const PARCEL = /shipp|\bdeliver|\bcollect|\bpickup\b|has it\b|have it\b|\bthe item\b|hand(ed)? it over|sent it to you/i;

test.each(["service", "ticket", "room"] as const)("nothing that is said of a %s speaks of a parcel", (handover) => {
  expect(allTexts(handover).filter((text) => PARCEL.test(text))).toEqual([]);
});

test.each(HANDOVERS)("all that is said of a %s is whole", (handover) => {
  for (const text of allTexts(handover)) expect(text).not.toMatch(/undefined|null|NaN|\byou (has|is|holds|gets)\b/);
});

describe("the email of a payment", () => {
  const mailOf = (items: KindData["payment_received"]["items"]) =>
    wordsOf("payment_received", { orderId: "order-id", amount: 500, receipt: null, items }).paragraphs;

  test("says when to give the code in the words of the only kind", () => {
    expect(mailOf([{ name: "Room", handover: "room" }]).join(" ")).toContain("only when you hold the key.");
    expect(mailOf([]).join(" ")).toContain("only when you have the item and it's fine.");
  });

  test("says it of each item where they differ", () => {
    const mail = mailOf([
      { name: "Kettle", handover: "thing" },
      { name: "Single room", handover: "room" },
    ]);
    expect(mail).toContain("Kettle: when you have it and it's fine.");
    expect(mail).toContain("Single room: when you hold the key.");
  });
});

test("the progress names the end of the only kind, and several keep the general word", () => {
  expect(pickupSteps(true, new Set([HANDOVER_WORDS.service.ended]))).toEqual([
    "Paid",
    "Plan agreed",
    "Done",
    "Paid out",
  ]);
  expect(pickupSteps(true, new Set([HANDOVER_WORDS.service.ended, HANDOVER_WORDS.room.ended]))).toEqual([
    "Paid",
    "Plan agreed",
    "Handed over",
    "Paid out",
  ]);
});

test("Help has a paragraph for each kind, with its periods", () => {
  const answer =
    helpQuestions({ inspectionHours: 48 })
      .find(({ id }) => id === "kinds")
      ?.answer.join(" ") ?? "";
  expect(answer).toContain("Rooms: give your code when you hold the key. If the key isn't handed over within 14 days");
  expect(answer).toContain("Tickets: give your code when you're inside the gate.");
  expect(answer).toMatch(/Services: .* at least 24 hours/);
});
