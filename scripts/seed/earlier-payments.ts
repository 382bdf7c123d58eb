/** The payments and payouts of the demo campus, for the sandbox, which has to know them like any others. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { accountReference, planReference } from "#app/payments/collect/prompt-rules.ts";
import { ATTEMPT } from "#app/db/states/attempt.ts";
import { TRANSFER } from "#app/db/states/transfer.ts";
import { CommandError } from "#scripts/command.ts";
import { replaceFile } from "#scripts/folders.ts";
import type { Rows } from "./rows.ts";

/** In the state folder, from the seeding until the sandbox has taken it. */
const FILE = "earlier-payments.json";
const TRIES = 60;
const PAUSE_MS = 1_000;

/** What M-Pesa would know of these rows, as `POST /sandbox/earlier` takes it. */
export function earlierPayments({ paymentAttempts = [], payouts = [] }: Partial<Rows>) {
  return {
    payments: paymentAttempts.flatMap((attempt) =>
      attempt.receipt && ATTEMPT.isPaid(attempt.state ?? "created")
        ? [
            {
              receipt: attempt.receipt,
              phone: attempt.phone,
              amount: attempt.amount,
              reference: attempt.orderId
                ? accountReference(attempt.orderId)
                : planReference(attempt.subscriptionId ?? attempt.id),
              checkoutRequestId: attempt.checkoutRequestId ?? attempt.id,
              merchantRequestId: attempt.merchantRequestId ?? attempt.id,
              startedAt: attempt.createdAt,
              paidAt: attempt.settledAt ?? attempt.createdAt,
            },
          ]
        : [],
    ),
    payouts: payouts.flatMap((payout) =>
      payout.receipt && payout.phone && TRANSFER.isDone(payout.state ?? "due")
        ? [
            {
              receipt: payout.receipt,
              phone: payout.phone,
              amount: payout.amount,
              conversationId: payout.conversationId,
              startedAt: payout.sentAt ?? payout.createdAt,
              paidAt: payout.doneAt ?? payout.createdAt,
            },
          ]
        : [],
    ),
  };
}

export function keepEarlierPayments(state: string, rows: Partial<Rows>): void {
  replaceFile(join(state, FILE), JSON.stringify(earlierPayments(rows)));
}

/**
 * Tells the sandbox of what was seeded since it was last told, and waits until it answers.
 * @throws CommandError if it refuses
 */
export async function tellSandbox(state: string, origin: string): Promise<void> {
  const file = join(state, FILE);
  if (!existsSync(file)) return;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await fetch(`${origin}/sandbox/earlier`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body: readFileSync(file, "utf8"),
    }).catch(() => null);
    if (answer?.ok) return rmSync(file, { force: true });
    if (answer && answer.status < 500)
      throw new CommandError(`The sandbox refused the demo payments: ${answer.status}`);
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
