/**
 * What leaves is true when it leaves, and still wanted: for each kind something is queued, and what it says is undone
 * in every way that there is. The compiler asks for a new kind.
 */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { write } from "#app/db/batch.ts";
import { notifications, pushSubscriptions } from "#app/notifications/tables.server.ts";
import { outbox } from "#app/db/tables.server.ts";
import { shops } from "#app/accounts/tables.server.ts";
import { LISTED_MAX, type Kind, type KindData, KINDS, type Notification } from "#app/notifications/kinds.ts";
import type { Mail } from "#app/notifications/mailer.ts";
import { notify, tell } from "#app/notifications/notify.server.ts";
import type { PushMessage } from "#app/notifications/push/push.ts";
import { openParty } from "#app/notifications/recipient-rules.ts";
import { saveNotificationSettings } from "#app/notifications/settings.server.ts";
import { type Choice, choiceGroupOf } from "#app/notifications/settings-rules.ts";
import { db, type Deal, makeDeal, makeProduct, makeUser, servicesAt } from "#tests/support/fixtures.ts";
import { tellWaiting } from "#tests/support/gathered.ts";
import { acceptedMeeting, readMeetingOf } from "#tests/support/meetings.ts";
import { giveMessage } from "#tests/support/messages.ts";
import { feeIs } from "#tests/support/service-fee.ts";
import { openOffer } from "#tests/support/offers.ts";
import { payDeal } from "#tests/support/paid-deal.ts";
import { findTrue } from "#app/screens/notifications/still-true.server.ts";
import { drainOutbox } from "#workers/jobs/send-outbox.ts";

const HOUR_MS = 60 * 60_000;

/** What was told to `reader`, and what it is about. */
interface Made<K extends Kind> {
  reader: string;
  data: KindData[K];
  /** Ids of what the ways to undo it change. */
  ids: Record<string, string>;
}

interface Case<K extends Kind> {
  make(): Promise<Made<K>>;
  /** In words, each way after which nothing may leave. */
  undo: Record<string, (made: Made<K>) => Promise<unknown>>;
}

/** It happened, and is told whatever came after. */
const PAST = "past";

function run(text: string, ...values: unknown[]) {
  return env.DB.prepare(text)
    .bind(...values)
    .run();
}

const setProduct = (change: string) => (made: { ids: Record<string, string> }) =>
  run(`UPDATE products SET ${change} WHERE id = ?`, made.ids.product);
const setItem = (status: string) => (made: { ids: Record<string, string> }) =>
  run("UPDATE order_items SET status = ?2 WHERE id = ?1", made.ids.item, status);

/** The ways in which a listing stops being something to buy for a reader. */
const GONE = {
  "the listing is deleted": setProduct("deleted_at = 1"),
  "the listing is sold": setProduct("status = 'sold'"),
  "the listing is out of stock": setProduct("status = 'out_of_stock'"),
  "the listing isn't confirmed": setProduct("status = 'unconfirmed'"),
  "the listing is taken down": setProduct("suspended_at = 1"),
  "the listing is held": setProduct("suspended_at = 1, held_for = 'pistol'"),
  "they block the seller": ({ reader, ids }: Made<Kind>) =>
    run("INSERT INTO blocks VALUES (?1, ?2, 1)", reader, ids.seller),
  "the seller blocks them": ({ reader, ids }: Made<Kind>) =>
    run("INSERT INTO blocks VALUES (?2, ?1, 1)", reader, ids.seller),
};

async function listing(price = 900) {
  const [seller, reader] = [await makeUser(), await makeUser()];
  const product = await makeProduct(seller, { price, name: "Kettle", stock: 3 });
  const told = { productId: product, productName: "Kettle", price, priceBefore: null };
  return { reader, told, ids: { seller, product } };
}

async function savedSearch(reader: string, maxPrice = 1_000): Promise<string> {
  const id = crypto.randomUUID();
  await run("INSERT INTO saved_queries (address, max_price, created_at) VALUES (?, ?, 1)", `q=${id}`, maxPrice);
  await run(
    `INSERT INTO saved_searches (id, user_id, query_id, frequency, created_at)
      SELECT ?1, ?2, id, 'at_once', 1 FROM saved_queries WHERE address = ?3`,
    id,
    reader,
    `q=${id}`,
  );
  return id;
}

