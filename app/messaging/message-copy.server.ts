import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type CopySource, keysOf } from "#app/db/copies.ts";
import { messages } from "./tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";

/** A message as it was. */
export interface MessageCopy {
  text: string;
  images: ProductImage[];
}

const writtenMessage = alias(messages, "written_message");

export const MESSAGE_COPY: CopySource<MessageCopy> = {
  kind: "message",
  from: sql`${messages} written_message`,
  id: writtenMessage.id,
  ownerId: writtenMessage.senderId,
  content: { text: writtenMessage.message, images: sql`json(${writtenMessage.images})` },
  photos: keysOf(writtenMessage.images),
};
