/**
 * Who may do what: one table of every screen and every endpoint, with the answer for each kind of person. Screens come
 * from the route table and endpoints from the router, so one that is missing here fails.
 */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { publicProductPath, publicShopPath, sharedSearchPath } from "#app/public-links.ts";
import { unsubscribeToken } from "#app/notifications/unsubscribe-link.server.ts";
import { sessionCookie } from "#tests/support/accounts.ts";
import type { ListedRoute } from "#tests/support/pages.ts";
import { visit } from "#tests/support/visit.ts";
import { http } from "#tests/support/worker.ts";
import { makeProduct } from "#tests/support/fixtures.ts";
import { makePeople, makeThings, type People, type Role, ROLES, type Things } from "#tests/support/world.ts";

/** A status, or the target of a redirect. */
type Answer = number | `>${string}`;
type Answers = Record<Role, Answer>;

/** Of every product in these tests. */
const PRODUCT_NAME = "Casio fx-991ES";
const SHOP_TITLE = "Otieno Books";
const SIGN_IN = ">/auth?to";
/** An id that doesn't exist. */
const NOTHING = "00000000-0000-4000-8000-000000000000";

function everyone(answer: Answer): Answers {
  return Object.fromEntries(ROLES.map((role) => [role, answer])) as Answers;
}

/** Members get `answer`; visitors and suspended users get `otherwise`. */
function members(answer: Answer, otherwise: Answer = SIGN_IN): Answers {
  return { ...everyone(answer), visitor: otherwise, suspended: otherwise };
}

/** A change. It needs a complete profile. */
function writers(answer: Answer, otherwise: Answer): Answers {
  return { ...members(answer, otherwise), incomplete: 403 };
}

/** For visitors. Members are sent home. */
function visitors(answer: Answer): Answers {
  return members(">/home", answer);
}

/** A form of visitors. Members read who they are logged in as. */
function visitorsForm(answer: Answer): Answers {
  return members(">/auth/other-account", answer);
}

/** Belongs to `owner`. For other members it doesn't exist. */
function only(owner: Role | Role[], answer: Answer, others: Answer = 404, strangers: Answer = SIGN_IN): Answers {
  return { ...members(others, strangers), ...answering([owner].flat(), answer) };
}

function answering(roles: Role[], answer: Answer): Partial<Answers> {
  return Object.fromEntries(roles.map((role) => [role, answer]));
}

/**
 * An admin page of owners and `roles`. Other admins are led away, and for everybody else it answers like an unknown
 * path.
 */
function adminOnly(answer: Answer, ...roles: ("support" | "finance")[]): Answers {
  const led: Role[] = ["support", "finance"];
  return { ...only(led, ">/admin", ">/home", ">/auth"), ...answering(["admin", ...roles], answer) };
}

/** The answer to a form without valid values. */
const NO_FORMS = members(405);
const BAD_FORM = members(400);
function HIDDEN_FORM(answer: Answer, ...roles: ("support" | "finance")[]): Answers {
  return { ...only(["support", "finance"], ">/admin", 404, 404), ...answering(["admin", ...roles], answer) };
}

/** Screens: the answer to a visit, and to a form with an unknown intent. */
const MEMBER_SCREENS: Record<string, { get: Answers; post: Answers }> = {
  "/home": { get: members(200), post: members(200) },
  "/home/viewed": { get: members(200), post: NO_FORMS },
  "/offline/copy": { get: members(200), post: NO_FORMS },
  "/become-seller": {
    get: { ...members(200), seller: ">/myshop", otherSeller: ">/myshop", wholesaler: ">/myshop" },
    post: { ...members(400), seller: ">/myshop", otherSeller: ">/myshop", wholesaler: ">/myshop" },
  },
  "/studentmarketplace": { get: members(200), post: NO_FORMS },
  "/studentmarketplace/shops": { get: members(200), post: members(200) },
  "/search": { get: members(200), post: NO_FORMS },
  "/search/count": { get: members(200), post: NO_FORMS },
  "/search/missed": { get: members(400), post: members(204) },
  "/search/suggestions": { get: members(200), post: NO_FORMS },
  "/category": { get: members(200), post: NO_FORMS },
  "/category/:categoryName": { get: members(200), post: NO_FORMS },
  "/product/:productId": { get: members(200), post: BAD_FORM },
  "/product/:productId/poster": { get: members(200), post: NO_FORMS },
  "/product/:productId/edit": { get: only("seller", 200), post: BAD_FORM },
  "/product/:productId/manage": { get: members(">/product"), post: BAD_FORM },
  "/product/:productId/wait": { get: members(">/product"), post: BAD_FORM },
  "/product/:productId/offer": { get: members(200), post: BAD_FORM },
  "/offers/:offerId": { get: members(404), post: BAD_FORM },
  "/offers/:offerId/send": { get: members(">/offers"), post: BAD_FORM },
  "/meetings/:itemId": { get: only(["buyer", "seller"], 200), post: BAD_FORM },
  "/meetings/:itemId/send": { get: members(">/meetings"), post: BAD_FORM },
  // Nothing is accepted yet, so there is no file.
  "/meetings/:itemId/meeting.ics": { get: members(404), post: NO_FORMS },
  "/add-product": { get: members(200), post: BAD_FORM },
  "/listing-type": { get: members(200), post: NO_FORMS },
  "/product/:productId/wanted": { get: members(200), post: NO_FORMS },
  "/conversations/safety": { get: members(">/home"), post: BAD_FORM },
  "/myshop/money": { get: members(200), post: NO_FORMS },
  "/myshop/money.csv": { get: members(200), post: NO_FORMS },
  "/myshop/statement": { get: members(200), post: NO_FORMS },
  "/myshop/statement.csv": { get: members(200), post: NO_FORMS },
  "/receipts": { get: members(200), post: NO_FORMS },
  "/settings/my-data": { get: members(200), post: NO_FORMS },
  "/myshop/import": { get: members(200), post: BAD_FORM },
  "/myshop/import/:file": { get: members(">/myshop/import"), post: NO_FORMS },
  "/this-week": { get: members(200), post: NO_FORMS },
  "/myshop/figures": { get: members(200), post: NO_FORMS },
  "/myshop/still-available": { get: members(200), post: BAD_FORM },
  "/myshop/settings": { get: members(200), post: BAD_FORM },
  "/myshop/settings/send": { get: members(">/myshop/settings"), post: BAD_FORM },
  "/cart": { get: members(200), post: BAD_FORM },
  "/wishlist": { get: members(200), post: NO_FORMS },
  "/serials": { get: members(200), post: BAD_FORM },
  "/saved-searches": { get: members(200), post: BAD_FORM },
  "/saved-searches/save": { get: members(">/saved-searches"), post: BAD_FORM },
  "/saved-searches/:savedId": { get: only("buyer", ">/search?q"), post: NO_FORMS },
  "/notifications": { get: members(200), post: members(">/notifications") },
  // Nobody has this one. A test of its own opens somebody else's.
  "/notifications/:id": { get: members(">/notifications"), post: NO_FORMS },
  "/following": { get: members(200), post: NO_FORMS },
  "/following/shops": { get: members(200), post: members(200) },
  "/checkout/:orderId": { get: only("buyer", 200), post: BAD_FORM },
  "/order-confirmation/:orderId": { get: only("buyer", 200), post: NO_FORMS },
  "/orders/:orderId": {
    get: { ...only("buyer", 200), seller: ">/seller/orders" },
    post: { ...BAD_FORM, seller: ">/seller/orders" },
  },
  "/seller/orders/:itemId": { get: only("seller", 200), post: BAD_FORM },
  // Nobody reports themselves.
  "/report/:subject/:id": { get: { ...members(200), seller: 404 }, post: BAD_FORM },
  "/money/:itemId": { get: only(["buyer", "seller"], 200), post: NO_FORMS },
  "/problems/:itemId": { get: only(["buyer", "seller"], 200), post: only(["buyer", "seller"], 400) },
  "/reviews/:itemId": { get: only(["buyer", "seller"], 200), post: only(["buyer", "seller"], 400) },
  "/myshop": { get: members(200), post: NO_FORMS },
  "/invite": { get: members(200), post: NO_FORMS },
  "/subscription": { get: members(200), post: BAD_FORM },
  "/profile": { get: members(200), post: NO_FORMS },
  "/settings/two-step": { get: members(200), post: BAD_FORM },
  "/settings/email": { get: members(200), post: members(409) },
  "/settings/notifications": { get: members(200), post: BAD_FORM },
  "/settings": { get: members(">/profile?tab"), post: BAD_FORM },
  "/settings/send": { get: members(">/profile?tab"), post: BAD_FORM },
};

