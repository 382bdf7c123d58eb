/** What the pages of a reported problem say. */
import { divideMoney } from "#app/orders/item-price-rules.ts";
import { withoutFees } from "#tests/support/item-price.ts";
import { describe, expect, test } from "vitest";
import { actStep, PROPOSAL_LIFE_MS, SECOND_ADMIN_ABOVE } from "#app/moderation/second-admin/second-admin-rules.ts";
import { DECISIONS } from "#app/admin/problems/decision-rules.ts";
import { DECISION_CODES, DEAL_EVENTS, type DealEvent, PROBLEM_KINDS } from "#app/db/states/deal.ts";
import { decisionEffects, reviewReason } from "#app/admin/problems/decision-texts.ts";
import { ITEM_STATUSES } from "#app/db/states/item.ts";
import { historyWords } from "#app/deals/words/history-words.ts";
import { problemForm } from "#app/deals/problems/problem-forms.ts";
import { firstErrors } from "#app/platform/form-errors.ts";
import { PROBLEM_LABELS, PROBLEM_NAMES } from "#app/deals/problems/problem-rules.ts";
import { offerShares, PROBLEM_TEXTS } from "#app/deals/problems/problem-texts.ts";
import { problemStep, refuseProblemText } from "#app/deals/problems/problem-summary.server.ts";
import {
  canSplit,
  DEAL_READERS,
  type DealFacts,
  moneyEffect,
  nextItemStatus,
  refuseDealEvent,
  refusePart,
  returnedBy,
} from "#app/deals/deal-rules.ts";
import { dealNotice } from "#app/deals/words/deal-notice-rules.ts";
import { dealMail } from "#app/screens/notifications/words/deal-words.ts";

const READERS = ["buyer", "seller", "admin"] as const;
const NOW = Date.UTC(2026, 4, 3, 12);
const HOUR = 60 * 60_000;
const OF_A_THING = { handover: "thing" as const, price: withoutFees(1_900) };

describe("the history of a deal", () => {
  test.each(DEAL_EVENTS.flatMap((event) => READERS.map((reader) => [event, reader] as const)))(
    "has words for %s, read by the %s",
    (event, reader) => {
      const words = historyWords({ event, reason: "damaged", amount: 300, ...OF_A_THING }, reader);
      expect(words).toMatch(/^[A-Z].*[^.]$/);
      expect(words).not.toMatch(/undefined|null|_|you gets|You was|the (buyer|seller) get\b/);
      if (reader === "admin") expect(words.toLowerCase()).not.toMatch(/\byou\b/);
    },
  );

  test("calls the side that reads “you”", () => {
    const entry = { event: "problem_reported", reason: "not_received", amount: null } as const;
    expect(READERS.map((reader) => historyWords({ ...entry, ...OF_A_THING }, reader))).toEqual([
      "You reported a problem: not received",
      "The buyer reported a problem: not received",
      "The buyer reported a problem: not received",
    ]);
    const cancelled = { event: "cancelled_by_seller", reason: "broken_or_lost", amount: null } as const;
    expect(historyWords({ ...cancelled, ...OF_A_THING }, "buyer")).toBe("The seller cancelled: it's broken or lost");
    expect(historyWords({ ...cancelled, reason: "other", ...OF_A_THING }, "seller")).toBe("You cancelled");
    const split = { event: "team_split", reason: null, amount: 1_200 } as const;
    expect(READERS.map((reader) => historyWords({ ...split, ...OF_A_THING }, reader))).toEqual([
      "Our team decided: you get KES 1,200 back, and the seller gets KES 700",
      "Our team decided: the buyer gets KES 1,200 back, and you get KES 700",
      "Our team decided: the buyer gets KES 1,200 back, and the seller gets KES 700",
    ]);
  });
});

