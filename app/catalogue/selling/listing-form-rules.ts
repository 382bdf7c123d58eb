/** What the listing form holds: its fields as texts, and what they hold at first. */
import { type FactField, factOfField } from "#app/catalogue/facts/fact-field-rules.ts";

/** The rows of price steps in the form: 1 to 5. */
export const STEP_ROWS = [1, 2, 3, 4, 5] as const;

type StepField = `stepFrom${(typeof STEP_ROWS)[number]}` | `stepPrice${(typeof STEP_ROWS)[number]}`;

/** Terms and SKU as typed. The fields of the listing form have these names. */
export type WholesaleValues = Record<"sku" | "minQuantity" | StepField, string>;

export const EMPTY_WHOLESALE: WholesaleValues = {
  sku: "",
  minQuantity: "",
  stepFrom1: "",
  stepPrice1: "",
  stepFrom2: "",
  stepPrice2: "",
  stepFrom3: "",
  stepPrice3: "",
  stepFrom4: "",
  stepPrice4: "",
  stepFrom5: "",
  stepPrice5: "",
};

/** A listing's values as the form holds them: texts, as typed. */
export interface ListingValues extends WholesaleValues {
  name: string;
  price: string;
  originalPrice: string;
  description: string;
  category: string;
  /** What the seller said that it is: a type's id, or "none". Empty: our rules say it. */
  type: string;
  condition: string;
  /** How many pieces the seller has. */
  stock: string;
  /** "on": without a limit, whatever `stock` says. */
  madeToOrder: string;
  /** The stock with which the form was opened, as `stockText` writes it. */
  stockSeen: string;
  /** "on": buyers can make offers. */
  takesOffers: string;
  /** The lowest price that the seller accepts in an offer; empty for any. Only the seller ever sees it. */
  lowestOffer: string;
  /** What the seller chose of the facts that the form has for such a thing. Empty: what the name says. */
  [fact: FactField]: string;
}

export type ListingErrors = Partial<Record<keyof ListingValues | "photos" | "serial" | "form", string>>;

export const LISTING_MAX = { name: 100, description: 2_000, categoryName: 40, originalPrice: 9_999_999 } as const;

export const CATEGORY_TEXTS = {
  added: "New category added",
  failed: "Failed to add category",
  required: "Category name is required",
  sign_in: "Please sign in to add categories",
  known: "This category already exists; we selected it",
} as const;

export const EMPTY_LISTING: ListingValues = {
  name: "",
  price: "",
  originalPrice: "",
  description: "",
  category: "",
  type: "",
  condition: "new",
  stock: "1",
  madeToOrder: "",
  stockSeen: "1",
  takesOffers: "",
  lowestOffer: "",
  ...EMPTY_WHOLESALE,
};

const FIELDS = Object.keys(EMPTY_LISTING) as (keyof typeof EMPTY_LISTING)[];

/**
 * The values of a form. A missing field counts as empty. Without a stock, a new listing has one piece and an edit keeps
 * it.
 */
export function readListingForm(form: FormData): ListingValues {
  const texts = FIELDS.map((field) => {
    const value = form.get(field);
    const missing = field === "stock" || field === "stockSeen" ? EMPTY_LISTING[field] : "";
    return [field, typeof value === "string" ? value : missing];
  });
  const facts = [...form].filter(([field, value]) => factOfField(field) !== null && typeof value === "string");
  return { ...(Object.fromEntries(texts) as unknown as ListingValues), ...Object.fromEntries(facts) };
}

/** What a form says of stock and selling, in a few words: "1 piece · offers from KES 900". */
export function sellingWords(values: ListingValues): string {
  const { madeToOrder, stock, originalPrice, takesOffers, lowestOffer, minQuantity } = values;
  const pieces = stock.trim() || EMPTY_LISTING.stock;
  const amount = (typed: string) => {
    const number = typed.replace(/^\s*(?:KES|Kshs?\.?)\s*/i, "").trim();
    return `KES ${/^\d{1,9}$/.test(number) ? Number(number).toLocaleString("en") : number}`;
  };
  return [
    madeToOrder === "on" ? "Made to order" : `${pieces} ${pieces === "1" ? "piece" : "pieces"}`,
    originalPrice.trim() && `was ${amount(originalPrice)}`,
    takesOffers !== "on" ? "no offers" : lowestOffer.trim() ? `offers from ${amount(lowestOffer)}` : "takes offers",
    minQuantity.trim() && `at least ${minQuantity.trim()} an order`,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The fields of facts that some values have. */
export function factFieldsIn(...values: readonly object[]): FactField[] {
  const fields = new Set(values.flatMap((some) => Object.keys(some)));
  return [...fields].filter((field): field is FactField => factOfField(field) !== null);
}

const WHOLESALE_FIELDS = Object.keys(EMPTY_WHOLESALE) as (keyof WholesaleValues)[];
const PRICE_STEPS = WHOLESALE_FIELDS.filter((field) => field.startsWith("step"));

/**
 * The fields of an edit that are merged with a change made meanwhile. The stock isn't among them: it is compared with
 * the stock that the seller saw, because sales change it, too. Only verified wholesalers have the wholesale fields in
 * their form.
 */
export function editTexts(values: ListingValues, photoKeys: readonly string[], isWholesaler: boolean) {
  const { stock: _stock, madeToOrder: _madeToOrder, stockSeen: _stockSeen, ...texts } = values;
  const fields = Object.entries(texts).filter(
    ([field]) => isWholesaler || !(WHOLESALE_FIELDS as string[]).includes(field),
  );
  return { ...Object.fromEntries(fields), photos: photoKeys.join(" ") } as Record<EditField, string>;
}

export type EditField = Exclude<keyof ListingValues, "stock" | "madeToOrder" | "stockSeen"> | "photos";

/** Price steps follow each other, so they are changed as one. */
export const EDIT_UNITS: readonly (readonly EditField[])[] = [PRICE_STEPS];

/** The fields whose texts have changed since the form came. Browsers and servers write line breaks differently. */
export function changedFields(first: ListingValues, now: ListingValues): (keyof ListingValues)[] {
  const text = (value: string) => value.replaceAll("\r\n", "\n");
  return [...FIELDS, ...factFieldsIn(first, now)].filter(
    (field) => text(now[field] ?? "") !== text(first[field] ?? ""),
  );
}

/**
 * A draft's values for a form in which `typed` fields hold what somebody typed before the draft was found. That stays.
 */
export function mergeDraft(
  draft: ListingValues,
  now: ListingValues,
  typed: readonly (keyof ListingValues)[],
): ListingValues {
  const fields = [...FIELDS, ...factFieldsIn(draft, now)];
  const values = Object.fromEntries(fields.map((field) => [field, (typed.includes(field) ? now : draft)[field] ?? ""]));
  // The number of pieces and the one that its seller saw belong together, or else the form could undo a sale.
  const { stockSeen } = typed.includes("stock") ? now : draft;
  return { ...(values as unknown as ListingValues), stockSeen };
}

/** Whether a form holds any terms or a SKU. */
export function hasTerms(values: WholesaleValues): boolean {
  return (Object.keys(EMPTY_WHOLESALE) as (keyof WholesaleValues)[]).some((field) => values[field] !== "");
}
