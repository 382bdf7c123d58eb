/** What a shared search says to everybody: never who looks for it (docs/product-rules.md, "Looking for"). */
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { findProhibited, type ProhibitedList } from "#app/catalogue/selling/prohibited-rules.ts";
import { LISTING_MAX } from "#app/catalogue/selling/listing-form-rules.ts";
import { textWarning } from "#app/safety/contact-warning-rules.ts";
import { formatKes } from "#app/ui/money.ts";

export type ShareRefusal =
  /** It names no thing, or a kind of thing that we no longer have. */
  | "unnamed"
  | "long"
  /** A word that may not be sold. */
  | "prohibited"
  /** A contact, a link, or what no name of a listing may say. */
  | "words";

/** Why a search can't be shared; null where it can. `typeName`: what listings of its type are called, if it has one. */
export function shareRefusal(
  { words, type }: { words: string; type: string | null },
  typeName: string | null,
  prohibited: ProhibitedList,
): ShareRefusal | null {
  if (type !== null && typeName === null) return "unnamed";
  if (!/[\p{L}\p{N}]/u.test(words) && typeName === null) return "unnamed";
  if ([...words].length > LISTING_MAX.name) return "long";
  if (nameError(words, "listing") !== null || textWarning(words) !== null) return "words";
  const texts = { name: words, description: "", category: null };
  return findProhibited(texts, prohibited).length > 0 ? "prohibited" : null;
}

/** What a shared search says. */
export interface LookingFor {
  /** The words as they were typed, in quotes, or what listings of its type are called. */
  thing: string;
  /** Where it is looked for: no more places than a sentence has room for. */
  campuses: readonly string[];
  /** "KES 1,500 or less"; null for any price. */
  price: string | null;
  /** What else it must be: "Used", "Seller delivers". */
  chips: readonly string[];
}

const CAMPUSES_SAID = 2;

/**
 * `own`: the campus of whoever looks; null where our list hasn't got it, because few people may be there. `known`: the
 * names of all campuses, because an address may name any.
 */
export function campusesSaid(asked: readonly string[], own: string | null, known: readonly string[]): string[] {
  const named = asked.filter((name) => known.includes(name));
  if (named.length > CAMPUSES_SAID) return [];
  return named.length > 0 || own === null ? named : [own];
}

export function priceSaid({ min, max }: { min: number | null; max: number | null }): string | null {
  if (max === 0) return "free";
  if (max === null) return min === null ? null : `${formatKes(min)} or more`;
  return min === null ? `${formatKes(max)} or less` : `${formatKes(min)} to ${formatKes(max)}`;
}

/** "Somebody on Main Campus is looking for". */
export function whoLooks({ campuses }: Pick<LookingFor, "campuses">): string {
  return `Somebody${campuses.length === 0 ? "" : ` on ${campuses.join(" or ")}`} is looking for`;
}

/** "Somebody on Main Campus is looking for “casio fx-991”, KES 1,500 or less." */
export function lookingSentence(looking: LookingFor): string {
  const { thing, price } = looking;
  return `${whoLooks(looking)} ${thing}${price === null ? "" : `, ${price}`}.`;
}
