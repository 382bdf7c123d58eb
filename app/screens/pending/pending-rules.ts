/**
 * What the next screen looks like while its data is loading: its title, where the address tells it, and its shape.
 * Pure.
 */
import { matchPath } from "react-router";
import { SCREENS, type ScreenShape } from "#app/screen-rules.ts";
import { PROFILE_TAB_LABELS, PROFILE_TABS } from "#app/accounts/profile/profile-tabs.ts";

export interface PendingLook {
  /** Null when the title depends on the data. */
  title: string | null;
  shape: ScreenShape;
}

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
  const pattern =
    pathname in SCREENS ? pathname : Object.keys(SCREENS).find((known) => matchPath(known, pathname) !== null);
  const { title, shape } = SCREENS[pattern ?? ""] ?? {};
  return title === undefined || shape === undefined ? null : { title, shape };
}
