/** The email "Shipped" waits some minutes, and isn't sent to a buyer who has read meanwhile what it says. */
import { sql } from "drizzle-orm";
import { runBatch, type Statement } from "#app/db/batch.ts";
import { asBoolean } from "#app/db/build.ts";
import type { Database } from "#app/db/client.ts";
import { dropEffect, isEffectUnclaimed } from "#app/db/outbox.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import { i } from "./deal-facts.server.ts";

/** Its key in the outbox. An item is shipped once. */
export function shippedEmailKey(itemId: string): string {
  return `deal:${itemId}:shipped:buyer`;
}

/** SQL: whether the email about an item (alias `i`) still waits. Only a shipped item costs a seek. */
export const shippedEmailWaits = asBoolean(
  sql`${stateIs(i.status, ITEM.isShipped)} AND ${isEffectUnclaimed(sql`'deal:' || ${i.id} || ':shipped:buyer'`)}`,
);

/** Deletes the waiting email about an item. One that is being sent arrives all the same. */
export function dropShippedEmail(itemId: string): Statement {
  return dropEffect(shippedEmailKey(itemId));
}

/** The buyer has opened the page of these items, which says what the waiting emails say. One round trip. */
export async function dropShippedEmails(db: Database, itemIds: readonly string[]): Promise<void> {
  await runBatch(db, itemIds.map(dropShippedEmail));
}
