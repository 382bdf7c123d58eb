/** The profile's tabs. Each has a script of its own, and only the open tab's loads. Their styles come with the page. */
import "#app/accounts/components/settings.css";
import "#app/basket/components/basket.css";
import "#app/catalogue/photos/components/photo-field.css";
import "#app/catalogue/selling/components/hidden-listing.css";
import "#app/catalogue/selling/components/stock-stepper.css";
import "#app/meetings/components/meetings.css";
import "#app/messaging/components/messaging.css";
import "#app/offers/components/offers.css";
import "#app/orders/components/order-rows.css";
import "#app/ui/forms/file-field.css";
import "#app/ui/forms/text-warning.css";
import { lazyPart } from "#app/ui/feedback/lazy-part.tsx";

export const Listings = import.meta.env.SSR
  ? (await import("./listings-tab.tsx")).ListingsTab
  : lazyPart(async () => (await import("./listings-tab.tsx")).ListingsTab);

export const Wishlist = import.meta.env.SSR
  ? (await import("#app/basket/components/wishlist-view.tsx")).WishlistSection
  : lazyPart(async () => (await import("#app/basket/components/wishlist-view.tsx")).WishlistSection);

export const History = import.meta.env.SSR
  ? (await import("#app/catalogue/browse/components/history-list.tsx")).HistoryList
  : lazyPart(async () => (await import("#app/catalogue/browse/components/history-list.tsx")).HistoryList);

export const Orders = import.meta.env.SSR
  ? (await import("./orders-tab.tsx")).OrdersTab
  : lazyPart(async () => (await import("./orders-tab.tsx")).OrdersTab);

export const Messages = import.meta.env.SSR
  ? (await import("./messages-tab.tsx")).MessagesTab
  : lazyPart(async () => (await import("./messages-tab.tsx")).MessagesTab);

export const Settings = import.meta.env.SSR
  ? (await import("./settings-tab.tsx")).SettingsTab
  : lazyPart(async () => (await import("./settings-tab.tsx")).SettingsTab);
