import { and, eq, isNull, or } from "drizzle-orm";
import { holds } from "#app/db/batch.ts";
import { hasRow } from "#app/db/build.ts";
import type { Database, Store } from "#app/db/client.ts";
import { products } from "#app/catalogue/tables.server.ts";
import { listTold, type ToldRow } from "#app/notifications/centre.server.ts";
import { type Group, type Kind, type KindData, KINDS } from "#app/notifications/kinds.ts";
import { formatTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { thingName, type Words, wordsOf } from "./words/words.ts";

/** A notification as the centre shows it. */
export interface CentreEntry {
  id: string;
  heading: string;
  /** What it is about; null where the heading says so. */
  name: string | null;
  /** "KES 1,500"; null where it isn't about an amount. */
  amount: string | null;
  thing: string | null;
  /** Ms since 1970. */
  createdAt: number;
  /** "14:05". */
  time: string;
  isRead: boolean;
}

export interface CentrePage {
  entries: CentreEntry[];
  /** The next page's cursor; null at the end. */
  next: number | null;
}

/**
 * A page of what somebody was told, in words. The words are made here, because they would be half of the screen's
 * script.
 */
export async function findCentrePage(db: Database, userId: string, before: number | null): Promise<CentrePage> {
  const { rows, next } = await listTold(db, userId, before);
  return { entries: rows.map(toEntry), next };
}

function toEntry(told: ToldRow): CentreEntry {
  const { heading } = wordsIn(told);
  const name = thingName(told.data);
  const { id, thing, createdAt, isRead } = told;
  return {
    id: String(id),
    heading,
    name: name !== null && heading.includes(name) ? null : name,
    amount: amountIn(told),
    thing,
    createdAt,
    time: formatTime(createdAt),
    isRead,
  };
}

/**
 * Nothing is said of a free thing. Of a step of a deal, it is the buyer's money, whoever reads it. Its heading says
 * what the reader has to know.
 */
const OF_THE_BUYER: readonly Kind[] = ["deal_step", "deal_warning", "deal_outcome"];

function amountIn({ kind, data }: ToldRow): string | null {
  if (OF_THE_BUYER.includes(kind)) return null;
  const amount = "amount" in data ? data.amount : "subtotal" in data ? data.subtotal - (data.sellerFee ?? 0) : null;
  return typeof amount === "number" && amount > 0 ? formatKes(amount) : null;
}

/** Where a notification leads. A listing may be gone by now: then to the screen that has what is left. */
export async function placeOf({ db }: Store, told: ToldRow, reader: string): Promise<string> {
  const place = wordsIn(told).action.path;
  const [, productId] = /^\/product\/([^/]+)$/.exec(place) ?? [];
  if (productId === undefined) return place;
  const isThere = and(
    eq(products.id, productId),
    isNull(products.deletedAt),
    or(isNull(products.suspendedAt), eq(products.sellerId, reader)),
  );
  return (await holds(db, hasRow(products, isThere))) ? place : (PLACES[KINDS[told.kind].group] ?? "/home");
}

/** Where somebody finds what is left of a group whose notifications lead to a listing. */
const PLACES: Partial<Record<Group, string>> = {
  saved_searches: "/saved-searches",
  wished: "/wishlist",
  listings: "/myshop",
};

function wordsIn<K extends Kind>({ kind, data }: { kind: K; data: KindData[K] }): Words {
  return wordsOf(kind, data);
}