describe("the next step", () => {
  const situation = {
    handover: "thing" as const,
    price: withoutFees(1_500),
    offeredRefund: 300,
    refunded: null,
    until: NOW,
  };

  test.each(ITEM_STATUSES.flatMap((status) => [[status, "buyer"] as const, [status, "seller"] as const]))(
    "is said for an item that is %s, to the %s",
    (status, role) => {
      const { title, sentence } = problemStep({ ...situation, status, role });
      expect(`${title} ${sentence}`).not.toMatch(/undefined|null|NaN|soon/);
      expect(title).not.toBe("");
    },
  );

  test("names the time and the amounts", () => {
    expect(problemStep({ ...situation, status: "offered", role: "buyer" })).toMatchObject({
      title: "The seller offers you KES 300 back",
      sentence: expect.stringMatching(/You paid KES 1,500\. .* by .*2026.*our team decides\. Your money stays with us/),
    });
    expect(problemStep({ ...situation, status: "completed", role: "seller", refunded: 300 }).sentence).toBe(
      "KES 1,200 goes to your M-Pesa number. The buyer gets KES 300 back.",
    );
    expect(problemStep({ ...situation, status: "completed", role: "seller", refunded: 0 }).sentence).toBe(
      "KES 1,500 goes to your M-Pesa number.",
    );
  });

  test("says what becomes of an item whose seller refunds it; our team says so itself", () => {
    for (const role of ["buyer", "seller"] as const) {
      const sentenceOf = (status: "refunded" | "cancelled", isSellersRefund = false) =>
        problemStep({ ...situation, status, role, isSellersRefund }).sentence;
      expect(sentenceOf("refunded", true)).toMatch(/have the item\? Agree with .* get it back\.$/);
      expect(sentenceOf("refunded")).not.toMatch(/get it back/);
    }
  });

  test("doesn't mention money for a free item", () => {
    for (const status of ["problem_reported", "in_review", "completed", "refunded"] as const)
      expect(problemStep({ ...situation, price: withoutFees(0), status, role: "buyer" }).sentence).not.toMatch(
        /KES 0|money stays/,
      );
  });
});

test("a buyer who can't report a problem is told why, and one who can is told nothing", () => {
  const item: DealFacts = {
    handover: "thing",
    status: "shipped",
    buyerAgreed: true,
    shippedAt: NOW,
    wrongCodes: 0,
    subtotal: 500,
    hasOpenReport: false,
    isSellerGone: false,
  };
  for (const status of ITEM_STATUSES) {
    for (const now of [NOW, NOW + 200 * HOUR]) {
      const text = refuseProblemText({ ...item, status }, now);
      expect(text === null).toBe(refuseDealEvent("problem_reported", { ...item, status }, now) === null);
    }
  }
  expect(refuseProblemText(item, NOW)).toContain("10 May 2026");
});

test("every problem has words, for the buyer who chooses and for others", () => {
  for (const kind of PROBLEM_KINDS) expect([PROBLEM_LABELS[kind], PROBLEM_NAMES[kind]]).not.toContain("");
});

describe("money", () => {
  test("is divided without a remainder", () => {
    const shares = (effect: "refund" | "split" | "release", part: number) =>
      divideMoney(withoutFees(1_500), returnedBy(effect, 1_500, part));
    expect(shares("refund", 0)).toEqual({ buyer: 1_500, seller: 0, fee: 0 });
    expect(shares("split", 300)).toEqual({ buyer: 300, seller: 1_200, fee: 0 });
    expect(shares("release", 300)).toEqual({ buyer: 0, seller: 1_500, fee: 0 });
    expect(offerShares(300, withoutFees(1_500))).toBe("The buyer gets KES 300 back, and you get KES 1,200.");
  });

  test("can be split only where some part is possible", () => {
    for (let price = 0; price < 40; price += 1) {
      const parts = Array.from({ length: price + 1 }, (_, part) => part);
      expect(canSplit(price)).toBe(parts.some((part) => refusePart(part, price) === null));
    }
  });
});

describe("the forms", () => {
  test("read what people type", () => {
    const offer = { intent: "offer", amount: " KES 1,200 ", note: "  " };
    expect(problemForm.parse(offer)).toEqual({ intent: "offer", amount: 1_200, note: null });
    expect(problemForm.parse({ intent: "report", kind: "other", description: " It\r\nleaks " })).toEqual({
      intent: "report",
      kind: "other",
      description: "It\nleaks",
    });
  });

  test.each([
    [["kind", "description"], { intent: "report" }],
    [["description"], { intent: "report", kind: "other", description: " " }],
    [["note"], { intent: "contest" }],
    [["note"], { intent: "contest", note: " \n" }],
    [["kind", "description"], { intent: "report", kind: "nothing", description: "x".repeat(2_001) }],
    [["amount"], { intent: "offer", amount: "a half" }],
    [["amount"], { intent: "offer", amount: "" }],
    [["amount"], { intent: "offer", amount: "10.5" }],
    [["form"], { intent: "decide" }],
  ])("errors at %j", (fields, form) => {
    const parsed = problemForm.safeParse(form);
    expect(parsed.success).toBe(false);
    if (!parsed.success) {
      const errors = firstErrors(parsed.error, PROBLEM_TEXTS.answer_failed);
      expect(Object.keys(errors)).toEqual(fields);
      for (const error of Object.values(errors)) expect(error).not.toMatch(/Invalid|expected/);
    }
  });
});

