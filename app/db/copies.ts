/**
 * Copies of what somebody wrote, made when it begins to count, so that nobody can rewrite it afterwards. The view
 * `copyable` has everything that can be copied as it is now; these are the columns of its `content`.
 */
import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "./batch.ts";
import type { ProductImage } from "./schema.ts";
import type { CopyKind } from "./states/moderation.ts";

/** A listing as it was. */
export interface ListingCopy {
  name: string;
  description: string;
  condition: "new" | "like_new" | "good" | "fair";
  /** The category's name, or its plain text. */
  category: string | null;
  campus: string;
  /** Its shop delivers: 0 or 1. */
  delivery: number;
  /** KES for one piece. */
  price: number;
  /** Pieces. */
  minQuantity: number;
  /** KES for one piece from so many pieces on. */
  steps: { fromQuantity: number; price: number }[];
  images: ProductImage[];
}

/** What is copied of each kind. */
export interface CopyContents {
  listing: ListingCopy;
  review: { rating: number; tags: string[]; text: string; images: ProductImage[] };
  reply: { text: string };
  person: {
    name: string;
    campus: string | null;
    shopName: string | null;
    description: string | null;
    policies: string | null;
    contact: string | null;
    /** The path of the banner. */
    banner: string | null;
  };
  message: { text: string; images: ProductImage[] };
  talk: { messages: TalkMessage[] };
}

/** A message of a copied conversation. */
export interface TalkMessage {
  id: string;
  senderName: string;
  message: string;
  images: ProductImage[];
  /** Ms since 1970. */
  createdAt: number;
}

/** SQL: the content as it is now of the subject with this id; NULL when there is none. */
export function contentNow(kind: Exclude<CopyKind, "talk">, subjectId: SQL): SQL {
  return sql`(SELECT v.content FROM copyable v WHERE v.kind = ${sql.raw(`'${kind}'`)} AND v.subject_id = ${subjectId})`;
}

/**
 * Copies the subjects with these ids as they are now, unless the newest copy says the same. Run it in the batch that makes
 * them count, before `newestCopy`.
 */
export function copyNow(kind: Exclude<CopyKind, "talk">, subjectIds: SQL, now: number): Statement {
  const isKind = sql.raw(`'${kind}'`);
  return sql`INSERT INTO copies (kind, subject_id, owner_id, content, photos, created_at)
    SELECT v.kind, v.subject_id, v.owner_id, v.content, v.photos, ${now} FROM copyable v
    WHERE v.kind = ${isKind} AND v.subject_id IN (${subjectIds})
      AND v.content IS NOT (SELECT c.content FROM copies c WHERE c.kind = ${isKind} AND c.subject_id = v.subject_id ORDER BY c.id DESC LIMIT 1)`;
}

/** SQL: the id of the newest copy of this subject. */
export function newestCopy(kind: CopyKind, subjectId: SQL): SQL {
  return sql`(SELECT MAX(c.id) FROM copies c WHERE c.kind = ${sql.raw(`'${kind}'`)} AND c.subject_id = ${subjectId})`;
}

/** The copied content; null when there is no copy, or when it was erased with its account. */
export function readCopy<Kind extends CopyKind>(
  _kind: Kind,
  json: string | null | undefined,
): CopyContents[Kind] | null {
  return json == null || json === "{}" ? null : (JSON.parse(json) as CopyContents[Kind]);
}
