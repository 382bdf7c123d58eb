/**
 * Every address of app/routes.ts, and what else follows from it. Tests fail where one of the two has an address alone.
 */
import type { AdminRole } from "#app/db/states/admin.ts";

/** What a screen looks like while its data is loading. */
export type ScreenShape = "home" | "grid" | "list" | "form" | "product" | "shop";

interface Common {
  /** Who opens an admin page, besides the owners. */
  roles?: readonly AdminRole[];
  /**
   * The forms that it takes may have files. It reads them with `readFileForm`, or `readForm` where there is nothing
   * else in them. Both limit them, and it shows an unreadable one as an error.
   */
  takesFiles?: true;
}

interface Screen extends Common {
  part?: undefined;
  /** The words of its `h1` while its data is loading; null where they depend on the data. */
  title: string | null;
  shape: ScreenShape;
  /** People see it first, so its script is smaller than those of others (scripts/weight.ts). */
  isSeenFirst?: true;
}

/**
 * An address without a screen. stays: a part of a screen, which a script loads, or a file to download. The router would
 * show an empty page. leads_on: whoever opens it is led to a screen, or isn't asked to log in.
 */
interface Part extends Common {
  part: "stays" | "leads_on";
  title?: undefined;
  shape?: undefined;
  isSeenFirst?: undefined;
}

