/** What Chuoni tells people of, and by which ways. One table decides for every kind. */
import type { Handover } from "#app/db/states/handover.ts";
import type { Traffic } from "#app/db/outbox.ts";
import type { AdminRole } from "#app/db/states/admin.ts";
import type { TwoStepChange } from "#app/db/states/two-step.ts";
import type { AlarmName } from "#app/db/states/alarm.ts";
import type { CaseDecision, CaseSubject } from "#app/db/states/moderation.ts";
import type { DealEvent, DealHoldStep, DealReminder } from "#app/db/states/deal.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { MeetingEvent } from "#app/db/states/meeting.ts";
import type { OfferEvent } from "#app/db/states/offer.ts";
import type { PaymentFailure } from "#app/db/states/order.ts";
import type { RefundReason } from "#app/db/states/refund.ts";
import type { About } from "./recipient-rules.ts";
import { MINUTE_MS } from "#app/platform/duration-rules.ts";

/** What is told about a deal reports: something that happened, a reminder, or that its clock stands still. */
export type DealStep = DealEvent | DealReminder | DealHoldStep;

/** What is told about an offer reports. A payment has kinds of its own. */
export type OfferMailStep = "offered" | Exclude<OfferEvent, "paid">;

/** What is told about a meeting reports. */
export type MeetingMailStep = MeetingEvent | "reminder";

/** The money of an item that a report of its buyer stopped until our team decided. Times in ms since 1970. */
export interface FreedMoney {
  handover?: Handover;
  productName: string;
  orderId: string;
  /** KES that the buyer paid. */
  price: number;
  status: ItemStatus;
  shippedAt: number | null;
  /** When the status ends by itself; null when it doesn't. */
  until: number | null;
}

/**
 * What undoes a change of an account: an email token whose link works `until` then, and undoes all since then. Ms since
 * 1970.
 */
export interface Undo {
  tokenId: string;
  since: number;
  until: number;
}

/** Of a change that was made `at` (ms). `undo`: for the email alone. */
export interface Undoable {
  at: number;
  undo: Undo | null;
}

/** A kind whose words need nothing. */
type Nothing = Record<never, never>;

/** What a payment is for: an order, or a plan with its name. */
export type PaidFor = { orderId: string } | { plan: string; planId: string };

/** A listing, as somebody is told of it. */
export interface NamedListing {
  productId: string;
  productName: string;
}

/** The same with its price, in KES. */
export interface ToldListing extends NamedListing {
  price: number;
  /** What they were told, or saw, before; null where it is new to them. */
  priceBefore: number | null;
  /** Since when they wish for it, ms since 1970; missing where they don't. */
  since?: number;
}

/** A listing that a reader's saved searches find. `search`: what the first of `searchIds` is called. */
export interface FoundListing extends ToldListing {
  search: string;
  searchIds: string[];
}

/** So many listings in one message. `listings`: the first `LISTED_MAX` of them at most. */
export interface Gathered<Listing extends NamedListing = ToldListing> {
  count: number;
  listings: Listing[];
}

/** A step of a deal, for one of its sides. */
export interface DealStepData {
  role: "buyer" | "seller";
  step: DealStep;
  productName: string;
  /** How it ends; missing in what was told before there were kinds. */
  handover?: Handover;
  /** KES, of the whole item. */
  price: number;
  /** KES on top of the price and out of it, as ordered; missing in what was told before there were fees. */
  buyerFee?: number;
  sellerFee?: number;
  orderId: string;
  orderItemId: string;
  /** KES of the price: what goes back to the buyer, or is offered; null where the step is about neither. */
  amount: number | null;
  /** What our team wrote. */
  note: string | null;
  /** A code that explains the step, where its words depend on it. */
  reason?: string | null;
  /** Until when something can be done, ms since 1970. */
  until: number | null;
}

/**
 * What happens that somebody is told of: one entry for each kind, with the data that its words need. Amounts are in
 * KES.
 */
