/** The history of a deal in words, for each reader. Pure. */
import { divideMoney, type ItemPrice, type MoneyShares } from "#app/orders/item-price-rules.ts";
import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { DealEvent, LiftedReport } from "#app/db/states/deal.ts";
import { periodText } from "./deal-promises.ts";
import { WRONG_CODES_MAX } from "#app/deals/deal-rules.ts";
import { DEAL_HOURS } from "#app/orders/deal-timer-rules.ts";
import { BY_HELPER } from "#app/deals/code/handover-link-rules.ts";
import { dayBounds } from "#app/platform/east-africa-time.ts";
import { formatDate } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { CANCEL_REASONS } from "./deal-texts.ts";
import { PROBLEM_NAMES } from "#app/deals/problems/problem-rules.ts";

/** Who reads: one of the two sides, or an admin, for whom both are somebody else. */
export type HistoryReader = "buyer" | "seller" | "admin";

/** An entry of `deal_events`. */
export interface HistoryEntry {
  id: string;
  event: DealEvent;
  reason: string | null;
  note: string | null;
  /** KES of the price. */
  amount: number | null;
  /** Ms since 1970. */
  createdAt: number;
}

/** What the two sides are called for a reader. The reader's own side is "you". */
interface Names {
  /** At the beginning of a sentence. */
  Buyer: string;
  buyer: string;
  Seller: string;
  seller: string;
}

const NAMES: Record<HistoryReader, Names> = {
  buyer: { Buyer: "You", buyer: "you", Seller: "The seller", seller: "the seller" },
  seller: { Buyer: "The buyer", buyer: "the buyer", Seller: "You", seller: "you" },
  admin: { Buyer: "The buyer", buyer: "the buyer", Seller: "The seller", seller: "the seller" },
};

/** What an entry says depends on: the rest of it, how the deal ends, and its price. */
type About = Pick<HistoryEntry, "reason" | "amount"> & { handover: Handover; price: ItemPrice };

type Words = (names: Names, about: About) => string;

/** The answer of who heard from the other side that they didn't come. */
const CAME = "they had come, so it counts for neither";

/** At the beginning of a sentence. */
function whoEntered({ Seller, seller }: Names, reason: string | null): string {
  return reason === BY_HELPER ? `Somebody whom ${seller} asked` : Seller;
}

/** The day of a link, YYYY-MM-DD. */
function formatDay(day: string | null): string {
  return day !== null && /^\d{4}-\d\d-\d\d$/.test(day) ? formatDate(dayBounds(day).from) : "one day";
}

function sharesOf({ price, amount }: About): MoneyShares {
  return divideMoney(price, amount ?? 0);
}

const TOOK_OVER = "Our team took over";

