/** The service fee that the owners set, and what it comes to for a price: pure rules. Amounts in whole KES. */
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import type { FeePayer } from "#app/db/states/fee.ts";
import { dayOf, dayStart } from "#app/platform/east-africa-time.ts";
import { formatKes } from "#app/ui/money.ts";

/** A fee as the owners set it: a share of the price, within two bounds. */
export interface FeeRule {
  payer: FeePayer;
  /** Hundredths of a percent: 250 is 2.5%. */
  share: number;
  smallest: number;
  largest: number;
}

/** What each side pays for one item of an order. One of the two is 0. */
export interface ItemFees {
  /** On top of the price. */
  buyerFee: number;
  /** Out of the price. */
  sellerFee: number;
}

/**
 * The fee of an item that costs `subtotal`. What is free has none. A seller keeps at least what M-Pesa can pay out, and
 * a buyer pays at most what M-Pesa takes in one payment.
 * `buyerFeeSql` and `sellerFeeSql` in `fees.server.ts` say the same in SQL.
 */
export function feesOf(rule: FeeRule | null, subtotal: number): ItemFees {
  if (rule === null || subtotal === 0) return { buyerFee: 0, sellerFee: 0 };
  const share = Math.floor((subtotal * rule.share + 5000) / 10_000);
  const fee = Math.min(Math.max(share, rule.smallest), rule.largest);
  if (rule.payer === "buyer")
    return { buyerFee: Math.max(0, Math.min(fee, PAYMENT_LIMITS.max - subtotal)), sellerFee: 0 };
  return { buyerFee: 0, sellerFee: Math.max(0, Math.min(fee, subtotal - PAYOUT_LIMITS.min)) };
}

/** No price has this fee. */
export function takesNothing({ share, smallest, largest }: Omit<FeeRule, "payer">): boolean {
  return largest === 0 || (share === 0 && smallest === 0);
}

/** "2.5%". `share` in hundredths of a percent. */
export function formatShare(share: number): string {
  return `${share / 100}%`;
}

/** "2.5%, at least KES 5 and at most KES 200". */
export function feeWords(rule: Omit<FeeRule, "payer">): string {
  const { share, smallest, largest } = rule;
  if (takesNothing(rule)) return "none";
  if (smallest === largest) return formatKes(largest);
  const least = smallest > 0 ? `at least ${formatKes(smallest)} and ` : "";
  return `${formatShare(share)}, ${least}at most ${formatKes(largest)}`;
}

/** What a buyer reads before they order; null where they pay no fee. */
export function buyerFeeText(rule: FeeRule | null): string | null {
  if (rule?.payer !== "buyer" || takesNothing(rule)) return null;
  return `Plus a service fee: ${feeWords(rule)}`;
}

/** What one side reads beside a price (KES) that they agree to; null where they pay no fee. */
export function agreedFeeText(side: FeePayer, price: number, { buyerFee, sellerFee }: ItemFees): string | null {
  const fee = side === "buyer" ? buyerFee : sellerFee;
  if (fee === 0) return null;
  return side === "buyer"
    ? `You pay ${formatKes(price + fee)}, with a service fee of ${formatKes(fee)}.`
    : `You get ${formatKes(price - fee)} when it sells, after a service fee of ${formatKes(fee)}.`;
}

/** What a seller reads beside the price of their own listing; null where they pay no fee. `price`: KES. */
export function sellerFeeText(rule: FeeRule | null, price: number): string | null {
  return agreedFeeText("seller", price, feesOf(rule, price));
}

/** What a seller reads beside a field for a price; null where they pay no fee. */
export function typedFeeText(rule: FeeRule | null): string | null {
  if (rule?.payer !== "seller" || takesNothing(rule)) return null;
  return `Service fee when it sells: ${feeWords(rule)}`;
}