export interface KindData {
  /**
   * With the link that confirms the email address. `tokenId` names an email token, and the mailer makes the token from
   * it.
   */
  confirmation: { tokenId: string };
  /** Once the email address is confirmed. */
  welcome: Nothing;
  password_reset: { tokenId: string };
  /** To the new address: the link that makes the change. */
  email_change: { tokenId: string };
  /** To the old address, when the new one was asked for. `newEmail` is masked. */
  email_changing: { newEmail: string } & Undoable;
  /** To both addresses. The new one can't undo it. */
  email_changed: { newEmail: string } & Undoable;
  password_changed: Undoable;
  /**
   * To somebody whose account can also be entered with Google, or their university's login, now. `issuer`: its name;
   * Google's emails of earlier releases don't have it.
   */
  google_linked: { issuer?: string } & Undoable;
  /** To the owner of an account whose second step of the login was changed, or tried by somebody. */
  two_step_changed: { change: TwoStepChange } & Undoable;
  /**
   * To somebody whom an owner or the operator has given a role as an admin, another one, or (null) none. `by`: the
   * owner's name. `isNew`: another admin confirms what they do with money, as whenever an admin gives a role.
   */
  admin_role_changed: { role: AdminRole | null; by: string; isNew: boolean };
  /** To each other owner, when somebody gets a role. `who`: their name. */
  admin_role_given: { role: AdminRole; who: string; by: string };
  /** To every other owner: `by` lets an issuer open the accounts of a university's members. */
  login_added: { domain: string; issuer: string; by: string };
  /** To each other owner, when an owner turns off the second step of an admin. `who`: the admin's name. */
  admin_step_reset: { who: string; by: string };
  /** To the buyer, when a payment is settled. */
  payment_received: {
    orderId: string;
    amount: number;
    /** KES of it: the service fee; missing in what was told before it was named. */
    fee?: number;
    receipt: string | null;
    /** How each item's deal ends; missing in what was told before there were kinds. */
    items?: { name: string; handover: Handover }[];
  };
  /** To the buyer, when a payment request failed. `reason`: in plain words, as release 1.0.0 told it. */
  payment_failed: { orderId: string; amount: number } & ({ failure: PaymentFailure } | { reason: string });
  /** To the payer: our team checks the payment, and they shouldn't pay again. */
  payment_held: PaidFor & { amount: number };
  /** To the payer whose payment was held: it wasn't made or was sent back, and they can pay again. */
  payment_dismissed: PaidFor & { amount: number };
  /**
   * To the seller, when one of their items is paid for. `taken`: it was the last piece. `hasMeeting`: the buyer
   * suggested a place and time at checkout.
   */
  new_sale: {
    orderItemId: string;
    productName: string;
    handover?: Handover;
    quantity: number;
    subtotal: number;
    /** KES of it that we keep; missing in what was told before there were fees. */
    sellerFee?: number;
    taken: boolean;
    hasMeeting: boolean;
  };
  /** To one side of a deal, about a step that concerns them (`DEAL_READERS`). */
  deal_step: DealStepData;
  /** The same about a step that somebody else may have made against them, where each minute counts. */
  deal_warning: DealStepData;
  /** The same about a step that moves the item's money or ends the deal. It is always emailed. */
  deal_outcome: DealStepData;
  /** To one side of an offer, about a step of `OFFER_READERS`. `amount` in KES. */
  offer_step: {
    role: "buyer" | "seller";
    step: OfferMailStep;
    /** Null where its reader sees the listing no more. */
    productName: string | null;
    /** The price that the step is about, for one piece. */
    amount: number;
    /** KES on top of that price and out of it; missing in what was told before they were named. */
    buyerFee?: number;
    sellerFee?: number;
    /** When the next answer is due, ms since 1970; null where nothing more is expected. */
    until: number | null;
    /** The other side, whose conversation has the offer. */
    otherId: string;
    offerId: string;
  };
  /** To one side of a meeting, about a step of the other side, or as a reminder an hour before. */
  meeting_step: {
    role: "buyer" | "seller";
    step: MeetingMailStep;
    productName: string;
    handover?: Handover;
    /** The name of the meeting point; null for a place in the other side's own words. */
    point: string | null;
    /** Ms since 1970. */
    startsAt: number;
    orderId: string;
    orderItemId: string;
  };
  /** To somebody to whom a message has just been written, on their devices only. */
  message: {
    senderName: string;
    /** The sender. */
    otherId: string;
    productName: string | null;
  };
  /**
   * To somebody who hasn't read `count` messages of a person. `excerpt`: the beginning of the latest, without contacts
   * and numbers; null when it should only be read in the app. `productName`: what it is about; null for nothing.
   */
  new_messages: {
    senderName: string;
    /** The sender. */
    otherId: string;
    count: number;
    productName: string | null;
    /** Of the latest; null when it should only be read in the app. */
    excerpt: string | null;
    /** The id of the latest; missing where 1.0.0 queued it. */
    latestId?: string;
  };
  /**
   * To somebody whom the other side of a deal has reviewed. `role` is the reader's in the deal. They can write their
   * own review `until` then, ms since 1970.
   */
  review_written: {
    role: "buyer" | "seller";
    productName: string;
    orderItemId: string;
    until: number;
  };
  /** To the reviewed, when both reviews are published (`both`), or only the one about the reader. */
  reviews_published: {
    role: "buyer" | "seller";
    productName: string;
    orderItemId: string;
    both: boolean;
  };
  /** To the author of a review, when the reviewed has replied to it. `role` is the reader's in the deal. */
  review_replied: { role: "buyer" | "seller"; productName: string; orderItemId: string };
  /**
   * To a seller whose M-Pesa number changed. The numbers are given by their last two digits; null for none. Payouts
   * wait until `heldUntil` (ms).
   */
  payout_phone_changed: { was: string | null; is: string | null; heldUntil: number } & Undoable;
  /** To the seller. `orderItemId` is the first of the payout's `items`. */
  payout_sent: { orderItemId: string; items: number; amount: number; receipt: string };
  /** To the seller, when it can't be sent until they or our team have fixed something. */
  payout_parked: { orderItemId: string; items: number; amount: number; reason: string };
  /** To the buyer, when a payment came in that must be refunded. */
  refund_due: { orderId: string; amount: number; reason: RefundReason };
  /** To the seller whose plan is paid. `plan` is the plan's name; `endsAt` is in ms. */
  plan_active: { plan: string; amount: number; receipt: string | null; endsAt: number };
  /** To the seller, two days before its end. */
  plan_ending: { plan: string; planId: string; endsAt: number };
  /** To the seller. */
  plan_ended: { plan: string; planId: string };
  /** To the seller, when a payment for a plan came in that must be refunded. */
  plan_refund_due: { plan: string; amount: number; reason: RefundReason };
  /** To the buyer, when a refund can't be sent until our team has fixed something. */
  refund_parked: { orderId: string | null; amount: number };
  /**
   * To the buyer, when a refund has been sent. `receipt`: null when M-Pesa hasn't told it. `isInQuestion`: somebody
   * else had reversed the payment, and our team is asked whether the buyer got it.
   */
  refund_sent: { orderId: string | null; amount: number; receipt: string | null; isInQuestion: boolean };
  /** The decision about a verification document. `reason` is empty where it was approved. */
  verification_decided: { approved: boolean; reason: string };
  /**
   * To a verified student, four weeks before their proof ends. `until`, ms: the end. `byAddress`: they have an address
   * of a university, which proves it again.
   */
  student_ending: { until: number; byAddress: boolean };
  /** With the link by which a student proves their university's address again. */
  student_check: { tokenId: string };
  /** To the buyer, when our team has closed their issue report. */
  issue_closed: { outcome: string; freed?: FreedMoney[] };
  /** To somebody who reported something, when our team has decided. */
  case_outcome: { subject: CaseSubject; decision: CaseDecision; freed?: FreedMoney[] };
  /** To somebody who reported something, when an appeal has undone what our team did about it. */
  report_undone: { subject: CaseSubject };
  /**
   * To the person concerned, when our team decided against them. `title` is the listing's name, or what they wrote.
   * Whoever has the link can read the decision and appeal it, and nothing else. It works for a suspended account, too.
   */
  case_decided: {
    subject: CaseSubject;
    decision: CaseDecision;
    title: string;
    statement: string;
    appealToken: string;
  };
  /** To the person concerned, when our team has answered their appeal. */
  appeal_answered: { granted: boolean; answer: string; appealToken: string };
  /**
   * To the person concerned, when our team has changed its decision without an appeal. `decision`: what it is now; null
   * for none.
   */
  decision_changed: { subject: CaseSubject; decision: CaseDecision | null; appealToken: string };
  /** To the seller of listings that were held, when they are published. */
  held_listing_published: Gathered<NamedListing>;
  /** To each operator: a figure has left its band, or is back (`over`). `since`: ms since 1970. */
  alarm: { alarm: AlarmName; figure: number; since: number; over: boolean };
  /** To each operator's address, from `npm run doctor`. */
  test_email: Nothing;
  /** To each admin, once a day while something waits for a second one. `since`: the oldest, ms since 1970. */
  proposals_waiting: { count: number; since: number };
  /** To each owner, once a day while another owner's suggestion about the service fee waits. `since` as above. */
  fees_waiting: { count: number; since: number };
  /** To somebody on the waiting lists of products that can be bought again. */
  stock_free: Gathered;
  /** To somebody whose saved searches find listings. */
  search_found: Gathered<FoundListing>;
  /** Once a day, to somebody whose saved searches have found listings, the newest first. */
  searches_daily: Gathered<NamedListing & Pick<FoundListing, "searchIds">>;
  /** To somebody who wished for listings that cost less now. */
  wish_cheaper: Gathered;
  /** Once a day, to somebody who follows shops that have listed something. */
  shops_daily: Gathered<NamedListing>;
  /** To the seller, when our team looks at a listing before it is published. `heldFor` as in `products.held_for`. */
  listing_held: { productId: string; productName: string; heldFor: string };
  /** To a seller, once a day for each listing: so many people saved it that day. Never who. */
  saved: { productId: string; productName: string; count: number };
  /**
   * To our team: a question from Help. `userId`: null for a visitor. `order`: what it is about, with its id; null for
   * none.
   */
  team_question: { email: string; userId: string | null; order: string | null; text: string };
  /** To the seller, once for each import, when some of its listings are held. */
  import_held: Nothing;
  /** To a seller whose listing hasn't changed for 30 days, and `others` more. */
  still_available: { productId: string; productName: string; others: number };
  /** To a seller who didn't answer, when that listing and `others` more have left the lists. */
  listing_left: { productId: string; productName: string; others: number };
  /**
   * To somebody who was invited, and to who invited them: the first deal has ended by the code. The reader's shop is
   * featured until `endsAt`, ms; null where they have nothing for sale: their week waits for it.
   */
  friend_came: { role: "invited" | "inviter"; endsAt: number | null };
  /** Once a week: what is new on the reader's campus of what interests them, the most interesting first. */
  digest: { productId: string; productName: string; others: { id: string; name: string }[] };
}