const SEARCH_OVER = {
  "the search is deleted": ({ ids }: Made<Kind>) => run("DELETE FROM saved_searches WHERE id = ?", ids.search),
  "the search tells of nothing any more": ({ ids }: Made<Kind>) =>
    run("UPDATE saved_searches SET frequency = 'never' WHERE id = ?", ids.search),
  "the price is above what they look for": setProduct("price = 1001"),
};

async function foundListing(priceBefore: number | null) {
  const { reader, told, ids } = await listing();
  const search = await savedSearch(reader);
  const data = { count: 1, listings: [{ ...told, priceBefore, search: "“kettle”", searchIds: [search] }] };
  return { reader, data, ids: { ...ids, search } };
}

async function token(purpose: string) {
  const [reader, id] = [await makeUser(), crypto.randomUUID()];
  await run(
    `INSERT INTO email_tokens (id, token_hash, user_id, purpose, expires_at, created_at)
      VALUES (?1, ?1, ?2, ?3, ?4, 1)`,
    id,
    reader,
    purpose,
    Date.now() + HOUR_MS,
  );
  return { reader, data: { tokenId: id }, ids: { token: id } };
}
const USED = {
  "the link is used, or a later one counts": ({ ids }: Made<Kind>) =>
    run("UPDATE email_tokens SET used_at = 1 WHERE id = ?", ids.token),
};

async function unpaid() {
  const deal = await makeDeal();
  await run("UPDATE orders SET payment_status = 'failed' WHERE id = ?", deal.orderId);
  return { reader: deal.buyerId, orderId: deal.orderId, ids: { order: deal.orderId } };
}
const PAID = Object.fromEntries(
  [
    ["the order is paid", "payment_status = 'completed', order_status = 'pending'"],
    ["another payment is under way", "payment_status = 'processing'"],
    ["the order is closed", "order_status = 'expired'"],
  ].map(([what, change]) => [
    what,
    ({ ids }: Made<Kind>) => run(`UPDATE orders SET ${change} WHERE id = ?`, ids.order),
  ]),
);

const idsOf = ({ itemId, orderId }: Deal) => ({ item: itemId, order: orderId });
const step = ({ itemId, orderId }: Deal) => ({
  productName: "Kettle",
  price: 1_900,
  orderId,
  orderItemId: itemId,
  amount: null,
  note: null,
  until: null,
});
const event = (name: string) => (made: { ids: Record<string, string> }) =>
  run(
    "INSERT INTO deal_events (id, order_item_id, event, actor, created_at) VALUES (?, ?, ?, 'clock', ?)",
    crypto.randomUUID(),
    made.ids.item,
    name,
    Date.now(),
  );

async function plan(endsAt: number) {
  const [reader, id] = [await makeUser(), crypto.randomUUID()];
  await run(
    `INSERT INTO subscriptions (id, user_id, plan, amount, status, starts_at, ends_at, created_at, updated_at)
      VALUES (?, ?, 'weekly_featured', 400, 'active', 1, ?, 1, 1)`,
    id,
    reader,
    endsAt,
  );
  return { reader, ids: { plan: id } };
}
const renewed = ({ reader }: Made<Kind>) =>
  run(
    `INSERT INTO subscriptions (id, user_id, plan, amount, status, starts_at, ends_at, created_at, updated_at)
      VALUES (?, ?, 'weekly_featured', 400, 'active', 1, ?, 1, 1)`,
    crypto.randomUUID(),
    reader,
    Date.now() + 99 * HOUR_MS,
  );

