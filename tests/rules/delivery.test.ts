/** Who is told of what and by which way, for each kind, way, account, setting and what was seen. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideDelivery,
  type Delivery,
  type DeliveryFacts,
  quietUntil,
  SEEN_WAIT_MS,
  waitOf,
} from "#app/notifications/delivery-rules.ts";
import { type Kind, KINDS, mayDecline, type Way } from "#app/notifications/kinds.ts";
import { type Choice, isWanted, OFFERED_CHOICES } from "#app/notifications/settings-rules.ts";

const kinds = Object.keys(KINDS) as Kind[];
const WAYS: readonly Way[] = ["email", "push"];
/** 03:00 in East Africa. */
const NIGHT = Date.UTC(2026, 2, 31, 0);
const OPEN = { isClosed: false, isDeleted: false };
const SUSPENDED = { isClosed: true, isDeleted: false };
const DELETED = { isClosed: true, isDeleted: true };
const SEND = { do: "send" } as const;
const DROP = { do: "drop" } as const;

function decide(kind: Kind, way: Way, facts: Partial<DeliveryFacts> = {}): Delivery {
  return decideDelivery({
    kind,
    way,
    account: OPEN,
    isSeen: false,
    isReached: false,
    later: [],
    isWanted: true,
    quiet: null,
    remindsOf: null,
    now: NIGHT,
    ...facts,
  });
}

/** What nobody may decline, written out, so that no change of the table takes one of them away unseen. */
const NOT_DECLINED = {
  money:
    "deal_outcome payment_dismissed payment_failed payment_held payment_received payout_parked payout_phone_changed payout_sent plan_active plan_refund_due refund_due refund_parked refund_sent",
  account:
    "admin_role_changed admin_role_given admin_step_reset alarm google_linked login_added password_changed two_step_changed",
} as const;

test("what is about money, or about who can enter an account, is pushed and emailed, and can't be declined", () => {
  const fixed = Object.values(NOT_DECLINED).flatMap((names) => names.split(" ")) as Kind[];
  const facts = Object.fromEntries(
    fixed.map((kind) => [kind, [KINDS[kind].email, KINDS[kind].push, mayDecline(kind)]]),
  );
  expect(facts).toEqual(Object.fromEntries(fixed.map((kind) => [kind, ["always", "always", false]])));
  expect(kinds.filter((kind) => KINDS[kind].about !== "use" && KINDS[kind].push === "always").toSorted()).toEqual(
    fixed.toSorted(),
  );
});

test("each kind goes some way; what is about money or the account is emailed at once, whatever somebody has seen or chosen", () => {
  for (const kind of kinds) {
    const { about, centre, email, push } = KINDS[kind];
    expect(centre || email !== null || push !== null, `${kind}`).toBe(true);
    if (about !== "use") expect([email, mayDecline(kind)], `${kind}`).toEqual(["always", false]);
  }
});

describe.each(kinds.flatMap((kind) => WAYS.map((way) => [kind, way] as const)))("%s by %s", (kind, way) => {
  const rule = KINDS[kind][way];
  const { about } = KINDS[kind];

  test("leaves, unless it never goes this way", () => {
    expect(decide(kind, way)).toEqual(rule === null ? DROP : SEND);
    const waits = rule === null ? null : rule === "always" || !KINDS[kind].centre ? 0 : SEEN_WAIT_MS;
    expect(waitOf(kind, way)).toBe(waits);
  });

  test("isn't sent where it was seen, if that is its rule", () => {
    expect(decide(kind, way, { isSeen: true })).toEqual(rule === "always" ? SEND : DROP);
  });

  test("isn't emailed where a device that is used tells it, if that is its rule", () => {
    expect(decide(kind, way, { isReached: true })).toEqual(rule === null || rule === "unless reached" ? DROP : SEND);
  });

  test("is sent against the settings where it is about money or the account", () => {
    expect(decide(kind, way, { isWanted: false })).toEqual(rule === null || about === "use" ? DROP : SEND);
  });

  test("follows the choice of its own group and way, and no other", () => {
    const own = OFFERED_CHOICES.filter((choice) => choice === `${KINDS[kind].group}.${way}`);
    const others = OFFERED_CHOICES.filter((choice) => !own.includes(choice));
    const chosen = (choices: readonly Choice[], on: boolean) =>
      decide(kind, way, { isWanted: isWanted(kind, way, Object.fromEntries(choices.map((each) => [each, on]))) });
    const atFirst = rule === null || rule === "if asked" ? DROP : SEND;
    expect(own).toHaveLength(rule === null || about !== "use" ? own.length : 1);
    expect(chosen(own, false)).toEqual(rule === null || about === "use" ? DROP : SEND);
    expect(chosen(own, true)).toEqual(rule === null ? DROP : SEND);
    expect(chosen(others, false)).toEqual(atFirst);
    expect(chosen(others, true)).toEqual(atFirst);
    expect(chosen([], true)).toEqual(atFirst);
  });

  test("goes to a suspended account where it is about money or the account, and to no deleted one", () => {
    expect(decide(kind, way, { account: SUSPENDED })).toEqual(rule === null || about === "use" ? DROP : SEND);
    expect(decide(kind, way, { account: DELETED })).toEqual(DROP);
    expect(decide(kind, way, { account: null })).toEqual(rule === null ? DROP : SEND);
  });

  test("waits for the end of the quiet hours as a push, unless it is an alarm, and never as an email", () => {
    const quiet = { from: 22 * 60, until: 7 * 60 };
    const sent = way === "push" && kind !== "alarm" ? { do: "wait", until: NIGHT + 4 * 60 * 60_000 } : SEND;
    expect(decide(kind, way, { quiet })).toEqual(rule === null ? DROP : sent);
    expect(decide(kind, way, { quiet, now: NIGHT + 12 * 60 * 60_000 })).toEqual(rule === null ? DROP : SEND);
  });
});

