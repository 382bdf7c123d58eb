import { join } from "node:path";
import { getTableColumns, getTableName, sql, type Table } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { writeCounts } from "#app/catalogue/browse/count-categories.server.ts";
import { afterVerifiedChanged } from "#app/accounts/trust/verified-effects.server.ts";
import { afterListingsChanged } from "#app/catalogue/listing-effects.server.ts";
import { indexShops } from "#app/catalogue/search/search-index.server.ts";
import { type Statement, write } from "#app/db/batch.ts";
import { build, idList } from "#app/db/build.ts";
import { openDatabase } from "#app/db/client.ts";
import { copyCases } from "#app/moderation/cases/copies.server.ts";
import { auditLog } from "#app/team/tables.server.ts";
import { cartItems, wishlistItems } from "#app/basket/tables.server.ts";
import {
  credentials,
  campusLocations,
  meetingPoints,
  profiles,
  shops,
  universityDomains,
  uploads,
  verificationDocuments,
  wholesalerCodes,
  wholesalerDetails,
} from "#app/accounts/tables.server.ts";
import { dealEvents, dealTimers, issueReports, meetings, orderItems, orders } from "#app/orders/tables.server.ts";
import { ledgerEntries, paymentAttempts, payoutItems, payouts, refunds } from "#app/payments/tables.server.ts";
import { listingDays } from "#app/upkeep/tables.server.ts";
import {
  listingNews,
  offers,
  priceSteps,
  products,
  savedQueries,
  savedSearches,
} from "#app/catalogue/tables.server.ts";
import { messages } from "#app/messaging/tables.server.ts";
import { moderationCases, reports } from "#app/moderation/tables.server.ts";
import { notifications } from "#app/notifications/tables.server.ts";
import { shopFollows, subscriptions } from "#app/shops/tables.server.ts";
import { reviews } from "#app/reviews/tables.server.ts";
import { afterMessagesWritten } from "#app/messaging/sending/message-effects.server.ts";
import { openHeldCases } from "#app/moderation/cases/held-cases.server.ts";
import { afterSalesEnded } from "#app/orders/sale-effects.server.ts";
import { afterReviewsChanged, reviewedIn } from "#app/reviews/review-effects.server.ts";
import { root } from "#scripts/folders.ts";
import type { Rows } from "./rows.ts";
import type { Photo } from "./studio.ts";

const Bindings = z.object({
  d1_databases: z.tuple([z.object({ binding: z.literal("DB"), database_id: z.string() })]),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string() })),
});

/** D1 accepts at most 2 MB for each value bound to a statement. */
const VALUE_BYTES = 1_500_000;
const UPLOADS_AT_ONCE = 8;

/** Parents before children. */
const TABLES = {
  universityDomains,
  campusLocations,
  meetingPoints,
  credentials,
  profiles,
  uploads,
  verificationDocuments,
  wholesalerDetails,
  wholesalerCodes,
  products,
  priceSteps,
  offers,
  shops,
  shopFollows,
  subscriptions,
  cartItems,
  wishlistItems,
  savedQueries,
  savedSearches,
  orders,
  orderItems,
  meetings,
  dealEvents,
  dealTimers,
  paymentAttempts,
  payouts,
  payoutItems,
  refunds,
  ledgerEntries,
  messages,
  reviews,
  issueReports,
  moderationCases,
  reports,
  auditLog,
  notifications,
  listingDays,
};

type Bucket = Awaited<ReturnType<Miniflare["getR2Bucket"]>>;

export interface Local {
  database: Awaited<ReturnType<Miniflare["getD1Database"]>>;
  media: Bucket;
  documents: Bucket;
  close(): Promise<void>;
}

/** Opens local D1 and R2 in the state folder, as the app finds them. The caller closes them. */
export function openLocal(state: string): Promise<Local> {
  const { d1_databases, r2_buckets } = Bindings.parse(unstable_readConfig({ config: join(root, "wrangler.toml") }));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      d1Databases: { DB: d1_databases[0].database_id },
      r2Buckets: Object.fromEntries(r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name])),
      resourcePersistencePath: join(state, "v3"),
    }),
  );
  return open(miniflare);
}

