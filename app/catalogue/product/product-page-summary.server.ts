import { buyerFeeText, sellerFeeText } from "#app/catalogue/fees/fee-rules.ts";
import { productBlockedText } from "#app/accounts/trust/block-rules.ts";
import { productAwayText } from "#app/accounts/profile/holiday.ts";
import { answerText } from "#app/accounts/trust/reliability-rules.ts";
import type { VerifiedLevel } from "#app/accounts/trust/verified-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import { OFFER } from "#app/db/states/offer.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import type { Tone } from "#app/ui/tone.ts";
import { STATUS_LABELS, STATUS_TONES } from "#app/catalogue/catalogue-rules.ts";
import type { OwnOffer, ProductDetail } from "./product-page.server.ts";
import { handoverText, listedText } from "./product-page-texts.ts";

/**
 * What the page of a product says about it. The server writes it, so that browsers load neither these words nor states.
 */
export interface ProductPageSummary {
  /** Beside the price: its stock or its status. Null where there is nothing to say. */
  badge: { text: string; tone: Tone } | null;
  /** How old the listing is, and whether there is but one piece of a new thing. Of a used one nobody expects more. */
  listed: string;
  /** How a buyer gets it; null where it can't be bought. */
  handover: string | null;
  /** What happens with the buyer's money. */
  promise: string;
  /** The service fee, for whoever pays it; null where the reader pays none. */
  buyerFeeText: string | null;
  sellerFeeText: string | null;
  /**
   * Why the viewer can't buy it now: its seller is on holiday, or one of the two has blocked the other. Null when
   * neither.
   */
  closed: string | null;
  /** How fast its seller answers; null when too few have asked. */
  answers: string | null;
  /** The level of its seller, if somebody checked more than an email address. */
  verified: VerifiedLevel | null;
  /** What buyers should be careful about in the description. */
  warning: string | null;
  /** About the viewer's offer; null when there is none. */
  offer: {
    title: string;
    /** They can pay the agreed price. */
    isAccepted: boolean;
  } | null;
}

/** `now` in ms since 1970. */
export function summarizeProductPage(
  {
    status,
    stock,
    stockLabel,
    condition,
    description,
    listedAt,
    location,
    handover,
    seller,
    ownOffer,
    price,
    feeRule,
  }: ProductDetail,
  now: number,
): ProductPageSummary {
  const { name, shopName, offersDelivery, awayUntil, answerMs, level, block } = seller;
  const called = name || shopName || "The seller";
  const isClosed = block !== null || awayUntil !== null;
  return {
    badge:
      stockLabel || status !== "active"
        ? { text: stockLabel ?? STATUS_LABELS[status], tone: stockLabel ? "orange" : STATUS_TONES[status] }
        : null,
    listed:
      listedText(listedAt, now) +
      (status === "active" && stock === 1 && condition === "new" ? " · The seller has one" : ""),
    handover: status === "active" && !isClosed ? handoverText({ handover, location, offersDelivery }) : null,
    promise: HANDOVER_WORDS[handover].promise,
    buyerFeeText: price === 0 ? null : buyerFeeText(feeRule),
    sellerFeeText: sellerFeeText(feeRule, price),
    closed:
      block !== null
        ? productBlockedText({ seller: called, block })
        : awayUntil !== null
          ? productAwayText({ seller: called, until: awayUntil })
          : null,
    answers: answerMs === null ? null : answerText(answerMs),
    verified: VERIFIED.isVerified(level) ? level : null,
    warning: textWarning(description),
    offer: ownOffer && { title: offerTitle(ownOffer), isAccepted: OFFER.isAccepted(ownOffer.state) },
  };
}

function offerTitle({ state, amount }: OwnOffer): string {
  if (OFFER.isAccepted(state)) return `Your price: ${formatKes(amount)}`;
  return OFFER.awaitsBuyer(state) ? "The seller named another price" : "You made an offer";
}
