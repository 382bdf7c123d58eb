/**
 * Copies of what somebody wrote, made when it begins to count, so that nobody can rewrite it afterwards. The view
 * `copyable` has everything that can be copied as it is now; these are the columns of its `content`.
 */
import { and, desc, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { sqliteView, text } from "drizzle-orm/sqlite-core";
import type { Statement } from "./batch.ts";
import { build, insertEach } from "./build.ts";
import { copies, moderationCases, type ProductImage } from "./schema.ts";
import type { VerifiedLevel } from "./states/verified.ts";
import { COPY_KINDS, type CopyKind } from "./states/moderation.ts";

/** Everything that can be copied, as it is now. Migrations make the view. */
const copyable = sqliteView("copyable", {
  kind: text({ enum: COPY_KINDS }).notNull(),
  subjectId: text().notNull(),
  ownerId: text().notNull(),
  content: text().notNull(),
  photos: text().notNull(),
}).existing();

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
  /** The shop's policies, and its words about itself; null where it has none. */
  policies: string | null;
  about: string | null;
  /** How far its seller was verified; null where nobody knows. */
  verified: VerifiedLevel | null;
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
    /** The paths of the photo and of the shop's logo. */
    photo: string | null;
    logo: string | null;
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

/** The kind is text, so that SQLite looks into one table of the view. */
function isNow(kind: Exclude<CopyKind, "talk">, subjectIds: SQL) {
  return and(eq(copyable.kind, kind).inlineParams(), inArray(copyable.subjectId, sql`(${subjectIds})`));
}

function isCopy(kind: CopyKind, subjectId: SQLWrapper) {
  return and(eq(copies.kind, kind).inlineParams(), eq(copies.subjectId, subjectId));
}

/** SQL: the content as it is now of the subject with this id; NULL when there is none. */
export function contentNow(kind: Exclude<CopyKind, "talk">, subjectId: SQL): SQL {
  return sql`${build.select({ content: copyable.content }).from(copyable).where(isNow(kind, subjectId))}`;
}

/**
 * Copies the subjects with these ids as they are now, unless the newest copy says the same. Run it in the batch that makes
 * them count, before `newestCopy`.
 */
export function copyNow(kind: Exclude<CopyKind, "talk">, subjectIds: SQL, now: number): Statement {
  const { ownerId, subjectId, content, photos } = copyable;
  const newest = build
    .select({ content: copies.content })
    .from(copies)
    .where(isCopy(kind, subjectId))
    .orderBy(desc(copies.id))
    .limit(1);
  return insertEach(
    copies,
    { kind, subjectId, ownerId, content, photos, createdAt: now },
    sql`FROM ${copyable} WHERE ${isNow(kind, subjectIds)} AND ${content} IS NOT ${newest}`,
  );
}

/** SQL that selects the keys of all photos that a subject shows now, or has shown since its case was opened. */
export function photosShown(kind: Exclude<CopyKind, "talk">, subjectId: string, caseId: string): SQL {
  const first = build
    .select({ id: moderationCases.copyId })
    .from(moderationCases)
    .where(eq(moderationCases.id, caseId));
  return sql`SELECT shown.value FROM ${copyable}, json_each(${copyable.photos}) shown WHERE ${isNow(kind, sql`${subjectId}`)}
    UNION SELECT shown.value FROM ${copies}, json_each(${copies.photos}) shown
      WHERE ${isCopy(kind, sql`${subjectId}`)} AND ${copies.id} >= ${first}`;
}

/** SQL: the id of the newest copy of this subject. */
export function newestCopy(kind: CopyKind, subjectId: SQL): SQL {
  return sql`${build
    .select({ id: sql`MAX(${copies.id})` })
    .from(copies)
    .where(isCopy(kind, subjectId))}`;
}

/** The copied content; null when there is no copy, or when it was erased with its account. */
export function readCopy<Kind extends CopyKind>(
  _kind: Kind,
  json: string | null | undefined,
): CopyContents[Kind] | null {
  return json == null || json === "{}" ? null : (JSON.parse(json) as CopyContents[Kind]);
}
