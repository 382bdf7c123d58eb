import { LISTING_MAX } from "#app/catalogue/selling/listing-form-rules.ts";
import type { ShareRefusal } from "./shared-search-rules.ts";

export const SHARE_TEXTS = {
  shared: "Anybody with the link can see this search now, without your name",
  stopped: "Nobody can open the link any more",
} as const;

/** Why a search isn't shared. */
export const SHARE_REFUSALS: Record<ShareRefusal, string> = {
  unnamed: "Sellers must know which thing you look for. Search for its name, save that, and share it.",
  long: `Please look for it in at most ${LISTING_MAX.name} characters, and share that search`,
  prohibited: "This search has a word for something that may not be sold here, so it can't be shared",
  words: "A search that you share can't have phone numbers, links or @names, and can't say who is verified",
};