const WORDS: Record<DealEvent, Words> = {
  paid: ({ Buyer }) => `${Buyer} paid`,
  buyer_contacted: ({ Seller, buyer }) => `${Seller} wrote to ${buyer}`,
  buyer_agreed: ({ Buyer }, { handover }) => `${Buyer} agreed to ${HANDOVER_WORDS[handover].name}`,
  buyer_missed: ({ Seller, buyer }, { reason }) =>
    `${Seller} said that ${reason === null ? `${buyer} didn't come to the meeting` : CAME}`,
  seller_missed: ({ Buyer, seller }, { reason }) =>
    `${Buyer} said that ${reason === null ? `${seller} didn't come to the meeting` : CAME}`,
  shipped: ({ Seller }, { handover }) => `${Seller} marked it as ${HANDOVER_MARKS[handover].sent}`,
  delivered: ({ Seller }, { handover }) => `${Seller} marked it as ${HANDOVER_MARKS[handover].done}`,
  delivered_without_inspection: ({ Seller }, { handover }) => `${Seller} marked it as ${HANDOVER_MARKS[handover].done}`,
  helper_asked: ({ Seller }, { reason }) =>
    `${Seller} made a link for somebody else who hands it over on ${formatDay(reason)}`,
  helper_stopped: ({ Seller }) => `${Seller} stopped the link for somebody else`,
  code_entered: (names, { reason }) => `${whoEntered(names, reason)} entered the handover code`,
  code_held: (names, { reason }) =>
    `${whoEntered(names, reason)} entered the handover code while a report was open, so our team decides`,
  code_closed: () => `The handover code stopped working after ${WRONG_CODES_MAX} wrong tries`,
  cancelled_by_seller: ({ Seller }, { reason }) => `${Seller} cancelled${because(CANCEL_REASONS, reason)}`,
  cancel_accepted: ({ Seller }) => `${Seller} agreed to cancel`,
  cancel_declined: ({ Seller }) => `${Seller} didn't agree to cancel`,
  refunded_by_seller: ({ Seller, buyer }) => `${Seller} refunded ${buyer} in full`,
  part_offered: ({ Seller }, about) => `${Seller} offered to give ${formatKes(sharesOf(about).buyer)} back`,
  problem_contested: ({ Seller }) => `${Seller} didn't agree, so our team decides`,
  cancelled_by_buyer: ({ Buyer }) => `${Buyer} cancelled`,
  cancel_requested: ({ Buyer }) => `${Buyer} asked to cancel`,
  cancel_withdrawn: ({ Buyer }) => `${Buyer} withdrew the request to cancel`,
  accepted: ({ Buyer }) => `${Buyer} confirmed that everything is OK`,
  problem_reported: ({ Buyer }, { reason }) => `${Buyer} reported a problem${because(PROBLEM_NAMES, reason)}`,
  part_accepted: ({ Buyer }, about) => `${Buyer} accepted ${formatKes(sharesOf(about).buyer)} back`,
  problem_withdrawn: ({ Buyer }) => `${Buyer} said that the problem is solved`,
  review_requested: ({ Buyer }) => `${Buyer} asked our team to decide`,
  report_lifted: ({ Buyer, buyer }) => `${Buyer} took back what ${buyer === "you" ? "you" : "they"} had reported`,
  not_shipped: (_, { handover }) => `${HANDOVER_WORDS[handover].missed("It", "wasn't")} in time, so it was cancelled`,
  cancel_unanswered: ({ Seller }) => `${Seller} didn't answer in time, so it was cancelled`,
  inspection_ended: () => "The time to report a problem is over",
  report_open: () => `${TOOK_OVER}, because a report about this order was still open`,
  problem_unanswered: ({ Seller }) => `${TOOK_OVER}, because ${lower(Seller)} didn't answer in time`,
  no_agreement: () => `${TOOK_OVER}, because there was no agreement in time`,
  shipment_overdue: () => `${TOOK_OVER}, because nobody confirmed it for ${periodText(DEAL_HOURS.shipment)}`,
  party_gone: () => "An account or the listing was closed",
  payout_stopped: () => `${TOOK_OVER}, because of a report before the money was sent`,
  team_refunded: ({ buyer }) => `Our team decided: ${buyer} ${verb(buyer)} all the money back`,
  team_split: ({ buyer, seller }, about) =>
    `Our team decided: ${buyer} ${verb(buyer)} ${formatKes(sharesOf(about).buyer)} back, and ${seller} ${verb(seller)} ${formatKes(sharesOf(about).seller)}`,
  team_released: ({ seller }) => `Our team decided: ${seller} ${verb(seller)} the money`,
};

/**
 * A seller never learns who reported something to our team. The problem form of the order, which they answer, is the
 * buyer's.
 */
const SELLER_WORDS: Partial<Record<DealEvent, Words>> = {
  code_held: (names, { reason }) =>
    `${whoEntered(names, reason)} entered the handover code while our team was looking at this sale, so they decide`,
  report_lifted: (names, entry) =>
    entry.reason === ("issue" satisfies LiftedReport)
      ? WORDS.report_lifted(names, entry)
      : "Our team no longer looked at this sale",
  report_open: () => `${TOOK_OVER}, because they were still looking at this sale`,
  payout_stopped: () => `${TOOK_OVER} before the money was sent`,
};

/** An entry as its reader sees it. */
export interface HistoryLine extends HistoryEntry {
  words: string;
  /** What to be careful about in the other side's note. */
  warning: string | null;
}

/** An entry of a deal's history as one sentence without a full stop. */
export function historyWords(entry: About & Pick<HistoryEntry, "event">, reader: HistoryReader): string {
  const words = (reader === "seller" && SELLER_WORDS[entry.event]) || WORDS[entry.event];
  return words(NAMES[reader], entry);
}

/** The words of a reason, after a colon; empty for none and for "other". */
function because(words: Readonly<Record<string, string>>, reason: string | null): string {
  const name = reason === null || reason === "other" ? undefined : words[reason];
  return name ? `: ${lower(name)}` : "";
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function verb(name: string): "get" | "gets" {
  return name === "you" ? "get" : "gets";
}