async function conversation() {
  const [reader, otherId] = [await makeUser(), await makeUser()];
  await giveMessage({ senderId: otherId, recipientId: reader });
  return { reader, otherId, ids: { other: otherId } };
}
const READ = {
  "our team removes it": ({ reader }: Made<Kind>) =>
    run("UPDATE messages SET removed_at = 1 WHERE recipient_id = ?", reader),
  "they read it": ({ reader }: Made<Kind>) => run("UPDATE messages SET read = 1 WHERE recipient_id = ?", reader),
  "they block the sender": ({ reader, ids }: Made<Kind>) =>
    run("INSERT INTO blocks VALUES (?1, ?2, 1)", reader, ids.other),
  "the sender is suspended": ({ ids }: Made<Kind>) =>
    run("UPDATE credentials SET suspended_at = 1 WHERE id = ?", ids.other),
  "the sender is deleted": ({ ids }: Made<Kind>) => run("UPDATE profiles SET deleted_at = 1 WHERE id = ?", ids.other),
};

async function reviewed() {
  const deal = await payDeal();
  await run(
    `INSERT INTO reviews (id, order_item_id, author_id, subject_id, subject_role, rating, created_at, publish_at)
      VALUES (?, ?, ?, ?, 'seller', 5, 1, 1)`,
    crypto.randomUUID(),
    deal.itemId,
    deal.buyerId,
    deal.sellerId,
  );
  const data = { role: "seller" as const, productName: "Kettle", orderItemId: deal.itemId };
  return { reader: deal.sellerId, data, ids: { item: deal.itemId, buyer: deal.buyerId } };
}
const removeReview = ({ ids }: Made<Kind>) =>
  run("UPDATE reviews SET removed_at = 1 WHERE order_item_id = ?", ids.item);

async function parked(table: "payouts" | "refunds") {
  const deal = await payDeal();
  const attempt = await env.DB.prepare("SELECT id FROM payment_attempts WHERE order_id = ?")
    .bind(deal.orderId)
    .first<string>("id");
  const own =
    table === "payouts"
      ? { order_item_id: deal.itemId, seller_id: deal.sellerId }
      : { order_id: deal.orderId, attempt_id: attempt, reason: "order_already_paid" };
  const row = { id: deal.itemId, conversation_id: deal.itemId, callback_token: deal.itemId, amount: 1_900, ...own };
  await run(
    `INSERT INTO ${table} (${Object.keys(row).join()}, state, created_at, updated_at)
      VALUES (${Object.keys(row).map(() => "?")}, 'parked', 1, 1)`,
    ...Object.values(row),
  );
  return { deal, ids: { item: deal.itemId, order: deal.orderId } };
}

const MEETING_OVER = {
  "it is cancelled": ({ ids }: Made<Kind>) =>
    run("UPDATE meetings SET state = 'cancelled' WHERE order_item_id = ?", ids.item),
  "another time is suggested": ({ ids }: Made<Kind>) =>
    run("UPDATE meetings SET state = 'proposed', starts_at = starts_at + 1 WHERE order_item_id = ?", ids.item),
  "the item is handed over": setItem("delivered"),
  "the item is given back": setItem("cancelled"),
};

