import type { Condition } from "#app/catalogue/catalogue-rules.ts";
import { factField } from "#app/catalogue/facts/fact-field-rules.ts";
import { EMPTY_LISTING, type ListingValues } from "#app/catalogue/selling/listing-form-rules.ts";
import { recognizeType } from "#app/catalogue/types/recognize-type.ts";
import type { TypeTable } from "#app/catalogue/types/type-table.ts";
import { capitalized } from "#app/platform/word-rules.ts";
import type { Saved } from "./saved-address.ts";

/** What the form of a new listing begins with for whoever has what a search looks for. */
export function listingFor({ words, filters }: Saved, table: TypeTable): ListingValues {
  const { type, max, conditions, facts } = filters;
  const chosen = type === null ? undefined : table.types.get(type);
  const found = recognizeType({ name: words, category: "" }, table);
  const kind = chosen ?? (found ? table.types.get(found.type) : undefined);
  return {
    ...EMPTY_LISTING,
    name: capitalized(words),
    price: max === null ? "" : String(max),
    type: chosen?.id ?? "",
    category: kind?.category ?? "",
    condition: conditionFor(conditions),
    // Of several choices the seller knows which one theirs has.
    ...Object.fromEntries(
      Object.entries(facts).flatMap(([id, [value, ...others]]) =>
        value === undefined || others.length > 0 ? [] : [[factField(id), value] as const],
      ),
    ),
  };
}

/** The one that is looked for; "Used" is good. */
function conditionFor(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (only === undefined || conditions.includes("new")) return "new";
  return conditions.length === 1 ? only : "good";
}
