import type { CaseDecision, CaseSubject } from "#app/db/states/moderation.ts";
import type { DealEvent, DealHoldStep, DealReminder } from "#app/db/states/deal.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { MeetingEvent } from "#app/db/states/meeting.ts";
import type { OfferEvent } from "#app/db/states/offer.ts";
import type { RefundReason } from "#app/db/states/refund.ts";

/** What an email about a deal reports: something that happened, a reminder, or that its clock stands still. */
export type DealStep = DealEvent | DealReminder | DealHoldStep;

/** What an email about an offer reports. A payment has emails of its own. */
export type OfferMailStep = "offered" | Exclude<OfferEvent, "paid">;

/** What an email about a meeting reports. */
export type MeetingMailStep = MeetingEvent | "reminder";

/** The money of an item that a report of its buyer stopped until our team decided. Times in ms since 1970. */
export interface FreedMoney {
  productName: string;
  orderId: string;
  /** KES. */
  price: number;
  status: ItemStatus;
  shippedAt: number | null;
  /** When the status ends by itself; null when it doesn't. */
  until: number | null;
}

/** Every email that Chuoni sends: one entry for each template, with the data it needs. */
export interface MailTemplates {
  /** With the link that confirms the email address. `tokenId` names an email token, and the mailer makes the token from it. */
  confirmation: { name: string; tokenId: string };
  /** Once the email address is confirmed. */
  welcome: { name: string };
  password_reset: { name: string; tokenId: string };
  /** To the new address: the link that makes the change. */
  email_change: { name: string; tokenId: string };
  /** To the old address, when the new one was asked for. `newEmail` is masked; the token's link stops it. */
  email_changing: { name: string; newEmail: string; tokenId: string };
  /** To both addresses. The old one gets a token, whose link undoes the change for 7 days. */
  email_changed: { name: string; newEmail: string; tokenId: string | null };
  password_changed: { name: string };
  /** To somebody whose account can also be entered with a Google account now. */
  google_linked: { name: string };
  /** To the buyer, when a payment is settled. */
  payment_received: { name: string; orderId: string; amount: number; receipt: string | null };
  /** To the buyer, when a payment request failed. `reason` is in plain words. */
  payment_failed: { name: string; orderId: string; amount: number; reason: string };
  payment_held: { name: string; orderId: string; amount: number };
  /**
   * To the seller, when one of their items is paid for. `taken`: it was the last piece. `hasMeeting`: the buyer suggested
   * a place and time at checkout.
   */
  new_sale: {
    name: string;
    orderItemId: string;
    productName: string;
    quantity: number;
    subtotal: number;
    taken: boolean;
    hasMeeting: boolean;
  };
  /** To one side of a deal, about a step that concerns them (`DEAL_EMAILS`). */
  deal_step: {
    name: string;
    role: "buyer" | "seller";
    step: DealStep;
    productName: string;
    /** KES, of the whole item. */
    price: number;
    orderId: string;
    orderItemId: string;
    /** KES: what goes back to the buyer, or is offered; null where the step is about neither. */
    amount: number | null;
    /** What the other side or our team wrote. */
    note: string | null;
    /** A code that explains the step; missing in emails that were queued before there was one. */
    reason?: string | null;
    /** Until when something can be done, ms since 1970. */
    until: number | null;
  };
  /** To one side of an offer, about a step of `OFFER_EMAILS`. `amount` in KES. */
  offer_step: {
    name: string;
    role: "buyer" | "seller";
    step: OfferMailStep;
    productName: string;
    /** The price that the step is about, for one piece. */
    amount: number;
    /** When the next answer is due, ms since 1970; null where nothing more is expected. */
    until: number | null;
    /** The other side, whose conversation has the offer. */
    otherId: string;
  };
  /** To one side of a meeting, about a step of the other side, or as a reminder an hour before. */
  meeting_step: {
    name: string;
    role: "buyer" | "seller";
    step: MeetingMailStep;
    productName: string;
    /** The name of the meeting point; null for a place in the other side's own words. */
    point: string | null;
    /** Ms since 1970. */
    startsAt: number;
    orderId: string;
    orderItemId: string;
  };
  /**
   * To somebody who hasn't read `count` messages of a person. `excerpt`: the beginning of the latest, without contacts
   * and numbers; null when it should only be read in the app. `productName`: what it is about; null for nothing.
   */
  new_messages: {
    name: string;
    senderName: string;
    /** The sender. */
    otherId: string;
    count: number;
    productName: string | null;
    excerpt: string | null;
  };
  /**
   * To somebody whom the other side of a deal has reviewed. `role` is the reader's in the deal. They can write their own
   * review `until` then, ms since 1970.
   */
  review_written: {
    name: string;
    role: "buyer" | "seller";
    productName: string;
    orderItemId: string;
    until: number;
  };
  /** To the reviewed, when both reviews are published (`both`), or only the one about the reader. */
  reviews_published: {
    name: string;
    role: "buyer" | "seller";
    productName: string;
    orderItemId: string;
    both: boolean;
  };
  /**
   * To a seller whose M-Pesa number changed. The numbers are given by their last two digits. Payouts wait until
   * `heldUntil` (ms); null when they don't wait.
   */
  payout_phone_changed: { name: string; was: string; is: string; heldUntil: number | null };
  /** `orderItemId` is the first of the payout's `items`. */
  payout_sent: { name: string; orderItemId: string; items: number; amount: number; receipt: string };
  payout_parked: { name: string; orderItemId: string; items: number; amount: number; reason: string };
  /** To the buyer, when a payment came in that must be refunded. */
  refund_due: { name: string; orderId: string; amount: number; reason: RefundReason };
  /** To the seller whose plan is paid. `plan` is the plan's name; `endsAt` is in ms. */
  plan_active: { name: string; plan: string; amount: number; receipt: string | null; endsAt: number };
  /** Two days before its end. */
  plan_ending: { name: string; plan: string; planId: string; endsAt: number };
  plan_ended: { name: string; plan: string; planId: string };
  /** To the seller, when a payment for a plan came in that must be refunded. */
  plan_refund_due: { name: string; plan: string; amount: number; reason: RefundReason };
  /** To the buyer, when a refund can't be sent until our team has fixed something. */
  refund_parked: { name: string; orderId: string | null; amount: number };
  /** To the buyer, when a refund has been sent. `receipt`: null when M-Pesa hasn't told it. */
  refund_sent: { name: string; orderId: string | null; amount: number; receipt: string | null };
  /** The decision about a verification document. `reason` is empty where it was approved. */
  verification_decided: { name: string; approved: boolean; reason: string };
  /** To the buyer, when our team has closed their issue report. */
  issue_closed: { name: string; outcome: string; freed?: FreedMoney[] };
  /** To somebody who reported something, when our team has decided. */
  case_outcome: { name: string; subject: CaseSubject; decision: CaseDecision; freed?: FreedMoney[] };
  /** To somebody who reported something, when an appeal has undone what our team did about it. */
  report_undone: { name: string; subject: CaseSubject };
  /**
   * To the person concerned, when our team decided against them. `title` is the listing's name, or what they wrote.
   * Whoever has the link can read the decision and appeal it, and nothing else. It works for a suspended account, too.
   */
  case_decided: {
    name: string;
    subject: CaseSubject;
    decision: CaseDecision;
    title: string;
    statement: string;
    appealToken: string;
  };
  /** To the person concerned, when our team has answered their appeal. */
  appeal_answered: { name: string; granted: boolean; answer: string; appealToken: string };
  /** To the seller of a listing that was held, when it is published. */
  held_listing_published: { name: string; productId: string; productName: string };
  /** To each admin, once a day while something waits for a second one. `since`: the oldest, ms since 1970. */
  proposals_waiting: { name: string; count: number; since: number };
  /** To somebody on the waiting list of a product that can be bought again. `price` in KES. */
  stock_free: { name: string; productId: string; productName: string; price: number };
  /** To the seller, when our team looks at a listing before it is published. `heldFor` as in `products.held_for`. */
  listing_held: { name: string; productId: string; productName: string; heldFor: string };
  /** To our team: a question from Help. `userId`: null for a visitor. `order`: what it is about, with its id; null for none. */
  team_question: { name: string; email: string; userId: string | null; order: string | null; text: string };
  /** To the seller, once for each import, when some of its listings are held. */
  import_held: { name: string };
}

/** An email of one of these templates, to be written and sent. Amounts are in KES. */
export type MailOf<Template extends keyof MailTemplates> = {
  [T in Template]: { to: string; template: T; data: MailTemplates[T] };
}[Template];

export type Mail = MailOf<keyof MailTemplates>;

export interface Mailer {
  /**
   * Throws when the transport refuses or can't be reached. The outbox tries again. `key` lets a transport drop repeats.
   */
  send(mail: Mail, key: string): Promise<void>;
}
