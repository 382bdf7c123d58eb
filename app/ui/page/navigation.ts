import type { IconName } from "#app/ui/pictures/icon-names.ts";

/** Numbers shown on the navigation. */
export interface Counts {
  unread: number;
  notifications: number;
  wishlist: number;
  cart: number;
}

export interface NavigationLink {
  label: string;
  to: string;
  icon: IconName;
  /** Its `data-tour`, by which the guided tour finds it. */
  tour?: string;
  /** The number that it shows. */
  count?: keyof Counts;
}

export interface Navigation {
  /** The links in the desktop bar. */
  links: readonly NavigationLink[];
  /** Icons in the top bar. `phone`: also on phones. */
  tools: readonly (NavigationLink & { phone: boolean })[];
  /** In the top bar everywhere. */
  sell: NavigationLink;
  /** The profile menu, before Log out. */
  profile: readonly NavigationLink[];
  /** In the profile menu of admins. */
  admin: NavigationLink;
  /** The bottom bar on phones. */
  bottom: readonly NavigationLink[];
  home: string;
  signIn: string;
  /** Where Log out posts. */
  signOut: string;
}

/** Every screen that the shell leads to. */
export const navigation: Navigation = {
  home: "/home",
  signIn: "/",
  signOut: "/logout",
  links: [
    { label: "Home", to: "/home", icon: "house" },
    { label: "Student Marketplace", to: "/studentmarketplace", icon: "shopping-bag", tour: "marketplace-link" },
    { label: "My shop", to: "/myshop", icon: "store", tour: "shop-link" },
  ],
  tools: [
    { label: "Messages", to: "/profile?tab=messages", icon: "message-circle", count: "unread", phone: true },
    { label: "Notifications", to: "/notifications", icon: "bell", count: "notifications", phone: true },
    { label: "Wishlist", to: "/wishlist", icon: "heart", count: "wishlist", phone: false },
    { label: "Cart", to: "/cart", icon: "shopping-cart", count: "cart", phone: true },
  ],
  sell: { label: "Sell", to: "/add-product", icon: "plus" },
  profile: [
    { label: "Profile", to: "/profile", icon: "user-round" },
    { label: "My Orders", to: "/profile?tab=orders", icon: "package" },
    { label: "Following", to: "/following", icon: "store" },
    { label: "Saved Searches", to: "/saved-searches", icon: "search" },
    { label: "Settings", to: "/profile?tab=settings", icon: "settings" },
  ],
  admin: { label: "Admin", to: "/admin", icon: "shield-check" },
  bottom: [
    { label: "Home", to: "/home", icon: "house" },
    { label: "Shop", to: "/studentmarketplace", icon: "shopping-bag", tour: "marketplace-link" },
    { label: "My Shop", to: "/myshop", icon: "store", tour: "shop-link" },
    { label: "Wishlist", to: "/wishlist", icon: "heart", count: "wishlist" },
    { label: "Account", to: "/profile", icon: "circle-user-round", tour: "account" },
  ],
};