const CASES: { [K in Kind]: Case<K> | typeof PAST } = {
  confirmation: { make: () => token("confirmation"), undo: USED },
  password_reset: { make: () => token("password_reset"), undo: USED },
  email_change: { make: () => token("email_change"), undo: USED },
  welcome: PAST,
  email_changing: PAST,
  email_changed: PAST,
  password_changed: PAST,
  google_linked: PAST,
  two_step_changed: PAST,
  admin_role_changed: PAST,
  admin_role_given: PAST,
  login_added: PAST,
  admin_step_reset: PAST,
  payout_phone_changed: PAST,
  payment_received: PAST,
  payment_failed: {
    async make() {
      const { orderId, ...made } = await unpaid();
      return { ...made, data: { orderId, amount: 1_900, failure: "wrong_pin" } };
    },
    undo: PAID,
  },
  payment_held: {
    async make() {
      const { orderId, ...made } = await unpaid();
      await run("UPDATE orders SET payment_status = 'processing' WHERE id = ?", orderId);
      return { ...made, data: { orderId, amount: 1_900 } };
    },
    undo: {
      "it is paid": ({ ids }) => run("UPDATE orders SET payment_status = 'completed' WHERE id = ?", ids.order),
      "it is dismissed": ({ ids }) => run("UPDATE orders SET payment_status = 'failed' WHERE id = ?", ids.order),
    },
  },
  payment_dismissed: {
    async make() {
      const { orderId, ...made } = await unpaid();
      return { ...made, data: { orderId, amount: 1_900 } };
    },
    undo: PAID,
  },
  refund_due: PAST,
  refund_parked: {
    async make() {
      const { deal, ids } = await parked("refunds");
      return { reader: deal.buyerId, data: { orderId: deal.orderId, amount: 1_900 }, ids };
    },
    undo: { "it is sent": ({ ids }) => run("UPDATE refunds SET state = 'sent' WHERE order_id = ?", ids.order) },
  },
  refund_sent: PAST,
  payout_sent: PAST,
  payout_parked: {
    async make() {
      const { deal, ids } = await parked("payouts");
      return { reader: deal.sellerId, data: { orderItemId: deal.itemId, items: 1, amount: 1_900, reason: "…" }, ids };
    },
    undo: { "it is sent": ({ ids }) => run("UPDATE payouts SET state = 'sent' WHERE order_item_id = ?", ids.item) },
  },
  plan_active: PAST,
  plan_refund_due: PAST,
  plan_ending: {
    async make() {
      const endsAt = Date.now() + 2 * HOUR_MS;
      return { ...(await plan(endsAt)), data: { plan: "Weekly", planId: "weekly_featured", endsAt } };
    },
    undo: { "it is renewed": renewed },
  },
  plan_ended: {
    async make() {
      return { ...(await plan(1)), data: { plan: "Weekly", planId: "weekly_featured" } };
    },
    undo: { "it is renewed": renewed },
  },
  issue_closed: PAST,
  case_outcome: PAST,
  report_undone: PAST,
  case_decided: PAST,
  appeal_answered: PAST,
  decision_changed: PAST,
  verification_decided: PAST,
  student_check: { make: () => token("confirmation"), undo: USED },
  student_ending: {
    async make() {
      const reader = await makeUser();
      const until = Date.UTC(2027, 9, 31, 21);
      await run("UPDATE profiles SET verified_level = 'student', student_until = ? WHERE id = ?", until, reader);
      return { reader, data: { until, byAddress: true }, ids: { reader } };
    },
    undo: {
      "a new proof came": ({ ids }) =>
        run("UPDATE profiles SET student_until = ? WHERE id = ?", Date.UTC(2028, 9, 31), ids.reader),
      "they are no verified student": ({ ids }) =>
        run("UPDATE profiles SET verified_level = 'email' WHERE id = ?", ids.reader),
    },
  },
  proposals_waiting: {
    async make() {
      const reader = await makeUser();
      await run("UPDATE profiles SET admin_role = 'owner' WHERE id = ?", reader);
      await run(
        `INSERT INTO admin_proposals (id, act, subject, admin_id, input, reasons, amount, created_at)
          VALUES (?1, 'deals_ended', ?1, ?2, '{}', '-', 1, 1)`,
        crypto.randomUUID(),
        reader,
      );
      return { reader, data: { count: 1, since: 1 }, ids: {} };
    },
    undo: { "they are decided": () => run("UPDATE admin_proposals SET state = 'confirmed', decided_at = 1") },
  },
  fees_waiting: {
    async make() {
      const [reader, setBy] = [await makeUser(), await makeUser()];
      await run("UPDATE profiles SET admin_role = 'owner' WHERE id = ?", reader);
      await run(
        `INSERT INTO service_fees (id, payer, share, smallest, largest, starts_at, set_by, created_at)
          VALUES (?, 'seller', 500, 0, 100, ?, ?, 1)`,
        crypto.randomUUID(),
        Date.UTC(2100, 0, 1),
        setBy,
      );
      return { reader, data: { count: 1, since: 1 }, ids: {} };
    },
    undo: {
      "another owner confirms it": () => run("UPDATE service_fees SET confirmed_by = set_by, confirmed_at = 2"),
      "an owner declines it": () => run("DELETE FROM service_fees"),
    },
  },
  deal_outcome: PAST,
  deal_warning: {
    async make() {
      const deal = await payDeal();
      await run("UPDATE order_items SET status = 'delivered' WHERE id = ?", deal.itemId);
      await event("delivered")({ ids: idsOf(deal) });
      return { reader: deal.buyerId, data: { ...step(deal), role: "buyer", step: "delivered" }, ids: idsOf(deal) };
    },
    undo: { "the buyer has said that everything is fine": event("accepted") },
  },
  deal_step: {
    async make() {
      const deal = await payDeal();
      await event("cancel_requested")({ ids: idsOf(deal) });
      return {
        reader: deal.sellerId,
        data: { ...step(deal), role: "seller", step: "cancel_requested" },
        ids: idsOf(deal),
      };
    },
    undo: { "the buyer has withdrawn it": event("cancel_withdrawn"), "it is over": event("cancelled_by_seller") },
  },
  new_sale: {
    async make() {
      const deal = await payDeal();
      const data = {
        orderItemId: deal.itemId,
        productName: "Kettle",
        quantity: 1,
        subtotal: 1,
        taken: false,
        hasMeeting: false,
      };
      return { reader: deal.sellerId, data, ids: idsOf(deal) };
    },
    undo: { "it is cancelled": setItem("cancelled"), "it is over": setItem("completed") },
  },
  meeting_step: {
    async make() {
      const deal = await acceptedMeeting();
      const startsAt = (await readMeetingOf(deal.itemId))?.startsAt ?? 0;
      const data = { role: "buyer", step: "reminder", productName: "Kettle", point: null, startsAt } as const;
      return {
        reader: deal.buyerId,
        data: { ...data, orderId: deal.orderId, orderItemId: deal.itemId },
        ids: idsOf(deal),
      };
    },
    undo: MEETING_OVER,
  },
  offer_step: {
    async make() {
      const offer = await openOffer();
      const data = { role: "seller", step: "offered", productName: "Kettle", amount: 1_500, until: null } as const;
      const { sellerId: reader, buyerId: otherId, offerId } = offer;
      return { reader, data: { ...data, otherId, offerId }, ids: { offer: offerId } };
    },
    undo: Object.fromEntries(
      ["withdrawn", "expired", "ended", "declined", "accepted"].map((state) => [
        `it is ${state}`,
        ({ ids }: Made<Kind>) => run("UPDATE offers SET state = ?2 WHERE id = ?1", ids.offer, state),
      ]),
    ),
  },
  message: {
    async make() {
      const { otherId, ...made } = await conversation();
      return { ...made, data: { senderName: "Brian Kamau", otherId, productName: null } };
    },
    undo: READ,
  },
  new_messages: {
    async make() {
      const { otherId, ...made } = await conversation();
      return { ...made, data: { senderName: "Brian Kamau", otherId, count: 1, productName: null, excerpt: null } };
    },
    undo: READ,
  },
  review_written: {
    async make() {
      const { data, ...made } = await reviewed();
      return { ...made, data: { ...data, until: Date.now() + HOUR_MS } };
    },
    undo: {
      "our team removes the review": removeReview,
      "they have written theirs": ({ reader, ids }) =>
        run(
          `INSERT INTO reviews (id, order_item_id, author_id, subject_id, subject_role, rating, created_at, publish_at)
            VALUES (?, ?, ?, ?, 'buyer', 5, 1, 1)`,
          crypto.randomUUID(),
          ids.item,
          reader,
          ids.buyer,
        ),
      "one of the two blocks the other": ({ reader, ids }) =>
        run("INSERT INTO blocks (user_id, blocked_id, created_at) VALUES (?, ?, 1)", ids.buyer, reader),
    },
  },
  reviews_published: {
    async make() {
      const { data, ...made } = await reviewed();
      return { ...made, data: { ...data, both: true } };
    },
    undo: { "our team removes the review": removeReview },
  },
  review_replied: {
    async make() {
      const { data, reader: subject, ids } = await reviewed();
      await run("UPDATE reviews SET reply = 'Thanks', replied_at = 1 WHERE subject_id = ?", subject);
      return { reader: ids.buyer, data: { ...data, role: "buyer" }, ids };
    },
    undo: {
      "our team removes the review": removeReview,
      "our team removes the reply": ({ ids }) =>
        run("UPDATE reviews SET reply_removed_at = 1 WHERE order_item_id = ?", ids.item),
    },
  },
  stock_free: {
    async make() {
      const { told, ...made } = await listing();
      return { ...made, data: { count: 1, listings: [told] } };
    },
    undo: {
      ...GONE,
      "all that is left is reserved": setProduct("reserved = stock"),
      "the seller goes on holiday": ({ ids }) =>
        db.insert(shops).values({
          id: ids.seller ?? "",
          shopName: "S",
          createdAt: 1,
          updatedAt: 1,
          awayUntil: Date.now() + HOUR_MS,
        }),
    },
  },
  search_found: {
    make: () => foundListing(1_000),
    undo: { ...GONE, ...SEARCH_OVER, "the price is back": setProduct("price = 1000") },
  },
  searches_daily: { make: () => foundListing(null), undo: { ...GONE, ...SEARCH_OVER } },
  wish_cheaper: {
    async make() {
      const { told, ...made } = await listing();
      await run(
        "INSERT INTO wishlist_items (id, user_id, product_id, price, created_at) VALUES (?, ?, ?, 900, 1)",
        crypto.randomUUID(),
        made.reader,
        told.productId,
      );
      return { ...made, data: { count: 1, listings: [{ ...told, priceBefore: 1_000 }] } };
    },
    undo: {
      ...GONE,
      "the price is back": setProduct("price = 1000"),
      "it costs more than they were told": setProduct("price = 950"),
      "they take it off the wishlist": ({ reader }) => run("DELETE FROM wishlist_items WHERE user_id = ?", reader),
    },
  },
  // It never leaves: it stands in the centre alone.
  shops_daily: PAST,
  friend_came: PAST,
  saved: PAST,
  held_listing_published: {
    async make() {
      const { told, ids } = await listing();
      return { reader: ids.seller, data: { count: 1, listings: [told] }, ids };
    },
    undo: Object.fromEntries(Object.entries(GONE).filter(([what]) => what.startsWith("the listing"))),
  },
  listing_held: {
    async make() {
      const { ids } = await listing();
      await setProduct("suspended_at = 1, held_for = 'pistol'")({ ids });
      return { reader: ids.seller, data: { productId: ids.product, productName: "Kettle", heldFor: "pistol" }, ids };
    },
    undo: {
      "it is published": setProduct("suspended_at = NULL, held_for = NULL"),
      "it is deleted": setProduct("deleted_at = 1"),
    },
  },
  import_held: {
    async make() {
      const { ids } = await listing();
      await setProduct("suspended_at = 1, held_for = 'pistol'")({ ids });
      return { reader: ids.seller, data: {}, ids };
    },
    undo: {
      "they are published": setProduct("suspended_at = NULL, held_for = NULL"),
      "they are deleted": setProduct("deleted_at = 1"),
    },
  },
  still_available: {
    async make() {
      const { ids } = await listing();
      await setProduct(`asked_at = ${Date.now() + 1_000}`)({ ids });
      return { reader: ids.seller, data: { productId: ids.product, productName: "Kettle", others: 0 }, ids };
    },
    undo: {
      "they answer": setProduct("asked_at = NULL"),
      "they change it": setProduct(`updated_at = ${Date.now() + 2 * HOUR_MS}`),
      "it is sold": setProduct("status = 'sold'"),
      "it is deleted": setProduct("deleted_at = 1"),
    },
  },
  listing_left: {
    async make() {
      const { ids } = await listing();
      await setProduct("status = 'unconfirmed'")({ ids });
      return { reader: ids.seller, data: { productId: ids.product, productName: "Kettle", others: 0 }, ids };
    },
    undo: { "they bring it back": setProduct("status = 'active'"), "it is deleted": setProduct("deleted_at = 1") },
  },
  digest: {
    async make() {
      const { told, ...made } = await listing();
      return { ...made, data: { productId: told.productId, productName: "Kettle", others: [] } };
    },
    undo: GONE,
  },
  team_question: PAST,
  alarm: PAST,
  test_email: PAST,
};

