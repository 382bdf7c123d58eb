/**
 * Every press that ends something for good asks first: in a dialog, and by a tick or a second page where no script
 * runs.
 */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MEETING_EVENTS } from "#app/db/states/meeting.ts";
import { OFFER_STEPS } from "#app/offers/offer-rules.ts";

/** Where the form is whose press ends something for good, and how it asks. */
type Asks = { in: string } & (
  | /** An element with this `intent`: a ConfirmForm, or a form with `confirm`. */ { tag: "ConfirmForm" | "DealForm" }
  /** A call of `button` with the question as its last argument. */
  | { call: "button" }
  /** Something else, which has all these words. */
  | { has: readonly string[] }
);

const DEALS = "app/deals/components/problem-answers.tsx";
const ORDER = "app/screens/order/tracked-item.tsx";
const SALE = "app/screens/sold-item/sale-steps.tsx";
const MISSED = "app/deals/components/missed-meeting.tsx";
const CLEAR = { in: "app/basket/components/clear-basket.tsx", has: ["<ConfirmDialog", "<ConfirmTick"] } as const;
const SETTINGS = "app/accounts/components/settings-view.tsx";

/** Each form of members by its file and its intent: how it asks, or why it ends nothing for good. */
const INTENTS: Record<string, Record<string, Asks | string>> = {
  "app/routes/member/order.tsx": {
    agree: "the deal goes on",
    accept: { in: ORDER, tag: "DealForm" },
    cancel: { in: ORDER, tag: "DealForm" },
    keep: "the deal goes on",
    settle: { in: ORDER, tag: "DealForm" },
    "lift-report": { in: ORDER, tag: "DealForm" },
    missed: { in: MISSED, tag: "DealForm" },
    "ask-to-cancel": "the seller is asked, and the buyer can keep it after all",
    report: "the report can be taken back",
  },
  "app/routes/member/seller-order.tsx": {
    ship: "the deal goes on",
    deliver: { in: SALE, tag: "DealForm" },
    "accept-cancel": { in: SALE, tag: "DealForm" },
    cancel: { in: SALE, tag: "DealForm" },
    link: "another one can be made",
    "stop-link": "another one can be made",
    missed: { in: MISSED, tag: "DealForm" },
    "decline-cancel": "the deal goes on, and the buyer can ask again",
    payout: "it is tried again",
    restock: "it can be taken off sale again",
    code: "the buyer's code is the answer to the question",
  },
  "app/deals/problems/problem-forms.ts": {
    report: "the buyer can settle it at any time",
    refund: { in: DEALS, tag: "ConfirmForm" },
    offer: { in: DEALS, tag: "ConfirmForm" },
    contest: { in: DEALS, tag: "ConfirmForm" },
    accept: { in: DEALS, tag: "ConfirmForm" },
    withdraw: { in: DEALS, tag: "ConfirmForm" },
    review: { in: DEALS, tag: "ConfirmForm" },
  },
  "app/screens/actions/offer-action.server.ts": {
    seller_accepted: "the buyer pays next, or withdraws",
    countered: "the buyer answers next",
    seller_declined: "the buyer can make another offer",
    buyer_accepted: "the buyer pays next, or withdraws",
    buyer_declined: "the buyer can make another offer",
    // Of an offer that waits for an answer nothing is lost, and it doesn't ask.
    withdrawn: { in: "app/offers/components/offer-card.tsx", call: "button" },
    pay: "it leads to the checkout",
  },
  "app/screens/actions/meeting-action.server.ts": {
    suggested: "the other side answers",
    accepted: "it can be cancelled",
    declined: "another time can be suggested",
    cancelled: { in: "app/meetings/components/meeting-card.tsx", call: "button" },
  },
  "app/routes/member/checkout.tsx": {
    pay: "the phone asks for the PIN",
    confirm: "it can be cancelled",
    "change-number": "it can be paid again",
  },
  "app/routes/member/subscription.tsx": { "change-number": "it can be paid again" },
  "app/routes/member/cart.tsx": { checkout: "it leads to the checkout" },
  "app/routes/member/product.tsx": { "buy-now": "it leads to the checkout" },
  "app/basket/change-form.ts": {
    "add-to-cart": "it can be removed",
    "set-quantity": "it can be changed back",
    "accept-price": "it can be removed",
    "remove-from-cart": "it can be added again",
    "clear-cart": CLEAR,
    "move-to-wishlist": "it can be moved back",
    "add-to-wishlist": "it can be removed",
    "remove-from-wishlist": "it can be added again",
    "clear-wishlist": CLEAR,
    "move-to-cart": "it can be moved back",
  },
  "app/routes/member/manage-product.ts": {
    status: "it can be changed back",
    stock: "it can be changed back",
    lower: "it can be raised",
    // Where no script runs, the menu leads to this form, which says the question.
    delete: { in: "app/catalogue/selling/components/delete-listing.tsx", has: ["<details", "delete_question"] },
  },
  "app/routes/member/still-available.tsx": {
    renew: "it renews",
    lower: "it can be raised",
    sold: "it can be put back on sale",
  },
  "app/routes/member/saved-searches.tsx": {
    frequency: "it can be changed back",
    delete: "it can be saved again",
    share: "it can be stopped",
    stop: "it can be shared again",
  },
  "app/routes/member/serials.tsx": { ask: "it changes nothing", back: "it can be reported again" },
  "app/catalogue/serials/serial-forms.ts": {
    ask: "it changes nothing",
    report: "it can be taken back",
    back: "it can be reported again",
  },
  "app/routes/member/import-listings.tsx": {
    check: "nothing is listed yet",
    import: "the listings can be changed and deleted",
  },
  "app/routes/member/conversation-safety.ts": { block: "it can be undone", unblock: "it can be undone" },
  "app/reviews/review-forms.ts": { write: "it adds words", edit: "it can be changed again", reply: "it adds words" },
  "app/screens/actions/follow-action.server.ts": { follow: "it can be undone" },
  "app/accounts/profile/settings-forms.ts": {
    details: "they can be changed again",
    password: "it can be changed again",
    "password-link": "it sends a link",
    email: "the old address can undo it",
    "email-again": "it sends a link",
    "student-link": "it sends a link",
    "email-cancel": "it can be asked for again",
    "email-shown": "it can be turned back",
    "data-saver": "it can be turned back",
    "sign-out-everywhere": "they log in again",
    delete: { in: SETTINGS, has: ['intent="delete"', 'name="confirmation"'] },
  },
  "app/routes/member/problem.tsx": { report: "the buyer can settle it at any time" },
  "app/screens/actions/problem-action.server.ts": { report: "the buyer can settle it at any time" },
  "app/screens/actions/shop-settings-action.server.ts": { holiday: "it can be ended" },
  "app/routes/member/notification-settings.tsx": {
    "remove-device": "it can be added again",
    save: "they can be changed again",
  },
  "app/routes/member/two-step.tsx": {
    "start-app": "nothing is added yet",
    "add-app": "it can be removed",
    "add-passkey": "it can be removed",
    remove: "it can be added again",
    "renew-codes": "the new codes are shown at once",
  },
  "app/screens/actions/settings-action.server.ts": {
    document: "another can be sent",
    photo: "another can be sent",
    details: "they can be changed again",
  },
};

