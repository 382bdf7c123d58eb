/** The copies (`app/db/copies.ts`) of what cases and reports are about. */
import { and, eq, inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { PERSON_COPY, type PersonCopy } from "#app/accounts/profile/person-copy.server.ts";
import { LISTING_COPY, type ListingCopy } from "#app/catalogue/listing-copy.server.ts";
import type { Statement } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import { type CopySource, copyOf, newestCopy, photosSince } from "#app/db/copies.ts";
import { copies } from "#app/db/tables.server.ts";
import { moderationCases } from "#app/moderation/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { uploads } from "#app/accounts/tables.server.ts";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { MESSAGE_COPY, type MessageCopy } from "#app/messaging/message-copy.server.ts";
import { REPLY_COPY, type ReplyCopy, REVIEW_COPY, type ReviewCopy } from "#app/reviews/review-copy.server.ts";

/** What is copied of each subject. */
export interface CopyContents {
  listing: ListingCopy;
  review: ReviewCopy;
  reply: ReplyCopy;
  person: PersonCopy;
  message: MessageCopy;
}

/** What is copied of a talk, which is made from several messages (`report.server.ts`). */
export interface TalkCopy {
  messages: TalkMessage[];
}

/** A message of a copied conversation. */
export interface TalkMessage {
  id: string;
  senderName: string;
  message: string;
  images: ProductImage[];
  /** Ms since 1970. */
  createdAt: number;
}

/** How each subject of a case is copied. */
export const COPIED: { [Kind in CaseSubject]: CopySource<CopyContents[Kind]> } = {
  listing: LISTING_COPY,
  review: REVIEW_COPY,
  reply: REPLY_COPY,
  person: PERSON_COPY,
  message: MESSAGE_COPY,
};

/**
 * What follows from cases about this kind of thing, for the batch that opens them: what they are about is copied, and
 * each keeps the copy of its beginning. `cases`: their ids, as `idList` or a query.
 */
export function copyCases(kind: CaseSubject, cases: SQLWrapper, now: number): Statement[] {
  const isNew = and(
    eq(moderationCases.subject, kind),
    inArray(moderationCases.id, cases),
    isNull(moderationCases.copyId),
  );
  const subjects = build.select({ id: moderationCases.subjectId }).from(moderationCases).where(isNew);
  return [
    copyOf(COPIED[kind], subjects, now),
    build
      .update(moderationCases)
      .set({ copyId: newestCopy(kind, sql`${moderationCases.subjectId}`) })
      .where(isNew),
  ];
}

/** SQL that selects the keys of all photos that a subject shows now, or has shown since its case was opened. */
export function photosShown(kind: CaseSubject, subjectId: string, caseId: string): SQL {
  const first = build
    .select({ id: moderationCases.copyId })
    .from(moderationCases)
    .where(eq(moderationCases.id, caseId));
  return photosSince(COPIED[kind], subjectId, first);
}

/**
 * Empties these copies: for the erasure of an account. Their photos may go, too, unless something else shows them.
 * `condition`: SQL on `copies`.
 */
export function eraseCopies(condition: SQL | undefined): Statement[] {
  const keys = sql`(SELECT photo.value FROM ${copies}, json_each(${copies.photos}) photo WHERE ${condition})`;
  return [
    // The sweep looks at them again.
    build
      .update(uploads)
      .set({ attachedAt: null })
      .where(sql`${uploads.key} IN ${keys}`),
    build.update(copies).set({ content: "{}", photos: [] }).where(condition),
  ];
}