test.each<[Kind, Kind, boolean]>([
  ["deal_step", "deal_step", true],
  ["deal_step", "deal_outcome", true],
  ["new_sale", "deal_outcome", true],
  ["new_sale", "meeting_step", true],
  ["offer_step", "offer_step", true],
  // Something else about the same thing says nothing of how it stands.
  ["deal_step", "review_written", false],
  ["listing_held", "stock_free", false],
  ["deal_step", "payout_sent", false],
])("a waiting email of %s is overtaken by %s: %s", (kind, later, isOvertaken) => {
  expect(decide(kind, "email", { later: [later] })).toEqual(isOvertaken ? DROP : SEND);
});

/** What somebody must do by a time, with money at stake, is emailed although a device tells it, too. */
test("a device takes the place of these emails alone, and each of them is pushed, too", () => {
  const replaced = kinds.filter((kind) => KINDS[kind].email === "unless reached");
  expect(replaced.toSorted()).toEqual(
    "listing_left new_messages offer_step search_found still_available wish_cheaper".split(" "),
  );
  const unpushed = replaced.filter((kind) => KINDS[kind].push === null);
  expect(unpushed).toEqual(["new_messages"]);
  expect([KINDS.message.push, KINDS.message.group]).toEqual(["always", KINDS.new_messages.group]);
});

test("what is always sent is overtaken by nothing, but a push about money by how the money stands now", () => {
  for (const kind of kinds.filter((one) => KINDS[one].email === "always"))
    expect(decide(kind, "email", { later: kinds })).toEqual(SEND);
  for (const kind of kinds.filter((one) => KINDS[one].push === "always"))
    expect(decide(kind, "push", { later: kinds })).toEqual(KINDS[kind].about === "money" ? DROP : SEND);
  expect(decide("payment_failed", "push", { later: ["payment_received"] })).toEqual(DROP);
  expect(decide("payment_received", "push", { isSeen: true })).toEqual(SEND);
});

test("a meeting's reminder passes quiet hours, and stays away once the meeting has begun", () => {
  const quiet = { from: 22 * 60, until: 7 * 60 };
  for (const way of WAYS) {
    expect(decide("meeting_step", way, { quiet, remindsOf: NIGHT + 1 })).toEqual(SEND);
    expect(decide("meeting_step", way, { quiet, remindsOf: NIGHT })).toEqual(DROP);
    expect(decide("meeting_step", way, { isWanted: false, remindsOf: NIGHT + 1 })).toEqual(DROP);
  }
});

test("quiet hours end within a day, and none hold when they have ended", () => {
  const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
  fc.assert(
    fc.property(minute, minute, fc.integer({ min: 0, max: 2_000_000_000_000 }), (from, until, now) => {
      const end = quietUntil({ from, until }, now);
      if (from === until) expect(end).toBeNull();
      if (end === null) return;
      expect(end).toBeGreaterThan(now - 60_000);
      expect(end - now).toBeLessThanOrEqual(24 * 60 * 60_000);
      expect(quietUntil({ from, until }, end)).toBeNull();
    }),
  );
});
