/**
 * The marks of a listing in the full-text index: what it is, whose, where, and for how much, as words of a column of their own
 * (`product_search_entries` in the migrations writes the same). So any set of filters is one query of the index, with
 * words or without. Each begins with a private character, so that no part of a word finds it.
 */

const KINDS = {
  wholesale: "\u{E0F0}",
  verified: "\u{E0F1}",
  delivery: "\u{E0F2}",
  type: "\u{E0F3}",
  category: "\u{E0F4}",
  campus: "\u{E0F5}",
  condition: "\u{E0F6}",
  price: "\u{E0F7}",
  seller: "\u{E0F8}",
} as const;

/** The mark of a listing that is wholesale, or whose seller is verified or delivers. */
export function flagMark(kind: "wholesale" | "verified" | "delivery"): string {
  return KINDS[kind];
}

/** The mark of a type, a category, a campus, a condition or a seller. Digits, because the index would split other texts. */
export function textMark(kind: "type" | "category" | "campus" | "condition" | "seller", value: string): string {
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => byte.toString(16).padStart(2, "0"));
  return KINDS[kind] + bytes.join("");
}

/** A listing has a mark for its price without its last digit, two digits, …: 1250, 125x, 12xx, 1xxx, 0xxxx, 0xxxxx. */
const PRICE_DIGITS = 6;

/** KES. No listing costs more. */
const PRICE_END = 10 ** PRICE_DIGITS - 1;

/**
 * The blocks of the prices from `min` to `max`, KES, the cheapest first. A block has all prices that begin with the same digits:
 * "2x12" those from 1200 to 1299.
 */
export function priceBlocks(min: number | null, max: number | null): string[] {
  const last = Math.min(max ?? PRICE_END, PRICE_END);
  const blocks: string[] = [];
  for (let from = min ?? 0; from <= last;) {
    let open = 0;
    const size = (digits: number) => 10 ** digits;
    while (open + 1 < PRICE_DIGITS && from % size(open + 1) === 0 && from + size(open + 1) - 1 <= last) open += 1;
    blocks.push(`${open}x${from / size(open)}`);
    from += size(open);
  }
  return blocks;
}

/** Marks of which a listing has one if its price, KES, is from `min` to `max`, and none otherwise. */
export function priceMarks(min: number | null, max: number | null): string[] {
  return priceBlocks(min, max).map(priceMark);
}

/** The mark of the listings whose prices are in a block. */
export function priceMark(block: string): string {
  return KINDS.price + block;
}
