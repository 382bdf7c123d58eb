import { CONDITION_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { formatPrice } from "#app/ui/money.ts";
import { EMPTY_LISTING, type ListingValues } from "./listing-form-rules.ts";
import type { PostReading } from "./read-post-rules.ts";

type PostField = "name" | "price" | "condition" | "takesOffers" | "description";

/** The fields that a post fills in. A description that was written before comes first. */
export function postValues(
  { name, price, condition, takesOffers, description }: PostReading,
  before: Pick<ListingValues, PostField>,
): Partial<Pick<ListingValues, PostField>> {
  const written = before.description.trim();
  return {
    ...(name !== "" && { name }),
    ...(price !== null && { price: String(price) }),
    ...(condition !== null && { condition }),
    ...(takesOffers !== null && { takesOffers: takesOffers ? "on" : "" }),
    description: written === "" || written === description ? description : `${written}\n\n${description}`,
  };
}

/** How many characters of a description the panel shows. */
const DESCRIPTION_SHOWN = 80;

/** What was read, for its seller to look at: a label and a value each. What it would replace stands behind. */
export function postRows(
  { name, price, condition, takesOffers, description }: PostReading,
  before: Pick<ListingValues, PostField>,
): [label: string, value: string][] {
  const typed = before.price.trim();
  const instead = typed === "" || typed === String(price) ? "" : `, instead of ${typed}`;
  const shown = [...description.replaceAll(/\s+/g, " ")];
  return [
    ...(name === "" ? [] : [["Name", name] as [string, string]]),
    ...(price === null ? [] : [["Price", `${formatPrice(price)}${instead}`] as [string, string]]),
    ...(condition === null ? [] : [["Condition", CONDITION_LABELS[condition]] as [string, string]]),
    ...(takesOffers === null ? [] : [["Offers", takesOffers ? "Yes" : "No"] as [string, string]]),
    [
      "Description",
      shown.length <= DESCRIPTION_SHOWN ? shown.join("") : `${shown.slice(0, DESCRIPTION_SHOWN).join("").trimEnd()}…`,
    ],
  ];
}

/** What a browser without scripts sent, with what its name says as a post. What was filled in besides stays. */
export function fillFromPost(typed: ListingValues, reading: PostReading): Partial<ListingValues> {
  const { name, price, condition, takesOffers, description } = postValues(reading, typed);
  return {
    name: name ?? "",
    price: typed.price.trim() === "" ? (price ?? "") : typed.price,
    condition: typed.condition === EMPTY_LISTING.condition ? (condition ?? typed.condition) : typed.condition,
    takesOffers: typed.takesOffers || (takesOffers ?? ""),
    description,
  };
}