const OTHER_SCREENS: typeof MEMBER_SCREENS = {
  "/support": { get: everyone(200), post: everyone(405) },
  "/terms": { get: everyone(200), post: everyone(405) },
  "/privacy": { get: everyone(200), post: everyone(405) },
  "/verified": { get: everyone(200), post: everyone(405) },
  "/protection": { get: everyone(200), post: everyone(405) },
  "/help": { get: everyone(200), post: everyone(405) },
  "/help/contact": { get: everyone(200), post: everyone(400) },
  "/help/:topic": { get: everyone(404), post: everyone(405) },
  "/sandbox/components": { get: everyone(200), post: everyone(405) },
  "/": { get: members(">/home", ">/auth"), post: members(200, ">/auth") },
  "/auth": { get: visitors(200), post: visitorsForm(400) },
  "/auth/signup": { get: visitors(200), post: visitorsForm(400) },
  "/auth/check-email": { get: visitors(200), post: visitorsForm(400) },
  "/auth/forgot": { get: visitors(200), post: visitorsForm(400) },
  "/auth/:issuer/start": { get: visitorsForm(">/auth"), post: visitorsForm(405) },
  "/auth/:issuer/callback": { get: visitors(">/auth"), post: visitorsForm(405) },
  "/auth/two-step": { get: visitors(">/auth"), post: visitorsForm(">/auth") },
  "/auth/*": { get: visitors(200), post: visitorsForm(400) },
  // Members with a complete profile are led to the product itself.
  "/p/:shortId/:slug?": {
    get: { ...members(">/product", 200), incomplete: 200 },
    // The page is shown again, which leads members on.
    post: { ...members(">/product", 400), incomplete: 400 },
  },
  "/s/:shortId/:slug?": { get: { ...members(">/seller", 200), incomplete: 200 }, post: everyone(405) },
  "/c/:category": { get: { ...members(">/category", 200), incomplete: 200 }, post: everyone(405) },
  "/campus": { get: { ...members(">/home", 200), incomplete: 200 }, post: everyone(405) },
  "/campus/search": { get: { ...members(">/search?q", 200), incomplete: 200 }, post: everyone(405) },
  "/campus/:campus": { get: { ...members(">/studentmarketplace", 200), incomplete: 200 }, post: everyone(405) },
  // The buyer has shared it.
  "/looking-for/:shortId": {
    get: { ...members(">/add-product?for", 200), incomplete: 200, buyer: ">/saved-searches" },
    post: everyone(405),
  },
  "/seller/:sellerId": { get: everyone(200), post: { ...members(200), incomplete: ">/complete-profile?to" } },
  "/seller/:sellerId/poster": { get: everyone(200), post: everyone(405) },
  "/people/:userId/reviews": { get: everyone(200), post: everyone(405) },
  "/categories": { get: everyone(">/home"), post: writers(200, 401) },
  "/admin": {
    get: adminOnly(200, "support", "finance"),
    post: HIDDEN_FORM(405, "support", "finance"),
  },
  "/admin/income.csv": {
    get: { ...everyone(404), admin: 200, support: ">/admin", finance: ">/admin" },
    post: HIDDEN_FORM(405),
  },
  "/admin/figures.csv": {
    get: { ...everyone(404), admin: 200, support: 200, finance: 200 },
    post: HIDDEN_FORM(405, "support", "finance"),
  },
  "/admin/campus-month": {
    get: adminOnly(200, "support", "finance"),
    post: HIDDEN_FORM(405, "support", "finance"),
  },
  "/admin/campus-month.csv": {
    get: { ...everyone(404), admin: 200, support: 200, finance: 200 },
    post: HIDDEN_FORM(405, "support", "finance"),
  },
  // A number that can't be read makes one code.
  "/admin/codes": { get: adminOnly(200), post: HIDDEN_FORM(200) },
  "/admin/verifications": { get: adminOnly(200, "support"), post: HIDDEN_FORM(400, "support") },
  "/admin/moderation": { get: adminOnly(200, "support"), post: HIDDEN_FORM(405, "support") },
  "/admin/moderation/:caseId": { get: adminOnly(200, "support"), post: HIDDEN_FORM(400, "support") },
  "/appeals/:token": { get: everyone(200), post: everyone(400) },
  // Nobody has signed it.
  "/handover/:handoverLink": { get: everyone(404), post: everyone(404) },
  // What mail programs send has a field of their own.
  "/unsubscribe/:link": { get: everyone(200), post: everyone(200) },
  "/admin/problems": { get: adminOnly(200, "support", "finance"), post: HIDDEN_FORM(405, "support", "finance") },
  "/admin/problems/:id": {
    get: adminOnly(200, "support", "finance"),
    post: HIDDEN_FORM(400, "support", "finance"),
  },
  "/admin/money": { get: adminOnly(200, "finance"), post: HIDDEN_FORM(400, "finance") },
  "/admin/money/explain": { get: adminOnly(200, "finance"), post: HIDDEN_FORM(405, "finance") },
  "/admin/money/lists": { get: adminOnly(200, "finance"), post: HIDDEN_FORM(400, "finance") },
  "/admin/proposals": { get: adminOnly(200, "support", "finance"), post: HIDDEN_FORM(400, "support", "finance") },
  "/admin/people": { get: adminOnly(200, "support"), post: HIDDEN_FORM(400, "support") },
  "/admin/categories": { get: adminOnly(200), post: HIDDEN_FORM(400) },
  "/admin/types": { get: adminOnly(200), post: HIDDEN_FORM(400) },
  "/admin/prohibited": { get: adminOnly(200), post: HIDDEN_FORM(400) },
  "/admin/universities": { get: adminOnly(200), post: HIDDEN_FORM(400) },
  "/admin/campuses": { get: adminOnly(200), post: HIDDEN_FORM(400) },
  "/admin/income": { get: adminOnly(200), post: HIDDEN_FORM(400) },
  "/admin/operations": { get: adminOnly(200, "support", "finance"), post: HIDDEN_FORM(400, "support", "finance") },
  "/admin/admins": { get: adminOnly(200), post: HIDDEN_FORM(400) },
  "/auth/confirm": { get: members(200, SIGN_IN), post: members(200, SIGN_IN) },
  "/auth/reset": { get: everyone(200), post: everyone(400) },
  "/auth/undo": { get: everyone(200), post: everyone(409) },
  "/auth/other-account": { get: members(200, ">/auth"), post: everyone(405) },
  "/auth/callback": {
    get: everyone(200),
    post: { ...members(">/home", ">/auth"), incomplete: ">/complete-profile", suspended: 401 },
  },
  "/join/:shortId": { get: { ...members(">/invite", ">/auth/signup?to") }, post: everyone(405) },
  "/complete-profile": {
    get: { ...members(">/home", ">/auth"), incomplete: 200 },
    post: { ...members(">/home", ">/auth"), incomplete: 400 },
  },
  "/logout": { get: members(200, ">/auth"), post: everyone(">/auth") },
  "/*": { get: members(">/home", ">/auth"), post: everyone(404) },
};