/** A confirmed fee of a category, or of all that have none of their own. */
export interface SetFee extends FeeRule {
  /** Null for all that have none of their own. */
  category: string | null;
  /** Of a category: from then on it has the fee of all others, and none of its own. */
  asOthers: boolean;
  /** Ms since 1970. */
  startsAt: number;
  confirmedAt: number;
}

/** Of all confirmed fees those that hold at `now`: the last to begin of each category. */
export function feesAt<Fee extends SetFee>(fees: readonly Fee[], now: number): Fee[] {
  const begun = fees
    .filter(({ startsAt }) => startsAt <= now)
    .toSorted((one, other) => one.startsAt - other.startsAt || one.confirmedAt - other.confirmedAt);
  return [...new Map(begun.map((fee) => [fee.category, fee])).values()].filter(({ asOthers }) => !asOthers);
}

/** The fees that begin after `now`, the next first. */
export function feesAfter<Fee extends SetFee>(fees: readonly Fee[], now: number): Fee[] {
  return fees.filter(({ startsAt }) => startsAt > now).toSorted((one, other) => one.startsAt - other.startsAt);
}

interface NamedFee extends FeeRule {
  /** Null for all that have none of their own. */
  categoryName: string | null;
}

/** "5%, at least KES 5 and at most KES 200; Textbooks: none": what sellers pay. Null where no seller pays anything. */
export function sellerFeesText(fees: readonly NamedFee[]): string | null {
  const isTaken = (fee: FeeRule) => fee.payer === "seller" && !takesNothing(fee);
  if (!fees.some(isTaken)) return null;
  const words = (fee: FeeRule) => (isTaken(fee) ? feeWords(fee) : "none");
  const others = fees.find(({ categoryName }) => categoryName === null);
  const named = fees.filter((fee) => fee.categoryName !== null && (isTaken(fee) || (others && isTaken(others))));
  return [
    ...(others && isTaken(others) ? [words(others)] : []),
    ...named.map((fee) => `${fee.categoryName}: ${words(fee)}`),
  ].join("; ");
}

/**
 * What sellers read of a fee that will begin; null where it changes nothing for them. `confirmed`: all fees, of the
 * past and to come, because others may begin before it or on the same day.
 */
export function newFeeText(
  fee: SetFee & NamedFee,
  confirmed: readonly (SetFee & Pick<NamedFee, "categoryName">)[],
): string | null {
  const isOurs = (rule: FeeRule | undefined) => rule?.payer === "seller" && !takesNothing(rule);
  const ofCategory = (fees: readonly SetFee[]) =>
    fees.find(({ category }) => category === fee.category) ?? fees.find(({ category }) => category === null);
  const fees = feesAt(confirmed, fee.startsAt);
  const after = ofCategory(fees);
  if (!isOurs(after) && !isOurs(ofCategory(feesAt(confirmed, fee.startsAt - 1)))) return null;
  const others = fees.flatMap(({ categoryName }) => categoryName ?? []);
  const of =
    fee.categoryName !== null
      ? `new sales in ${fee.categoryName}`
      : others.length > 0
        ? `new sales except in ${new Intl.ListFormat("en").format(others)}`
        : "new sales";
  const words =
    after && isOurs(after) ? `the service fee on ${of} is ${feeWords(after)}` : `you pay no service fee on ${of}`;
  return `${words}. What was ordered before keeps its fee.`;
}

/** The largest share, in hundredths of a percent, and the largest bound that can be set. */
export const FEE_MAX = { share: 2000, bound: 20_000 };

/** How many days before it begins sellers read of a new fee on My Shop. */
export const FEE_NOTICE_DAYS = 14;

/**
 * From when a fee can begin that is confirmed at `now`, ms since 1970: sellers hear of it before. One that takes
 * nothing begins on the next day; what all others have may take something.
 */
export function earliestStart(fee: Omit<FeeRule, "payer"> & Pick<SetFee, "asOthers">, now: number): number {
  return dayStart(dayOf(now) + (takesNothing(fee) && !fee.asOthers ? 1 : FEE_NOTICE_DAYS));
}
