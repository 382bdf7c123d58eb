/**
 * The sandbox's tables, in SQLite. All its SQL is here. Their names have a prefix, because a simulation keeps them
 * beside the app's own.
 */
import type { News, PushStep } from "./outcomes.ts";

/** How many rows of each table are kept, so that a sandbox in long use stays small. */
const MAX_ROWS: Record<string, number> = {
  sandbox_prompts: 1000,
  sandbox_payouts: 1000,
  sandbox_messages: 400,
  sandbox_mails: 200,
  sandbox_deliveries: 1000,
  sandbox_pushes: 200,
};

const TABLES = `
CREATE TABLE IF NOT EXISTS sandbox_prompts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  checkout_request_id TEXT NOT NULL UNIQUE,
  merchant_request_id TEXT NOT NULL,
  phone TEXT NOT NULL,
  amount INTEGER NOT NULL,
  account_reference TEXT NOT NULL,
  description TEXT NOT NULL,
  callback_url TEXT NOT NULL,
  waits_for_handset INTEGER NOT NULL,
  code TEXT,
  receipt TEXT UNIQUE,
  queries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  settled_at INTEGER
);
CREATE INDEX IF NOT EXISTS sandbox_prompts_by_phone ON sandbox_prompts (phone, code);
CREATE TABLE IF NOT EXISTS sandbox_payouts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  originator_conversation_id TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL,
  receipt TEXT UNIQUE,
  command_id TEXT NOT NULL,
  phone TEXT NOT NULL,
  amount INTEGER NOT NULL,
  remarks TEXT NOT NULL,
  occasion TEXT NOT NULL,
  result_url TEXT NOT NULL,
  timeout_url TEXT NOT NULL,
  code TEXT,
  charge INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  visible_from INTEGER NOT NULL,
  settled_at INTEGER
);
CREATE TABLE IF NOT EXISTS sandbox_reversals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation_id TEXT NOT NULL UNIQUE,
  originator_conversation_id TEXT NOT NULL,
  original_receipt TEXT NOT NULL,
  receipt TEXT,
  amount INTEGER NOT NULL,
  result_url TEXT NOT NULL,
  timeout_url TEXT NOT NULL,
  code TEXT,
  created_at INTEGER NOT NULL,
  settled_at INTEGER
);
CREATE INDEX IF NOT EXISTS sandbox_reversals_by_payment ON sandbox_reversals (original_receipt);
CREATE TABLE IF NOT EXISTS sandbox_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subject TEXT NOT NULL,
  due INTEGER NOT NULL,
  payload TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS sandbox_events_by_due ON sandbox_events (due);
CREATE TABLE IF NOT EXISTS sandbox_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  subject TEXT NOT NULL,
  kind TEXT NOT NULL,
  status INTEGER,
  sent_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS sandbox_deliveries_by_subject ON sandbox_deliveries (subject);
CREATE TABLE IF NOT EXISTS sandbox_wallets (phone TEXT PRIMARY KEY, balance INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS sandbox_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  phone TEXT NOT NULL,
  text TEXT NOT NULL,
  sent_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS sandbox_mails (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL,
  sent_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS sandbox_browsers (
  id TEXT PRIMARY KEY,
  keys TEXT NOT NULL,
  server_key TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS sandbox_pushes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  browser TEXT NOT NULL,
  message TEXT NOT NULL,
  tag TEXT NOT NULL,
  topic TEXT NOT NULL,
  sent_at INTEGER NOT NULL
);
`;

export type PromptRow = {
  id: number;
  checkout_request_id: string;
  merchant_request_id: string;
  phone: string;
  amount: number;
  account_reference: string;
  description: string;
  callback_url: string;
  waits_for_handset: number;
  code: string | null;
  receipt: string | null;
  queries: number;
  created_at: number;
  expires_at: number;
  settled_at: number | null;
};

export type PayoutRow = {
  id: number;
  originator_conversation_id: string;
  conversation_id: string;
  receipt: string | null;
  command_id: string;
  phone: string;
  amount: number;
  remarks: string;
  occasion: string;
  result_url: string;
  timeout_url: string;
  code: string | null;
  charge: number;
  created_at: number;
  /** Look-ups don't find it before. */
  visible_from: number;
  settled_at: number | null;
};

