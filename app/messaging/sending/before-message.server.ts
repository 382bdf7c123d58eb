/** What has to be known before a message is written. */
import { desc } from "drizzle-orm";
import { findPhotos } from "#app/catalogue/photos/photos.server.ts";
import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Store } from "#app/db/client.ts";
import { messages } from "#app/messaging/tables.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { findItemsWithCode } from "#app/deals/code/own-code.server.ts";
import { hasDigits } from "#app/deals/code/own-code-rules.ts";
import { writtenAfter } from "./message-limits.server.ts";
import { findParties, type Parties, type PartiesInput } from "./message-parties.server.ts";
import { HOUR_MS } from "#app/platform/duration-rules.ts";

/** What the database says before a message is written. */
export interface BeforeMessage {
  /** Null when the sender can't write to them, or not about this. */
  parties: Parties | null;
  /** Null when a photo is not there or not the sender's. */
  images: ProductImage[] | null;
  /** The items whose handover code the message could give away. */
  itemIds: string[];
  /** What the sender wrote lately, oldest first, where the message may be the end of something. */
  latest: LatestMessage[];
}

export interface LatestMessage {
  to: string;
  message: string;
  /** Ms since 1970. */
  createdAt: number;
}

/** How far back a code or a request for one may have begun. */
const BEGUN = { messages: 20, withinMs: HOUR_MS };

/** A message that may complete a code, or a request for one. All others stand alone. */
function mayComplete(text: string): boolean {
  return hasDigits(text) || /co.?d|kod|numb|namba|digit|otp|qr|figure|tarakimu|c.?[o0].?d.?[e3]/i.test(text);
}

/** What the sender wrote lately. */
async function listLatest({ db, now }: Store, senderId: string, text: string): Promise<LatestMessage[]> {
  if (!mayComplete(text)) return [];
  const found = await read(
    db,
    build
      .select({ to: messages.recipientId, message: messages.message, createdAt: messages.createdAt })
      .from(messages)
      .where(writtenAfter(senderId, now() - BEGUN.withinMs))
      .orderBy(desc(messages.createdAt))
      .limit(BEGUN.messages),
  );
  return found.toReversed();
}

/**
 * What `sendMessage` has to know first. It writes nothing, because a write waits for the disk, and the message has its
 * own.
 */
export async function readBeforeMessage(
  store: Store,
  input: PartiesInput & { text: string; photoKeys?: readonly string[] },
): Promise<BeforeMessage> {
  const { senderId, text } = input;
  const [parties, images, itemIds, latest] = await Promise.all([
    findParties(store, input),
    findPhotos(store.db, senderId, [...new Set(input.photoKeys)]),
    findItemsWithCode(store.db, senderId, text, store.now()),
    listLatest(store, senderId, text),
  ]);
  return { parties, images, itemIds, latest };
}