export type Kind = keyof KindData;

/** Those that tell of a change which its owner can undo. */
export type UndoableKind = { [K in Kind]: KindData[K] extends Undoable ? K : never }[Kind];

/** What somebody is told. */
export type Notification = { [K in Kind]: { kind: K; data: KindData[K] } }[Kind];

/** Under which heading of the settings a kind stands. */
export type Group =
  | "orders"
  | "offers"
  | "messages"
  | "reviews"
  | "saved_searches"
  | "wished"
  | "followed_shops"
  | "listings"
  | "digest"
  | "money"
  | "account";

/** What leaves Chuoni. The centre is no way out: it has every kind that has a row there. */
export type Way = "email" | "push";

/**
 * Whether a kind leaves by a way: always; unless its reader has seen it in time; an email unless a device of theirs has
 * told them, either ("unless reached"); the same for whoever turned it on in the settings ("if asked"); or never.
 * `delivery-rules.ts` says how long it waits.
 */
export type Rule = "always" | "unless seen" | "unless reached" | "if asked" | null;

/**
 * News of many listings may come to one person at once. It leaves as one message once nothing more has come for
 * `pauseMs`, and after `everyMs` at the latest. The next one leaves `everyMs` later at the earliest.
 */
export interface Gathering {
  pauseMs: number;
  everyMs: number;
}

