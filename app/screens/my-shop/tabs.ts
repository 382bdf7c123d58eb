/** The tabs of My Shop. Each has a script of its own, and only the open tab's loads. Their styles come with the screen. */
import "#app/catalogue/components/hidden-listing.css";
import "#app/catalogue/components/stock-stepper.css";
import "#app/orders/components/orders.css";
import "#app/ui/quantity-stepper.css";
import { OwnerMenu, StockStepper } from "#app/catalogue/components/own-listing-controls-later.ts";
import { later } from "#app/ui/later.tsx";

const atOnce = { isWanted: () => true };

export const Products = later(async () => (await import("./shop-products.tsx")).ShopProducts, {
  ...atOnce,
  inner: [OwnerMenu, StockStepper],
});
export const Orders = later(async () => (await import("./seller-orders.tsx")).SellerOrders, atOnce);
