/** What has changed in a listing, or anything else, since it was copied (`db/copies.ts`). Pure. */
import { levelTitle } from "#app/accounts/trust/verified-rules.ts";
import type { ListingCopy } from "./listing-copy.server.ts";
import type { ProductImage } from "#app/db/product-image.ts";
import { VERIFIED } from "#app/db/states/verified.ts";
import { formatKes, formatPrice } from "#app/ui/money.ts";
import { CONDITION_LABELS, UNKNOWN_CAMPUS } from "./catalogue-rules.ts";
import type { Change } from "./change-words.ts";
import { FACTS } from "./facts/fact-table.ts";
import { valueText } from "./facts/listing-facts.ts";

/** A field of something that was copied, as people read it. */
export interface CopyField<Content> {
  label: string;
  /** Empty where there is nothing. */
  read(content: Content): string;
  /** Whether it differs where `read` says the same, as other photos do. */
  compare?(content: Content): string;
  /** What somebody edits to change it. Where this is the same, our rules read it differently, which is no edit. */
  causes?(content: Content): string;
  /** Too long for a sentence. */
  isLong?: boolean;
}

/** The fields that differ, in the order of `fields`. */
export function changesIn<Content>(fields: readonly CopyField<Content>[], then: Content, now: Content): Change[] {
  return fields
    .filter(({ read, compare = read }) => compare(then) !== compare(now))
    .filter(({ causes }) => causes === undefined || causes(then) !== causes(now))
    .map(({ label, read, isLong = false }) => ({ label, was: read(then), is: read(now), isLong }));
}

/** A field of photos: how many there are, and which. */
export const PHOTOS_FIELD: CopyField<{ images: readonly ProductImage[] }> = {
  label: "Photos",
  read: ({ images }) => (images.length === 1 ? "1 photo" : `${images.length} photos`),
  compare: ({ images }) => images.map(({ key }) => key).join(),
  isLong: true,
};

/** What the buyer of a listing gets. */
export const PROMISED_FIELDS: readonly CopyField<ListingCopy>[] = [
  { label: "Name", read: ({ name }) => name },
  { label: "Condition", read: ({ condition }) => CONDITION_LABELS[condition] },
  ...FACTS.map((fact): CopyField<ListingCopy> => ({
    label: fact.label,
    read: ({ facts: { values } }) => (values[fact.id] === undefined ? "" : valueText(fact, values[fact.id] ?? "")),
    causes: ({ name, category, facts: { chosen, chosenType } }) =>
      JSON.stringify([name, category, chosenType, chosen[fact.id]]),
  })),
  { label: "Serial number", read: ({ serial }) => (serial ? `Ends in ${serial}` : "") },
  { label: "Category", read: ({ category }) => category ?? "" },
  { label: "Campus", read: ({ campus }) => (campus === UNKNOWN_CAMPUS ? "" : campus) },
  { label: "Delivery", read: ({ delivery }) => (delivery === 1 ? "Offered" : "Not offered") },
  {
    label: "Seller",
    read: ({ verified }) => (verified && VERIFIED.isVerified(verified) ? levelTitle(verified) : ""),
  },
  PHOTOS_FIELD,
  { label: "Description", read: ({ description }) => description, isLong: true },
  { label: "Shop policies", read: ({ policies }) => policies ?? "", isLong: true },
  { label: "Words about the shop", read: ({ about }) => about ?? "", isLong: true },
];

/** Everything that is copied of a listing. An order has its own price. */
export const LISTING_FIELDS: readonly CopyField<ListingCopy>[] = [
  ...PROMISED_FIELDS,
  { label: "Price", read: ({ price }) => formatPrice(price) },
  { label: "Smallest order", read: ({ minQuantity }) => String(minQuantity) },
  {
    label: "Price steps",
    read: ({ steps }) => steps.map(({ fromQuantity, price }) => `from ${fromQuantity}: ${formatKes(price)}`).join(", "),
  },
];