/** Member screens first ask for a complete profile. */
function withCompleteProfile(path: string, answers: Answers): Answers {
  return path in MEMBER_SCREENS ? { ...answers, incomplete: ">/complete-profile?to" } : answers;
}

const SCREENS: typeof MEMBER_SCREENS = { ...MEMBER_SCREENS, ...OTHER_SCREENS };

/** Endpoints, called without valid values. */
const ENDPOINTS: Record<string, Answers> = {
  "GET /api/openapi.json": everyone(200),
  // No job has run here, and it says so.
  "GET /api/health": everyone(503),
  "POST /api/doctor": everyone(400),
  "ALL /api/mpesa/*": members(404, 401),
  "ALL /api/mpesa/b2c": members(404, 401),
  "POST /api/mpesa/stkpush": writers(400, 401),
  "GET /api/mpesa/status": members(400, 401),
  "GET /api/mpesa/status/:checkoutRequestId": only("buyer", 200, 404, 401),
  "POST /api/mpesa/b2c": writers(400, 401),
  "ALL /api/email/*": everyone(404),
  "POST /api/email/confirmation": everyone(400),
  "POST /api/email/password-reset": everyone(400),
  "POST /api/email/confirmation/resend": everyone(400),
  "POST /api/email/welcome": writers(400, 401),
  "ALL /api/messages/*": members(404, 401),
  // The session is asked for together with the recipient, after the form was read.
  "POST /api/messages": writers(400, 401),
  "GET /api/messages": members(400, 401),
  "POST /api/photos": writers(415, 401),
  "POST /api/photos/private": writers(415, 401),
  "POST /api/messages/read": writers(400, 401),
  "GET /api/messages/unread": members(200, 401),
  "GET /api/push/key": everyone(200),
  "POST /api/push/subscriptions": writers(400, 401),
  "POST /api/push/subscriptions/renewal": writers(400, 401),
  "POST /hooks/pay/:kind/:token": everyone(404),
  "ALL /hooks/pay/:kind/:token": everyone(405),
  "GET /files/private/:photo/:file": only(["buyer", "seller", "admin", "support", "finance"], 200, 404, 404),
  "GET /files/*": everyone(404),
  "GET /documents/:id": only(["wholesaler", "admin", "support"], 200, 404, 404),
  "GET /live": everyone(426),
  "GET /manifest.webmanifest": everyone(200),
  "GET /offline": everyone(200),
  "GET /service-worker.js": everyone(200),
  "GET /robots.txt": everyone(200),
  "GET /sitemap.xml": everyone(200),
  "GET /sitemaps/:file": everyone(200),
  "ALL /api/*": everyone(404),
  "ALL /hooks/*": everyone(404),
};

interface FormSubmission {
  path: string;
  form?: (things: Things, people: People) => Record<string, string>;
  /** JSON. */
  body?: (things: Things) => object;
  headers?: Record<string, string>;
  answers: Answers;
}

/** A form of an admin page for owners and `roles`. Its answer leads back to the page. */
function adminForm(
  path: string,
  roles: ("support" | "finance")[],
  form: FormSubmission["form"] | Record<string, string>,
  answer: Answer = `>${path.replace(/\/:.*/, "")}`,
): FormSubmission {
  return { path, form: typeof form === "object" ? () => form : form, answers: HIDDEN_FORM(answer, ...roles) };
}

