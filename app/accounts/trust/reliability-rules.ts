/** How reliable a seller has been: how fast they answer, and how their paid items ended. Pure rules. */
import { HOUR_MS, DAY_MS } from "#app/platform/duration-rules.ts";

/** Facts are shown from this many conversations on, or from this many buyers and endings. */
export const RELIABLE_FROM = 5;

/** How many of the latest conversations that others began count. */
export const CONVERSATIONS_COUNTED = 20;

/** When somebody began a conversation (ms since 1970), and how long the first answer took (ms). Null: none so far. */
export type ConversationStart = readonly [askedAt: number, replyMs: number | null];

/**
 * The median time in ms until a seller's first answer: at least half of the people waited no longer. People who
 * are still waiting count with the time so far. Null with too few conversations.
 */
export function medianAnswer(starts: readonly ConversationStart[], now: number): number | null {
  if (starts.length < RELIABLE_FROM) return null;
  const waits = starts.map(([at, replyMs]) => replyMs ?? Math.max(0, now - at)).toSorted((one, other) => one - other);
  return waits[Math.ceil(waits.length / 2) - 1] ?? null;
}

const ANSWERS: readonly [upTo: number, words: string][] = [
  [HOUR_MS, "Usually answers within an hour"],
  [4 * HOUR_MS, "Usually answers within a few hours"],
  [DAY_MS, "Usually answers within a day"],
  [3 * DAY_MS, "Usually answers within 3 days"],
];

/** A median time to answer (ms) in words. */
export function answerText(medianMs: number): string {
  return ANSWERS.find(([upTo]) => medianMs <= upTo)?.[1] ?? "Often takes longer than 3 days to answer";
}

/**
 * With how many buyers a seller's paid items ended in which way. A buyer counts once for each way, so the numbers can't
 * be added up to sales or to buyers. What the buyer cancelled isn't counted.
 */
export interface SellerRecord {
  handedOver: number;
  /** Refunded after a problem. */
  refunded: number;
  /** Cancelled by the seller, or not shipped in time. */
  cancelled: number;
}

/** How a seller's paid items ended, in words. Empty with too few. */
export function recordTexts({ handedOver, refunded, cancelled }: SellerRecord): string[] {
  if (handedOver + refunded + cancelled < RELIABLE_FROM) return [];
  const texts: [count: number, words: string][] = [
    [handedOver, `Handed over to ${buyers(handedOver)}`],
    [refunded, `Refunded ${buyers(refunded)} after a problem`],
    [cancelled, `Cancelled or didn't ship in time for ${buyers(cancelled)}`],
  ];
  return texts.flatMap(([count, words]) => (count > 0 ? [words] : []));
}

function buyers(count: number): string {
  return count === 1 ? "1 buyer" : `${count.toLocaleString("en")} buyers`;
}
