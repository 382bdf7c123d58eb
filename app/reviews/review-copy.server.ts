import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type CopySource, keysOf } from "#app/db/copies.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { reviews } from "./tables.server.ts";

/** A review as it was. */
export interface ReviewCopy {
  rating: number;
  tags: string[];
  text: string;
  images: ProductImage[];
}

/** The answer of the reviewed person as it was. */
export interface ReplyCopy {
  text: string;
}

const writtenReview = alias(reviews, "written_review");

export const REVIEW_COPY: CopySource<ReviewCopy> = {
  kind: "review",
  from: sql`${reviews} written_review`,
  id: writtenReview.id,
  ownerId: writtenReview.authorId,
  content: {
    rating: writtenReview.rating,
    tags: sql`json(${writtenReview.tags})`,
    text: writtenReview.text,
    images: sql`json(${writtenReview.photos})`,
  },
  photos: keysOf(writtenReview.photos),
};

export const REPLY_COPY: CopySource<ReplyCopy> = {
  kind: "reply",
  from: sql`${reviews} written_review`,
  id: writtenReview.id,
  ownerId: writtenReview.subjectId,
  where: sql`${writtenReview.reply} IS NOT NULL`,
  content: { text: writtenReview.reply },
  photos: sql`'[]'`,
};