/** Actions on what somebody owns. The person who may do it comes last. */
const FORMS: Record<string, FormSubmission> = {
  "open the live channel": { path: "/live", headers: { Upgrade: "websocket" }, answers: members(101, 401) },
  "press Buy on a public page": {
    path: "/p/:shortId/:slug?",
    form: () => ({ action: "buy", quantity: "1", price: "1900" }),
    answers: everyone(">/product"),
  },
  "press Message on a public page": {
    path: "/p/:shortId/:slug?",
    form: () => ({ action: "message" }),
    answers: everyone(">/product"),
  },
  buy: {
    path: "/product/:productId",
    form: () => ({ intent: "buy-now", quantity: "1", orderKey: crypto.randomUUID(), price: "1900" }),
    answers: { ...members(">/checkout"), seller: 409 },
  },
  "edit a listing": {
    path: "/product/:productId/edit",
    form: () => ({ name: "Kettle", price: "950", description: "Boils", category: "electronics", condition: "good" }),
    answers: only("seller", ">/product"),
  },
  "mark a listing sold": {
    path: "/product/:productId/manage",
    form: () => ({ intent: "status", status: "sold" }),
    answers: only("seller", 200),
  },
  "change the stock of a listing": {
    path: "/product/:productId/manage",
    form: () => ({ intent: "stock", seen: "0", stock: "1" }),
    answers: only("seller", 409),
  },
  "lower the price of a listing": {
    path: "/product/:productId/manage",
    form: () => ({ intent: "lower", seen: "100" }),
    answers: only("seller", 409),
  },
  "delete a listing": {
    path: "/product/:productId/manage",
    form: () => ({ intent: "delete" }),
    answers: only("seller", 200),
  },
  "hang up a photo as a banner": {
    path: "/myshop/settings",
    form: (things) => ({ shopName: "Duka", banner: things.photoKey }),
    answers: only("seller", ">/myshop", 409),
  },
  "end a holiday": {
    path: "/myshop/settings",
    form: () => ({ intent: "holiday" }),
    answers: only("seller", ">/myshop", 409),
  },
  "be told of a saved search once a day": {
    path: "/saved-searches",
    form: () => ({ intent: "frequency", id: SAVED, frequency: "daily" }),
    answers: only("buyer", ">/saved-searches"),
  },
  "share a saved search": {
    path: "/saved-searches",
    form: () => ({ intent: "share", id: SAVED }),
    answers: only("buyer", ">/saved-searches"),
  },
  "ask for a payment": {
    path: "/api/mpesa/stkpush",
    body: (things) => ({ phoneNumber: "0712345677", amount: 1_900, orderId: things.unpaidOrderId }),
    answers: { ...only("buyer", 200, 404, 401), incomplete: 403 },
  },
  "suggest a meeting": {
    path: "/meetings/:itemId",
    // It isn't the first suggestion, so the seller, who may make one, reads that it has changed.
    form: () => ({ intent: "suggested", round: "7", point: "other", otherPlace: "Gate A", day: "", time: "" }),
    answers: only(["buyer", "seller"], 409),
  },
  "pay at the checkout": {
    path: "/checkout/:orderId",
    form: () => ({ intent: "pay", phone: "0713345677", option: "pickup", pickupConfirmed: "on" }),
    answers: only("buyer", 200),
  },
  "report an issue": {
    path: "/orders/:orderId",
    form: (things) => ({ intent: "report", itemId: things.itemId, description: "It never came" }),
    answers: { ...only("buyer", 200), seller: ">/seller/orders" },
  },
  agree: {
    path: "/orders/:orderId",
    form: (things) => ({ intent: "agree", itemId: things.itemId }),
    answers: { ...members(409), seller: ">/seller/orders" },
  },
  "take a report back": {
    path: "/orders/:orderId",
    form: (things) => ({ intent: "lift-report", itemId: things.itemId }),
    answers: { ...members(409), buyer: 200, seller: ">/seller/orders" },
  },
  "say that what is in review is solved": {
    path: "/orders/:orderId",
    form: (things) => ({ intent: "settle", itemId: things.itemId }),
    answers: { ...members(409), seller: ">/seller/orders" },
  },
  "write about an item": {
    path: "/api/messages",
    form: (things, people) => ({
      about: `item:${things.itemId}`,
      to: people.seller ?? "",
      text: "Hello",
      key: crypto.randomUUID(),
    }),
    answers: { ...only("buyer", 200, 404, 401), incomplete: 403 },
  },
  ship: { path: "/seller/orders/:itemId", form: () => ({ intent: "ship" }), answers: only("seller", 409) },
  deliver: { path: "/seller/orders/:itemId", form: () => ({ intent: "deliver" }), answers: only("seller", 409) },
  "be paid out": {
    path: "/api/mpesa/b2c",
    body: (things) => ({ orderItemId: things.itemId }),
    answers: { ...only("seller", 409, 404, 401), incomplete: 403 },
  },
  "read a conversation about an item": { path: "/api/messages?item=:itemId", headers: {}, answers: members(200, 401) },
  "generate codes": adminForm("/admin/codes", [], { count: "1" }, 200),
  "approve a document": adminForm("/admin/verifications", ["support"], (things) => ({
    intent: "approve",
    id: things.documentId,
  })),
  "decide about the money of a sale that nobody asked about": adminForm("/admin/problems/:id", ["support", "finance"], {
    intent: "decide",
    decision: "refund",
    reasons: "A test",
  }),
  "report a problem with an item that isn't sent": {
    path: "/problems/:itemId",
    form: () => ({ intent: "report", kind: "damaged", description: "A test" }),
    answers: { ...only(["buyer"], 409), seller: 404 },
  },
  "refund a problem that isn't open": {
    path: "/problems/:itemId",
    form: () => ({ intent: "refund" }),
    answers: { ...only(["seller"], 409), buyer: 404 },
  },
  "review a deal that isn't over": {
    path: "/reviews/:itemId",
    form: () => ({ intent: "write", rating: "5" }),
    answers: only(["buyer", "seller"], 409),
  },
  "change a review that nobody wrote": {
    path: "/reviews/:itemId",
    form: () => ({ intent: "edit", text: "Great" }),
    answers: only(["buyer", "seller"], 409),
  },
  "reply to a review that nobody wrote": {
    path: "/reviews/:itemId",
    form: () => ({ intent: "reply", text: "Thank you" }),
    answers: only(["buyer", "seller"], 409),
  },
  "read the reviews of a buyer": {
    path: "/people/:userId/reviews?as=buyer",
    headers: {},
    answers: { ...members(200, ">/auth?to"), incomplete: ">/complete-profile?to" },
  },
  "report a listing": {
    path: "/report/:subject/:id",
    form: () => ({ intent: "report", reason: "scam", text: "" }),
    answers: { ...members(">/product"), seller: 404 },
  },
  // One who saw the case long ago decides nothing, so all of them are answered alike.
  "decide a case": adminForm(
    "/admin/moderation/:caseId",
    ["support"],
    { intent: "decide-case", decision: "dismissed", statement: "A test", seenAt: "1" },
    409,
  ),
  "answer an appeal that nobody made": adminForm(
    "/admin/moderation/:caseId",
    ["support"],
    { intent: "answer-appeal", granted: "yes", answer: "A test" },
    409,
  ),
  "take a case": adminForm("/admin/moderation/:caseId", ["support"], { intent: "claim", id: "case" }),
  "take a problem": adminForm("/admin/problems/:issueId", ["support", "finance"], { intent: "claim", id: "problem" }),
  "note on a case": adminForm("/admin/moderation/:caseId", ["support"], { intent: "note", note: "A test" }),
  "suspend a user": adminForm("/admin/problems/:issueId", ["support", "finance"], (_things, people) => ({
    intent: "suspend-user",
    id: people.otherBuyer ?? "",
    reason: "A test",
  })),
  "restore a user": adminForm("/admin/problems/:issueId", ["support", "finance"], (_things, people) => ({
    intent: "restore-user",
    id: people.otherBuyer ?? "",
  })),
  "suspend somebody found by name": adminForm("/admin/people", ["support"], (_things, people) => ({
    intent: "suspend-user",
    id: people.otherSeller ?? "",
    reason: "A test",
  })),
  "restore somebody found by name": adminForm("/admin/people", ["support"], (_things, people) => ({
    intent: "restore-user",
    id: people.otherSeller ?? "",
  })),
  "add a campus": adminForm("/admin/campuses", [], { intent: "add-campus", name: "Njoro Campus" }),
  "set a semester": adminForm("/admin/campuses", [], {
    intent: "set-semester",
    id: "99",
    closesOn: "",
    opensOn: "",
    seen: "|",
  }),
  "let sellers choose the place": adminForm("/admin/campuses", [], { intent: "end-points-only", id: "99" }),
  "remove a campus": adminForm("/admin/campuses", [], { intent: "remove-campus", id: "99" }),
  "add a meeting point": adminForm("/admin/campuses", [], {
    intent: "add-point",
    id: "1",
    name: "Library steps",
    opensAt: "08:00",
    closesAt: "20:00",
  }),
  "merge a category": adminForm("/admin/categories", [], {
    intent: "merge-category",
    id: "no-such-category",
    into: "textbooks",
  }),
  "say what a word means": adminForm("/admin/types", [], {
    intent: "set-word",
    type: "laptop",
    word: "mashine ya kuandika",
    use: "name",
  }),
  "take back what a word means": adminForm("/admin/types", [], {
    intent: "unset-word",
    type: "laptop",
    word: "no such word",
  }),
  "add a type": adminForm("/admin/types", [], () => {
    const name = `Kind ${crypto.randomUUID().replaceAll(/[^a-f]/g, "")}`;
    return { intent: "add-type", name, plural: `${name}s`, category: "other" };
  }),
  "remove a missed search": adminForm("/admin/types", [], { intent: "forget-missed", id: "no such search" }),
  "add a prohibited word": adminForm("/admin/prohibited", [], () => ({
    intent: "add-term",
    kind: "word",
    term: `contraband ${crypto.randomUUID().slice(0, 8)}`,
  })),
  "remove a prohibited word": adminForm("/admin/prohibited", [], { intent: "remove-term", id: "no-such-term" }),
  "remove a category": adminForm("/admin/categories", [], { intent: "remove-category", id: "no-such-category" }),
  "give a role": adminForm("/admin/admins", [], { intent: "give", email: "nobody@mail.test", role: "support" }, 409),
  "change a role": adminForm("/admin/admins", [], (_things, people) => ({
    intent: "change",
    id: people.buyer ?? "",
    was: "support",
    role: "owner",
  })),
  "take a role away": adminForm("/admin/admins", [], (_things, people) => ({
    intent: "take",
    id: people.buyer ?? "",
    was: "support",
  })),
  "reset a second step": adminForm("/admin/admins", [], (_things, people) => ({
    intent: "reset",
    email: `${people.buyer}@campus.test`,
  })),
  "add a university": adminForm("/admin/universities", [], () => ({
    intent: "add",
    name: "A test",
    domain: `${crypto.randomUUID()}.ac.ke`,
  })),
  "remove a university": adminForm("/admin/universities", [], { intent: "remove", id: "no-such-university.ac.ke" }),
  "add a university's login": adminForm("/admin/universities", [], {
    intent: "add-login",
    id: "no-such-university.ac.ke",
    issuer: "https://university.sandbox.internal",
    clientId: "a-test",
    campus: "",
  }),
  "turn a university's login off": adminForm("/admin/universities", [], {
    intent: "turn-off",
    id: "no-such-university.ac.ke",
  }),
  "turn a university's login on": adminForm("/admin/universities", [], {
    intent: "turn-on",
    id: "no-such-university.ac.ke",
  }),
  "remove a university's login": adminForm("/admin/universities", [], {
    intent: "remove-login",
    id: "no-such-university.ac.ke",
  }),
  "send failed emails again": adminForm("/admin/operations", ["support", "finance"], { intent: "send-all" }),
  "take a listing down": adminForm("/admin/problems/:issueId", ["support", "finance"], (things) => ({
    intent: "suspend-listing",
    id: things.productId,
    reason: "A test",
  })),
  "note on a report": adminForm("/admin/problems/:issueId", ["support", "finance"], { intent: "note", note: "Called" }),
  "close a report": adminForm("/admin/problems/:issueId", ["support", "finance"], {
    intent: "close",
    outcome: "Settled",
  }),
  "try a payout again": adminForm("/admin/money", ["finance"], { intent: "retry", kind: "payout", id: NOTHING }),
  "park a payout": adminForm("/admin/money", ["finance"], { intent: "park", id: NOTHING, reason: "A test" }),
  "send a payout by hand": adminForm("/admin/money", ["finance"], { intent: "reserve", kind: "payout", id: NOTHING }),
  "send a refund by hand": adminForm("/admin/money", ["finance"], { intent: "reserve", kind: "refund", id: NOTHING }),
  "note a refund": adminForm("/admin/money", ["finance"], {
    intent: "record",
    kind: "refund",
    id: NOTHING,
    receipt: "TAB1234567",
  }),
  "retry a refund": adminForm("/admin/money", ["finance"], { intent: "retry", kind: "refund", id: NOTHING }),
  "accept a held payment": adminForm("/admin/money", ["finance"], {
    intent: "accept",
    id: NOTHING,
    receipt: "TAB1234567",
  }),
  "dismiss a held payment": adminForm("/admin/money", ["finance"], {
    intent: "dismiss",
    id: NOTHING,
    reason: "A test",
  }),
  "note a payout sent by hand": adminForm("/admin/money", ["finance"], {
    intent: "record",
    kind: "payout",
    id: NOTHING,
    receipt: "TAB1234567",
  }),
  "accept a line of M-Pesa's list": adminForm("/admin/money/lists", ["finance"], {
    intent: "accept-line",
    id: NOTHING,
    attempt: NOTHING,
  }),
  "close a line of M-Pesa's list": adminForm("/admin/money/lists", ["finance"], {
    intent: "close-line",
    id: NOTHING,
    resolution: "Seen",
  }),
  "confirm what another admin proposed": adminForm("/admin/proposals", ["support", "finance"], {
    intent: "confirm",
    id: NOTHING,
    seenAmount: "60000",
  }),
  "decline what another admin proposed": adminForm("/admin/proposals", ["support", "finance"], {
    intent: "decline",
    id: NOTHING,
  }),
  "resolve a discrepancy": adminForm("/admin/money", ["finance"], (things) => ({
    intent: "resolve",
    id: things.discrepancyId,
    resolution: "Seen",
  })),
};