/** A request to send a payment back. `original_receipt`: of the payment. `receipt`: of the reversal itself. */
export type ReversalRow = {
  id: number;
  conversation_id: string;
  originator_conversation_id: string;
  original_receipt: string;
  receipt: string | null;
  amount: number;
  result_url: string;
  timeout_url: string;
  code: string | null;
  created_at: number;
  settled_at: number | null;
};

export type NewPrompt = Omit<PromptRow, "id" | "code" | "receipt" | "queries" | "settled_at">;
export type NewPayout = Omit<PayoutRow, "id" | "receipt" | "code" | "charge" | "settled_at">;
export type NewReversal = Omit<ReversalRow, "id" | "receipt" | "code" | "settled_at">;

export type MessageRow = { id: number; phone: string; text: string; sent_at: number };
export type MailRow = { id: number; recipient: string; subject: string; text: string; html: string; sent_at: number };
/** A browser that subscribed. `keys`: JSON of its `BrowserKeys`. `server_key`: the only sender that may write to it. */
export type BrowserRow = { id: string; keys: string; server_key: string; at: number };
/** What a browser got. `message`: JSON. */
export type PushRow = { id: number; browser: string; message: string; tag: string; topic: string; sent_at: number };
export type DeliveryRow = { subject: string; kind: DeliveryKind; status: number | null; sent_at: number };

export type DeliveryKind = "callback" | "result" | "time-out" | "look-up";

/** A payout or a reversal ends. */
export type TransferEvent = { kind: "payout" | "reversal"; code: string; news: readonly News[] };

/** A scheduled event. */
export type TimedEvent =
  | { kind: "prompt"; step: PushStep }
  | TransferEvent
  | { kind: "send"; delivery: DeliveryKind; url: string; shortcode: string | null; body: string };

export interface DueEvent {
  id: number;
  subject: string;
  /** ms. */
  due: number;
  event: TimedEvent;
}

type EventRow = { id: number; subject: string; due: number; payload: string };

function toDueEvent(row: EventRow): DueEvent {
  // Only `addEvent` writes the payload.
  return { id: row.id, subject: row.subject, due: row.due, event: JSON.parse(row.payload) as TimedEvent };
}

