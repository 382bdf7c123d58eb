import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type CopySource, keysOf } from "#app/db/copies.ts";
import { type ProductImage, reviews } from "#app/db/schema.ts";

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

const r = alias(reviews, "written_review");

export const REVIEW_COPY: CopySource<ReviewCopy> = {
  kind: "review",
  from: sql`${reviews} written_review`,
  id: r.id,
  ownerId: r.authorId,
  content: { rating: r.rating, tags: sql`json(${r.tags})`, text: r.text, images: sql`json(${r.photos})` },
  photos: keysOf(r.photos),
};

export const REPLY_COPY: CopySource<ReplyCopy> = {
  kind: "reply",
  from: sql`${reviews} written_review`,
  id: r.id,
  ownerId: r.subjectId,
  where: sql`${r.reply} IS NOT NULL`,
  content: { text: r.reply },
  photos: sql`'[]'`,
};