/** How many of the listings that one message tells of it names or asks about again. */
export const LISTED_MAX = 50;

/** What a notification is about, as "type:id". Whoever sees the thing has seen what was told about it. */
export type Thing = `${"order" | "item" | "product" | "person" | "plan" | "alarm"}:${string}`;

interface KindRules<Data> {
  group: Group;
  /** What must never wait behind what: see `TRAFFIC`. */
  traffic: Traffic;
  about: About;
  /** Whether the notification centre has it. */
  centre: boolean;
  email: Rule;
  push: Rule;
  /** Null for what is told one by one. */
  gathering: Data extends Gathered<NamedListing> ? Gathering | null : null;
  /** Null for something that has no place of its own. */
  thing(data: Data): Thing | null;
}

const item = ({ orderItemId }: { orderItemId: string }): Thing => `item:${orderItemId}`;
const order = ({ orderId }: { orderId: string | null }): Thing | null => (orderId === null ? null : `order:${orderId}`);
const product = ({ productId }: { productId: string }): Thing => `product:${productId}`;
const person = ({ otherId }: { otherId: string }): Thing => `person:${otherId}`;
const plan = ({ planId }: { planId: string }): Thing => `plan:${planId}`;
const paidFor = (data: PaidFor): Thing | null => ("orderId" in data ? order(data) : plan(data));
const nothing = () => null;
const only = ({ count, listings: [first] }: Gathered<NamedListing>): Thing | null =>
  count === 1 && first ? product(first) : null;

