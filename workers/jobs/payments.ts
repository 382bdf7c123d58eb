import { write } from "#app/db/batch.ts";
import { takeLease } from "#app/db/leases.ts";
import { logDailySummaries } from "#app/payments/books/daily-summary.server.ts";
import { closeMatched } from "#app/payments/books/mpesa-lists.server.ts";
import { pullPayments } from "#app/payments/books/pull.server.ts";
import { advancePayments } from "#app/payments/advance-payments.server.ts";
import { checkBooks } from "#app/payments/books/check-books.server.ts";
import type { DealServices } from "#app/deals/deal-services.ts";
import { advanceDeals } from "#app/deals/deal-timers.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/platform/duration-rules.ts";

/** How often the books are checked, ms. A check reads every entry there is, so not every minute. */
const BOOKS_EVERY_MS = HOUR_MS;

/** Every minute: does what is due in deals, which may release or refund money. */
export async function runDealsJob(services: DealServices): Promise<void> {
  const deals = await advanceDeals(services);
  if (deals > 0) services.log({ event: "deals_advanced", deals });
}

/** Every minute: takes the next step of every open payment. */
export async function runPaymentsJob(services: DealServices): Promise<void> {
  const report = await advancePayments(services);
  if (Object.values(report).some((count) => count > 0)) services.log({ event: "payments_advanced", ...report });
}

/** How often M-Pesa's own list of payments is asked for, ms. */
const PULL_EVERY_MS = 30 * MINUTE_MS;

/** Every half hour: compares our payments with M-Pesa's own list. */
export async function runPullJob(services: DealServices): Promise<void> {
  if (services.payments.pullNumber === "" || !(await takeLease(services, "pull", PULL_EVERY_MS))) return;
  const pulled = await pullPayments(services);
  services.log({ event: "pulled", ...pulled });
}

/** Every hour: compares the books with the facts. Once a day is over: logs its summary, whatever the books say. */
export async function runBooksJob(services: DealServices): Promise<void> {
  if (!(await takeLease(services, "books", BOOKS_EVERY_MS))) return;
  try {
    await checkBooks(services);
    await write(services.db, [closeMatched(services.now())]);
  } catch (error) {
    await logDailySummaries(services).catch((also: unknown) =>
      services.log({ event: "daily_summary_failed", level: "error", error: String(also) }),
    );
    throw error;
  }
  await logDailySummaries(services);
}
