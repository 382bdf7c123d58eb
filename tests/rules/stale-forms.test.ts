/** Each form that says what its sender has seen is played against a change that came in between. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The names of fields that say what a form was opened with, or what its sender read. */
const SEEN = [
  "opened",
  "openedQuiet",
  "revision",
  "checked",
  "stockSeen",
  "seen",
  "seenAt",
  "round",
  "price",
  "steps",
  "total",
];

const STALE = "tests/workers/stale-forms.test.ts";
const RACES = "tests/workers/races.test.ts";
const ORDER = "tests/workers/order-what-was-seen.test.ts";

/** By component: where its form is played, and under which name; or why only one statement has a say. */
const PLAYED: Record<string, { in: string; as: string } | string> = {
  "accounts/components/profile-form.tsx": { in: STALE, as: "a profile that is completed" },
  "accounts/components/settings-view.tsx": { in: STALE, as: "somebody's details" },
  "moderation/cases/case-view.tsx": {
    in: "tests/workers/moderation.test.ts",
    as: "answers no report that its admin hasn't seen",
  },
  "basket/components/buy-box.tsx": { in: ORDER, as: "in an old tab doesn't order another" },
  "basket/components/cart-view.tsx": { in: ORDER, as: "a cart" },
  "catalogue/import/components/import-view.tsx": {
    in: RACES,
    as: "a listing is edited before a file that was checked",
  },
  "catalogue/product/components/public-product-view.tsx": { in: ORDER, as: "in an old tab doesn't order another" },
  "catalogue/selling/components/listing-form.tsx": { in: STALE, as: "a listing" },
  "catalogue/selling/components/lower-price.tsx": "one statement compares the price and lowers it",
  "catalogue/selling/components/owner-controls.tsx": { in: RACES, as: "a listing is made active before its piece" },
  "catalogue/selling/components/stock-fields.tsx": { in: STALE, as: "a listing's form, or the draft that kept it" },
  "catalogue/selling/components/stock-stepper.tsx": "one statement compares the stock and sets it",
  "meetings/components/meeting-card.tsx": { in: "tests/workers/meetings.test.ts", as: "round: 0" },
  "meetings/components/meeting-view.tsx": { in: "tests/workers/meetings.test.ts", as: "round: 0" },
  "notifications/components/notification-settings.tsx": "one statement changes what its sender changed",
  "offers/components/offer-form.tsx": { in: RACES, as: "a listing says something else before an offer" },
  "reviews/components/review-form.tsx": { in: STALE, as: "a review" },
  "routes/member/become-seller.tsx": { in: STALE, as: "becoming a seller" },
  "screens/profile/photo-form.tsx": { in: STALE, as: "somebody's photo" },
  "screens/sold-item/sold-item-view.tsx": "one statement compares the stock and sets it",
  "shops/components/holiday-form.tsx": { in: STALE, as: "a holiday" },
  "shops/components/shop-form.tsx": { in: STALE, as: "a shop" },
  "upkeep/components/still-available-view.tsx": "one statement compares the price and lowers it",
};

const FIELD = /<input type="hidden" name=(?:"(\w+)"|\{(OPENED)\})/g;
const fieldsOf = (source: string) =>
  [...source.matchAll(FIELD)].map(([, name, constant]) => (constant ? "opened" : (name ?? "")));

test("each form that says what its sender has seen has its row", () => {
  const found = globSync("app/**/*.tsx").filter((path) =>
    fieldsOf(readFileSync(path, "utf8")).some((name) => SEEN.includes(name)),
  );
  const paths = found.map((path) => path.replaceAll("\\", "/").replace("app/", ""));
  expect(paths.toSorted()).toEqual(Object.keys(PLAYED).toSorted());
});

test.each(Object.entries(PLAYED).flatMap(([path, how]) => (typeof how === "string" ? [] : [[path, how] as const])))(
  "%s is played where its row says",
  (_path, how) => {
    expect(readFileSync(how.in, "utf8")).toContain(how.as);
  },
);
