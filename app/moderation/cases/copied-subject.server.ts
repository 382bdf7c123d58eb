/** What a case is about as it was copied, and how it was edited since. Pure. */
import type { CopyContents } from "./copies.server.ts";
import type { Change } from "#app/catalogue/change-words.ts";
import { changesIn, type CopyField, LISTING_FIELDS, PHOTOS_FIELD } from "#app/catalogue/copy-changes.ts";
import { readCopy } from "#app/db/copies.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import type { CaseSubject } from "#app/db/states/moderation.ts";
import { picturesOf } from "./person-pictures.ts";

/** A picture of a person or their shop: that there is one, and which. The page shows it. */
function pictureField(label: string, name: "banner" | "photo" | "logo"): CopyField<CopyContents["person"]> {
  return { label, read: (person) => (person[name] ? "1 photo" : ""), compare: (person) => person[name] ?? "" };
}

const FIELDS: { [Kind in CaseSubject]: readonly CopyField<CopyContents[Kind]>[] } = {
  listing: LISTING_FIELDS,
  review: [
    { label: "Stars", read: ({ rating }) => String(rating) },
    { label: "Tags", read: ({ tags }) => tags.join(", ") },
    { label: "Words", read: ({ text }) => text, isLong: true },
    PHOTOS_FIELD,
  ],
  reply: [{ label: "Words", read: ({ text }) => text, isLong: true }],
  person: [
    { label: "Name", read: ({ name }) => name },
    { label: "Campus", read: ({ campus }) => campus ?? "" },
    { label: "Shop", read: ({ shopName }) => shopName ?? "" },
    { label: "About the shop", read: ({ description }) => description ?? "", isLong: true },
    { label: "Policies", read: ({ policies }) => policies ?? "", isLong: true },
    { label: "Contact", read: ({ contact }) => contact ?? "" },
    pictureField("Banner", "banner"),
    pictureField("Photo", "photo"),
    pictureField("Logo", "logo"),
  ],
  message: [{ label: "Words", read: ({ text }) => text, isLong: true }, PHOTOS_FIELD],
};

/** The photos of what was copied. */
function imagesOf(read: CopyContents[CaseSubject]): ProductImage[] {
  if ("images" in read) return read.images;
  return "banner" in read ? picturesOf(read) : [];
}

/** A copy as the database has it. */
export interface StoredCopy {
  id: number;
  /** JSON. */
  content: string;
  /** Ms since 1970. */
  createdAt: number;
}

/** One edit: what it changed, and when. `at` is null when nobody knows. */
export interface Edit {
  at: number | null;
  changes: Change[];
}

/** What somebody reported. */
export interface CopiedSubject {
  facts: { label: string; value: string }[];
  images: ProductImage[];
  /** The edits since then, the first one first, with those that were undone again. */
  edits: Edit[];
}

/**
 * Reads the copies of a case's subject, the oldest first, and what it is `now`, as JSON: null when it is gone. Null
 * where there is no copy, or it was erased with its account.
 */
export function readCopied<Kind extends CaseSubject>(
  kind: Kind,
  copies: readonly StoredCopy[],
  now: string | null,
): CopiedSubject | null {
  const fields: readonly CopyField<CopyContents[Kind]>[] = FIELDS[kind];
  const versions = copies.flatMap(({ content, createdAt }) => {
    const read = readCopy<CopyContents[Kind]>(content);
    return read ? [{ at: createdAt as number | null, read }] : [];
  });
  const [first] = versions;
  if (!first) return null;
  const last = readCopy<CopyContents[Kind]>(now);
  const all = last ? [...versions, { at: null, read: last }] : versions;
  const edits = all.slice(1).map(({ at, read }, index) => ({
    at,
    changes: changesIn(fields, all[index]?.read ?? read, read),
  }));
  return {
    // Photos are shown instead.
    facts: fields
      .filter(({ compare }) => compare === undefined)
      .map(({ label, read }) => ({ label, value: read(first.read) }))
      .filter(({ value }) => value !== ""),
    images: imagesOf(first.read),
    edits: edits.filter(({ changes }) => changes.length > 0),
  };
}