function screensOf(routes: ListedRoute[], prefix = ""): string[] {
  return routes.flatMap((route) => {
    const path = route.path === undefined ? prefix : `${prefix}/${route.path}`;
    if (!route.children) return [path || "/"];
    // A list with what is open beside it is a screen of its own.
    return [...(route.path === undefined ? [] : [path]), ...screensOf(route.children, path)];
  });
}

/** A search that the buyer saved. */
const SAVED = "5a7ed000-0000-4000-8000-000000000001";

/** The path with what it stands for. */
function fill(path: string, things: Things, people: People): string {
  const parts: [string, string | null][] = [
    ["checkout/:orderId", `checkout/${things.unpaidOrderId}`],
    [":orderId", things.orderId],
    [":productId", things.productId],
    ["p/:shortId/:slug?", publicProductPath({ id: things.productId, name: PRODUCT_NAME }).slice(1)],
    ["looking-for/:shortId", sharedSearchPath(SAVED).slice(1)],
    ["s/:shortId/:slug?", publicShopPath({ id: people.seller ?? "", title: SHOP_TITLE }).slice(1)],
    [":categoryName", "stationery"],
    [":category", "stationery"],
    [":campus", "main-campus"],
    [":itemId", things.itemId],
    [":checkoutRequestId", things.checkoutRequestId],
    ["problems/:id", `problems/${things.itemId}`],
    ["issues/:id?", `issues/${things.issueId}`],
    [":issueId", things.issueId],
    ["moderation/:caseId", `moderation/${things.caseId}`],
    ["report/:subject/:id", `report/listing/${things.productId}`],
    [":token", things.appealToken],
    [":link", unsubscribeToken(env.PASSWORD_PEPPER, { userId: people.buyer ?? "", group: "orders" })],
    ["documents/:id", `documents/${things.documentId}`],
    ["sitemaps/:file", "sitemaps/pages-1.xml"],
    ["private/:photo/:file", `${things.privatePhotoKey}/640.webp`],
    [":sellerId", people.seller],
    [":userId", people.seller],
    [":savedId", SAVED],
    ["*", "anything"],
  ];
  return parts.reduce((filled, [name, value]) => filled.replace(name, value ?? ""), path);
}