beforeEach(async () => {
  await db.delete(outbox);
  await db.delete(notifications);
  await run("DELETE FROM admin_proposals");
  await run("DELETE FROM leases");
});

async function address(userId: string): Promise<string> {
  return (await env.DB.prepare("SELECT email FROM credentials WHERE id = ?").bind(userId).first<string>("email")) ?? "";
}

/** Somebody with a device, whose settings let everything pass. */
async function openReader(userId: string, kind: Kind) {
  const group = choiceGroupOf(kind);
  const changes = group === null ? {} : { [`${group}.email` as Choice]: true };
  await saveNotificationSettings(servicesAt(), userId, { changes, quiet: null });
  await db.insert(pushSubscriptions).values({
    id: crypto.randomUUID(),
    userId,
    endpoint: `https://push.sandbox.internal/push/${crypto.randomUUID()}`,
    p256dh: "p",
    auth: "a",
    deviceName: "Chrome on Android",
    sessionId: "s",
    sessionEpoch: 1,
    endsAt: Date.now() + 99 * HOUR_MS,
    createdAt: 1,
    usedAt: 1,
  });
  return openParty({ id: userId, email: await address(userId), name: "Wanjiku Otieno" });
}

/** Lets everything leave that waits, an hour ahead. */
async function drain(): Promise<{ mails: Mail[]; pushes: PushMessage[] }> {
  const [mails, pushes]: [Mail[], PushMessage[]] = [[], []];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const push = {
    publicKey: "k",
    accepts: () => true,
    send: async (_target: object, message: PushMessage) => (pushes.push(message), "sent" as const),
  };
  const later = { ...servicesAt(HOUR_MS / 2), pause: async () => {}, log: () => {} };
  await drainOutbox(later, { mailer, push });
  return { mails, pushes };
}

