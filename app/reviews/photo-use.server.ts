import { type SQL, sql } from "drizzle-orm";
import { reviews } from "./tables.server.ts";
import { uploads } from "#app/accounts/tables.server.ts";

/** SQL on `uploads`: a review of its owner shows the photo. */
export const REVIEW_SHOWS_PHOTO: SQL = sql`EXISTS (
  SELECT 1 FROM ${reviews} INDEXED BY reviews_photos, json_each(${reviews.photos}) image
    WHERE ${reviews.authorId} = ${uploads.ownerId} AND ${reviews.photos} <> '[]'
      AND image.value ->> 'key' = ${uploads.key})`;