/** An answer for a page's scripts as a browser without scripts would get it: a redirect is in the data there. */
async function asDocument(response: Response): Promise<Response> {
  if (response.status !== 202 || !response.headers.get("Content-Type")?.startsWith("text/x-script")) return response;
  const to = /"redirect","([^"]*)"/.exec(await response.clone().text())?.[1];
  return to === undefined ? response : new Response(null, { status: 302, headers: { Location: to } });
}

function answerOf(response: Response): Answer {
  const to = response.headers.get("Location");
  if (to === null) return response.status;
  return `>${to.replace(/=.*/, "").replace(/(?<=^\/(admin\/moderation|admin\/problems|category|checkout|meetings|offers|product|seller\/orders|seller(?!\/orders)))\/.*/, "")}`;
}

let people: People;
let things: Things;
beforeAll(async () => {
  people = await makePeople();
  things = await makeThings(people);
  await env.DB.batch([
    env.DB.prepare("INSERT INTO saved_queries VALUES (1, 'q=kettle', 1000, 1)"),
    env.DB.prepare(
      "INSERT INTO saved_searches (id, user_id, query_id, created_at, shared_at) VALUES (?1, ?2, 1, 1, 1)",
    ).bind(SAVED, people.buyer),
  ]);
});

/** Asks as each kind of person. The one who succeeds comes last. */
async function answersTo(expected: Answers, ask: (as: string | null) => Promise<Response>): Promise<Answers> {
  const order = ROLES.toSorted((one, other) => accessLevel(expected[one]) - accessLevel(expected[other]));
  const answers = everyone(0);
  for (const role of order) {
    const response = await ask(people[role]);
    answers[role] = answerOf(await asDocument(response));
    await expectGuarded(response);
  }
  return answers;
}

/**
 * In every answer, scripts run only with its nonce and never see a session. A public page has one script, by its hash.
 */
async function expectGuarded(response: Response): Promise<void> {
  const { headers, status } = response;
  if (status === 101) return;
  const policy = headers.get("Content-Security-Policy") ?? "";
  // An uploaded file runs no scripts at all.
  if (policy.startsWith("default-src 'none'") && !policy.includes("script-src")) return;
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "";
  if (/^'sha256-[\w+/]{43}='$/.test(scripts)) return expectPublic(response);
  expect(scripts).toMatch(/^'self' 'nonce-[\w+/=]{22,}'$/);
  expect(noncesSeen.has(scripts)).toBe(false);
  noncesSeen.add(scripts);
  for (const cookie of headers.getSetCookie())
    expect(cookie).toMatch(/; HttpOnly(?=;|$).*; SameSite=Lax|; SameSite=Lax.*; HttpOnly(?=;|$)/);
  if (!headers.get("Content-Type")?.startsWith("text/html")) return;
  // Structured data for search engines is data, which browsers don't run.
  const inline = (await response.text()).match(/<script(?![^>]* (?:src=|type="application\/ld\+json"))[^>]*>/g) ?? [];
  for (const tag of inline) expect(`'self' 'nonce-${/nonce="([^"]*)"/.exec(tag)?.[1]}'`).toBe(scripts);
}

/** A public page has one script, which sets the theme, and no cookies. It never says what only members may know. */
async function expectPublic(response: Response): Promise<void> {
  if (!response.headers.get("Content-Type")?.startsWith("text/html")) return;
  expect(response.headers.getSetCookie()).toEqual([]);
  const html = await response.text();
  expect(html.match(/<script(?![^>]* type="application\/ld\+json")[^>]*>/g)).toEqual(["<script>"]);
  expect(html).not.toMatch(/@campus\.test|(?<![\da-f])(?:\+?254|0)7\d{8}(?![\da-f])/);
}

const noncesSeen = new Set<string>();

function accessLevel(answer: Answer): number {
  if (typeof answer === "number") return answer < 300 ? 2 : 0;
  return answer.startsWith(">/auth") || answer === ">/home" ? 0 : 1;
}

/** Names what a table lacks, and what it has too much of. */
function differences(rows: string[], routed: string[]): { addRowsFor: string[]; removeRowsFor: string[] } {
  return {
    addRowsFor: [...new Set(routed)].filter((path) => !rows.includes(path)),
    removeRowsFor: rows.filter((path) => !routed.includes(path)),
  };
}

