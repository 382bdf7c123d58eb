/**
 * The addresses of public pages: what people share, and what visitors and search engines can open without an account.
 * A product's or shop's address holds a short id, which finds it, and a slug, which only people read.
 */
import { shortIdOf, uuidsOf } from "#app/platform/short-ids.ts";

const SLUG_MAX = 60;

/**
 * A name as part of an address: "Casio fx-991, new!" is "casio-fx-991-new". Empty when the name has no letter or digit.
 */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return words.slice(0, SLUG_MAX).replaceAll(/^-+|-+$/g, "");
}

export function publicProductPath({ id, name }: { id: string; name: string }): string {
  return `/p/${shortIdOf(id)}/${slugOf(name) || "item"}`;
}

/** `id` is the seller's, and `title` what the shop is called. */
export function publicShopPath({ id, title }: { id: string; title: string }): string {
  return `/s/${shortIdOf(id)}/${slugOf(title) || "shop"}`;
}

/** A product's address as short as it can be, to be typed or to be read from a QR code. It leads to the full one. */
export function shortProductPath(id: string): string {
  return `/p/${shortIdOf(id)}`;
}

/** The same for a shop. `id` is the seller's. */
export function shortShopPath(id: string): string {
  return `/s/${shortIdOf(id)}`;
}

/** `key` is the category's id. */
export function publicCategoryPath(key: string): string {
  return `/c/${encodeURIComponent(key)}`;
}

export function publicCampusPath(name: string): string {
  return `/campus/${slugOf(name)}`;
}

/** The first page for people without an account. */
export const FRONT_PATH = "/campus";

/** Where its search leads. `after` is the cursor of a later page. */
export function publicSearchPath(text: string, after?: string): string {
  return `${FRONT_PATH}/search?${new URLSearchParams({ q: text, ...(after && { after }) })}`;
}

/** The page that asks who has what somebody looks for. `id`: of their saved search. */
export function sharedSearchPath(id: string): string {
  return `/looking-for/${shortIdOf(id)}`;
}

/** The link by which a member invites others. */
export function invitationPath(memberId: string): string {
  return `/join/${shortIdOf(memberId)}`;
}

/** The short id of who invited somebody that goes to this address after the sign-up; null where nobody did. */
export function invitationIn(path: string | null): string | null {
  const [, shortId = ""] = /^\/join\/([^/?#]+)$/.exec(path ?? "") ?? [];
  return uuidsOf(shortId.toLowerCase()) ? shortId.toLowerCase() : null;
}

/** Whether an address belongs to a public page. Such a page has no scripts, and is the same for every visitor. */
export function isPublicPage(pathname: string): boolean {
  return /^\/((p|s|c|campus|looking-for)\/|campus$)/i.test(pathname);
}

/** Whether it is the search, whose results depend on the query. All other public pages can be cached without it. */
export function isPublicSearch(pathname: string): boolean {
  return /^\/campus\/search\/?$/i.test(pathname);
}

/** Whether it is a shared search. Its owner may stop sharing it at any moment, so no copy of it is kept. */
export function isSharedSearch(pathname: string): boolean {
  return /^\/looking-for\//i.test(pathname);
}

/** Whether an address has only the short id and no slug. A redirect may lead from such an address, but never to it. */
export function isShortPath(pathname: string): boolean {
  return /^\/[ps]\/[^/]+$/i.test(pathname);
}

/**
 * The address whose page answers for this one. Addresses with a malformed short id share one page, so that making them
 * up costs nothing.
 */
export function answeringPath(pathname: string): string {
  const [, kind, shortId] = /^\/(p|s)\/([^/]*)/i.exec(pathname) ?? [];
  if (kind === undefined || shortId === undefined || uuidsOf(shortId.toLowerCase())) return pathname;
  return `/${kind.toLowerCase()}/-`;
}

/** Screens that search engines may list besides public pages. */
export const LISTED_SCREENS = [
  "/auth",
  "/auth/signup",
  "/support",
  "/terms",
  "/privacy",
  "/verified",
  "/protection",
  "/help",
];

/**
 * Whether search engines may list what is at an address: a public page, one of a few screens, an answer of Help, or a
 * public picture.
 */
export function isForSearchEngines(pathname: string): boolean {
  if (isPublicSearch(pathname) || isSharedSearch(pathname)) return false;
  return isPublicPage(pathname) || LISTED_SCREENS.includes(pathname) || /^\/(files\/(img|og)|help)\//.test(pathname);
}
