/** Writing, changing and answering reviews. */
import { REVIEW_COPY } from "./review-copy.server.ts";
import { and, eq, gte, inArray, isNotNull, isNull, not, type SQL, sql } from "drizzle-orm";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import { attachPhotos, findPhotos, releasePhotos } from "#app/catalogue/photos/photos.server.ts";
import {
  PreconditionFailed,
  type Statement,
  UniqueViolation,
  expectOneChange,
  expectThat,
  retryOnConflict,
  tryWrite,
  write,
} from "#app/db/batch.ts";
import { build, hasRow, idList, insertEach } from "#app/db/build.ts";
import { copyEdited } from "#app/db/copies.ts";
import type { Store } from "#app/db/client.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { profiles } from "#app/accounts/tables.server.ts";
import { reviews } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { ReviewTag } from "#app/db/states/review.ts";
import { type FieldTexts, type Merged, mergeEdit } from "#app/platform/edit-rules.ts";
import type { Notifier } from "#app/live/live-events.ts";
import {
  type DealReview,
  type DealReviews,
  DEAL_ENDED_AT,
  findDealReviews,
  isFreeAgain,
} from "./find-deal-reviews.server.ts";
import { tellPublished, tellReplied, tellWritten } from "./tell-reviews.server.ts";
import { afterReviewsChanged, reviewedIn } from "./review-effects.server.ts";
import { type Stars } from "./review-labels.ts";
import {
  contraryTags,
  EDIT_HOURS,
  editableParts,
  otherRole,
  publishAtOf,
  refuseReply,
  type ReplyRefusal,
  type ReviewField,
  reviewTexts,
  type ReviewValues,
  REVIEW_PHOTOS_MAX,
  TAGS_ABOUT,
  WRITE_DAYS,
} from "./review-rules.ts";
import { refuseReview, type WriteRefusal } from "./review-step-rules.ts";
import { REVIEW_NOTICES } from "./review-texts.ts";
import { HOUR_MS, DAY_MS } from "#app/platform/duration-rules.ts";

export type ReviewServices = Store & { notifier: Notifier };

interface Words {
  tags: readonly ReviewTag[];
  text: string;
  /** Keys of photos that the author uploaded, each once. Only a buyer's are kept. */
  photoKeys: readonly string[];
}

export interface ReviewInput extends Words {
  itemId: string;
  authorId: string;
  rating: Stars;
}

/** Why the words of a review can't be saved. */
type WordsRefusal =
  /** Two tags contradict each other, or one isn't about this role. */
  | "tags"
  /** A photo isn't the author's, or is no longer stored. */
  | "photos";

export type WriteResult =
  /** `published`: it was the second review, so both are published. */
  { ok: true; published: boolean } | { ok: false; code: "not_found" | WriteRefusal | WordsRefusal };

/** How often to try when the data changed between reading and writing. */
const MAX_TRIES = 4;

/**
 * Writes a review. The second review of a deal publishes both, in the same batch. Safe to repeat: the same review is
 * written once.
 */
export async function writeReview(services: ReviewServices, input: ReviewInput): Promise<WriteResult> {
  const attempt = async (): Promise<WriteResult> => {
    const deal = await findDealReviews(services.db, input.itemId, input.authorId);
    if (!deal || deal.self.isDeleted) return { ok: false, code: "not_found" };
    const refusal = refuse(deal, services.now());
    if (refusal === "already_written" && isSame(deal, input))
      return { ok: true, published: deal.own?.publishedAt !== null };
    if (refusal) return { ok: false, code: refusal };
    const words = await readWords(services, deal, input);
    if (!words.ok) return words;
    await insert(services, deal, input, words.photos);
    await tell(services, deal, deal.others ? REVIEW_NOTICES.published : REVIEW_NOTICES.written);
    return { ok: true, published: deal.others !== null };
  };
  return retryOnConflict(MAX_TRIES, attempt, [PreconditionFailed, UniqueViolation]);
}

function refuse(deal: DealReviews, now: number): WriteRefusal | null {
  return refuseReview(deal, { own: deal.own, other: deal.others, otherIsGone: deal.other.isDeleted }, now);
}

/** The author wrote exactly this already. */
function isSame({ own, role }: DealReviews, input: ReviewInput): boolean {
  const keys = role === "buyer" ? input.photoKeys : [];
  return own !== null && own.rating === input.rating && haveSameWords(own, { ...input, photoKeys: keys });
}

function haveSameWords(own: NonNullable<DealReviews["own"]>, { tags, text, photoKeys }: Words): boolean {
  return (
    own.text === text &&
    own.tags.toSorted().join() === tags.toSorted().join() &&
    own.photos.map(({ key }) => key).join() === photoKeys.join()
  );
}