const NO_DIFFERENCES = { addRowsFor: [], removeRowsFor: [] };

test("every screen and every endpoint stands in the table", ({ task }) => {
  const rows = {
    screens: Object.keys(SCREENS).length,
    endpoints: Object.keys(ENDPOINTS).length,
    forms: Object.keys(FORMS).length,
  };
  // Each screen is visited and sent a form, except logging out, which would end the sessions.
  const answers = (2 * rows.screens - 1 + rows.endpoints + rows.forms) * ROLES.length;
  task.meta.counted = `${answers} answers: ${rows.screens} screens, ${rows.endpoints} endpoints and ${rows.forms} forms, for ${ROLES.length} kinds of people`;
  expect(differences(Object.keys(SCREENS), screensOf(env.TEST_ROUTES))).toEqual(NO_DIFFERENCES);
  const endpoints = http.routes.filter(({ path }) => path !== "/*").map(({ method, path }) => `${method} ${path}`);
  expect(differences(Object.keys(ENDPOINTS), endpoints)).toEqual(NO_DIFFERENCES);
});

/** Who most often sees a screen comes first. */
const ROLES_BY_USE = ["buyer", "seller", "visitor", "incomplete", "admin"] as const satisfies Role[];

/** Screens of which the page leads somebody elsewhere after their form was refused. */
const LED_BY_PAGE = ["/orders/:orderId", "/p/:shortId/:slug?", "/complete-profile"];

test.each(Object.entries(SCREENS))("the screen %s answers each as it should", async (path, { get, post }) => {
  const filled = fill(path, things, people);
  const got = withCompleteProfile(path, get);
  expect(await answersTo(got, (as) => visit(filled, { as }))).toEqual(got);
  if (path === "/logout") return;
  // As a page's scripts send it, which renders nothing. The forms below are sent as by a browser without scripts.
  const action = path === "/" ? "/?index" : filled + (LED_BY_PAGE.includes(path) ? "" : ".data");
  const posted = withCompleteProfile(path, post);
  expect(await answersTo(posted, (as) => visit(action, { as, form: { intent: "nothing" } }))).toEqual(posted);
});

test("every screen has a title of its own", async () => {
  const screenOf = new Map<string, string>();
  const wrong: string[] = [];
  for (const [path, { get }] of Object.entries(SCREENS)) {
    // An unknown address shows another screen.
    const role = path.endsWith("*")
      ? undefined
      : ROLES_BY_USE.find((one) => withCompleteProfile(path, get)[one] === 200);
    if (role === undefined) continue;
    const response = await visit(fill(path, things, people), { as: people[role] });
    if (!response.headers.get("Content-Type")?.startsWith("text/html")) continue;
    const title = /<title>([^<]*)<\/title>/.exec(await response.text())?.[1] ?? "";
    if (!/^.{3,} – Chuoni$/.test(title)) wrong.push(`${path} is called "${title}"`);
    // A product and its public page have one name, and a shop and its, because nobody sees both.
    const twin = screenOf.get(`${role} ${title}`);
    if (twin !== undefined) wrong.push(`${path} and ${twin} are called "${title}"`);
    screenOf.set(`${role} ${title}`, path);
  }
  expect(wrong).toEqual([]);
  expect(screenOf.size).toBeGreaterThan(80);
});

test.each(Object.entries(ENDPOINTS))("the endpoint %s answers each as it should", async (name, expected) => {
  const [method = "GET", path = ""] = name.split(" ");
  const json = method === "POST" ? { body: "{}", headers: { "Content-Type": "application/json" } } : {};
  expect(
    await answersTo(expected, (as) =>
      visit(fill(path, things, people), { as, method: method === "ALL" ? "GET" : method, ...json }),
    ),
  ).toEqual(expected);
});

test.each(Object.entries(FORMS))(
  "to %s is answered to each as it should be",
  async (_name, { path, form, body, headers, answers }) => {
    // What an admin's form names by no id, it leaves as it is.
    const own = path.startsWith("/admin") && !form?.length ? things : await makeThings(people);
    const json = body && { body: JSON.stringify(body(own)), headers: { "Content-Type": "application/json" } };
    const expected = withCompleteProfile(path, answers);
    expect(
      await answersTo(expected, (as) =>
        visit(fill(path, own, people), { as, form: form?.(own, people), headers, ...json }),
      ),
    ).toEqual(expected);
  },
);

test("whoever has no complete profile changes nothing by a form that needs a login", () => {
  for (const [name, { form, body, answers }] of Object.entries(FORMS)) {
    if (!(form ?? body) || answers.visitor !== 401) continue;
    expect([name, answers.incomplete]).toEqual([name, 403]);
  }
  for (const [name, answers] of Object.entries(ENDPOINTS)) {
    if (!name.startsWith("POST /api") || answers.visitor !== 401) continue;
    expect([name, answers.incomplete]).toEqual([name, 403]);
  }
});

/** Screens that search engines may list. Everything else says `noindex`. */
const FOR_SEARCH_ENGINES = [
  "/campus",
  "/p/:shortId/:slug?",
  "/s/:shortId/:slug?",
  "/c/:category",
  "/campus/:campus",
  "/support",
  "/terms",
  "/privacy",
  "/verified",
  "/protection",
  "/help",
  "/help/contact",
  "/help/:topic",
  "/auth",
  "/auth/signup",
];

test("everything but public pages and a few screens is kept out of search engines", async () => {
  const listed: string[] = [];
  for (const path of [...Object.keys(SCREENS), ...Object.keys(ENDPOINTS).map((name) => name.split(" ")[1] ?? "")]) {
    const response = await visit(fill(path, things, people));
    if (response.headers.get("X-Robots-Tag") !== "noindex") listed.push(path);
  }
  expect(listed.toSorted()).toEqual(FOR_SEARCH_ENGINES.toSorted());
  const pictures = await visit(`/files/img/${"0".repeat(32)}/640.webp`);
  expect(pictures.headers.get("X-Robots-Tag")).toBeNull();
  const login = await visit("/auth?to=%2Fcart");
  expect(login.headers.get("Link")).toBe(`<${env.APP_ORIGIN}/auth>; rel="canonical"`);
});