async function queue(kind: Kind): Promise<Made<Kind> & { case: Case<Kind> }> {
  const found = CASES[kind] as Case<Kind>;
  const made = await found.make();
  // What making it has told.
  await db.delete(outbox);
  await db.delete(notifications);
  const reader = await openReader(made.reader, kind);
  await write(db, tell(reader, { kind, data: made.data } as Notification, `key:${crypto.randomUUID()}`, Date.now()));
  return { ...made, case: found };
}

const undoable = (Object.keys(CASES) as Kind[]).filter((kind) => CASES[kind] !== PAST);
const ways = (kind: Kind) => [KINDS[kind].email, KINDS[kind].push].filter((rule) => rule !== null).length;

describe.each(undoable)("%s", (kind) => {
  test("leaves while it is true, to the address that the account has now", async () => {
    const { reader } = await queue(kind);
    const before = await address(reader);
    await run("UPDATE credentials SET email = 'new-' || email WHERE id = ?", reader);
    const { mails, pushes } = await drain();
    expect([mails.length + pushes.length, mails.length > 0]).toEqual([ways(kind), KINDS[kind].email !== null]);
    const stays = KINDS[kind].traffic === "security";
    for (const { to } of mails) expect(to).toBe(stays ? before : `new-${before}`);
  });

  test.each(Object.keys((CASES[kind] as Case<Kind>).undo))("doesn't leave once %s", async (way) => {
    const { case: found, ...made } = await queue(kind);
    await found.undo[way]?.(made);
    expect(await drain()).toEqual({ mails: [], pushes: [] });
  });

  test.runIf(KINDS[kind].about === "use")("doesn't leave once it isn't wanted", async () => {
    const { reader } = await queue(kind);
    const group = choiceGroupOf(kind);
    const changes = { [`${group}.email`]: false, [`${group}.push`]: false };
    await saveNotificationSettings(servicesAt(), reader, { changes, quiet: null });
    expect(await drain()).toEqual({ mails: [], pushes: [] });
  });
});

