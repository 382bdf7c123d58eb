/** What is read of a deal, and what is said about it. */
import type { DealEvent } from "#app/db/states/deal.ts";
import type { RefundPlace } from "#app/db/states/refund.ts";
import type { DealFacts } from "#app/deals/deal-rules.ts";
import type { ItemPrice } from "#app/orders/item-price-rules.ts";
import type { Tone } from "#app/ui/tone.ts";
import type { HandoverLink } from "#app/deals/code/handover-link-rules.ts";
import type { TurnFacts } from "#app/deals/deal-blame-rules.ts";
import type { StepMeeting } from "./next-step-rules.ts";

/** An item's deal as both sides see it. Times in ms since 1970, amounts in KES. */
export interface DealView extends DealFacts, ItemPrice {
  id: string;
  /** Of the product, as it was ordered. */
  name: string;
  buyerContacted: boolean;
  /**
   * The buyer has an open issue report about it (`openIssue`). Of other reports the seller never learns who made them.
   */
  hasOpenIssue: boolean;
  /** Its end waits for a second admin (`deal_holds`), and its clock stands still. */
  isOnHold: boolean;
  /** The link by which somebody else hands it over; null for none. */
  handoverLink: HandoverLink | null;
  /** What says who has to act next before it is shipped. */
  turn: TurnFacts;
  /** When something happens by itself; null when nothing will. */
  dueAt: number | null;
  /** What the seller offers to give back. */
  offeredRefund: number | null;
  /** The last thing that happened; null before the first. */
  latest: { event: DealEvent; reason: string | null; note: string | null; amount: number | null } | null;
  refund: {
    amount: number;
    place: RefundPlace;
    receipt: string | null;
    doneAt: number | null;
  } | null;
}

export interface DealWords {
  tone: Tone;
  title: string;
  sentences: string[];
}

/** The names of the two sides, as they stand inside a sentence: "Achieng" or "the seller". */
export interface DealNames {
  buyer: string;
  seller: string;
}

/** The meeting of an item as one side sees it. */
export interface DealMeeting extends StepMeeting {
  place: string;
}
