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

/** Marks of which a listing has one if its price, KES, is from `min` to `max`, and none otherwise. */
export function priceMarks(min: number | null, max: number | null): string[] {
  const last = Math.min(max ?? PRICE_END, PRICE_END);
  const marks: string[] = [];
  for (let from = min ?? 0; from <= last;) {
    let open = 0;
    const block = (digits: number) => 10 ** digits;
    while (open + 1 < PRICE_DIGITS && from % block(open + 1) === 0 && from + block(open + 1) - 1 <= last) open += 1;
    marks.push(`${KINDS.price}${open}x${from / block(open)}`);
    from += block(open);
  }
  return marks;
}

/** Where a band of prices begins within a power of ten. Narrow bands come nearer to an order by price. */
const BANDS = [10, 12, 14, 16, 18, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90];

const BAND_STARTS = [
  0,
  ...range(1, 10),
  ...range(1, PRICE_DIGITS).flatMap((power) => BANDS.map((at) => at * 10 ** (power - 1))),
];

/** The marks of each band of the prices from `min` to `max`, KES, the cheapest first. */
export function priceBands(min: number | null, max: number | null): string[][] {
  return BAND_STARTS.flatMap((start, at) => {
    const end = (BAND_STARTS[at + 1] ?? PRICE_END + 1) - 1;
    const marks = priceMarks(Math.max(start, min ?? 0), Math.min(end, max ?? end));
    return marks.length > 0 ? [marks] : [];
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
