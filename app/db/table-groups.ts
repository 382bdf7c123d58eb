/**
 * Where each table would be if the campuses were in several databases (docs/growth.md). All are in one today. A test
 * holds that rows only refer to rows which would be in the same database, or in the directory.
 */

/** One database for everybody: who somebody is, and what every campus needs. */
const DIRECTORY = [
  "admin_emails",
  "campus_locations",
  "categories",
  "credentials",
  // M-Pesa has one token for everybody.
  "daraja_tokens",
  "deleted_accounts",
  "email_tokens",
  "ended_sessions",
  "former_emails",
  "meeting_points",
  "profiles",
  "prohibited_terms",
  "university_domains",
  "verification_documents",
  "wholesaler_codes",
  "wholesaler_details",
] as const;

/** What the people of a group of campuses list, order, write and report. */
const CAMPUS = [
  "admin_moves",
  "admin_proposals",
  "blocks",
  "cart_items",
  "conversations",
  "copies",
  "deal_events",
  "deal_holds",
  "deal_timers",
  "decision_proposals",
  "disputes",
  "issue_reports",
  "listed_sellers",
  "listing_import_rows",
  "listing_imports",
  "meetings",
  "message_notices",
  "message_reports",
  "messages",
  "moderation_cases",
  "offers",
  "order_items",
  "orders",
  "price_steps",
  "product_previews",
  "products",
  "reports",
  "reviews",
  "seller_buyers",
  "seller_days",
  "seller_records",
  "shop_follows",
  "shop_reviews",
  "shops",
  "sitemap_parts",
  "stock_waits",
  "subscriptions",
  "uploads",
  "user_ratings",
  "wishlist_items",
] as const;

/** The money of a group's orders. It is in the same database as the orders, because one batch settles both. */
const MONEY = [
  "daily_summaries",
  "discrepancies",
  "ledger_balances",
  "ledger_entries",
  "payment_attempts",
  "payment_callbacks",
  "payout_items",
  "payouts",
  "receipt_checks",
  "refunds",
  "settled_totals",
  "transfer_checks",
  "unbalanced_transactions",
] as const;

/** Every database has its own: they are written in the batch of their cause, or belong to the jobs of that database. */
const EACH = ["audit_log", "leases", "outbox", "rate_counters", "write_marks"] as const;

export type TableGroup = "directory" | "campus" | "money" | "each";

/** The group of each table, by its name. */
export const TABLE_GROUPS: ReadonlyMap<string, TableGroup> = new Map([
  ...DIRECTORY.map((name): [string, TableGroup] => [name, "directory"]),
  ...CAMPUS.map((name): [string, TableGroup] => [name, "campus"]),
  ...MONEY.map((name): [string, TableGroup] => [name, "money"]),
  ...EACH.map((name): [string, TableGroup] => [name, "each"]),
]);
