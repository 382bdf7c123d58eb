/**
 * Fills the test database with what stays behind when everything is over, in bulk: the history that jobs must not read
 * again.
 */
import { env } from "cloudflare:workers";
import { write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { copyCases } from "#app/moderation/cases/copies.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import { addFinishedDeals } from "./finished-deals.ts";
import { db } from "./fixtures.ts";
import { beginConversations } from "./messages.ts";

const DAY_MS = 24 * 60 * 60_000;

/** The people of all this history, and a listing. Their rows must exist. */
export interface People {
  buyerId: string;
  sellerId: string;
  /** Has every listing of the history. */
  otherSellerId: string;
  productId: string;
}

type Value = string | number | null;

/**
 * Adds one finished thing of each kind for every number from `first` up to, and without, `until`: sales with their
 * payments, messages, reviews and meetings, unpaid orders, callbacks, emails, offers, plans, listings, files, cases.
 * Values of a row are SQL in which `n` is its number.
 */
export async function addHistory(people: People, first: number, until: number, now = Date.now()): Promise<void> {
  const past = now - 40 * DAY_MS;
  // Younger than what sweeps delete.
  const recent = now - 10 * DAY_MS;
  await addFinishedDeals(env.DB, people, first, until, past);
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers
    WHERE n + 1 < ${until})`;
  const insert = (table: string, columns: Record<string, Value>) =>
    env.DB.prepare(
      `${numbers} INSERT INTO ${table} (${Object.keys(columns).join(", ")}) SELECT ${Object.values(columns)
        .map((value) => value ?? "NULL")
        .join(", ")} FROM numbers`,
    );
  const id = (name: string) => `'${name}-' || n`;
  const [buyer, seller, other, product] = [people.buyerId, people.sellerId, people.otherSellerId, people.productId].map(
    (value) => `'${value}'`,
  ) as [string, string, string, string];
  const thread = `'${[people.buyerId, people.sellerId].toSorted().join(":")}'`;
  const made = { created_at: past, updated_at: past };
  const photo = (key: string) =>
    `json_array(json_object('key', ${key}, 'width', 320, 'height', 320, 'widths', json_array(320), 'tone', '#aaaaaa', 'thumbhash', ''))`;
  const unpaid = {
    user_id: buyer,
    amount: 100,
    payment_status: "'failed'",
    order_status: "'expired'",
    source: "'cart'",
  };
  const attempt = { purpose: "'order'", order_id: id("unpaid"), user_id: buyer, phone: "'254722000020'", amount: 100 };
  await env.DB.batch([
    insert("orders", {
      id: id("unpaid"),
      idempotency_key: id("unpaid"),
      closed_reason: "'expired_unpaid'",
      ...unpaid,
      ...made,
    }),
    insert("order_items", {
      id: id("unpaid-item"),
      order_id: id("unpaid"),
      product_id: product,
      seller_id: seller,
      product_name: "'Casio fx-991ES'",
      product_image: `json_object('key', 'p/sold' || n)`,
      quantity: 1,
      price_per_unit: 100,
      subtotal: 100,
      status: "'expired'",
      ...made,
    }),
    insert("payment_attempts", {
      id: id("failed"),
      ...attempt,
      state: "'failed'",
      callback_token: id("failed"),
      settled_at: past,
      ...made,
    }),
    insert("payment_attempts", {
      id: id("expired"),
      ...attempt,
      state: "'expired'",
      callback_token: id("expired"),
      settled_at: past,
      ...made,
    }),
    insert("refunds", {
      id: id("refund"),
      attempt_id: id("failed"),
      order_id: id("unpaid"),
      amount: 0,
      reason: "'order_already_paid'",
      state: "'done'",
      method: "'reversal'",
      conversation_id: id("refund"),
      callback_token: id("refund"),
      done_at: past,
      ...made,
    }),
    insert("payment_callbacks", {
      id: id("callback"),
      kind: "'push'",
      token: id("attempt"),
      body: "'{}'",
      received_at: past,
      applied_at: past,
      outcome: "'applied'",
    }),
    insert("payment_callbacks", {
      id: id("lost"),
      kind: "'push'",
      token: id("attempt"),
      body: "'{}'",
      received_at: past,
      outcome: "'failed'",
    }),
    insert("payment_callbacks", {
      id: id("stranger"),
      kind: "'push'",
      token: id("stranger"),
      body: "'{}'",
      received_at: recent,
      applied_at: recent,
      outcome: "'unknown_token'",
    }),
    insert("deal_events", {
      id: id("event"),
      order_item_id: id("item"),
      event: "'accepted'",
      actor: "'buyer'",
      actor_id: buyer,
      created_at: past,
    }),
    insert("problems", {
      order_item_id: id("item"),
      kind: "'other'",
      description: "'-'",
      photos: `json_array('d/problem' || n)`,
      opened_at: past,
      settled_at: past,
    }),
    insert("reviews", {
      id: id("review"),
      order_item_id: id("item"),
      author_id: buyer,
      subject_id: seller,
      subject_role: "'seller'",
      rating: 5,
      publish_at: past,
      published_at: past,
      created_at: past,
    }),
    insert("meetings", {
      order_item_id: id("item"),
      place: "'Gate A'",
      starts_at: past,
      proposed_by: buyer,
      state: "'accepted'",
      ...made,
    }),
    insert("messages", {
      id: id("message"),
      thread,
      sender_id: buyer,
      recipient_id: seller,
      message: "'Is it still available?'",
      sender_name: "'Wanjiku'",
      recipient_name: "'Otieno'",
      read: 1,
      created_at: `${past} + n`,
    }),
    insert("offers", {
      id: id("offer"),
      product_id: product,
      buyer_id: buyer,
      seller_id: seller,
      amount: 50,
      listing_price: 100,
      revision: 0,
      state: "'expired'",
      expires_at: past,
      ...made,
    }),
    insert("subscriptions", {
      id: id("plan"),
      user_id: seller,
      plan: "'weekly_featured'",
      amount: 100,
      status: "'ended'",
      starts_at: past,
      ends_at: past,
      ...made,
    }),
    insert("notifications", {
      user_id: buyer,
      kind: "'import_held'",
      data: "'{}'",
      key: id("told"),
      created_at: recent,
    }),
    insert("outbox", {
      id: id("mail"),
      topic: "'mail'",
      dedupe_key: id("sent"),
      payload: "'{}'",
      available_at: recent,
      done_at: recent,
      created_at: recent,
    }),
    insert("outbox", {
      id: id("dead-mail"),
      topic: "'mail'",
      dedupe_key: id("dead"),
      payload: "'{}'",
      available_at: recent,
      dead_at: recent,
      created_at: recent,
    }),
    insert("products", {
      id: id("product"),
      name: "'Graph book ' || n",
      description: "'-'",
      price: 100,
      images: photo("'p/listing' || n"),
      seller_id: other,
      category: "'stationery'",
      status: "'sold'",
      stock: 0,
      ...made,
    }),
    insert("stock_waits", { product_id: id("product"), user_id: buyer, created_at: past }),
    insert("uploads", {
      key: "'p/listing' || n",
      owner_id: other,
      bucket: "'media'",
      image: "'{}'",
      attached_at: past,
      created_at: past,
    }),
    insert("uploads", {
      key: "'verification-documents/' || n",
      owner_id: other,
      bucket: "'documents'",
      attached_at: past,
      created_at: past,
    }),
    insert("moderation_cases", {
      id: id("case"),
      subject: "'person'",
      subject_id: other,
      reported_id: other,
      state: "'closed'",
      decision: "'dismissed'",
      appeal_token: id("case"),
      closed_at: past,
      ...made,
    }),
    insert("discrepancies", {
      id: id("discrepancy"),
      kind: "'test'",
      subject: id("discrepancy"),
      detail: "''",
      created_at: past,
      resolved_at: past,
    }),
    insert("audit_log", { id: id("audit"), actor_id: seller, action: "'test'", subject: "''", created_at: past }),
    insert("ended_sessions", { id: id("session"), ended_at: recent }),
    insert("email_tokens", {
      id: id("token"),
      token_hash: id("token"),
      user_id: buyer,
      purpose: "'confirmation'",
      expires_at: recent,
      created_at: recent,
    }),
    insert("rate_counters", { key: id("counter"), window_start: now, count: 1 }),
    insert("saved_queries", {
      address: id("q=other"),
      max_price: 1_000,
      created_at: past,
    }),
    insert("found_listings", {
      user_id: buyer,
      product_id: id("product"),
      reason: "'search'",
      price: 100,
      told: 1,
      created_at: past,
    }),
    // Everybody has been told of its listings.
    env.DB.prepare("DELETE FROM listing_news"),
  ]);
  await beginConversations();
  const cases = build.select({ id: moderationCases.id }).from(moderationCases);
  await write(db, [...copyCases("person", cases, past)]);
}
