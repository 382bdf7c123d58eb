/**
 * What the next screen looks like while its data is loading: its title, where the address tells it, and its shape.
 * Pure.
 */
import { PROFILE_TAB_LABELS, PROFILE_TABS } from "#app/accounts/profile-tabs.ts";

export type PendingShape = "home" | "grid" | "list" | "form" | "product" | "shop";

export interface PendingLook {
  /** Null when the title depends on the data. */
  title: string | null;
  shape: PendingShape;
}

/** Screens whose title never changes. */
const FIXED: Readonly<Record<string, PendingLook>> = {
  "/home": { title: "Your Student Marketplace", shape: "home" },
  "/studentmarketplace": { title: "Student Marketplace", shape: "grid" },
  "/studentmarketplace/shops": { title: "All Shops", shape: "grid" },
  "/campus": { title: "Buy and sell on your campus", shape: "grid" },
  "/add-product": { title: "Add New Product", shape: "form" },
  "/cart": { title: "Cart", shape: "list" },
  "/this-week": { title: "New This Week", shape: "grid" },
  "/following": { title: "Following", shape: "grid" },
  "/following/shops": { title: "Shops You Follow", shape: "grid" },
  "/saved-searches": { title: "Saved Searches", shape: "list" },
  "/wishlist": { title: "Wishlist", shape: "list" },
  "/notifications": { title: "Notifications", shape: "list" },
  "/myshop/money": { title: "My Money", shape: "list" },
  "/myshop/figures": { title: "Figures", shape: "list" },
  "/myshop/still-available": { title: "Still Available?", shape: "list" },
  "/myshop/statement": { title: "Statement", shape: "list" },
  "/receipts": { title: "Receipts", shape: "list" },
  "/myshop/import": { title: "Import Listings", shape: "form" },
  "/myshop/settings": { title: "Shop Settings", shape: "form" },
  "/subscription": { title: "Subscription", shape: "list" },
  "/become-seller": { title: "Become a Seller", shape: "form" },
  "/settings/two-step": { title: "Two-step login", shape: "form" },
  "/settings/email": { title: "Confirm your new email", shape: "form" },
  "/settings/notifications": { title: "Notification Settings", shape: "form" },
  "/settings": { title: "Settings", shape: "form" },
  "/complete-profile": { title: "Complete your profile", shape: "form" },
  "/category": { title: "All categories", shape: "grid" },
  "/support": { title: "Contact support", shape: "list" },
  "/terms": { title: "Terms of Service", shape: "list" },
  "/privacy": { title: "Privacy Policy", shape: "list" },
  "/verified": { title: "What verified means", shape: "list" },
  "/protection": { title: "How paying is protected", shape: "list" },
  "/help": { title: "Help", shape: "list" },
  "/help/contact": { title: "Ask our team", shape: "form" },
  "/logout": { title: null, shape: "form" },
  "/auth": { title: "Welcome Back", shape: "form" },
  "/auth/signup": { title: "Create an Account", shape: "form" },
  "/auth/forgot": { title: "Forgot your password?", shape: "form" },
  "/auth/check-email": { title: "Check Your Email", shape: "form" },
  "/auth/two-step": { title: "Confirm that it's you", shape: "form" },
  "/auth/confirm": { title: "Confirm that it's you", shape: "form" },
  "/auth/reset": { title: "Choose a new password", shape: "form" },
  "/auth/undo": { title: "Take your account back?", shape: "form" },
  "/auth/other-account": { title: "You're logged in already", shape: "form" },
  "/auth/callback": { title: "Verifying account...", shape: "form" },
  "/admin": { title: "Today", shape: "list" },
  "/admin/codes": { title: "Wholesaler Access Codes", shape: "list" },
  "/admin/money/explain": { title: "Explain a Payment", shape: "list" },
  "/admin/money/lists": { title: "M-Pesa's Lists", shape: "list" },
  "/admin/types": { title: "Types of Things", shape: "list" },
  "/admin/prohibited": { title: "Prohibited Goods", shape: "list" },
};

/** Screens about one thing, such as a product. Checked in this order. */
const PATTERNS: readonly (readonly [RegExp, PendingLook])[] = [
  [/^\/product\/[^/]+\/edit$/, { title: "Edit Product", shape: "form" }],
  [/^\/product\/[^/]+\/offer$/, { title: "Make an Offer", shape: "form" }],
  [/^\/(product|seller)\/[^/]+\/poster$/, { title: "Print a Poster", shape: "list" }],
  [/^\/(product|p)\//, { title: null, shape: "product" }],
  [/^\/(category|c|campus)\//, { title: null, shape: "grid" }],
  [/^\/checkout\//, { title: "Complete Your Payment", shape: "form" }],
  [/^\/order-confirmation\//, { title: "Order Confirmation", shape: "list" }],
  [/^\/(seller\/)?orders\//, { title: "Order", shape: "list" }],
  [/^\/help\//, { title: null, shape: "list" }],
  [/^\/report\//, { title: null, shape: "form" }],
  [/^\/people\/[^/]+\/reviews$/, { title: null, shape: "list" }],
  [/^\/(offers|meetings|problems|reviews|appeals|unsubscribe)\//, { title: null, shape: "form" }],
  [/^\/(seller|s)\//, { title: null, shape: "shop" }],
  [/^\/admin\/(problems|moderation)\//, { title: null, shape: "list" }],
];

/** @returns the look of the screen at an address; null when no screen has that address */
export function pendingLook(pathname: string, search: string): PendingLook | null {
  const query = new URLSearchParams(search);
  const tab = query.get("tab");
  if (pathname === "/profile") {
    const known = PROFILE_TABS.find((name) => name === tab);
    return { title: known ? PROFILE_TAB_LABELS[known] : "Profile", shape: known === "settings" ? "form" : "list" };
  }
  if (pathname === "/myshop") return { title: "My Shop", shape: tab === "orders" ? "list" : "shop" };
  if (pathname === "/search") {
    const text = query.get("q")?.trim() ?? "";
    if (text === "" && query.has("type")) return { title: null, shape: "grid" };
    return { title: text === "" ? "All products" : `Results for “${text}”`, shape: "grid" };
  }
  const known = FIXED[pathname] ?? PATTERNS.find(([pattern]) => pattern.test(pathname))?.[1];
  if (known) return known;
  // The title of an admin page is the last part of its address.
  const [, initial = "", rest = ""] = /^\/admin\/(\w)(\w+)$/.exec(pathname) ?? [];
  return initial ? { title: initial.toUpperCase() + rest, shape: "list" } : null;
}