test("what visitors can open says nobody's last name, phone number, email or meeting place", async () => {
  const described = "Call 0722 000 050 or write to otieno@kiplagat.test";
  await env.DB.batch([
    env.DB.prepare("UPDATE profiles SET full_name = 'Otieno Kiplagat' WHERE id = ?").bind(people.seller),
    env.DB.prepare("UPDATE shops SET description = ?2 WHERE id = ?1").bind(people.seller, described),
    env.DB.prepare("UPDATE products SET description = ?2 WHERE id = ?1").bind(things.productId, described),
    env.DB.prepare(
      `INSERT INTO meeting_points (id, campus_id, name, opens_at, closes_at, weekdays_only, created_at)
        SELECT 'steps', id, 'Chapel steps', 480, 1200, 0, 1 FROM campus_locations LIMIT 1`,
    ),
  ]);
  const open = Object.keys(SCREENS).filter((path) => SCREENS[path]?.get.visitor === 200);
  expect(open).toEqual(
    expect.arrayContaining(["/p/:shortId/:slug?", "/s/:shortId/:slug?", "/c/:category", "/campus/:campus"]),
  );
  for (const path of open) {
    const html = await (await visit(fill(path, things, people))).text();
    const found = /kiplagat|0?722\s?000\s?050|Chapel steps/i.exec(html)?.[0];
    expect([path, found]).toEqual([path, undefined]);
  }
});

test("logging out ends the session of that browser at once, even where KV still knows it, and no other session", async () => {
  const { buyer } = await makePeople();
  if (!buyer) throw new Error("no buyer");
  const [thisBrowser, otherBrowser] = [await sessionCookie(buyer), await sessionCookie(buyer)];
  const key = (await env.SESSIONS.list()).keys.map(({ name }) => name);
  const kept = await Promise.all(key.map(async (name) => [name, await env.SESSIONS.get(name)] as const));
  expect(answerOf(await visit("/logout", { form: {}, headers: { Cookie: thisBrowser } }))).toBe(">/auth");
  for (const [name, value] of kept) if (value !== null) await env.SESSIONS.put(name, value);
  expect(answerOf(await visit("/home", { headers: { Cookie: thisBrowser } }))).toBe(SIGN_IN);
  expect(answerOf(await visit("/home", { headers: { Cookie: otherBrowser } }))).toBe(200);
});

test("no change is taken from another site, whoever is signed in", async () => {
  const paths = [
    ...Object.keys(SCREENS),
    ...Object.keys(ENDPOINTS).flatMap((name) => (name.startsWith("POST /api") ? [name.slice(5)] : [])),
  ];
  for (const [n, path] of paths.entries()) {
    const response = await visit(fill(path, things, people), {
      as: people.admin,
      form: { intent: "clear-cart" },
      headers: { Origin: n % 2 === 0 ? "https://evil.example" : "null" },
    });
    expect([path, response.status]).toEqual([path, 403]);
  }
});

/**
 * Listings that nobody but their seller and our team may see, and one that everybody sees. Each name has its own word.
 */
const HIDDEN = {
  zqheld: "suspended_at = 1, held_for = 'gun'",
  zqtaken: "suspended_at = 1",
  zqdeleted: "deleted_at = 1",
  zqsoldheld: "status = 'sold', stock = 0, suspended_at = 1, held_for = 'gun'",
  zqgone: "status = 'out_of_stock', stock = 0, deleted_at = 1",
};
const SHOWN = "zqshown";

test("no answer holds a listing that is held, taken down or deleted, except its seller's own and our team's", async () => {
  const own = await makePeople();
  const { seller, otherSeller, admin } = own;
  if (!seller) throw new Error("people are missing");
  const listed = await makeThings(own);
  const list = async (word: string, change = "name = name") => {
    const id = await makeProduct(seller, { name: `Marimba ${word}`, location: "Marimba Campus" });
    await env.DB.batch([
      // Somebody has it in their cart and on their wishlist, from before.
      env.DB.prepare(
        `INSERT INTO cart_items (id, user_id, product_id, quantity, created_at, updated_at)
          VALUES (?1, ?2, ?3, 1, 1, 1)`,
      ).bind(crypto.randomUUID(), otherSeller, id),
      env.DB.prepare("INSERT INTO wishlist_items (id, user_id, product_id, created_at) VALUES (?1, ?2, ?3, 1)").bind(
        crypto.randomUUID(),
        otherSeller,
        id,
      ),
      env.DB.prepare(
        `UPDATE products SET category = 'marimbas', description = 'Marimba, ${word}', condition = 'good' WHERE id = ?`,
      ).bind(id),
      env.DB.prepare(`UPDATE products SET ${change} WHERE id = ?`).bind(id),
    ]);
    return id;
  };
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO categories (id, name, name_key, status, created_at)
        VALUES ('marimbas', 'Marimbas', 'marimbas', 'approved', 1)`,
    ),
    env.DB.prepare("INSERT INTO campus_locations (name) VALUES ('Marimba Campus')"),
    env.DB.prepare("UPDATE shops SET featured_until = 9e15 WHERE id = ?").bind(seller),
  ]);
  const hidden: Record<string, string> = {};
  for (const [word, change] of Object.entries(HIDDEN)) hidden[word] = await list(word, change);
  const shownId = await list(SHOWN);
  const paths = [
    ...Object.keys(SCREENS).filter((path) => path !== "/logout"),
    ...Object.keys(ENDPOINTS).flatMap((name) => (name.startsWith("GET ") ? [name.slice(4)] : [])),
  ];
  const addresses = new Set(
    [shownId, ...Object.values(hidden)].flatMap((productId) =>
      paths.map((path) =>
        fill(
          path
            .replace(":categoryName", "marimbas")
            .replace(":category", "marimbas")
            .replace(":campus", "marimba-campus"),
          { ...listed, productId },
          own,
        ),
      ),
    ),
  );
  for (const query of [
    "/search?q=marimba",
    "/search/suggestions?q=marimba",
    "/category/marimbas?condition=good&sort=price-desc",
  ])
    addresses.add(query);

  const find = async (as: string | null) => {
    const found: { path: string; words: string[] }[] = [];
    for (const path of addresses) {
      const response = await visit(path, { as });
      if (response.status === 101) continue;
      const text = await response.text();
      found.push({ path, words: [SHOWN, ...Object.keys(HIDDEN)].filter((word) => text.toLowerCase().includes(word)) });
    }
    return found;
  };
  for (const as of [null, otherSeller]) {
    const found = await find(as);
    expect(found.filter(({ words }) => words.some((word) => word in HIDDEN))).toEqual([]);
    expect(found.filter(({ words }) => words.includes(SHOWN)).length).toBeGreaterThan(5);
  }
  // The words are found where they may be.
  const bySeller = new Set((await find(seller)).flatMap(({ words }) => words));
  expect(bySeller).toEqual(new Set([SHOWN, "zqheld", "zqtaken", "zqsoldheld"]));
  const byAdmin = (await find(admin)).filter(
    ({ path, words }) => !path.startsWith("/admin") && words.some((word) => word in HIDDEN),
  );
  expect(byAdmin).toEqual([]);
});
