import "#app/catalogue/components/product.css";
import { later } from "#app/ui/later.tsx";

/** `MoreFromSeller`, whose script loads when it is on the screen. */
export const MoreFromSeller = later(async () => (await import("./more-from-seller.tsx")).MoreFromSeller, {
  inView: true,
});
