import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Checked, LEAVE_AFTER_MS, nextCheck } from "#app/upkeep/still-available-rules.ts";

const DAY = 24 * 60 * 60_000;
const NOW = 1_800_000_000_000;

function listing(change: Partial<Checked> = {}): Checked {
  return {
    status: "active",
    isDeleted: false,
    isHidden: false,
    changedAt: NOW - 30 * DAY,
    askedAt: null,
    awayUntil: null,
    isBusy: false,
    ...change,
  };
}

describe("a listing without a change", () => {
  test.each<[string, Partial<Checked>, ReturnType<typeof nextCheck>]>([
    ["is asked about after 30 days", {}, { do: "ask" }],
    ["isn't asked about before", { changedAt: NOW - 29 * DAY }, { do: "wait", until: NOW + DAY, answered: false }],
    ["leaves 30 days after the question", { changedAt: NOW - 60 * DAY, askedAt: NOW - 30 * DAY }, { do: "leave" }],
    [
      "stays until the seller has had 30 days to answer",
      { changedAt: NOW - 90 * DAY, askedAt: NOW - 10 * DAY },
      { do: "wait", until: NOW + 20 * DAY, answered: false },
    ],
    [
      "was answered for by a change",
      { changedAt: NOW - DAY, askedAt: NOW - 5 * DAY },
      { do: "wait", until: NOW + 29 * DAY, answered: true },
    ],
    [
      "isn't asked about while the seller is on holiday",
      { awayUntil: NOW + 3 * DAY },
      { do: "wait", until: NOW + 3 * DAY, answered: false },
    ],
    [
      "stays for 30 days after a holiday",
      { changedAt: NOW - 90 * DAY, askedAt: NOW - 60 * DAY, awayUntil: NOW - DAY },
      { do: "wait", until: NOW + 29 * DAY, answered: false },
    ],
    [
      "stays while somebody is buying it",
      { changedAt: NOW - 60 * DAY, askedAt: NOW - 30 * DAY, isBusy: true },
      { do: "wait", until: NOW + DAY, answered: false },
    ],
    [
      "isn't asked about while it is hidden",
      { isHidden: true },
      { do: "wait", until: NOW + 30 * DAY, answered: false },
    ],
    ["isn't asked about once it is sold", { status: "sold" }, { do: "forget" }],
    ["isn't asked about once it is deleted", { isDeleted: true }, { do: "forget" }],
  ])("%s", (_, change, next) => {
    expect(nextCheck(listing(change), NOW)).toEqual(next);
  });

  test("is asked about up to a week early, together with another one", () => {
    expect(nextCheck(listing({ changedAt: NOW - 24 * DAY }), NOW, true)).toEqual({ do: "ask" });
    expect(nextCheck(listing({ changedAt: NOW - 22 * DAY }), NOW, true).do).toBe("wait");
  });
});

const ago = fc.integer({ min: -200 * DAY, max: 200 * DAY }).map((ms) => NOW - ms);
const anyListing = fc.record({
  status: fc.constantFrom("active", "sold", "out_of_stock", "unconfirmed"),
  isDeleted: fc.boolean(),
  isHidden: fc.boolean(),
  changedAt: ago.map((at) => Math.min(at, NOW)),
  askedAt: fc.option(ago.map((at) => Math.min(at, NOW))),
  awayUntil: fc.option(ago),
  isBusy: fc.boolean(),
}) satisfies fc.Arbitrary<Checked>;

test("nothing leaves early, unasked, during a holiday, or while somebody is buying it", () => {
  fc.assert(
    fc.property(anyListing, fc.boolean(), (each, along) => {
      if (nextCheck(each, NOW, along).do !== "leave") return;
      expect(NOW - each.changedAt).toBeGreaterThanOrEqual(LEAVE_AFTER_MS);
      expect(each.askedAt).not.toBeNull();
      expect(NOW - (each.askedAt ?? NOW)).toBeGreaterThanOrEqual(30 * DAY);
      expect((each.awayUntil ?? 0) <= NOW).toBe(true);
      expect([each.isBusy, each.isHidden, each.isDeleted, each.status]).toEqual([false, false, false, "active"]);
    }),
  );
});

test("each look moves on: what waits is due later, and what was asked isn't asked again at once", () => {
  fc.assert(
    fc.property(anyListing, (each) => {
      const next = nextCheck(each, NOW);
      if (next.do === "wait") expect(next.until).toBeGreaterThan(NOW);
      if (next.do === "ask") expect(nextCheck({ ...each, askedAt: NOW }, NOW).do).toBe("wait");
    }),
  );
});

test("an unanswered listing is asked about once, and then leaves", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), (days) => {
      let each = listing({ changedAt: NOW });
      const done: string[] = [];
      for (let now = NOW; now < NOW + 120 * DAY; now += days * DAY) {
        const next = nextCheck(each, now);
        if (next.do === "ask") each = { ...each, askedAt: now };
        if (next.do === "leave") each = { ...each, status: "unconfirmed" };
        if (next.do === "ask" || next.do === "leave") done.push(next.do);
      }
      expect(done).toEqual(["ask", "leave"]);
    }),
  );
});
