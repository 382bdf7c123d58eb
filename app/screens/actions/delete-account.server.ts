import { eq, not, type SQL } from "drizzle-orm";
import type { DeletionBlocker } from "#app/accounts/login/account-rules.ts";
import { hasAdminRole } from "#app/accounts/admin-role.server.ts";
import { type DeletionServices, eraseAccount, findErasable } from "#app/accounts/erase.server.ts";
import { eraseBasket } from "#app/basket/erase.server.ts";
import { endClosedOffers } from "#app/catalogue/end-offers.server.ts";
import { eraseListings } from "#app/catalogue/selling/erase.server.ts";
import { expectThat, tryWrite } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { eraseProblems } from "#app/deals/erase.server.ts";
import { eraseMeetings } from "#app/meetings/erase.server.ts";
import { eraseMessages } from "#app/messaging/erase.server.ts";
import { eraseEvidence } from "#app/moderation/erase.server.ts";
import { closeOrdersOf, eraseOrders, orderBlockers } from "#app/orders/erase.server.ts";
import { erasePayments, paymentBlockers } from "#app/payments/erase.server.ts";
import { eraseReviews } from "#app/reviews/erase.server.ts";
import { eraseUpkeep } from "#app/upkeep/erase.server.ts";
import { eraseShop } from "#app/shops/erase.server.ts";

export type DeletionResult =
  /** `documentKeys`: the files to delete from the private bucket. */
  { ok: true; documentKeys: string[] } | { ok: false; code: DeletionBlocker | "gone" };

/** SQL conditions, each of which blocks the deletion. The first that holds is told. */
function deletionBlockers(userId: string): Record<DeletionBlocker, SQL> {
  const { payment_open, ...transfers } = paymentBlockers(userId);
  const { report_open, ...deals } = orderBlockers(userId);
  return { admin: hasAdminRole(userId), payment_open, ...deals, ...transfers, report_open };
}

/** Why the account can't be deleted yet; null when it can. One round trip. */
async function findDeletionBlocker({ db }: Store, userId: string): Promise<DeletionBlocker | null> {
  const blockers = deletionBlockers(userId);
  const [holds] = await db.select(blockers).from(credentials).where(eq(credentials.id, userId));
  return (Object.keys(blockers) as DeletionBlocker[]).find((blocker) => holds?.[blocker] === 1) ?? null;
}

/**
 * Deletes an account in one batch. Everything personal is erased. Orders and the books stay without a name, listings
 * are marked as deleted, every session ends, and the email and the earlier ones are free again, unless a case about the
 * account is open or upheld. Such a case keeps its copies. The batch checks that nothing blocks it. If two deletions
 * run at once, one succeeds and the other returns "gone".
 */
export async function deleteAccount(services: DeletionServices, userId: string): Promise<DeletionResult> {
  const reason = await findDeletionBlocker(services, userId);
  if (reason) return { ok: false, code: reason };
  const account = await findErasable(services, userId);
  if (!account) return { ok: false, code: "gone" };
  const now = services.now();
  const isDone = await tryWrite(services.db, [
    ...Object.values(deletionBlockers(userId)).map((condition) => expectThat(not(condition))),
    ...closeOrdersOf(userId, now),
    ...eraseListings(userId, now),
    ...eraseReviews(userId),
    eraseUpkeep(userId),
    ...eraseShop(userId, now),
    ...eraseBasket(userId),
    ...erasePayments(userId),
    eraseProblems(userId),
    ...eraseOrders(userId),
    eraseMeetings(userId),
    ...eraseMessages(userId),
    ...eraseEvidence([userId], now),
    ...eraseAccount(services, account),
    ...endClosedOffers(userId, now),
  ]);
  if (!isDone) return { ok: false, code: (await findDeletionBlocker(services, userId)) ?? "gone" };
  return { ok: true, documentKeys: account.documentKeys };
}