const gathered = undoable.filter((kind) => KINDS[kind].gathering !== null);
describe.each(gathered)("gathered %s", (kind) => {
  const found = CASES[kind] as Case<Kind>;

  test.each(Object.keys(found.undo))("isn't told once %s", async (way) => {
    const made = await found.make();
    await db.delete(notifications);
    const reader = await openReader(made.reader, kind);
    await write(db, notify(reader, { kind, data: made.data } as Notification, "key", Date.now()));
    await found.undo[way]?.(made);
    await tellWaiting();
    expect(await db.$count(notifications)).toBe(0);
    expect(await drain()).toEqual({ mails: [], pushes: [] });
  });
});

test("of two messages, the email doesn't quote the latest once our team has removed it", async () => {
  const { reader, otherId } = await conversation();
  const [kept, latestId] = [crypto.randomUUID(), await giveMessage({ senderId: otherId, recipientId: reader })];
  const data = { senderName: "Brian Kamau", otherId, count: 2, productName: null, excerpt: "Send your PIN" };
  const quoted = (id: string) =>
    findTrue(servicesAt(), [{ notification: { kind: "new_messages", data: { ...data, latestId: id } }, reader }]);
  await run("UPDATE messages SET removed_at = 1 WHERE id = ?", latestId);
  expect(await quoted(latestId)).toMatchObject([{ count: 2, excerpt: null }]);
  expect(await quoted(kept)).toMatchObject([{ excerpt: "Send your PIN" }]);
});

