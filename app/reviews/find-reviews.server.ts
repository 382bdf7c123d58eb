import { and, desc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { firstName } from "#app/accounts/trust/name-rules.ts";
import type { StarCounts } from "#app/accounts/trust/rating-rules.ts";
import { readStars, starsOf } from "#app/accounts/trust/ratings.server.ts";
import { meetingRecord, readMeetingRecord } from "#app/accounts/trust/reliability.server.ts";
import { readPlace, writePlace } from "#app/catalogue/catalogue-rules.ts";
import { type RowOf, read } from "#app/db/batch.ts";
import { asBoolean, build, hasRow, pick } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { credentials, profiles, shops } from "#app/accounts/tables.server.ts";
import { orderItems } from "#app/orders/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { reviews } from "./tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { ReviewTag } from "#app/db/states/review.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { withoutContacts } from "#app/safety/public-text-rules.ts";
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
  /** What to know about its words and about the reply; null for nothing. Not for their own authors. */
  warning: string | null;
  replyWarning: string | null;
  repliedAt: number | null;
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
    /** To how many of their meetings they didn't come, in words; null with too few. */
    meetings: string | null;
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
  const rows = await read(db, selectReviews(about, null, REVIEWS_ON_SELLER_PAGE));
  return readPage(rows, REVIEWS_ON_SELLER_PAGE, viewerId);
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
  const {
    person: [person],
    rows,
  } = await read(db, {
    person: selectPerson(input.personId, input.as),
    rows: selectReviews(about, cursor, REVIEWS_A_PAGE),
  });
  if (!person) return null;
  return {
    person: {
      id: input.personId,
      name: person.shopName?.trim() || firstName(person.fullName) || "This person",
      meetings: readMeetingRecord(person.meetings),
    },
    as: input.as,
    after: cursor && input.after,
    stars: readStars(person.stars),
    ...readPage(rows, REVIEWS_A_PAGE, input.viewerId),
  };
}

function selectPerson(personId: string, as: ReviewRole) {
  const { id, suspendedAt } = credentials;
  const hasListed = hasRow(products, and(eq(products.sellerId, id), isNull(products.deletedAt)));
  const sold = or(isNotNull(shops.id), eq(profiles.isSeller, true), hasListed);
  const isOpen = and(eq(id, personId), isNull(suspendedAt), isNull(profiles.deletedAt));
  return build
    .select({
      fullName: profiles.fullName,
      shopName: as === "seller" ? shops.shopName : sql<null>`NULL`,
      stars: sql<string | null>`${starsOf(sql`${id}`, as)}`,
      meetings: sql<string>`${meetingRecord(sql`${id}`)}`,
    })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, id))
    .leftJoin(shops, eq(shops.id, id))
    .where(and(isOpen, as === "buyer" ? undefined : sold));
}

interface About {
  subjectId: string;
  role: ReviewRole;
  viewerId: string | null;
}

/** One row more than `limit`, which tells whether there is a next page. */
function selectReviews({ subjectId, role, viewerId }: About, after: { at: number; id: string } | null, limit: number) {
  const { id, publishedAt } = reviews;
  const isOlder = after ? sql`(${publishedAt}, ${id}) < (${after.at}, ${after.id})` : undefined;
  return build
    .select({
      id,
      authorName: profiles.fullName,
      rating: sql<Stars>`${reviews.rating}`,
      ...pick(reviews, "tags", "text", "photos"),
      publishedAt: sql<number>`${publishedAt}`,
      isEdited: asBoolean(isNotNull(reviews.editedAt)),
      isRefunded: asBoolean(stateIs(orderItems.status, ITEM.isRefunded)),
      isOwn: asBoolean(sql`${reviews.authorId} IS ${viewerId}`),
      reply: sql<string | null>`CASE WHEN ${isNull(reviews.replyRemovedAt)} THEN ${reviews.reply} END`,
      repliedAt: reviews.repliedAt,
      isAboutViewer: asBoolean(sql`${reviews.subjectId} IS ${viewerId}`),
    })
    .from(reviews)
    .innerJoin(orderItems, eq(orderItems.id, reviews.orderItemId))
    .leftJoin(profiles, eq(profiles.id, reviews.authorId))
    .where(
      and(
        eq(reviews.subjectId, subjectId),
        eq(reviews.subjectRole, role),
        isNotNull(publishedAt),
        isNull(reviews.removedAt),
        isOlder,
      ),
    )
    .orderBy(desc(publishedAt), desc(id))
    .limit(limit + 1);
}

type ReviewRow = RowOf<ReturnType<typeof selectReviews>>;

function readPage(
  found: readonly ReviewRow[],
  limit: number,
  viewerId: string | null,
): Pick<PersonReviews, "reviews" | "next"> {
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    reviews: shown.map((row) => toReview(row, viewerId)),
    next: last && found.length > limit ? writePlace({ at: last.publishedAt, id: last.id }) : null,
  };
}

function toReview({ authorName, ...review }: ReviewRow, viewerId: string | null): PublishedReview {
  const shown = (text: string) => (viewerId === null ? withoutContacts(text) : text);
  return {
    ...review,
    author: firstName(authorName) || "Somebody",
    text: shown(review.text),
    warning: review.isOwn ? null : textWarning(review.text),
    reply: review.reply === null ? null : shown(review.reply),
    replyWarning: review.reply === null || review.isAboutViewer ? null : textWarning(review.reply),
  };
}
