import "./own-shop.css";
import { readFlag } from "#app/shops/local-flags.ts";
import { later } from "#app/ui/later.tsx";

/** `ShopTerms`, whose script loads with the screen only when the terms are to open by themselves. */
export const ShopTerms = later(async () => (await import("./shop-terms.tsx")).ShopTerms, {
  isWanted: () => !readFlag("hasSeenToS"),
});
