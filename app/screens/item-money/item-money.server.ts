import { readItemMoney, selectItemMoney } from "#app/admin/money/money-facts.server.ts";
import { read } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { DealRole } from "#app/deals/deal-rules.ts";
import { dealMeeting, summarizeDeal } from "#app/deals/words/deal-summary.server.ts";
import { dealOfSide } from "#app/deals/words/deal-views.server.ts";
import { selectMeetings } from "#app/meetings/find-meeting.server.ts";
import { summarizePayout } from "#app/payments/transfers/payout-summary.ts";
import { payoutOfItem } from "#app/payments/transfers/start-payout.server.ts";
import { factsFor, itemTimeline, moneyNow } from "./item-money-words.ts";

/**
 * Where the money of an item is, for its buyer or its seller; null for everybody else. Only words leave the server. One
 * round trip.
 */
export async function findItemMoney({ db, now }: Store, itemId: string, viewerId: string) {
  const {
    deals: [deal],
    ownPayout: [payout],
    meetings: [meeting],
    ...found
  } = await read(db, {
    deals: dealOfSide(itemId, viewerId),
    ownPayout: payoutOfItem(db, itemId),
    meetings: selectMeetings(db, { itemId }),
    ...selectItemMoney(itemId),
  });
  const facts = deal && readItemMoney(found);
  if (!deal || !facts) return null;
  const side: DealRole = deal.buyerId === viewerId ? "buyer" : "seller";
  const names = side === "buyer" ? { buyer: "you", seller: "the seller" } : { buyer: "the buyer", seller: "you" };
  const { words } = summarizeDeal(side, deal, names, dealMeeting(meeting?.meeting ?? null, viewerId), now());
  const summary = payout ? summarizePayout(payout) : null;
  const isHeld = ITEM.isHeld(deal.status);
  return {
    side,
    itemId,
    name: deal.name,
    subtotal: deal.subtotal,
    orderPath: side === "buyer" ? `/orders/${deal.orderId}` : `/seller/orders/${itemId}`,
    /** A report of the buyer stops the money. */
    isHeld,
    now: moneyNow({ side, deal, facts: factsFor(side, itemId, facts), payout: summary }),
    /** What happens next, and by when; null where it is over or not paid. */
    next: isHeld ? words : null,
    timeline: itemTimeline(side, itemId, facts).map(({ at, words: said }) => ({ at, words: said })),
  };
}

export type ItemMoney = NonNullable<Awaited<ReturnType<typeof findItemMoney>>>;