const NAMED: Record<string, readonly string[]> = { MEETING_EVENTS, OFFER_STEPS };

/** Everything that a file reads as an intent. */
function intentsOf(source: string): string[] {
  const literals = [...source.matchAll(/\bintent: z\.literal\("([\w-]+)"\)/g)].map(([, intent]) => intent ?? "");
  const lists = [...source.matchAll(/\bintent: z\.enum\(([^)]*)\)/g)].flatMap(([, list]) =>
    [...(list ?? "").matchAll(/"([\w-]+)"|([A-Z_]+)/g)].flatMap(([, word, name]) =>
      word ? [word] : (NAMED[name ?? ""] ?? [`unknown list ${name}`]),
    ),
  );
  const asked = /discriminatedUnion\("intent"|intent: z\./.test(source)
    ? []
    : [...source.matchAll(/(?:get\("intent"\)|\bintent) === "([\w-]+)"/g)].map(([, intent]) => intent ?? "");
  const [, switched = ""] = /switch \(\w+\.get\("intent"\)\) \{([^]*?)^  \}/m.exec(source) ?? [];
  const cases = [...switched.matchAll(/^    case "([\w-]+)":/gm)].map(([, intent]) => intent ?? "");
  return [...new Set([...literals, ...lists, ...asked, ...cases])].toSorted();
}

const OF_OUR_TEAM = ["app/admin/**", "app/team/**", "app/moderation/**", "app/routes/admin/**"];
const FILES = globSync(["app/**/*.{ts,tsx}"], { exclude: [...OF_OUR_TEAM, "**/components/**"] });

test("each form of members says whether its press ends something for good", () => {
  const found = FILES.flatMap((path) => {
    const source = readFileSync(path, "utf8");
    const isForm =
      /\bintent: z\.|discriminatedUnion\("intent"/.test(source) || /^app.(routes.member|screens.actions)/.test(path);
    const intents = isForm ? intentsOf(source) : [];
    return intents.length > 0 ? [[path.replaceAll("\\", "/"), intents] as const] : [];
  });
  expect(found.length).toBeGreaterThan(15);
  const listed = Object.entries(INTENTS).map(([path, intents]) => [path, Object.keys(intents).toSorted()] as const);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(listed));
});

/** The opening tag around the first `intent="…"`. */
function tagOf(source: string, tag: string, intent: string): string {
  const at = source.search(new RegExp(`\\bintent="${intent}"`));
  const start = source.lastIndexOf(`<${tag}`, at);
  const rest = source.slice(at);
  return at < 0 || start < 0 ? "" : source.slice(start, at + rest.search(/^\s*\/?>$/m) + 1);
}

const ENDING = Object.entries(INTENTS).flatMap(([path, intents]) =>
  Object.entries(intents).flatMap(([intent, how]) =>
    typeof how === "string" ? [] : [[`${path} ${intent}`, intent, how] as const],
  ),
);

test.each(ENDING)("%s asks first", (_name, intent, how) => {
  const source = readFileSync(how.in, "utf8");
  if ("has" in how) return expect(how.has.filter((words) => !source.includes(words))).toEqual([]);
  if ("call" in how)
    return expect(source).toMatch(new RegExp(`${how.call}\\("${intent}", "[^"]+", "soft", (\\{\\s+title:|[A-Z]+\\))`));
  const element = tagOf(source, how.tag, intent);
  expect(element).not.toBe("");
  if (how.tag === "DealForm") expect(element).toContain("confirm={");
});

test("what asks in a dialog asks by a tick, too, where no script runs", () => {
  for (const path of ["app/ui/forms/asking-form.tsx", "app/deals/components/confirm-form.tsx"]) {
    const source = readFileSync(path, "utf8");
    expect(source).toContain("<ConfirmDialog");
    expect(source).toContain("<ConfirmTick");
  }
  const tick = readFileSync("app/ui/forms/confirm-tick.tsx", "utf8");
  expect(tick).toMatch(/<Unscripted>[^]*type="checkbox"[^]*\brequired\b[^]*<\/Unscripted>/);
});