/** By the router's pattern. An address that is written out comes before a pattern that it matches, too. */
const TABLE = {
  "/auth": { title: "Welcome Back", shape: "form", isSeenFirst: true },
  "/auth/signup": { title: "Create an Account", shape: "form", takesFiles: true },
  "/auth/check-email": { title: "Check Your Email", shape: "form" },
  "/auth/forgot": { title: "Forgot your password?", shape: "form" },
  "/auth/:issuer/start": { part: "leads_on" },
  "/auth/:issuer/callback": { part: "leads_on" },
  "/auth/two-step": { title: "Confirm that it's you", shape: "form" },
  "/p/:shortId/:slug?": { title: null, shape: "product" },
  "/s/:shortId/:slug?": { title: null, shape: "shop" },
  "/c/:category": { title: null, shape: "grid" },
  "/campus": { title: "Buy and sell on your campus", shape: "grid" },
  "/campus/search": { title: null, shape: "grid" },
  "/campus/:campus": { title: null, shape: "grid" },
  "/looking-for/:shortId": { title: null, shape: "product" },
  "/seller/:sellerId": { title: null, shape: "shop" },
  "/seller/:sellerId/poster": { title: "Print a Poster", shape: "list" },
  "/people/:userId/reviews": { title: null, shape: "list" },
  "/support": { title: "Contact support", shape: "list" },
  "/terms": { title: "Terms of Service", shape: "list" },
  "/privacy": { title: "Privacy Policy", shape: "list" },
  "/verified": { title: "What verified means", shape: "list" },
  "/protection": { title: "How paying is protected", shape: "list" },
  "/help": { title: "Help", shape: "list" },
  "/help/contact": { title: "Ask our team", shape: "form" },
  "/help/:topic": { title: null, shape: "list" },
  "/home": { title: "Your Student Marketplace", shape: "home", isSeenFirst: true },
  "/home/viewed": { part: "stays" },
  "/offline/copy": { part: "stays" },
  "/studentmarketplace": { title: "Student Marketplace", shape: "grid", isSeenFirst: true },
  "/studentmarketplace/shops": { title: "All Shops", shape: "grid" },
  "/search": { title: "All products", shape: "grid", isSeenFirst: true },
  "/search/count": { part: "stays" },
  "/search/missed": { part: "stays" },
  "/search/suggestions": { part: "stays" },
  "/serials": { title: "Was it stolen?", shape: "form", takesFiles: true },
  "/saved-searches": { title: "Saved Searches", shape: "list" },
  "/saved-searches/save": { part: "leads_on" },
  "/saved-searches/:savedId": { part: "leads_on" },
  "/category": { title: "All categories", shape: "grid" },
  "/category/:categoryName": { title: null, shape: "grid" },
  "/product/:productId": { title: null, shape: "product" },
  "/product/:productId/poster": { title: "Print a Poster", shape: "list" },
  "/product/:productId/edit": { title: "Edit Product", shape: "form", takesFiles: true },
  "/product/:productId/manage": { part: "leads_on" },
  "/product/:productId/wait": { part: "leads_on" },
  "/product/:productId/offer": { title: "Make an Offer", shape: "form" },
  "/offers/:offerId": { title: null, shape: "form" },
  "/offers/:offerId/send": { part: "leads_on" },
  "/meetings/:itemId": { title: null, shape: "form" },
  "/meetings/:itemId/send": { part: "leads_on" },
  "/meetings/:itemId/meeting.ics": { part: "stays" },
  "/add-product": { title: "Add New Product", shape: "form", takesFiles: true },
  "/listing-type": { part: "stays" },
  "/product/:productId/wanted": { part: "stays" },
  "/cart": { title: "Cart", shape: "list" },
  "/wishlist": { title: "Wishlist", shape: "list" },
  "/notifications": { title: "Notifications", shape: "list" },
  "/notifications/:id": { part: "leads_on" },
  "/this-week": { title: "New This Week", shape: "grid" },
  "/following": { title: "Following", shape: "grid" },
  "/following/shops": { title: "Shops You Follow", shape: "grid" },
  "/checkout/:orderId": { title: "Complete Your Payment", shape: "form" },
  "/order-confirmation/:orderId": { title: "Order Confirmation", shape: "list" },
  "/orders/:orderId": { title: "Order", shape: "list" },
  "/seller/orders/:itemId": { title: "Order", shape: "list" },
  "/problems/:itemId": { title: null, shape: "form", takesFiles: true },
  "/money/:itemId": { title: "Where is my money?", shape: "list" },
  "/reviews/:itemId": { title: null, shape: "form", takesFiles: true },
  "/myshop": { title: "My Shop", shape: "shop" },
  "/myshop/money": { title: "My Money", shape: "list" },
  "/myshop/money.csv": { part: "stays" },
  "/myshop/statement": { title: "Statement", shape: "list" },
  "/myshop/statement.csv": { part: "stays" },
  "/receipts": { title: "Receipts", shape: "list" },
  "/myshop/import": { title: "Import Listings", shape: "form", takesFiles: true },
  "/myshop/import/:file": { part: "stays" },
  "/myshop/figures": { title: "Figures", shape: "list" },
  "/myshop/still-available": { title: "Still Available?", shape: "list" },
  "/myshop/settings": { title: "Shop Settings", shape: "form", takesFiles: true },
  "/myshop/settings/send": { part: "leads_on", takesFiles: true },
  "/invite": { title: "Bring a friend", shape: "list" },
  "/subscription": { title: "Subscription", shape: "list" },
  "/become-seller": { title: "Become a Seller", shape: "form" },
  "/profile": { title: "Profile", shape: "list" },
  "/settings/two-step": { title: "Two-step login", shape: "form" },
  "/settings": { title: "Settings", shape: "form", takesFiles: true },
  "/settings/send": { part: "leads_on", takesFiles: true },
  "/settings/email": { title: "Confirm your new email", shape: "form" },
  "/settings/notifications": { title: "Notification Settings", shape: "form" },
  "/settings/my-data": { part: "stays" },
  "/report/:subject/:id": { title: null, shape: "form" },
  "/conversations/safety": { part: "leads_on" },
  "/admin": { title: "Today", shape: "list", roles: ["support", "finance"] },
  "/admin/figures.csv": { part: "leads_on", roles: ["support", "finance"] },
  "/admin/campus-month": { title: "A campus's month", shape: "list", roles: ["support", "finance"] },
  "/admin/campus-month.csv": { part: "leads_on", roles: ["support", "finance"] },
  "/admin/codes": { title: "Wholesaler Access Codes", shape: "list", roles: [] },
  "/admin/verifications": { title: "Verifications", shape: "list", roles: ["support"] },
  "/admin/moderation": { title: "Moderation", shape: "list", roles: ["support"] },
  "/admin/moderation/:caseId": { title: null, shape: "list", roles: ["support"] },
  "/admin/problems": { title: "Problems", shape: "list", roles: ["support", "finance"] },
  "/admin/problems/:id": { title: null, shape: "list", roles: ["support", "finance"] },
  "/admin/money": { title: "Money", shape: "list", roles: ["finance"] },
  "/admin/money/lists": { title: "M-Pesa's Lists", shape: "list", roles: ["finance"], takesFiles: true },
  "/admin/money/explain": { title: "Explain a Payment", shape: "list", roles: ["finance"] },
  "/admin/income": { title: "Income", shape: "list", roles: [] },
  "/admin/income.csv": { part: "leads_on", roles: [] },
  "/admin/proposals": { title: "Proposals", shape: "list", roles: ["support", "finance"] },
  "/admin/people": { title: "People", shape: "list", roles: ["support"] },
  "/admin/categories": { title: "Categories", shape: "list", roles: [] },
  "/admin/types": { title: "Types of Things", shape: "list", roles: [] },
  "/admin/prohibited": { title: "Prohibited Goods", shape: "list", roles: [] },
  "/admin/universities": { title: "Universities", shape: "list", roles: [] },
  "/admin/campuses": { title: "Campuses", shape: "list", roles: [] },
  "/admin/operations": { title: "Operations", shape: "list", roles: ["support", "finance"] },
  "/admin/admins": { title: "Admins", shape: "list", roles: [] },
  "/appeals/:token": { title: null, shape: "form" },
  "/handover/:handoverLink": { title: null, shape: "form" },
  "/join/:shortId": { part: "leads_on" },
  "/unsubscribe/:link": { title: null, shape: "form" },
  "/auth/confirm": { title: "Confirm that it's you", shape: "form" },
  "/auth/reset": { title: "Choose a new password", shape: "form" },
  "/auth/callback": { title: "Verifying account...", shape: "form" },
  "/auth/undo": { title: "Take your account back?", shape: "form" },
  "/auth/other-account": { title: "You're logged in already", shape: "form" },
  "/complete-profile": { title: "Complete your profile", shape: "form" },
  "/categories": { part: "leads_on" },
  "/logout": { title: null, shape: "form" },
} as const satisfies Readonly<Record<string, Screen | Part>>;

/** The patterns of the screens. */
export type ScreenPattern = {
  [P in keyof typeof TABLE]: (typeof TABLE)[P] extends Screen ? P : never;
}[keyof typeof TABLE];

export const SCREENS: Readonly<Record<string, Screen | Part>> = TABLE;
