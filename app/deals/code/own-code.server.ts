import { and, eq, gt } from "drizzle-orm";
import { read } from "#app/db/batch.ts";
import { build } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { orderItems, orders } from "#app/orders/tables.server.ts";
import { stateIs } from "#app/db/state-is.ts";
import { ITEM } from "#app/db/states/item.ts";
import type { DealSettings } from "#app/deals/deal-services.ts";
import { handoverCode } from "./handover-code.server.ts";
import { hasDigits, revealsCode } from "./own-code-rules.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** What finding a person's own codes needs. */
export interface CodeFinder extends Store {
  deals: Pick<DealSettings, "codeKey">;
}

/** No deal takes this long, ms. So only recent orders are read. */
const LONGEST_DEAL_MS = 90 * DAY_MS;

/** The items whose handover code this person, their buyer, could give away now. */
function itemsWithCode(buyerId: string, now: number) {
  const isRecent = gt(orders.createdAt, now - LONGEST_DEAL_MS);
  return build
    .select({ id: orderItems.id })
    .from(orders)
    .innerJoin(orderItems, eq(orderItems.orderId, orders.id))
    .where(and(eq(orders.userId, buyerId), isRecent, stateIs(orderItems.status, ITEM.takesCode)))
    .limit(200);
}

/** The items whose code a text could give away. It asks nothing where the text has no digits. */
export async function findItemsWithCode(db: Database, buyerId: string, text: string, now: number): Promise<string[]> {
  if (!hasDigits(text)) return [];
  const found = await read(db, itemsWithCode(buyerId, now));
  return found.map(({ id }) => id);
}

/** The codes of these items. */
export function codesOf({ deals }: Pick<CodeFinder, "deals">, itemIds: readonly string[]): Promise<string[]> {
  return Promise.all(itemIds.map((id) => handoverCode(deals.codeKey, id)));
}

/**
 * Whether one of these texts gives a live handover code of its own author away. Others read them, and nobody who reads
 * them needs the code, so forms refuse it (`OWN_CODE_TEXT`). Only a message asks instead.
 */
export async function givesCodeAway(
  services: CodeFinder,
  authorId: string,
  texts: readonly (string | null | undefined)[],
): Promise<boolean> {
  const text = texts.filter(Boolean).join("; ");
  const items = await findItemsWithCode(services.db, authorId, text, services.now());
  return revealsCode(text, await codesOf(services, items));
}

/** The error at a text that has the author's code in it. */
export const OWN_CODE_TEXT =
  "This has your handover code in it. Please take it out. Give the code only when you hold the item.";