const GATHERED: Gathering = { pauseMs: 5 * MINUTE_MS, everyMs: 60 * MINUTE_MS };
/** Each minute counts. */
const HURRIED: Gathering = { pauseMs: 0, everyMs: 10 * MINUTE_MS };

/** How somebody gets in, or proves an address: only by email. */
const LINK = {
  group: "account",
  traffic: "security",
  about: "account",
  centre: false,
  email: "always",
  push: null,
  gathering: null,
} as const;
const SECURITY = {
  group: "account",
  traffic: "security",
  about: "account",
  centre: true,
  email: "always",
  push: "always",
  gathering: null,
} as const;
const DECISION = {
  group: "account",
  traffic: "money",
  about: "account",
  centre: true,
  email: "always",
  push: null,
  gathering: null,
} as const;
const MONEY = {
  group: "money",
  traffic: "money",
  about: "money",
  centre: true,
  email: "always",
  push: "always",
  gathering: null,
} as const;
const ORDERS = {
  group: "orders",
  traffic: "money",
  about: "use",
  centre: true,
  email: "unless seen",
  push: "always",
  gathering: null,
} as const;
const WANTED = { ...ORDERS, traffic: "news", email: "unless reached", gathering: GATHERED, thing: only } as const;
const LISTINGS = {
  group: "listings",
  traffic: "news",
  about: "use",
  centre: true,
  email: "unless seen",
  push: null,
  gathering: null,
} as const;

