import { brandPicture, shareMeta } from "#app/ui/sharing/share-meta.ts";
import { type LookingFor, lookingSentence } from "./shared-search-rules.ts";

/** The meta tags of a shared search: nothing about who looks. `url`: its absolute address. */
export function sharedSearchMeta(looking: LookingFor, url: string) {
  const { thing, price } = looking;
  return shareMeta({
    title: `Looking for ${thing}${price === null ? "" : `, ${price}`}`,
    description: `${lookingSentence(looking)} Have one? List it, and it shows up in their search.`,
    url,
    type: "website",
    image: brandPicture(new URL(url).origin),
  });
}
