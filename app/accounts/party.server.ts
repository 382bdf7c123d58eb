import { type SQL, sql } from "drizzle-orm";

/** One side of an offer, a meeting or a review: who it is, and where to email them. Never for a page. */
export interface Party {
  id: string;
  email: string;
  /** Empty when they have entered none. */
  name: string;
  /** The account was suspended or deleted. */
  isClosed: boolean;
  isDeleted: boolean;
}

/** SQL: a person as the JSON of a `Party`. `userId` is the SQL of a column. Read it with `readParty`. */
export function partyJson(userId: SQL): SQL {
  return sql`(SELECT json_object('id', c.id, 'email', c.email, 'name', COALESCE(p.full_name, ''), 'isClosed', c.suspended_at IS NOT NULL,
    'isDeleted', p.deleted_at IS NOT NULL) FROM credentials c LEFT JOIN profiles p ON p.id = c.id WHERE c.id = ${userId})`;
}

export function readParty(json: string): Party {
  const row = JSON.parse(json) as Omit<Party, "isClosed" | "isDeleted"> & { isClosed: number; isDeleted: number };
  return { ...row, isClosed: row.isClosed === 1, isDeleted: row.isDeleted === 1 };
}
