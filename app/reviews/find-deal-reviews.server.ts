import { type SQL, sql } from "drizzle-orm";
import { firstName } from "#app/accounts/name-rules.ts";
import { rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { ReviewTag } from "#app/db/states/review.ts";
import type { ReviewFacts, ReviewRole, Stars } from "./review-rules.ts";

/** One review of a deal. Times in ms since 1970. */
export interface DealReview extends ReviewFacts {
  id: string;
  authorId: string;
  rating: Stars;
  tags: ReviewTag[];
  text: string;
  photos: ProductImage[];
  editedAt: number | null;
  reply: string | null;
  repliedAt: number | null;
}

export interface ReviewParty {
  id: string;
  email: string;
  fullName: string;
  /** Empty without a name. */
  firstName: string;
  /** The account was suspended or deleted. */
  isClosed: boolean;
  isDeleted: boolean;
}

/** A deal with both reviews, also the one that the other side can't see yet. For use cases, never for a page. */
export interface DealReviews {
  itemId: string;
  orderId: string;
  productName: string;
  productImage: ProductImage | null;
  status: ItemStatus;
  /** When the last thing happened in the deal, ms. */
  endedAt: number;
  /** What the person who asks was in the deal. */
  role: ReviewRole;
  self: ReviewParty;
  other: ReviewParty;
  /** Written by the person who asks. */
  own: DealReview | null;
  /** Written by the other side. */
  others: DealReview | null;
}

/** SQL on an order item: when the last thing happened in its deal, ms. */
export function dealEndedAt(item: "i"): SQL {
  return sql.raw(
    `COALESCE((SELECT MAX(e.created_at) FROM deal_events e WHERE e.order_item_id = ${item}.id), ${item}.updated_at)`,
  );
}

interface ItemRow {
  itemId: string;
  orderId: string;
  productName: string;
  productImage: string | null;
  status: ItemStatus;
  endedAt: number;
  buyer: string;
  seller: string;
}

type PartyRow = Omit<ReviewParty, "firstName" | "isClosed" | "isDeleted"> & { isClosed: number; isDeleted: number };
type ReviewRow = Omit<DealReview, "tags" | "photos"> & { tags: string; photos: string };

function party(id: SQL): SQL {
  return sql`(SELECT json_object('id', c.id, 'email', c.email, 'fullName', COALESCE(p.full_name, ''), 'isClosed', c.suspended_at IS NOT NULL,
    'isDeleted', p.deleted_at IS NOT NULL) FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id = ${id})`;
}

/** A deal with its reviews, for its buyer or its seller; null for everybody else. One round trip. */
export async function findDealReviews(db: Database, itemId: string, viewerId: string): Promise<DealReviews | null> {
  const [items, written] = await runBatch(db, [
    sql`SELECT i.id AS itemId, i.order_id AS orderId, i.product_name AS productName, i.product_image AS productImage, i.status,
        ${dealEndedAt("i")} AS endedAt, ${party(sql`o.user_id`)} AS buyer, ${party(sql`i.seller_id`)} AS seller
      FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.id = ${itemId} AND ${viewerId} IN (o.user_id, i.seller_id) AND o.user_id <> i.seller_id`,
    sql`SELECT id, author_id AS authorId, rating, tags, text, photos, created_at AS createdAt, edited_at AS editedAt, publish_at AS publishAt,
        published_at AS publishedAt, removed_at AS removedAt, reply, replied_at AS repliedAt FROM reviews WHERE order_item_id = ${itemId}`,
  ]);
  const [item] = rowsOf<ItemRow>(items);
  if (!item) return null;
  const { buyer: buyerJson, seller: sellerJson, productImage, ...facts } = item;
  const [buyer, seller] = [readParty(buyerJson), readParty(sellerJson)];
  const [role, self, other] =
    buyer.id === viewerId ? (["buyer", buyer, seller] as const) : (["seller", seller, buyer] as const);
  const reviews = rowsOf<ReviewRow>(written).map(readReview);
  return {
    ...facts,
    productImage: productImage === null ? null : (JSON.parse(productImage) as ProductImage),
    role,
    self,
    other,
    own: reviews.find(({ authorId }) => authorId === viewerId) ?? null,
    others: reviews.find(({ authorId }) => authorId !== viewerId) ?? null,
  };
}

function readParty(json: string): ReviewParty {
  const row = JSON.parse(json) as PartyRow;
  return { ...row, firstName: firstName(row.fullName), isClosed: row.isClosed === 1, isDeleted: row.isDeleted === 1 };
}

function readReview({ tags, photos, ...row }: ReviewRow): DealReview {
  return { ...row, tags: JSON.parse(tags) as ReviewTag[], photos: JSON.parse(photos) as ProductImage[] };
}