/** For each kind, who hears of it and by which ways. Money and account can't be turned off (`mayDecline`). */
export const KINDS: { [K in Kind]: KindRules<KindData[K]> } = {
  confirmation: { ...LINK, thing: nothing },
  welcome: { ...LINK, traffic: "messages", thing: nothing },
  password_reset: { ...LINK, thing: nothing },
  email_change: { ...LINK, thing: nothing },
  email_changing: { ...LINK, thing: nothing },
  email_changed: { ...LINK, thing: nothing },
  password_changed: { ...SECURITY, thing: nothing },
  google_linked: { ...SECURITY, thing: nothing },
  two_step_changed: { ...SECURITY, thing: nothing },
  admin_role_changed: { ...SECURITY, thing: nothing },
  admin_role_given: { ...SECURITY, thing: nothing },
  login_added: { ...SECURITY, thing: nothing },
  admin_step_reset: { ...SECURITY, thing: nothing },
  payout_phone_changed: { ...SECURITY, thing: nothing },
  payment_received: { ...MONEY, thing: order },
  payment_failed: { ...MONEY, thing: order },
  payment_held: { ...MONEY, thing: paidFor },
  payment_dismissed: { ...MONEY, thing: paidFor },
  refund_due: { ...MONEY, thing: order },
  refund_parked: { ...MONEY, thing: order },
  refund_sent: { ...MONEY, thing: order },
  payout_sent: { ...MONEY, thing: item },
  payout_parked: { ...MONEY, thing: item },
  plan_active: { ...MONEY, thing: nothing },
  plan_refund_due: { ...MONEY, thing: nothing },
  issue_closed: { ...MONEY, push: null, thing: nothing },
  case_outcome: { ...MONEY, push: null, thing: nothing },
  deal_outcome: { ...MONEY, thing: item },
  deal_step: { ...ORDERS, thing: item },
  deal_warning: { ...ORDERS, email: "always", thing: item },
  new_sale: { ...ORDERS, thing: item },
  // A meeting may be a quarter of an hour away.
  meeting_step: { ...ORDERS, email: "always", thing: item },
  offer_step: { ...ORDERS, group: "offers", email: "unless reached", thing: person },
  // The messages have a list and a count of their own. Their email waits by itself (message-notices.server.ts).
  message: { ...ORDERS, group: "messages", traffic: "messages", centre: false, email: null, thing: person },
  new_messages: {
    ...ORDERS,
    group: "messages",
    traffic: "messages",
    centre: false,
    email: "unless reached",
    push: null,
    thing: person,
  },
  review_written: { ...ORDERS, group: "reviews", traffic: "messages", push: null, thing: item },
  reviews_published: { ...ORDERS, group: "reviews", traffic: "messages", push: null, thing: item },
  review_replied: { ...ORDERS, group: "reviews", traffic: "messages", push: null, thing: item },
  // The first who pays gets it, so nobody waits.
  stock_free: { ...ORDERS, group: "wished", traffic: "news", email: "always", gathering: HURRIED, thing: only },
  search_found: { ...WANTED, group: "saved_searches" },
  searches_daily: { ...ORDERS, group: "saved_searches", traffic: "news", push: null, thing: nothing },
  wish_cheaper: { ...WANTED, group: "wished" },
  shops_daily: { ...ORDERS, group: "followed_shops", traffic: "news", email: null, push: null, thing: nothing },
  plan_ending: { ...LISTINGS, thing: plan },
  plan_ended: { ...LISTINGS, thing: plan },
  listing_held: { ...LISTINGS, thing: product },
  held_listing_published: { ...LISTINGS, gathering: GATHERED, thing: only },
  import_held: { ...LISTINGS, thing: nothing },
  still_available: { ...LISTINGS, email: "unless reached", push: "unless seen", thing: product },
  listing_left: { ...LISTINGS, email: "unless reached", push: "unless seen", thing: product },
  // Pleasant to know, and nothing to do: it waits in the centre.
  saved: { ...LISTINGS, email: null, thing: product },
  friend_came: { ...LISTINGS, email: null, push: "unless seen", thing: nothing },
  // An email to everybody each week would cost more than all others (docs/costs.md).
  digest: { ...LISTINGS, group: "digest", email: "if asked", push: "unless seen", thing: nothing },
  verification_decided: { ...DECISION, thing: nothing },
  student_ending: { ...DECISION, traffic: "news", thing: nothing },
  student_check: { ...LINK, thing: nothing },
  report_undone: { ...DECISION, thing: nothing },
  case_decided: { ...DECISION, thing: nothing },
  appeal_answered: { ...DECISION, thing: nothing },
  decision_changed: { ...DECISION, thing: nothing },
  proposals_waiting: { ...DECISION, thing: nothing },
  fees_waiting: { ...DECISION, thing: nothing },
  // To our team's address, which has no account.
  team_question: { ...LINK, traffic: "messages", thing: nothing },
  // To the operators' addresses, because it must arrive where nobody has logged in yet, and to their devices.
  alarm: { ...LINK, push: "always", thing: ({ alarm }) => `alarm:${alarm}` },
  test_email: { ...LINK, thing: nothing },
};

/** Whether people may turn a kind off. */
export function mayDecline(kind: Kind): boolean {
  return KINDS[kind].about === "use";
}

/** Whether what is told of a kind is about a thing. */
export function hasThing(kind: Kind): boolean {
  return KINDS[kind].thing !== nothing;
}

export function thingOf<K extends Kind>({ kind, data }: { kind: K; data: KindData[K] }): Thing | null {
  return KINDS[kind].thing(data);
}
