import { type SQL, sql } from "drizzle-orm";
import { messages } from "./tables.server.ts";
import { uploads } from "#app/accounts/tables.server.ts";

/** SQL on `uploads`: a message of its owner shows the photo. */
export const MESSAGE_SHOWS_PHOTO: SQL = sql`EXISTS (
  SELECT 1 FROM ${messages} INDEXED BY messages_photos, json_each(${messages.images}) image
    WHERE ${messages.senderId} = ${uploads.ownerId} AND ${messages.images} <> '[]'
      AND image.value ->> 'key' = ${uploads.key})`;
