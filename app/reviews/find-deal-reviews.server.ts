import { type SQL, sql } from "drizzle-orm";
import { type Party, partyJson, readParty } from "#app/accounts/party.server.ts";
import { rowsOf, runBatch } from "#app/db/batch.ts";
import type { Database } from "#app/db/client.ts";
import type { ProductImage } from "#app/db/schema.ts";
import type { ItemStatus } from "#app/db/states/item.ts";
import type { ReviewTag } from "#app/db/states/review.ts";
import type { Stars } from "./review-labels.ts";
import type { ReviewFacts, ReviewRole } from "./review-rules.ts";

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
  /** When our team removed the reply, which only the person who wrote it can still read. */
  replyRemovedAt: number | null;
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
  isFreeAgain: boolean;
  /** What the person who asks was in the deal. */
  role: ReviewRole;
  self: Party;
  other: Party;
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

/** SQL on an order item and its order `o`: `isFreeAgain` for `viewerId`, as 0 or 1. */
export function isFreeAgain(item: "i", viewerId: string): SQL {
  const column = (name: string) => sql.raw(`${item}.${name}`);
  return sql`(${column("price_per_unit")} = 0 AND EXISTS (SELECT 1 FROM reviews w WHERE w.author_id = ${viewerId}
    AND w.subject_id IN (o.user_id, ${column("seller_id")}) AND w.order_item_id <> ${column("id")}))`;
}

interface ItemRow {
  itemId: string;
  orderId: string;
  productName: string;
  productImage: string | null;
  status: ItemStatus;
  endedAt: number;
  isFreeAgain: number;
  buyer: string;
  seller: string;
}

type ReviewRow = Omit<DealReview, "tags" | "photos"> & { tags: string; photos: string };

/** A deal with its reviews, for its buyer or its seller; null for everybody else. One round trip. */
export async function findDealReviews(db: Database, itemId: string, viewerId: string): Promise<DealReviews | null> {
  const [items, written] = await runBatch(db, [
    sql`SELECT i.id AS itemId, i.order_id AS orderId, i.product_name AS productName, i.product_image AS productImage, i.status,
        ${dealEndedAt("i")} AS endedAt, ${isFreeAgain("i", viewerId)} AS isFreeAgain, ${partyJson(sql`o.user_id`)} AS buyer, ${partyJson(sql`i.seller_id`)} AS seller
      FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.id = ${itemId} AND ${viewerId} IN (o.user_id, i.seller_id) AND o.user_id <> i.seller_id`,
    sql`SELECT id, author_id AS authorId, rating, tags, text, photos, created_at AS createdAt, edited_at AS editedAt, publish_at AS publishAt,
        published_at AS publishedAt, removed_at AS removedAt,
        CASE WHEN reply_removed_at IS NULL OR subject_id = ${viewerId} THEN reply END AS reply, replied_at AS repliedAt, reply_removed_at AS replyRemovedAt FROM reviews WHERE order_item_id = ${itemId}`,
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
    isFreeAgain: facts.isFreeAgain === 1,
    productImage: productImage === null ? null : (JSON.parse(productImage) as ProductImage),
    role,
    self,
    other,
    own: reviews.find(({ authorId }) => authorId === viewerId) ?? null,
    others: reviews.find(({ authorId }) => authorId !== viewerId) ?? null,
  };
}

function readReview({ tags, photos, ...row }: ReviewRow): DealReview {
  return { ...row, tags: JSON.parse(tags) as ReviewTag[], photos: JSON.parse(photos) as ProductImage[] };
}