async function readWords(
  { db }: Store,
  { role, self }: DealReviews,
  { tags, photoKeys }: Words,
): Promise<{ ok: true; photos: ProductImage[] } | { ok: false; code: WordsRefusal }> {
  const allowed = TAGS_ABOUT[otherRole(role)];
  if (contraryTags(tags) || tags.some((tag) => !allowed.includes(tag))) return { ok: false, code: "tags" };
  const photos = await findPhotos(db, self.id, role === "buyer" ? photoKeys.slice(0, REVIEW_PHOTOS_MAX) : []);
  return photos ? { ok: true, photos } : { ok: false, code: "photos" };
}

async function insert(
  { db, now: clock }: Store,
  deal: DealReviews,
  { rating, tags, text }: ReviewInput,
  photos: ProductImage[],
): Promise<void> {
  const now = clock();
  const { itemId, self, other } = deal;
  const publishAt = publishAtOf(now);
  const isSecond = deal.others !== null;
  // Whether the other side has written decides what follows, so the batch checks that it is still so.
  const isOfItem = eq(reviews.orderItemId, itemId);
  const waits = hasRow(reviews, and(isOfItem, eq(reviews.authorId, other.id), isNull(reviews.publishedAt)));
  const mayWrite = and(
    eq(orderItems.id, itemId),
    stateIs(orderItems.status, ITEM.isReviewable),
    gte(DEAL_ENDED_AT, now - WRITE_DAYS * DAY_MS),
    bothAccountsExist(deal),
    not(isFreeAgain(self.id)),
    not(hasRow(reviews, and(isOfItem, isNotNull(reviews.publishedAt)))),
  );
  const review = {
    id: crypto.randomUUID(),
    orderItemId: itemId,
    authorId: self.id,
    subjectId: other.id,
    subjectRole: otherRole(deal.role),
    rating,
    tags: [...tags],
    text,
    photos,
    createdAt: now,
    publishAt,
  };
  const statements: Statement[] = [
    insertEach(
      reviews,
      review,
      sql`FROM ${orderItems} JOIN ${orders} ON ${eq(orders.id, orderItems.orderId)} WHERE ${mayWrite}`,
    ),
    expectOneChange(),
    expectThat(isSecond ? waits : not(waits)),
    ...attachPhotos(
      self.id,
      photos.map(({ key }) => key),
      now,
    ),
    ...(isSecond
      ? [
          build
            .update(reviews)
            .set({ publishedAt: now })
            .where(and(isOfItem, isNull(reviews.publishedAt))),
          ...afterReviewsChanged(reviewedIn(isOfItem)),
          ...tellPublished(deal, [deal.self, deal.other], now),
        ]
      : deal.isBlocked
        ? // Nobody is asked for anything across a block. They hear of it when it is published.
          []
        : tellWritten(deal, publishAt, now)),
  ];
  await write(db, statements);
}

/** SQL: neither side has deleted their account. Deletion removes their words, so none may be written afterwards. */
function bothAccountsExist({ self, other }: Pick<DealReviews, "self" | "other">): SQL {
  return not(hasRow(profiles, and(inArray(profiles.id, [self.id, other.id]), isNotNull(profiles.deletedAt))));
}

export type EditRefusal = WordsRefusal | "not_found" | "removed" | "too_late" | "stars_fixed";

export type EditResult =
  | { ok: true; isUnchanged: boolean }
  | { ok: false; code: EditRefusal }
  /** It was changed meanwhile, in the same fields. */
  | { ok: false; code: "changed"; merged: Merged<ReviewField> };

/**
 * Changes a review within 24 hours of writing it, merged with what was changed since its form was `opened` (null where
 * the form doesn't say). Without a `rating` the stars stay. Once it is published they are fixed, and other changes mark
 * the review as edited. Safe to repeat.
 */