async function open(miniflare: Miniflare): Promise<Local> {
  try {
    return {
      database: await miniflare.getD1Database("DB"),
      media: await miniflare.getR2Bucket("MEDIA"),
      documents: await miniflare.getR2Bucket("DOCUMENTS"),
      close: () => miniflare.dispose(),
    };
  } catch (error) {
    await miniflare.dispose();
    throw error;
  }
}

/** Writes all rows in one batch, all or nothing, and then what follows from them. */
export async function writeRows({ database }: Local, rows: Rows): Promise<void> {
  const forgotten = Object.keys(rows).filter((name) => !(name in TABLES));
  if (forgotten.length > 0) throw new Error(`no place in the order of writing for ${forgotten.join(", ")}`);
  const lists = new Map<string, object[]>(Object.entries(rows));
  const statements = Object.entries(TABLES).flatMap(([name, table]) => inserts(table, lists.get(name) ?? []));
  await database.batch(statements.map(({ text, value }) => database.prepare(text).bind(value)));
  await write(openDatabase(database as unknown as D1Database), whatFollows(rows));
}

/** What use cases would have written after such rows. */
function whatFollows({
  products: listed,
  shops: opened,
  messages: written = [],
  moderationCases: cases = [],
}: Rows): Statement[] {
  const all = sql`(SELECT id FROM products)`;
  const now = Date.now();
  return [
    ...afterVerifiedChanged(sql`(SELECT id FROM profiles)`, now),
    ...(listed ? [...afterListingsChanged(all, now), ...openHeldCases(all, now)] : []),
    writeCounts(),
    ...(opened ? indexShops(sql`(SELECT id FROM shops)`) : []),
    // Nobody waits for what is listed before the campus opens.
    build.delete(listingNews),
    ...afterSalesEnded(sql`(SELECT id FROM order_items)`),
    ...afterReviewsChanged(reviewedIn(sql`1`)),
    ...afterMessagesWritten(idList(...written.map(({ id }) => id))),
    ...cases.flatMap(({ subject, id, createdAt }) => copyCases(subject, idList(id), createdAt)),
  ];
}

function inserts(table: Table, rows: object[]): { text: string; value: string }[] {
  const columns = Object.entries(getTableColumns(table));
  const names = columns.map(([key, column]) => (column.keyAsName ? toSnakeCase(key) : column.name));
  const text = `INSERT INTO ${getTableName(table)} (${names.join(", ")})
    SELECT ${columns.map((_, at) => `value ->> ${at}`).join(", ")} FROM json_each(?)`;
  const lines = rows.map((row) => {
    const given = new Map<string, unknown>(Object.entries(row));
    return JSON.stringify(columns.map(([key, column]) => driverValue(given.get(key), column)));
  });
  return chunks(lines).map((chunk) => ({ text, value: `[${chunk.join(",")}]` }));
}

interface Column {
  hasDefault: boolean;
  default: unknown;
  mapToDriverValue(value: unknown): unknown;
}

function driverValue(value: unknown, column: Column): unknown {
  const said = value === undefined && column.hasDefault ? column.default : value;
  return said === undefined || said === null ? null : column.mapToDriverValue(said);
}

function chunks(lines: string[]): string[][] {
  const all: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const bytes = Buffer.byteLength(line) + 1;
    if (size + bytes > VALUE_BYTES) {
      all.push([]);
      size = 0;
    }
    all.at(-1)?.push(line);
    size += bytes;
  }
  return all;
}

/**
 * Puts every variant of the photos into the public bucket. Names are computed from contents, so existing files are
 * right.
 */
export async function uploadPhotos({ media }: Local, photos: Photo[]): Promise<void> {
  const waiting = photos.flatMap(({ image, variants }) =>
    [...variants].map(([width, bytes]) => ({ key: `${image.key}/${width}.webp`, bytes })),
  );
  async function work(): Promise<void> {
    for (let next = waiting.pop(); next; next = waiting.pop())
      await media.put(next.key, next.bytes, { httpMetadata: { contentType: "image/webp" } });
  }
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, work));
}
