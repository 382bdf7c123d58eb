import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { DELETED_NAME } from "#app/accounts/login/account-rules.ts";
import { ITEM_STATUSES } from "#app/db/states/item.ts";
import { REVIEW_ROLES, REVIEW_TAGS } from "#app/db/states/review.ts";
import { readReviewForm } from "#app/reviews/review-forms.ts";
import { STARS } from "#app/reviews/review-labels.ts";
import {
  contraryTags,
  editableParts,
  editUntil,
  publishAtOf,
  refuseReply,
  type ReviewFacts,
  TAGS_ABOUT,
  writeUntil,
} from "#app/reviews/review-rules.ts";
import { refuseReview, reviewStep } from "#app/reviews/review-step-rules.ts";
import { TAG_LABELS } from "#app/reviews/review-labels.ts";
import { starText } from "#app/reviews/review-texts.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const ENDED = Date.UTC(2026, 5, 1);

const status = fc.constantFrom(...ITEM_STATUSES);
const times = fc.integer({ min: ENDED - DAY, max: ENDED + 60 * DAY });
const review: fc.Arbitrary<ReviewFacts> = fc.record({
  createdAt: times,
  publishAt: times,
  publishedAt: fc.option(times),
  removedAt: fc.option(times),
});
const reviews = fc.record({ own: fc.option(review), other: fc.option(review), otherIsGone: fc.boolean() });

const DONE = { status: "completed", endedAt: ENDED, isFreeAgain: false } as const;
const NONE = { own: null, other: null, otherIsGone: false };
const WRITTEN: ReviewFacts = {
  createdAt: ENDED,
  publishAt: publishAtOf(ENDED),
  publishedAt: null,
  removedAt: null,
};

describe("writing a review", () => {
  test("is possible only once, after a finished deal, in time, and before the other side's review is published", () => {
    fc.assert(
      fc.property(status, reviews, times, (state, written, now) => {
        const refusal = refuseReview({ status: state, endedAt: ENDED, isFreeAgain: false }, written, now);
        const isPossible =
          (state === "completed" || state === "refunded") &&
          written.own === null &&
          !written.otherIsGone &&
          (written.other?.publishedAt ?? null) === null &&
          now <= ENDED + 30 * DAY;
        expect(refusal === null).toBe(isPossible);
      }),
    );
  });

  test.each([
    ["not_finished", { ...DONE, status: "delivered" }, NONE, ENDED],
    // Nothing was handed over.
    ["not_finished", { ...DONE, status: "cancelled" }, NONE, ENDED],
    ["already_written", DONE, { ...NONE, own: WRITTEN }, ENDED],
    ["other_published", DONE, { ...NONE, other: { ...WRITTEN, publishedAt: ENDED } }, ENDED],
    ["gone", DONE, { ...NONE, otherIsGone: true }, ENDED],
    ["free_again", { ...DONE, isFreeAgain: true }, NONE, ENDED],
    ["too_late", DONE, NONE, writeUntil(ENDED) + 1],
    [null, DONE, NONE, writeUntil(ENDED)],
    [null, { ...DONE, status: "refunded" }, { ...NONE, other: WRITTEN }, ENDED],
  ] as const)("%s", (code, deal, written, now) => {
    expect(refuseReview(deal, written, now)).toBe(code);
  });

  test("the next step invites exactly those who can write, and shows reviews only to those who can read one", () => {
    fc.assert(
      fc.property(status, reviews, times, (state, written, now) => {
        const deal = { status: state, endedAt: ENDED, isFreeAgain: false };
        const step = reviewStep(deal, written, now);
        expect(step === "write" || step === "write_too").toBe(refuseReview(deal, written, now) === null);
        if (step === "write_too") expect(written.other).not.toBeNull();
        if (step === "wait") expect(written.own).not.toBeNull();
        if (step === "read")
          expect([written.own, written.other].some((one) => one?.publishedAt != null && one.removedAt === null)).toBe(
            true,
          );
      }),
    );
  });
});

