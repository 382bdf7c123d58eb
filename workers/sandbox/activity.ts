/** The sandbox's activity, for `/sandbox/prompts.json` and the pages. Safaricom's ids keep Safaricom's spelling. */
import { type PayoutState, type PromptState, payoutStateOf, promptStateOf } from "./outcomes.ts";
import type { DeliveryRow, MailRow, MessageRow, PayoutRow, PromptRow } from "./store.ts";
import { linksIn } from "./mail.ts";
import { registeredName } from "./people.ts";

/** A callback that was sent: when (ms), where to, and the status of the answer; null without an answer. */
interface SentNews {
  kind: string;
  status: number | null;
  sentAt: number;
}

export interface PromptView {
  CheckoutRequestID: string;
  MerchantRequestID: string;
  phone: string;
  /** Whole KES. */
  amount: number;
  accountReference: string;
  description: string;
  state: PromptState;
  /** Safaricom's result code as text; null while open. */
  resultCode: string | null;
  receipt: string | null;
  /** Whether a person should answer it on the handset. */
  waitsForHandset: boolean;
  /** ms, as all times here. */
  createdAt: number;
  expiresAt: number;
  settledAt: number | null;
  callbacks: SentNews[];
}

export interface PayoutView {
  OriginatorConversationID: string;
  ConversationID: string;
  phone: string;
  /** Whole KES. */
  amount: number;
  remarks: string;
  state: PayoutState;
  resultCode: string | null;
  /** Null while it is being sent. */
  receipt: string | null;
  createdAt: number;
  settledAt: number | null;
  callbacks: SentNews[];
}

export interface MessageView {
  phone: string;
  text: string;
  sentAt: number;
}

export interface Activity {
  /** Grows with every change. */
  revision: number;
  /** Newest first, as all lists here. */
  prompts: PromptView[];
  payouts: PayoutView[];
  /** Text messages on the phones. */
  messages: MessageView[];
}

export interface MailView {
  id: number;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Every link in the mail, in order, without duplicates. */
  links: string[];
  sentAt: number;
}

function newsOf(subject: string, deliveries: DeliveryRow[]): SentNews[] {
  return deliveries
    .filter((delivery) => delivery.subject === subject)
    .map((delivery) => ({ kind: delivery.kind, status: delivery.status, sentAt: delivery.sent_at }));
}

/** `reversed`: the receipts of payments that went back. */
export function promptView(row: PromptRow, deliveries: DeliveryRow[], reversed: ReadonlySet<string>): PromptView {
  return {
    CheckoutRequestID: row.checkout_request_id,
    MerchantRequestID: row.merchant_request_id,
    phone: row.phone,
    amount: row.amount,
    accountReference: row.account_reference,
    description: row.description,
    state: row.receipt !== null && reversed.has(row.receipt) ? "reversed" : promptStateOf(row.code),
    resultCode: row.code,
    receipt: row.receipt,
    waitsForHandset: row.waits_for_handset === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    settledAt: row.settled_at,
    callbacks: newsOf(row.checkout_request_id, deliveries),
  };
}

export function payoutView(row: PayoutRow, deliveries: DeliveryRow[]): PayoutView {
  return {
    OriginatorConversationID: row.originator_conversation_id,
    ConversationID: row.conversation_id,
    phone: row.phone,
    amount: row.amount,
    remarks: row.remarks,
    state: payoutStateOf(row.code),
    resultCode: row.code,
    receipt: row.receipt,
    createdAt: row.created_at,
    settledAt: row.settled_at,
    callbacks: newsOf(row.originator_conversation_id, deliveries),
  };
}

export function messageView(row: MessageRow): MessageView {
  return { phone: row.phone, text: row.text, sentAt: row.sent_at };
}

export function mailView(row: MailRow): MailView {
  return {
    id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    html: row.html,
    links: linksIn(row.text, row.html),
    sentAt: row.sent_at,
  };
}

/** The part of the activity that concerns one phone (254XXXXXXXXX). */
export function activityOf(activity: Activity, phone: string): Activity {
  return {
    revision: activity.revision,
    prompts: activity.prompts.filter((prompt) => prompt.phone === phone),
    payouts: activity.payouts.filter((payout) => payout.phone === phone),
    messages: activity.messages.filter((message) => message.phone === phone),
  };
}

export interface KnownPhone {
  phone: string;
  name: string;
  waiting: boolean;
}

/** Every phone that got a prompt or a payout, the latest first. */
export function knownPhones(activity: Activity): KnownPhone[] {
  const seen = [...activity.prompts, ...activity.payouts]
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .map((item) => item.phone);
  const waiting = new Set(activity.prompts.filter((prompt) => prompt.state === "open").map((prompt) => prompt.phone));
  return [...new Set(seen)].map((phone) => ({ phone, name: registeredName(phone), waiting: waiting.has(phone) }));
}
