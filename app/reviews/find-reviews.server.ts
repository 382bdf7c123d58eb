import { sql } from "drizzle-orm";
import { firstName } from "#app/accounts/name-rules.ts";
import type { StarCounts } from "#app/accounts/rating-rules.ts";
import { readStars, starsOf } from "#app/accounts/ratings.server.ts";
import { readPlace, writePlace } from "#app/catalogue/catalogue-rules.ts";
import { rowOf, rowsOf, runBatch } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { ReviewTag } from "#app/db/states/review.ts";
import { type Stars } from "./review-labels.ts";
import { REVIEWS_A_PAGE, REVIEWS_ON_SELLER_PAGE, type ReviewRole } from "./review-rules.ts";

/** A published review as everybody sees it. Times in ms since 1970. */
export interface PublishedReview {
  id: string;
  /** The author's first name only. */
  author: string;
  rating: Stars;
  tags: ReviewTag[];
  /** Empty when they wrote nothing. */
  text: string;
  photos: ProductImage[];
  publishedAt: number;
  /** Its words, tags or photos were changed after it was published. */
  isEdited: boolean;
  /** The buyer of the deal got the money back. */
  isRefunded: boolean;
  /** The reader wrote it. */
  isOwn: boolean;
  /** It is about the reader, who wrote the reply. */
  isAboutViewer: boolean;
  /** Null also when our team removed it. */
  reply: string | null;
  repliedAt: number | null;
}

interface ReviewRow extends Omit<
  PublishedReview,
  "author" | "tags" | "photos" | "isEdited" | "isRefunded" | "isOwn" | "isAboutViewer"
> {
  authorName: string | null;
  tags: string;
  photos: string;
  isEdited: number;
  isRefunded: number;
  isOwn: number;
  isAboutViewer: number;
}

export interface PersonReviews {
  /** Newest first. */
  reviews: PublishedReview[];
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** Of all published reviews of this person in this role. */
  stars: StarCounts;
  person: {
    id: string;
    /** The shop's name, for a seller who has one, or the first name. */
    name: string;
  };
  /** What the person was in the deals. */
  as: ReviewRole;
  /** The cursor that this page starts after; null for the first. */
  after: string | null;
}

/** The newest published reviews of a seller, for the seller's page. One round trip. */
export async function findNewestReviews(
  { db }: Pick<Store, "db">,
  sellerId: string,
  viewerId: string | null,
): Promise<Pick<PersonReviews, "reviews" | "next">> {
  const about = { subjectId: sellerId, role: "seller", viewerId } as const;
  const [rows] = await runBatch(db, [selectReviews(about, null, REVIEWS_ON_SELLER_PAGE)]);
  return readPage(rows, REVIEWS_ON_SELLER_PAGE);
}

/**
 * One page of the published reviews of a person, newest first; null when there is no such person, or when they never
 * sold (for `as` seller). One round trip, whose cost depends only on the page's size.
 */
export async function findPersonReviews(
  { db }: Pick<Store, "db">,
  input: { personId: string; as: ReviewRole; after: string | null; viewerId: string | null },
): Promise<PersonReviews | null> {
  const about = { subjectId: input.personId, role: input.as, viewerId: input.viewerId };
  const cursor = readPlace(input.after);
  const [people, rows] = await runBatch(db, [
    sql`SELECT p.full_name AS fullName, CASE WHEN ${input.as} = 'seller' THEN h.shop_name END AS shopName,
        ${starsOf(sql`c.id`, input.as)} AS stars
      FROM credentials c JOIN profiles p ON p.id = c.id LEFT JOIN shops h ON h.id = c.id
      WHERE c.id = ${input.personId} AND c.suspended_at IS NULL AND p.deleted_at IS NULL AND (${input.as} = 'buyer' OR h.id IS NOT NULL OR p.is_seller = 1
        OR EXISTS (SELECT 1 FROM products l WHERE l.seller_id = c.id AND l.deleted_at IS NULL))`,
    selectReviews(about, cursor, REVIEWS_A_PAGE),
  ]);
  const person = rowOf<{ fullName: string | null; shopName: string | null; stars: string | null }>(people);
  if (!person) return null;
  return {
    person: { id: input.personId, name: person.shopName?.trim() || firstName(person.fullName) || "This person" },
    as: input.as,
    after: cursor && input.after,
    stars: readStars(person.stars),
    ...readPage(rows, REVIEWS_A_PAGE),
  };
}

interface About {
  subjectId: string;
  role: ReviewRole;
  viewerId: string | null;
}

/** One row more than `limit`, which tells whether there is a next page. */
function selectReviews({ subjectId, role, viewerId }: About, after: { at: number; id: string } | null, limit: number) {
  const older = after ? sql`AND (r.published_at, r.id) < (${after.at}, ${after.id})` : sql``;
  return sql`SELECT r.id, p.full_name AS authorName, r.rating, r.tags, r.text, r.photos, r.published_at AS publishedAt,
      r.edited_at IS NOT NULL AS isEdited, ${stateIs("i.status", ITEM.isRefunded)} AS isRefunded, r.author_id IS ${viewerId} AS isOwn, CASE WHEN r.reply_removed_at IS NULL THEN r.reply END AS reply, r.replied_at AS repliedAt,
      r.subject_id IS ${viewerId} AS isAboutViewer
    FROM reviews r JOIN order_items i ON i.id = r.order_item_id LEFT JOIN profiles p ON p.id = r.author_id
    WHERE r.subject_id = ${subjectId} AND r.subject_role = ${role} AND r.published_at IS NOT NULL AND r.removed_at IS NULL ${older}
    ORDER BY r.published_at DESC, r.id DESC LIMIT ${limit + 1}`;
}

function readPage(rows: unknown, limit: number): Pick<PersonReviews, "reviews" | "next"> {
  const found = rowsOf<ReviewRow>(rows);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    reviews: shown.map(toReview),
    next: last && found.length > limit ? writePlace({ at: last.publishedAt, id: last.id }) : null,
  };
}

function toReview({ authorName, tags, photos, ...row }: ReviewRow): PublishedReview {
  return {
    ...row,
    author: firstName(authorName) || "Somebody",
    tags: JSON.parse(tags) as ReviewTag[],
    photos: JSON.parse(photos) as ProductImage[],
    isEdited: row.isEdited === 1,
    isRefunded: row.isRefunded === 1,
    isOwn: row.isOwn === 1,
    isAboutViewer: row.isAboutViewer === 1,
  };
}