export async function editReview(
  services: Store,
  input: Omit<ReviewInput, "rating"> & { rating?: Stars; opened: FieldTexts | null },
): Promise<EditResult> {
  return retryOnConflict(MAX_TRIES, async () => {
    const now = services.now();
    const deal = await findDealReviews(services.db, input.itemId, input.authorId);
    if (!deal?.own || deal.self.isDeleted) return { ok: false, code: "not_found" };
    const { own, self } = deal;
    const merged = mergeReview(deal, own, input);
    if (merged.isUnchanged) return { ok: true, isUnchanged: true };
    const edited = readTexts(merged.values);
    const { rating, tags, text } = edited;
    const parts = editableParts(own, now);
    if (parts === null) return { ok: false, code: own.removedAt === null ? "too_late" : "removed" };
    if (parts === "words" && rating !== own.rating) return { ok: false, code: "stars_fixed" };
    const words = await readWords(services, deal, edited);
    if (!words.ok) return words;
    if (merged.conflicts.length > 0) return { ok: false, code: "changed", merged };
    const keys = words.photos.map(({ key }) => key);
    const dropped = own.photos.map(({ key }) => key).filter((key) => !keys.includes(key));
    await write(services.db, [
      build
        .update(reviews)
        .set({
          rating,
          tags: [...tags],
          text,
          photos: words.photos,
          editedAt: sql`CASE WHEN ${isNotNull(reviews.publishedAt)} THEN ${now} END`,
        })
        .where(
          and(
            eq(reviews.id, own.id),
            isNull(reviews.removedAt),
            gte(reviews.createdAt, now - EDIT_HOURS * HOUR_MS),
            isUnchanged(own),
            not(hasRow(profiles, and(eq(profiles.id, self.id), isNotNull(profiles.deletedAt)))),
          ),
        ),
      expectOneChange(),
      copyEdited(REVIEW_COPY, idList(own.id), now),
      ...(dropped.length > 0 ? [releasePhotos(self.id, dropped, now)] : []),
      ...attachPhotos(self.id, keys, now),
    ]);
    return { ok: true, isUnchanged: false };
  });
}

/** SQL: a review is still as it was read. */
function isUnchanged({ publishedAt, rating, text, tags, photos }: DealReview): SQL | undefined {
  return and(
    sql`${reviews.publishedAt} IS ${publishedAt}`,
    eq(reviews.rating, rating),
    eq(reviews.text, text),
    sql`json(${reviews.tags}) = json(${JSON.stringify(tags)})`,
    sql`json(${reviews.photos}) = json(${JSON.stringify(photos)})`,
  );
}

/** The edit with what was changed in another place since its form was opened. Only a buyer's photos are kept. */
function mergeReview(
  { role }: DealReviews,
  own: DealReview,
  { opened, rating, tags, text, photoKeys }: Parameters<typeof editReview>[1],
): Merged<ReviewField> {
  const now = reviewTexts({ ...own, photoKeys: own.photos.map(({ key }) => key) });
  const typed = reviewTexts({ rating: own.rating, tags, text, photoKeys: role === "buyer" ? photoKeys : [] });
  // Stars that aren't in the form are left as they are.
  const mine = { ...typed, rating: rating === undefined ? (opened?.rating ?? now.rating) : String(rating) };
  return mergeEdit<ReviewField>({ opened, now, mine });
}

/** What `reviewTexts` wrote, or the browser sent back. */
function readTexts({ rating, tags, text, photos }: Record<ReviewField, string>): ReviewValues {
  return {
    rating: Number(rating),
    tags: tags.split(" ").filter(Boolean) as ReviewTag[],
    text,
    photoKeys: photos.split(" ").filter(Boolean),
  };
}

/** The one reply of the reviewed person to a published review. Safe to repeat. */
export async function replyToReview(
  services: ReviewServices,
  { itemId, by, text }: { itemId: string; by: string; text: string },
): Promise<{ ok: true } | { ok: false; code: "not_found" | ReplyRefusal }> {
  const deal = await findDealReviews(services.db, itemId, by);
  if (!deal?.others) return { ok: false, code: "not_found" };
  const refusal = refuseReply(deal.others);
  if (refusal === "already_replied" && deal.others.reply === text) return { ok: true };
  if (refusal) return { ok: false, code: refusal };
  const isDone = await tryWrite(services.db, [
    build
      .update(reviews)
      .set({ reply: text, repliedAt: services.now() })
      .where(
        and(
          eq(reviews.id, deal.others.id),
          eq(reviews.subjectId, by),
          isNotNull(reviews.publishedAt),
          isNull(reviews.removedAt),
          isNull(reviews.reply),
        ),
      ),
    expectOneChange(),
    ...tellReplied(deal, services.now()),
  ]);
  if (!isDone) {
    const now = await findDealReviews(services.db, itemId, by);
    if (!now?.others) return { ok: false, code: "not_found" };
    return now.others.reply === text ? { ok: true } : { ok: false, code: refuseReply(now.others) ?? "already_replied" };
  }
  await tell(services, deal, REVIEW_NOTICES.replied);
  return { ok: true };
}

/** Tells the other side's open pages. */
async function tell({ notifier }: ReviewServices, deal: DealReviews, notice: (name: string) => string): Promise<void> {
  const { orderId, itemId } = deal;
  await notifier.send(deal.other.id, {
    type: "order",
    orderId,
    orderItemId: itemId,
    notice: notice(firstName(deal.self.name) || (deal.role === "buyer" ? "The buyer" : "The seller")),
  });
}
