/** The tabs of the profile (commerce spec §2, §9). */
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

/** The tab of an address: listings for sellers where it names none, the wishlist for others. */
export function readProfileTab(text: string | null, isSeller: boolean): ProfileTab {
  return PROFILE_TABS.find((tab) => tab === text) ?? (isSeller ? "listings" : "wishlist");
}

/** Sellers have listings where others have the history of what they looked at. */
export function profileTabs(isSeller: boolean): ProfileTab[] {
  return PROFILE_TABS.filter((tab) => tab !== (isSeller ? "history" : "listings"));
}
