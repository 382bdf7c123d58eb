/** The profile's tabs. Each has a script of its own, and only the open tab's loads. Their styles come with the profile. */
import "#app/accounts/components/settings.css";
import "#app/basket/components/basket.css";
import "#app/catalogue/components/hidden-listing.css";
import "#app/catalogue/components/stock-stepper.css";
import "#app/meetings/components/meetings.css";
import "#app/messaging/components/messaging.css";
import "#app/offers/components/offers.css";
import "#app/orders/components/orders.css";
import "#app/ui/file-field.css";
import "#app/ui/quantity-stepper.css";
import "#app/ui/switch-button.css";
import { OwnerMenu, StockStepper } from "#app/catalogue/components/own-listing-controls-later.ts";
import { later } from "#app/ui/later.tsx";

const atOnce = { isWanted: () => true };

/** Its script loads when somebody is about to use the list. */
export const Listings = later(async () => (await import("./listings-tab.tsx")).ListingsTab, {
  inner: [OwnerMenu, StockStepper],
});
export const Wishlist = later(
  async () => (await import("#app/basket/components/wishlist-view.tsx")).WishlistSection,
  atOnce,
);
export const History = later(
  async () => (await import("#app/catalogue/components/history-list.tsx")).HistoryList,
  atOnce,
);
export const Orders = later(async () => (await import("./orders-tab.tsx")).OrdersTab, atOnce);
export const Messages = later(async () => (await import("./messages-tab.tsx")).MessagesTab, atOnce);
export const Settings = later(async () => (await import("./settings-tab.tsx")).SettingsTab, atOnce);
