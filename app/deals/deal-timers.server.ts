import { and, asc, eq, lte, max, not, type SQL } from "drizzle-orm";
import { PreconditionFailed, type Statement, expectOneChange, write } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { oneByOne } from "#app/db/one-by-one.ts";
import { dealTimers } from "#app/orders/tables.server.ts";
import { DEAL_REMINDERS, type DealEvent, type DealReminder, type DealTimer } from "#app/db/states/deal.ts";
import { ITEM } from "#app/db/states/item.ts";
import { whoseTurn } from "./deal-blame-rules.ts";
import { isTimerHeld } from "./deal-holds.server.ts";
import { recordDiscrepancy } from "#app/payments/books/discrepancies.server.ts";
import { listStoppedItems } from "#app/payments/transfers/item-money.server.ts";
import { applyDealEvent, tellSides } from "./deal-events.server.ts";
import type { DealServices } from "./deal-services.ts";
import { type Deal, findDeal } from "./find-deal.server.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** How many timers one run of the job handles. The next run is a minute later. */
const AT_ONCE = 50;

type Timer = typeof dealTimers.$inferSelect;

/**
 * Does what is due: reminders, and what happens when nobody acts. Returns how many timers were due. Each timer is
 * claimed in the batch of what it does, so two runs at once and a stop at any point are safe.
 * @throws while the database is away; everything stays due for the next run
 */
export async function advanceDeals(services: DealServices): Promise<number> {
  const due = await services.db
    .select()
    .from(dealTimers)
    .where(and(lte(dealTimers.dueAt, services.now()), not(isTimerHeld)))
    .orderBy(asc(dealTimers.dueAt))
    .limit(AT_ONCE);
  await stopPayouts(services);
  await oneByOne(
    due,
    (timer) => advance(services, timer),
    async (timer, error) => {
      // Another run was faster.
      if (error instanceof PreconditionFailed) return;
      await recordDiscrepancy(services, "job_failed", timer.orderItemId, String(error));
      await postpone(services, timer);
    },
  );
  return due.length;
}

/** Takes the items of payouts that were not sent yet back, where the buyer has reported something since. */
async function stopPayouts(services: DealServices): Promise<void> {
  await oneByOne(
    await listStoppedItems(services),
    (itemId) => applyDealEvent(services, { itemId, event: "payout_stopped", by: null }),
    async (itemId, error) => {
      // The payout has been sent meanwhile.
      if (error instanceof PreconditionFailed) return;
      await recordDiscrepancy(services, "job_failed", itemId, String(error));
    },
  );
}

/** Moves a timer that failed an hour into the future, so that it doesn't hold up the others. */
async function postpone(services: DealServices, timer: Timer): Promise<void> {
  await write(services.db, [
    build
      .update(dealTimers)
      .set({ dueAt: services.now() + HOUR_MS })
      .where(isTimer(timer)),
  ]);
}

async function advance(services: DealServices, timer: Timer): Promise<void> {
  const deal = await findDeal(services, timer.orderItemId);
  if (!deal) return;
  if (isReminder(timer.kind)) return remind(services, deal, timer);
  const apply = (event: DealEvent) =>
    applyDealEvent(services, { itemId: deal.id, event, by: null, together: claim(timer) });
  let done = await apply(timer.kind);
  if (!done.ok && done.code === "reported") done = await apply("report_open");
  // The status allows no such event any more, so the timer is out of date.
  if (!done.ok) await write(services.db, claim(timer));
}

async function remind(services: DealServices, deal: Deal, timer: Timer): Promise<void> {
  const now = services.now();
  const until = await nextDue(services, timer);
  // After an outage of the job, what the reminder warns of is due as well, and has an email of its own.
  if (until !== null && until <= now) {
    await write(services.db, claim(timer));
    return;
  }
  // Whoever has to act is reminded: the seller to ship, or the buyer to answer.
  const readers = ITEM.isToShip(deal.status) ? [whoseTurn(deal.turn)] : undefined;
  await write(services.db, [
    ...claim(timer),
    ...tellSides(deal, timer.kind, `${timer.kind}:${timer.dueAt}`, {
      amount: null,
      note: null,
      until,
      now,
      readers,
    }),
  ]);
}

/** When the item's last timer ends, ms since 1970. */
async function nextDue(services: DealServices, { orderItemId }: Timer): Promise<number | null> {
  const [row] = await services.db
    .select({ until: max(dealTimers.dueAt) })
    .from(dealTimers)
    .where(eq(dealTimers.orderItemId, orderItemId));
  return row?.until ?? null;
}

/** Removes the timer. Aborts its batch if it was changed, or its deal held, since it was read. */
function claim(timer: Timer): Statement[] {
  return [build.delete(dealTimers).where(and(isTimer(timer), not(isTimerHeld))), expectOneChange()];
}

function isTimer({ orderItemId, kind, dueAt }: Timer): SQL | undefined {
  return and(eq(dealTimers.orderItemId, orderItemId), eq(dealTimers.kind, kind), eq(dealTimers.dueAt, dueAt));
}

function isReminder(kind: DealTimer): kind is DealReminder {
  return (DEAL_REMINDERS as readonly DealTimer[]).includes(kind);
}
