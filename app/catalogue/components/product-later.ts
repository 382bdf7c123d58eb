/** Parts of a product's page whose scripts come late. */
import "./hidden-listing.css";
import "./price-steps.css";
import "./stock-stepper.css";
import { later } from "#app/ui/later.tsx";

/** Loads when somebody is about to press it. */
export const ProductShare = later(async () => (await import("./product-share.tsx")).ProductShare);

/** Only wholesale listings have it, and it has nothing to press. */
export const PriceSteps = later(async () => (await import("./price-steps.tsx")).PriceSteps);

/** Only the owner of a hidden listing sees it, and it has nothing to press. */
export const HiddenNotice = later(async () => (await import("./hidden-listing.tsx")).HiddenNotice);

/** Loads with the screen, but only for the owner. */
export const OwnerPanel = later(async () => (await import("./owner-panel.tsx")).OwnerPanel, { isWanted: () => true });

/** Loads with the screen, but only where the product can't be bought now. */
export const WaitingList = later(async () => (await import("./waiting-list.tsx")).WaitingList, {
  isWanted: () => true,
});
