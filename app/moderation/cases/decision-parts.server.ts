/** What decisions and their undoing share: statements for their batches, and what follows after these. */
import { and, eq, gt, isNotNull, isNull, not, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { expectThat, type Statement } from "#app/db/batch.ts";
import { build, hasRow, named } from "#app/db/build.ts";
import { credentials } from "#app/accounts/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { reports } from "#app/moderation/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import type { Notification } from "#app/notifications/kinds.ts";
import { notifyEach } from "#app/notifications/notify.server.ts";
import { afterReviewsChanged, reviewedIn } from "#app/reviews/review-effects.server.ts";
import { moveRemovedPhotos } from "#app/catalogue/photos/removed-photos.server.ts";
import type { CaseFacts, CaseServices, ModerationServices } from "./case-facts.server.ts";

/** The decision stands whatever becomes of this: the job of every minute moves what is left. */
export async function movePhotosNow(services: CaseServices): Promise<void> {
  try {
    await moveRemovedPhotos(services);
  } catch (error) {
    services.log({ event: "photos_not_moved", level: "error", error: String(error).slice(0, 200) });
  }
}

/**
 * Removes something that was written, or shows it again. `from` and `to`: since when it is removed, ms; null where it
 * is shown.
 */
export function changeRemoval(
  subject: "review" | "reply" | "message",
  id: string,
  { from, to }: { from: number | null; to: number | null },
): Statement[] {
  const isThis = (key: SQLiteColumn, removedAt: SQLiteColumn) => and(eq(key, id), sql`${removedAt} IS ${from}`);
  if (subject === "message")
    return [build.update(messages).set({ removedAt: to }).where(isThis(messages.id, messages.removedAt))];
  // A reply has the id of its review.
  if (subject === "reply")
    return [build.update(reviews).set({ replyRemovedAt: to }).where(isThis(reviews.id, reviews.replyRemovedAt))];
  return [
    build.update(reviews).set({ removedAt: to }).where(isThis(reviews.id, reviews.removedAt)),
    ...afterReviewsChanged(reviewedIn(eq(reviews.id, id))),
  ];
}

/** Aborts the batch if the hidden listing of a case was changed after `seenAt`, ms. */
export function expectSeen({ subject, subjectId }: CaseFacts, seenAt: number | undefined): Statement[] {
  if (subject !== "listing" || seenAt === undefined) return [];
  const isChanged = and(
    eq(products.id, subjectId),
    isNotNull(products.suspendedAt),
    isNull(products.deletedAt),
    gt(products.updatedAt, seenAt),
  );
  return [expectThat(not(hasRow(products, isChanged)))];
}

export const SELLER_SUSPENDED_AT = build
  .select({ at: credentials.suspendedAt })
  .from(credentials)
  .where(eq(credentials.id, products.sellerId));

/**
 * Tells everybody who reported a case, each of their own money (`freed`). It doesn't grow with them, because any number
 * of people can report something.
 */
export function tellReporters(
  caseId: string,
  { kind, data }: Extract<Notification, { kind: "case_outcome" | "report_undone" }>,
  now: number,
  freed: SQL = sql`'[]'`,
): Statement[] {
  const reporters = build
    .select({
      ...named({ userId: reports.reporterId }),
      // A case can have one outcome after another.
      key: sql`${`${kind}:${caseId}:${now}:`} || ${reports.reporterId}`.as("key"),
      data: sql`json_set(${JSON.stringify(data)}, '$.freed', json(${freed}))`.as("data"),
    })
    .from(reports)
    .where(eq(reports.caseId, caseId));
  return notifyEach(kind, reporters.getSQL(), now);
}

/** Makes the open pages of the person who got a message show that it is removed, or restored. */
export async function reloadConversation(services: ModerationServices, recipientId: string | null): Promise<void> {
  if (recipientId !== null) await services.notifier.send(recipientId, { type: "account" });
}