test("an offer's email names the fee of when it leaves", async () => {
  const { offerId, buyerId, sellerId } = await openOffer();
  const none = { buyerFee: 0, sellerFee: 0 };
  const data = { ...none, role: "seller", step: "offered", productName: "Kettle", amount: 1_000, until: 1 } as const;
  const telling = { kind: "offer_step", data: { ...data, otherId: buyerId, offerId } } as const;
  const told = () => findTrue(servicesAt(), [{ notification: telling, reader: sellerId }]);
  expect(await told()).toMatchObject([none]);
  await feeIs({ id: await makeUser() }, { share: 500, smallest: 0, largest: 500 });
  expect(await told()).toMatchObject([{ buyerFee: 0, sellerFee: 50 }]);
});

test("of several listings, those that are left are told, with the prices and names of now", async () => {
  const { reader, data, ids } = await foundListing(null);
  const gone = await makeProduct(ids.seller, { price: 800, name: "Lamp" });
  const party = await openReader(reader, "search_found");
  const [first] = data.listings;
  const listings = [{ ...first!, productId: gone, productName: "Lamp" }, first!];
  await write(db, tell(party, { kind: "search_found", data: { count: 2, listings } }, "key", Date.now()));
  await run("UPDATE products SET deleted_at = 1 WHERE id = ?", gone);
  await run("UPDATE products SET price = 850, name = 'Blue kettle' WHERE id = ?", ids.product);
  const { mails, pushes } = await drain();
  expect(mails[0]?.data).toMatchObject({ count: 1, listings: [{ productName: "Blue kettle", price: 850 }] });
  expect(pushes[0]).toMatchObject({ body: "Blue kettle", path: `/product/${ids.product}` });
});

test("of more listings than are named, as many fewer are counted as are gone", async () => {
  const { reader, data, ids } = await foundListing(null);
  const party = await openReader(reader, "search_found");
  const [first] = data.listings;
  const listings = [
    first!,
    ...Array.from({ length: LISTED_MAX - 1 }, (_, n) => ({ ...first!, productId: `gone-${n}` })),
  ];
  await write(db, tell(party, { kind: "search_found", data: { count: 400, listings } }, "key", Date.now()));
  const { mails } = await drain();
  expect(mails[0]?.data).toMatchObject({ count: 400 - (LISTED_MAX - 1), listings: [{ productId: ids.product }] });
});