test("emails about a problem lead to its page, and others to the order", () => {
  const data = {
    name: "Amina",
    productName: "Lamp",
    price: 500,
    orderId: "o",
    orderItemId: "i",
    amount: 100,
    note: null,
  };
  const pathOf = (step: keyof typeof DEAL_READERS) =>
    (DEAL_READERS[step] ?? []).map((role) => dealMail({ ...data, until: NOW, step, role }).action.path);
  expect(pathOf("part_offered")).toEqual(["/problems/i"]);
  expect(pathOf("team_split")).toEqual(["/problems/i", "/problems/i"]);
  expect(pathOf("not_shipped")).toEqual(["/orders/o", "/seller/orders/i"]);
});

test("neither an email nor a notice about a free item promises money", () => {
  const about = { name: "Amina", productName: "Lamp", orderId: "o", orderItemId: "i", amount: null, note: null };
  const money =
    /KES|paid for|gets? the money|(send|sending) (your|the) money|money (stays|is safe|back)|pay the seller|are paid|payout|refund|part back|pays you/i;
  // What can't be divided, and what has no inspection.
  const ofMoney = ["part_offered", "part_accepted", "team_split", "delivered", "inspection_reminder"];
  const told = (Object.keys(DEAL_READERS) as (keyof typeof DEAL_READERS)[])
    .filter((step) => !ofMoney.includes(step))
    .flatMap((step) =>
      (DEAL_READERS[step] ?? []).map((role) => {
        const { subject, paragraphs } = dealMail({ ...about, price: 0, until: NOW, step, role });
        const notice = dealNotice(step as DealEvent, role, "Lamp", { reason: null, subtotal: 0, handover: "thing" });
        return [subject, ...paragraphs, notice].join(" ");
      }),
    );
  expect(told.filter((text) => money.test(text))).toEqual([]);
});

describe("a decision of our team", () => {
  const sides = {
    buyer: { name: "Wanjiku", phone: "0722 ••• 678" },
    seller: { name: "Otieno", phone: "0733 ••• 321" },
  };

  test.each([
    [
      "split",
      [
        "KES 1,200 goes back to Wanjiku by M-Pesa, to the number that paid (0722 ••• 678).",
        "KES 300 goes to Otieno by M-Pesa, to their number (0733 ••• 321).",
      ],
    ],
    [
      "refund",
      ["KES 1,500 goes back to Wanjiku by M-Pesa, to the number that paid (0722 ••• 678).", "Otieno gets nothing."],
    ],
    ["release", ["Wanjiku gets nothing back.", "KES 1,500 goes to Otieno by M-Pesa, to their number (0733 ••• 321)."]],
  ] as const)("%s: shows where each shilling goes", (decision, effects) => {
    expect(decisionEffects(decision, { ...sides, price: withoutFees(1_500), part: 1_200 })).toEqual(effects);
  });

  test("moves no money for a free item", () => {
    expect(decisionEffects("refund", { ...sides, price: withoutFees(0), part: 0 })).toEqual([
      "This item is free, so no money moves.",
    ]);
  });

  test("does what its event does", () => {
    for (const decision of DECISION_CODES) {
      const { event, effect } = DECISIONS[decision];
      const next = nextItemStatus("in_review", event);
      expect(next && moneyEffect(event, next)).toBe(effect);
    }
  });

  test("says why an item waits, for every way there", () => {
    const ways = DEAL_EVENTS.filter((event) =>
      ITEM_STATUSES.some((status) => nextItemStatus(status, event) === "in_review"),
    );
    expect(new Set(ways.map(reviewReason)).size).toBe(ways.length);
    for (const way of ways) expect(reviewReason(way)).not.toBe(reviewReason(null));
  });
});

test("a large amount moves only when two admins want the same", () => {
  const large = {
    adminId: "a",
    act: "team_split",
    input: "{}",
    agreed: 60_000,
    weight: SECOND_ADMIN_ABOVE + 1,
    mayNotConfirm: false,
    now: 1,
  };
  const proposal = { ...large, amount: 60_000, createdAt: 0 };
  const other = { ...large, adminId: "b" };
  expect(actStep({ ...large, weight: SECOND_ADMIN_ABOVE }, null)).toBe("alone");
  expect(actStep(large, null)).toBe("propose");
  expect(actStep(large, proposal)).toBe("propose");
  expect(actStep(other, proposal)).toBe("confirm");
  expect(actStep({ ...other, mayNotConfirm: true }, proposal)).toBe("propose");
  expect(actStep({ ...other, input: "{1}" }, proposal)).toBe("propose");
  expect(actStep({ ...other, act: "team_refunded" }, proposal)).toBe("propose");
  // It would move more than was proposed, or nothing any more, or it is too old.
  expect(actStep({ ...other, agreed: 60_001 }, proposal)).toBe("propose");
  expect(actStep({ ...other, agreed: 0 }, proposal)).toBe("propose");
  expect(actStep({ ...other, now: PROPOSAL_LIFE_MS }, proposal)).toBe("propose");
});