export class Store {
  #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(TABLES);
  }

  /** Adds a row, by the names of the table's columns, and drops what is too old. */
  #insert(table: string, row: Record<string, SqlStorageValue>): void {
    const columns = Object.keys(row);
    const places = columns.map(() => "?");
    this.#sql.exec(`INSERT INTO ${table} (${columns.join()}) VALUES (${places.join()})`, ...Object.values(row));
    const kept = MAX_ROWS[table];
    if (kept) this.#sql.exec(`DELETE FROM ${table} WHERE id <= (SELECT MAX(id) FROM ${table}) - ${kept}`);
  }

  #first<T extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): T | null {
    return this.#sql.exec<T>(query, ...values).toArray()[0] ?? null;
  }

  addPrompt(prompt: NewPrompt): void {
    this.#insert("sandbox_prompts", prompt);
  }

  findPrompt(checkoutRequestId: string): PromptRow | null {
    return this.#first<PromptRow>("SELECT * FROM sandbox_prompts WHERE checkout_request_id = ?", checkoutRequestId);
  }

  findPromptByReceipt(receipt: string): PromptRow | null {
    return this.#first<PromptRow>("SELECT * FROM sandbox_prompts WHERE receipt = ?", receipt);
  }

  hasOpenPrompt(phone: string): boolean {
    return this.#first("SELECT 1 AS open FROM sandbox_prompts WHERE phone = ? AND code IS NULL", phone) !== null;
  }

  settlePrompt(id: string, code: string, receipt: string | null, at: number): void {
    this.#sql.exec(
      "UPDATE sandbox_prompts SET code = ?, receipt = ?, settled_at = ? WHERE checkout_request_id = ?",
      code,
      receipt,
      at,
      id,
    );
  }

  countQuery(checkoutRequestId: string): void {
    this.#sql.exec("UPDATE sandbox_prompts SET queries = queries + 1 WHERE checkout_request_id = ?", checkoutRequestId);
  }

  /** The first payment's, whoever's it was. */
  firstReceipt(): string | null {
    const query = "SELECT receipt FROM sandbox_prompts WHERE receipt IS NOT NULL ORDER BY id LIMIT 1";
    return this.#first<{ receipt: string }>(query)?.receipt ?? null;
  }

  /** Newest first. At `most` so many; -1 for all. */
  listPrompts(most: number): PromptRow[] {
    return this.#sql.exec<PromptRow>("SELECT * FROM sandbox_prompts ORDER BY id DESC LIMIT ?", most).toArray();
  }

  /** What customers paid between two times (ms), the oldest first. */
  listPaid(from: number, until: number): PromptRow[] {
    const query =
      "SELECT * FROM sandbox_prompts WHERE code = '0' AND settled_at BETWEEN ? AND ? ORDER BY settled_at, id";
    return this.#sql.exec<PromptRow>(query, from, until).toArray();
  }

  addPayout(payout: NewPayout): void {
    this.#insert("sandbox_payouts", payout);
  }

  findPayout(originatorConversationId: string): PayoutRow | null {
    return this.#first<PayoutRow>(
      "SELECT * FROM sandbox_payouts WHERE originator_conversation_id = ?",
      originatorConversationId,
    );
  }

  findPayoutByReceipt(receipt: string): PayoutRow | null {
    return this.#first<PayoutRow>("SELECT * FROM sandbox_payouts WHERE receipt = ?", receipt);
  }

  settlePayout(id: string, result: { code: string; receipt: string; charge: number; at: number }): void {
    this.#sql.exec(
      `UPDATE sandbox_payouts SET code = ?, receipt = ?, charge = ?, settled_at = ?
        WHERE originator_conversation_id = ?`,
      result.code,
      result.receipt,
      result.charge,
      result.at,
      id,
    );
  }

  /** Newest first. At `most` so many; -1 for all. */
  listPayouts(most: number): PayoutRow[] {
    return this.#sql.exec<PayoutRow>("SELECT * FROM sandbox_payouts ORDER BY id DESC LIMIT ?", most).toArray();
  }

  /** What was paid out. */
  listPaidOut(): PayoutRow[] {
    return this.#sql.exec<PayoutRow>("SELECT * FROM sandbox_payouts WHERE code = '0'").toArray();
  }

  addReversal(reversal: NewReversal): void {
    this.#insert("sandbox_reversals", reversal);
  }

  findReversal(conversationId: string): ReversalRow | null {
    return this.#first<ReversalRow>("SELECT * FROM sandbox_reversals WHERE conversation_id = ?", conversationId);
  }

  settleReversal(id: string, result: { code: string; receipt: string; at: number }): void {
    this.#sql.exec(
      "UPDATE sandbox_reversals SET code = ?, receipt = ?, settled_at = ? WHERE conversation_id = ?",
      result.code,
      result.receipt,
      result.at,
      id,
    );
  }

  /** Whether a payment has gone back, by its receipt. */
  isReversed(originalReceipt: string): boolean {
    const query = "SELECT 1 AS found FROM sandbox_reversals WHERE original_receipt = ? AND code = '0'";
    return this.#first(query, originalReceipt) !== null;
  }

  /** What went back, by the receipt of the reversal. */
  findReversedByReceipt(receipt: string): ReversalRow | null {
    return this.#first<ReversalRow>("SELECT * FROM sandbox_reversals WHERE receipt = ? AND code = '0'", receipt);
  }

  /** All requests, whatever became of them. */
  listReversals(): ReversalRow[] {
    return this.#sql.exec<ReversalRow>("SELECT * FROM sandbox_reversals ORDER BY id").toArray();
  }

  /** What went back. */
  listReversed(): ReversalRow[] {
    return this.listReversals().filter(({ code }) => code === "0");
  }

  /** Changes a phone's balance and returns the new one, in KES. It is refilled to `fill` when it would fall below 0. */
  moveWallet(phone: string, by: number, fill: number): number {
    const row = this.#first<{ balance: number }>("SELECT balance FROM sandbox_wallets WHERE phone = ?", phone);
    const moved = (row?.balance ?? fill) + by;
    const balance = moved < 0 ? fill : moved;
    this.#sql.exec(
      "INSERT INTO sandbox_wallets VALUES (?, ?) ON CONFLICT (phone) DO UPDATE SET balance = excluded.balance",
      phone,
      balance,
    );
    return balance;
  }

  addMessage(phone: string, text: string, at: number): void {
    this.#insert("sandbox_messages", { phone, text, sent_at: at });
  }

  /** Newest first. */
  listMessages(): MessageRow[] {
    return this.#sql.exec<MessageRow>("SELECT * FROM sandbox_messages ORDER BY id DESC").toArray();
  }

  addMail(mail: Omit<MailRow, "id">): number {
    this.#insert("sandbox_mails", mail);
    return this.#first<{ id: number }>("SELECT MAX(id) AS id FROM sandbox_mails")!.id;
  }

  /** Newest first. With `recipient`, only theirs, ignoring case. */
  listMails(recipient: string | null): MailRow[] {
    if (recipient === null) return this.#sql.exec<MailRow>("SELECT * FROM sandbox_mails ORDER BY id DESC").toArray();
    return this.#sql
      .exec<MailRow>("SELECT * FROM sandbox_mails WHERE lower(recipient) = lower(?) ORDER BY id DESC", recipient)
      .toArray();
  }

  findMail(id: number): MailRow | null {
    return this.#first<MailRow>("SELECT * FROM sandbox_mails WHERE id = ?", id);
  }

  addBrowser(browser: BrowserRow): void {
    this.#insert("sandbox_browsers", browser);
  }

  findBrowser(id: string): BrowserRow | null {
    return this.#first<BrowserRow>("SELECT * FROM sandbox_browsers WHERE id = ?", id);
  }

  /** The browser takes no more messages. */
  dropBrowser(id: string): void {
    this.#sql.exec("DELETE FROM sandbox_browsers WHERE id = ?", id);
  }

  addPush(push: Omit<PushRow, "id">): void {
    this.#insert("sandbox_pushes", push);
  }

  /** Newest first. */
  listPushes(): PushRow[] {
    return this.#sql.exec<PushRow>("SELECT * FROM sandbox_pushes ORDER BY id DESC").toArray();
  }

  addEvent(subject: string, due: number, event: TimedEvent): void {
    this.#insert("sandbox_events", { subject, due, payload: JSON.stringify(event) });
  }

  dropEvents(subject: string): void {
    this.#sql.exec("DELETE FROM sandbox_events WHERE subject = ?", subject);
  }

  /** When the next event is due, in ms; null when there is none. */
  nextDue(): number | null {
    return this.#first<{ due: number | null }>("SELECT MIN(due) AS due FROM sandbox_events")?.due ?? null;
  }

  /** Each subject with events, with the earliest one. */
  nextDueBySubject(): { subject: string; due: number }[] {
    return this.#sql
      .exec<{ subject: string; due: number }>("SELECT subject, MIN(due) AS due FROM sandbox_events GROUP BY subject")
      .toArray();
  }

  /** Removes and returns the subject's next event that is due at or before `horizon` (ms). */
  takeEvent(subject: string, horizon: number): DueEvent | null {
    const query = "SELECT * FROM sandbox_events WHERE subject = ? AND due <= ? ORDER BY due, id LIMIT 1";
    const row = this.#first<EventRow>(query, subject, horizon);
    if (!row) return null;
    this.#sql.exec("DELETE FROM sandbox_events WHERE id = ?", row.id);
    return toDueEvent(row);
  }

  addDelivery(delivery: DeliveryRow): void {
    this.#insert("sandbox_deliveries", delivery);
  }

  /** Oldest first. */
  listDeliveries(): DeliveryRow[] {
    return this.#sql
      .exec<DeliveryRow>("SELECT subject, kind, status, sent_at FROM sandbox_deliveries ORDER BY id")
      .toArray();
  }

  /** The merchant's accounts in KES: paid in by customers, and paid as charges. */
  sums(): { working: number; charges: number } {
    const paid = this.#first<{ total: number }>(
      `SELECT (SELECT COALESCE(SUM(amount), 0) FROM sandbox_prompts WHERE code = '0')
        - (SELECT COALESCE(SUM(amount), 0) FROM sandbox_reversals WHERE code = '0') AS total`,
    );
    const charged = this.#first<{ total: number }>("SELECT COALESCE(SUM(charge), 0) AS total FROM sandbox_payouts");
    return { working: paid?.total ?? 0, charges: -(charged?.total ?? 0) };
  }
}
