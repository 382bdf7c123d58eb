/** What a basket shows of a product: a listing that is held, taken down or deleted shows nobody its words or photos. */
import { sql } from "drizzle-orm";

const IS_SHOWN = sql`(p.deleted_at IS NULL AND p.suspended_at IS NULL)`;

/** SQL on a product `p`. */
export const SHOWN_NAME = sql<string>`iif(${IS_SHOWN}, p.name, 'Removed product')`;

/** SQL on a product `p`: its first photo as JSON, or null. */
export const SHOWN_COVER = sql<string | null>`iif(${IS_SHOWN}, json_extract(p.images, '$[0]'), NULL)`;
