import { HANDOVER_MARKS } from "#app/catalogue/types/handover-mark-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import type { DealEvent, LiftedReport } from "#app/db/states/deal.ts";
import { BY_HELPER } from "#app/deals/code/handover-link-rules.ts";
import type { DealRole } from "#app/deals/deal-rules.ts";

interface NoticeAbout {
  handover: Handover;
  reason: string | null;
  /** KES. Of a free item no money moves. */
  subtotal: number;
}

type NoticeWriter = (item: string, about: NoticeAbout) => string;

const BACK = "We are sending your money back.";
const PAYOUT = "Your payout is on its way.";

function money({ subtotal }: NoticeAbout, sentence: string): string {
  return subtotal === 0 ? "" : ` ${sentence}`;
}

function wasDone(item: string, { handover }: NoticeAbout): string {
  return `${item} was ${HANDOVER_MARKS[handover].done}`;
}

/** A toast that both sides get. */
function both(notice: NoticeWriter): Record<DealRole, NoticeWriter> {
  return { buyer: notice, seller: notice };
}

const REVIEW = both((item) => `Our team will decide about ${item}`);
const DECISION = both((item) => `Our team has decided about ${item}`);

/** `reason`: set where it answers the same about them. */
function missed(other: DealRole, item: string, reason: string | null): string {
  return `The ${other} says that ${reason === null ? "you didn't come" : "they came"} to the meeting for ${item}`;
}

/** The toast on the open pages of each side after an event. The person who caused it needs none. */
const NOTICES: Partial<Record<DealEvent, Partial<Record<DealRole, NoticeWriter>>>> = {
  buyer_missed: { buyer: (item, { reason }) => missed("seller", item, reason) },
  seller_missed: { seller: (item, { reason }) => missed("buyer", item, reason) },
  shipped: { buyer: (item, { handover }) => HANDOVER_WORDS[handover].isSent(item) },
  delivered: { buyer: wasDone },
  delivered_without_inspection: { buyer: wasDone },
  code_entered: {
    buyer: (item, { handover, reason }) =>
      `${reason === BY_HELPER ? "Your code was right" : "The seller entered your code"} for ${item}. ${HANDOVER_WORDS[handover].celebration}`,
    // Only where the seller wasn't there.
    seller: (item, about) => `Somebody you asked entered the code for ${item}.${money(about, PAYOUT)}`,
  },
  code_held: REVIEW,
  payout_stopped: REVIEW,
  report_lifted: {
    seller: (item, { reason }) =>
      reason === ("issue" satisfies LiftedReport)
        ? `The buyer took back the report about ${item}. You can go on.`
        : `Our team no longer looks at the sale of ${item}. You can go on.`,
  },
  code_closed: {
    buyer: (item) => `Too many wrong codes were entered for ${item}. Your code no longer works.`,
    seller: (item) => `Too many wrong codes were entered for ${item}. The code no longer works.`,
  },
  cancelled_by_buyer: { seller: (item) => `The buyer cancelled ${item}` },
  cancel_requested: { seller: (item) => `The buyer asks you to cancel ${item}` },
  cancel_accepted: { buyer: (item, about) => `${item} was cancelled.${money(about, BACK)}` },
  cancel_declined: { buyer: (item) => `The seller wants to go ahead with ${item}` },
  cancel_withdrawn: { seller: (item) => `The buyer wants ${item} after all` },
  cancel_unanswered: {
    buyer: (item, about) => `${item} was cancelled.${money(about, BACK)}`,
    seller: (item) => `${item} was cancelled, because the request to cancel wasn't answered`,
  },
  cancelled_by_seller: { buyer: (item, about) => `The seller cancelled ${item}.${money(about, BACK)}` },
  not_shipped: {
    buyer: (item, about) => `${HANDOVER_WORDS[about.handover].missed(item, "wasn't")} in time.${money(about, BACK)}`,
    seller: (item, { handover }) =>
      `${item} was cancelled, because ${HANDOVER_WORDS[handover].missed("it", "wasn't")} in time`,
  },
  party_gone: both((item) => `The sale of ${item} can't go on. We've emailed you.`),
  accepted: { seller: (item, about) => `The buyer says that ${item} is OK.${money(about, PAYOUT)}` },
  inspection_ended: { seller: (item, about) => `${item} is completed.${money(about, PAYOUT)}` },
  problem_reported: { seller: (item) => `The buyer reported a problem with ${item}` },
  refunded_by_seller: {
    buyer: (item, about) =>
      about.subtotal === 0 ? `The seller agreed with you about ${item}` : `The seller refunded ${item}. ${BACK}`,
  },
  part_offered: { buyer: (item) => `The seller offers you a part of your money back for ${item}` },
  problem_contested: { buyer: (item) => `The seller doesn't agree about ${item}, so our team will decide` },
  part_accepted: { seller: (item) => `The buyer accepted your offer for ${item}` },
  problem_withdrawn: { seller: (item, about) => `The buyer's problem with ${item} is solved.${money(about, PAYOUT)}` },
  review_requested: { seller: (item) => `The buyer asked our team to decide about ${item}` },
  report_open: REVIEW,
  problem_unanswered: REVIEW,
  no_agreement: REVIEW,
  shipment_overdue: REVIEW,
  team_refunded: DECISION,
  team_split: DECISION,
  team_released: DECISION,
};

/** The toast for one side; undefined when there is none. */
export function dealNotice(event: DealEvent, role: DealRole, item: string, about: NoticeAbout): string | undefined {
  return NOTICES[event]?.[role]?.(item, about);
}