describe("changing a review", () => {
  test("takes 24 hours at most, and never the stars of a published one", () => {
    fc.assert(
      fc.property(review, times, (own, now) => {
        const parts = editableParts(own, now);
        if (now > editUntil(own.createdAt) || own.removedAt !== null) expect(parts).toBeNull();
        else expect(parts).toBe(own.publishedAt === null ? "all" : "words");
      }),
    );
    expect(editUntil(ENDED)).toBe(ENDED + 24 * HOUR);
    expect(publishAtOf(ENDED)).toBe(ENDED + 7 * DAY);
  });
});

test.each([
  ["not_published", { ...WRITTEN, reply: null }],
  ["removed", { ...WRITTEN, publishedAt: ENDED, removedAt: ENDED, reply: null }],
  ["already_replied", { ...WRITTEN, publishedAt: ENDED, reply: "Thanks" }],
  [null, { ...WRITTEN, publishedAt: ENDED, reply: null }],
] as const)("a reply: %s", (code, replied) => {
  expect(refuseReply(replied)).toBe(code);
});

describe("tags", () => {
  test("each role has its own, each with a label, and every tag fits somebody", () => {
    expect(new Set(REVIEW_ROLES.flatMap((role) => TAGS_ABOUT[role]))).toEqual(new Set(REVIEW_TAGS));
    expect(Object.keys(TAG_LABELS).toSorted()).toEqual([...REVIEW_TAGS].toSorted());
    expect(TAGS_ABOUT.buyer).not.toContain("as_described");
    expect(TAGS_ABOUT.seller).not.toContain("paid_promptly");
  });

  test("contrary ones can't both be ticked", () => {
    expect(contraryTags(["late", "friendly", "on_time"])).toEqual(["on_time", "late"]);
    expect(contraryTags(["late", "friendly"])).toBeNull();
  });
});

describe("the form", () => {
  const form = (entries: [string, string][]) => {
    const data = new FormData();
    for (const [name, value] of entries) data.append(name, value);
    return readReviewForm(data);
  };

  test("reads stars, words and tags, each tag once", () => {
    expect(
      form([
        ["intent", "write"],
        ["rating", "4"],
        ["text", " Good\r\nkettle\u0007 "],
        ["tags", "friendly"],
        ["tags", "friendly"],
      ]),
    ).toEqual({ ok: true, sent: { intent: "write", rating: 4, text: "Good\nkettle", tags: ["friendly"] } });
  });

  test.each([
    ["rating", [["intent", "write"]]],
    [
      "rating",
      [
        ["intent", "write"],
        ["rating", "6"],
      ],
    ],
    [
      "text",
      [
        ["intent", "write"],
        ["rating", "5"],
        ["text", "x".repeat(501)],
      ],
    ],
    [
      "tags",
      [
        ["intent", "edit"],
        ["tags", "rich"],
      ],
    ],
    [
      "tags",
      [
        ["intent", "edit"],
        ["tags", "late"],
        ["tags", "on_time"],
      ],
    ],
    [
      "text",
      [
        ["intent", "reply"],
        ["text", "  "],
      ],
    ],
    ["form", [["intent", "nothing"]]],
  ] as [string, [string, string][]][])("says at %s what is wrong", (field, entries) => {
    const read = form(entries);
    expect(read).toMatchObject({ ok: false, errors: { [field]: expect.any(String) } });
  });
});

test("stars are said in words", () => {
  expect(STARS.map(starText)).toEqual([
    "1 star: very bad",
    "2 stars: bad",
    "3 stars: OK",
    "4 stars: good",
    "5 stars: very good",
  ]);
});

test.each([
  ["Wanjiru Kamau", "Wanjiru"],
  ["  Brian\u00A0Otieno ", "Brian"],
  ["", ""],
  [null, ""],
  [DELETED_NAME, DELETED_NAME],
])("the first name of %s", (name, first) => {
  expect(firstName(name)).toBe(first);
});
