/** The tabs of the profile. */
export const PROFILE_TABS = ["listings", "wishlist", "history", "orders", "messages", "settings"] as const;
export type ProfileTab = (typeof PROFILE_TABS)[number];

export const PROFILE_TAB_LABELS: Record<ProfileTab, string> = {
  listings: "Listings",
  history: "History",
  wishlist: "Wishlist",
  orders: "My Orders",
  messages: "Messages",
  settings: "Settings",
};

/** The tab that an address names. Without one, sellers see their listings and others their wishlist. */
export function readProfileTab(text: string | null, isSeller: boolean): ProfileTab {
  return PROFILE_TABS.find((tab) => tab === text) ?? (isSeller ? "listings" : "wishlist");
}

/** Sellers have the listings tab. Others have the history of what they viewed. */
export function profileTabs(isSeller: boolean): ProfileTab[] {
  return PROFILE_TABS.filter((tab) => tab !== (isSeller ? "history" : "listings"));
}
