/**
 * Copies of what somebody wrote, made when it begins to count, so that nobody can rewrite it afterwards, or delete it
 * with the account. A listing is copied when it is ordered, anything when it is reported or held; from then on each
 * edit is.
 */
import { and, eq, inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Statement } from "./batch.ts";
import { build, hasRow, idList, insertEach } from "./build.ts";
import {
  categories,
  copies,
  messages,
  moderationCases,
  priceSteps,
  type ProductImage,
  products,
  profiles,
  reports,
  reviews,
  shops,
  uploads,
} from "./schema.ts";
import type { VerifiedLevel } from "./states/verified.ts";
import type { CopyKind } from "./states/moderation.ts";

/** A listing as it was. */
export interface ListingCopy {
  name: string;
  description: string;
  condition: "new" | "like_new" | "good" | "fair";
  /** `products.facts`; and what its seller chose of them, and as its type. Our rules read the rest in its name. */
  facts: {
    values: Record<string, string>;
    chosen: Record<string, string | null>;
    chosenType: string | null;
  };
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

/** What a copy is made from. A talk is made from several messages: `moderation/report.server.ts`. */
type Written = Exclude<CopyKind, "talk">;

const l = alias(products, "written_listing");
const r = alias(reviews, "written_review");
const m = alias(messages, "written_message");
const f = alias(profiles, "written_person");
const s = alias(shops, "written_shop");

interface Source<Content> {
  from: SQL;
  id: SQLWrapper;
  ownerId: SQLWrapper;
  /** Where there is something to copy, if not in every row. */
  where?: SQL;
  /** The row isn't that of a deleted account, whose erasure is no edit. */
  isLive?: SQL;
  content: { [Key in keyof Content]-?: SQLWrapper };
  /** A JSON list of keys. */
  photos: SQL;
}

/** How each kind is read as it is now. */
const SOURCES: { [Kind in Written]: Source<CopyContents[Kind]> } = {
  listing: {
    from: sql`${products} written_listing`,
    id: l.id,
    ownerId: l.sellerId,
    isLive: isNull(l.deletedAt),
    content: {
      name: l.name,
      description: l.description,
      condition: l.condition,
      facts: sql`json_object('values', json(${l.facts}), 'chosen', json(${l.factsChosen}),
        'chosenType', iif(${l.typeChosen}, ${l.type}, NULL))`,
      category: sql`COALESCE((SELECT ${categories.name} FROM ${categories} WHERE ${categories.id} = ${l.category}), ${l.category})`,
      campus: l.location,
      delivery: sql`COALESCE(${ofShop(s.offersDelivery)}, 0)`,
      policies: ofShop(s.policies),
      about: ofShop(s.description),
      verified: sql`(SELECT ${f.verifiedLevel} FROM ${profiles} written_person WHERE ${f.id} = ${l.sellerId})`,
      price: l.price,
      minQuantity: l.minQuantity,
      steps: sql`(SELECT json_group_array(json_object('fromQuantity', step.from_quantity, 'price', step.price))
        FROM (SELECT ${priceSteps.fromQuantity}, ${priceSteps.price} FROM ${priceSteps}
          WHERE ${priceSteps.productId} = ${l.id} AND ${l.wholesale} = 1 ORDER BY ${priceSteps.fromQuantity}) step)`,
      images: sql`json(${l.images})`,
    },
    photos: keysOf(l.images),
  },
  review: {
    from: sql`${reviews} written_review`,
    id: r.id,
    ownerId: r.authorId,
    content: { rating: r.rating, tags: sql`json(${r.tags})`, text: r.text, images: sql`json(${r.photos})` },
    photos: keysOf(r.photos),
  },
  reply: {
    from: sql`${reviews} written_review`,
    id: r.id,
    ownerId: r.subjectId,
    where: sql`${r.reply} IS NOT NULL`,
    content: { text: r.reply },
    photos: sql`'[]'`,
  },
  person: {
    from: sql`${profiles} written_person LEFT JOIN ${shops} written_shop ON ${s.id} = ${f.id}`,
    id: f.id,
    ownerId: f.id,
    isLive: isNull(f.deletedAt),
    content: {
      name: f.fullName,
      campus: f.campusLocation,
      shopName: s.shopName,
      description: s.description,
      policies: s.policies,
      contact: s.preferredContact,
      banner: s.bannerUrl,
      photo: f.photoUrl,
      logo: s.logoUrl,
    },
    photos: sql`(SELECT json_group_array('img/' || substr(url.value, 12, instr(substr(url.value, 12), '/') - 1))
      FROM json_each(json_array(${s.bannerUrl}, ${f.photoUrl}, ${s.logoUrl})) url WHERE url.value LIKE '/files/img/%')`,
  },
  message: {
    from: sql`${messages} written_message`,
    id: m.id,
    ownerId: m.senderId,
    content: { text: m.message, images: sql`json(${m.images})` },
    photos: keysOf(m.images),
  },
};

/** SQL: a column of the shop of a listing's seller. */
function ofShop(column: SQLWrapper): SQL {
  return sql`(SELECT ${column} FROM ${shops} written_shop WHERE ${s.id} = ${l.sellerId})`;
}

/** SQL: the keys of these images, as a JSON list. */
function keysOf(images: SQLWrapper): SQL {
  return sql`(SELECT json_group_array(image.value ->> 'key') FROM json_each(${images}) image)`;
}

function contentOf(kind: Written): SQL {
  const fields = Object.entries<SQLWrapper>(SOURCES[kind].content);
  const pairs = fields.map(([key, value]) => sql`${sql.raw(`'${key}'`)}, ${value}`);
  return sql`json_object(${sql.join(pairs, sql`, `)})`;
}

/** SQL: the rows of the subjects with these ids. */
function rowsOf(kind: Written, ids: SQLWrapper, condition?: SQL): SQL {
  const { from, id, where } = SOURCES[kind];
  return sql`FROM ${from} WHERE ${and(sql`${id} IN ${ids}`, where, condition)}`;
}

function isCopy(kind: CopyKind, subjectId: SQLWrapper) {
  return and(eq(copies.kind, kind).inlineParams(), eq(copies.subjectId, subjectId));
}

/** SQL: the content as it is now of the subject with this id; NULL when there is none. */
export function contentNow(kind: Written, subjectId: SQL): SQL {
  return sql`(SELECT ${contentOf(kind)} ${rowsOf(kind, sql`(${subjectId})`)})`;
}

/**
 * Copies the subjects with these ids as they are now, unless the newest copy says the same. Run it in the batch that
 * makes them count, before `newestCopy`. `ids`: `idList` or a query.
 */
export function copyOf(kind: Written, ids: SQLWrapper, now: number): Statement {
  return copyWhere(kind, ids, undefined, now);
}

/**
 * What follows from an edit, for the batch that makes it, after it: what has been copied once is copied again. The
 * erasure of a deleted account is no edit.
 */
export function copyEdited(kind: Written, ids: SQLWrapper, now: number): Statement {
  const { id, isLive } = SOURCES[kind];
  return copyWhere(kind, ids, and(isLive, hasRow(copies, isCopy(kind, id))), now);
}

function copyWhere(kind: Written, ids: SQLWrapper, condition: SQL | undefined, now: number): Statement {
  const { id, ownerId, photos } = SOURCES[kind];
  const content = contentOf(kind);
  const newest = sql`(SELECT ${copies.content} FROM ${copies} WHERE ${isCopy(kind, id)} ORDER BY ${copies.id} DESC LIMIT 1)`;
  return insertEach(
    copies,
    { kind, subjectId: id, ownerId, content, photos, createdAt: now },
    rowsOf(kind, ids, and(condition, sql`${content} IS NOT ${newest}`)),
  );
}

/**
 * What follows from cases about this kind of thing, for the batch that opens them: what they are about is copied, and
 * each keeps the copy of its beginning. `cases`: their ids, as `idList` or a query.
 */
export function copyCases(kind: Written, cases: SQLWrapper, now: number): Statement[] {
  const isNew = and(
    eq(moderationCases.subject, kind),
    inArray(moderationCases.id, cases),
    isNull(moderationCases.copyId),
  );
  const subjects = build.select({ id: moderationCases.subjectId }).from(moderationCases).where(isNew);
  return [
    copyOf(kind, subjects, now),
    build
      .update(moderationCases)
      .set({ copyId: newestCopy(kind, sql`${moderationCases.subjectId}`) })
      .where(isNew),
  ];
}

/** SQL that selects the keys of all photos that a subject shows now, or has shown since its case was opened. */
export function photosShown(kind: Written, subjectId: string, caseId: string): SQL {
  const first = build
    .select({ id: moderationCases.copyId })
    .from(moderationCases)
    .where(eq(moderationCases.id, caseId));
  const now = sql`SELECT ${SOURCES[kind].photos} AS photos ${rowsOf(kind, idList(subjectId))}`;
  return sql`SELECT shown.value FROM (${now}) subject, json_each(subject.photos) shown
    UNION SELECT shown.value FROM ${copies}, json_each(${copies.photos}) shown
      WHERE ${isCopy(kind, sql`${subjectId}`)} AND ${copies.id} >= ${first}`;
}

/** SQL on `uploads`: a copy shows the photo. A talk may show photos of both sides. */
export const COPY_SHOWS_PHOTO: SQL = sql`(EXISTS (SELECT 1 FROM ${copies} INDEXED BY copies_photos
    WHERE ${copies.ownerId} = ${uploads.ownerId} AND ${copies.photos} <> '[]' AND ${showsPhoto()})
  OR EXISTS (SELECT 1 FROM ${reports} CROSS JOIN ${copies}
    WHERE ${reports.reporterId} = ${uploads.ownerId} AND ${isCopy("talk", reports.id)} AND ${showsPhoto()}))`;

function showsPhoto(): SQL {
  return sql`instr(${copies.photos}, '"' || ${uploads.key} || '"') > 0`;
}

/**
 * Empties these copies: for the erasure of an account. Their photos may go, too, unless something else shows them.
 * `condition`: SQL on `copies`.
 */
export function eraseCopies(condition: SQL | undefined): Statement[] {
  const keys = sql`(SELECT photo.value FROM ${copies}, json_each(${copies.photos}) photo WHERE ${condition})`;
  return [
    // The sweep looks at them again.
    build
      .update(uploads)
      .set({ attachedAt: null })
      .where(sql`${uploads.key} IN ${keys}`),
    build.update(copies).set({ content: "{}", photos: [] }).where(condition),
  ];
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
