import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type CopySource, keysOf } from "#app/db/copies.ts";
import { messages, type ProductImage } from "#app/db/schema.ts";

/** A message as it was. */
export interface MessageCopy {
  text: string;
  images: ProductImage[];
}

const m = alias(messages, "written_message");

export const MESSAGE_COPY: CopySource<MessageCopy> = {
  kind: "message",
  from: sql`${messages} written_message`,
  id: m.id,
  ownerId: m.senderId,
  content: { text: m.message, images: sql`json(${m.images})` },
  photos: keysOf(m.images),
};
