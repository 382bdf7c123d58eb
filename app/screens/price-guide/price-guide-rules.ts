/**
 * What things like one went for (docs/product-rules.md, "Price guide"). Everybody reads it, so nobody may find a single
 * deal in it, and nobody alone may make it.
 */
import type { Facts } from "#app/catalogue/facts/fact-field-rules.ts";
import { tokensOf } from "#app/catalogue/types/words.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";
import { formatKes } from "#app/ui/money.ts";
import { DAY_MS } from "#app/platform/duration-rules.ts";

/** How far back sales count, in days: a phone or a laptop loses about a tenth of its price within half a year. */
export const GUIDE_DAYS = 180;

/** Newer sales don't count yet: who reads it before and after a sale would find its price. In days. */
export const RESTS_DAYS = 7;

/**
 * Fewer sales say nothing. The text has two numbers, so that of three sales whoever made one could reckon the two
 * others.
 */
const SALES_LEAST = 4;

/** Prices that lie further apart, the upper from the lower quartile, are those of different things. */
const WIDEST = 2;

/** What one says of a thing, to find others like it. The brand is in its group. */
export interface ComparedThing {
  name: string;
  facts: Facts;
  /** Its name is a title, so that other words mean another thing. */
  isBook: boolean;
}

/** One piece that somebody bought, of the same group (`PRICE_GROUP`). */
export interface GuideSale {
  name: string;
  facts: Facts;
  sellerId: string;
  buyerId: string;
  /** The numbers that paid and got the money: accounts with one number are one person. */
  payerPhone: string | null;
  payeePhone: string | null;
  /** KES. */
  price: number;
  /** Ms since 1970. */
  paidAt: number;
}

export interface PriceGuide {
  /** KES: the middle half of the prices lies between them. */
  low: number;
  high: number;
  /** When the last one was paid, ms since 1970. */
  lastAt: number;
}

/** Between which moments a sale that counts was paid, ms since 1970. */
export function guideTime(now: number): { from: number; to: number } {
  const daysAgo = (days: number) => now - days * DAY_MS;
  return { from: daysAgo(GUIDE_DAYS), to: daysAgo(RESTS_DAYS) };
}

/** What such a thing usually goes for; null where too few sales say it. `now` in ms since 1970. */
export function priceGuide(thing: ComparedThing, sales: readonly GuideSale[], now: number): PriceGuide | null {
  const { from, to } = guideTime(now);
  const counted = distinct(
    sales.filter((sale) => sale.paidAt >= from && sale.paidAt <= to && sale.price > 0 && isAlike(thing, sale)),
  );
  const last = counted[0];
  if (!last || counted.length < SALES_LEAST) return null;
  const prices = counted.map(({ price }) => price).toSorted((one, other) => one - other);
  const [low, high] = [rounded(quantile(prices, 0.25)), rounded(quantile(prices, 0.75))];
  return high > WIDEST * low ? null : { low, high, lastAt: last.paidAt };
}

/**
 * The newest first; of each person only the newest, whether they sold or bought. So friends who sell to each other in a
 * ring count for no more than half as many sales.
 */
function distinct(sales: readonly GuideSale[]): GuideSale[] {
  const people = new Set<string>();
  return sales
    .toSorted((one, other) => other.paidAt - one.paidAt)
    .filter(({ sellerId, buyerId, payerPhone, payeePhone }) => {
      const both = [sellerId, buyerId, payerPhone, payeePhone].filter((person) => person !== null);
      if (both.some((person) => people.has(person))) return false;
      for (const person of both) people.add(person);
      return true;
    });
}

/** The facts that change a price. A color or a size doesn't. */
const TELLING_FACTS = ["model", "storage", "memory", "author", "edition"];

/** Whether a sale has what a listing says of itself. What it doesn't say may be anything. */
function isAlike({ name, facts, isBook }: ComparedThing, sale: GuideSale): boolean {
  if (TELLING_FACTS.some((id) => facts[id] !== undefined && facts[id] !== sale.facts[id])) return false;
  const sold = new Set(tokensOf(sale.name).map(({ text }) => text));
  if (!modelWords(name, facts).every((word) => sold.has(word))) return false;
  const title = tokensOf(name).filter(({ text }) => text.length > 2);
  return !isBook || 2 * title.filter(({ text }) => sold.has(text)).length >= title.length;
}

/** Said of what the facts have already. */
const UNITS = /^(?:[gmt]b|gig|ram|rom|ssd|hdd)$/;

/** The numbers of a name and the letters that touch them: "991" and "es", "g" and "3". */
function modelWords(name: string, facts: Facts): string[] {
  const tokens = tokensOf(name);
  const isNumber = (text: string | undefined) => text !== undefined && /^\p{N}/u.test(text);
  const touches = (at: number, other: number) =>
    isNumber(tokens[other]?.text) &&
    (other < at ? tokens[other]?.to === tokens[at]?.from : tokens[at]?.to === tokens[other]?.from);
  const known = new Set(Object.values(facts).flatMap((value) => tokensOf(value).map(({ text }) => text)));
  return tokens
    .filter(({ text }, at) => {
      if (known.has(text) || UNITS.test(text)) return false;
      if (isNumber(text)) return !UNITS.test(tokens[at + 1]?.text ?? "");
      return touches(at, at - 1) || touches(at, at + 1);
    })
    .map(({ text }) => text);
}

/** Between two prices, the more of the nearer one. So of four sales no price is told. `prices`: the lowest first. */
function quantile(prices: readonly number[], share: number): number {
  const place = (prices.length - 1) * share;
  const [below = 0, above = below] = [prices[Math.floor(place)], prices[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

/** KES, as people say prices. */
function rounded(price: number): number {
  const step = price < 500 ? 10 : price < 2_000 ? 50 : price < 10_000 ? 100 : price < 50_000 ? 500 : 1_000;
  return Math.max(step, Math.round(price / step) * step);
}

/** The guide as people read it. `now` in ms since 1970. */
export function guideText({ low, high, lastAt }: PriceGuide, now: number): string {
  const range = low === high ? `about ${formatKes(low)}` : `${formatKes(low)} to ${high.toLocaleString("en")}`;
  return `Usually goes for ${range} · last one ${agoText(dayOf(now) - dayOf(lastAt))}`;
}

/** In weeks and months, so that nobody finds a sale by its day. */
function agoText(days: number): string {
  if (days < 14) return "last week";
  if (days < 30) return `${Math.floor(days / 7)} weeks ago`;
  return days < 60 ? "a month ago" : `${Math.floor(days / 30)} months ago`;
}
