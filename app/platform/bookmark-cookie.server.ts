import { z } from "zod";
import { type CookieOptions, createSignedCookie, type SignedCookie } from "./signed-cookie.server.ts";
import { NEWEST_COOKIE } from "./newest-cookie.ts";

/**
 * Carries the state of the database after a browser's last write, so that every tab of this browser reads what it wrote.
 * Signed, because D1 takes any text that sorts after its own bookmarks for a newer one.
 */
export type BookmarkCookie = SignedCookie<string>;

/** After three minutes the floor is newer than any bookmark (app/db/read-floor.ts). The rest is for clocks that differ. */
const LIFE_S = 10 * 60;

/** Like "00000000-00000030-00005023-" and 32 more hexadecimal digits. */
const bookmarkSchema = z.string().regex(/^[0-9a-f-]{20,100}$/i);

export function createBookmarkCookie(options: CookieOptions): BookmarkCookie {
  return createSignedCookie(options.secure ? "__Host-bookmark" : "bookmark", bookmarkSchema, LIFE_S, options);
}

/** Whether the page has just been told of a change by the live channel, and must see it. */
export function asksForNewest(request: Request): boolean {
  return (request.headers.get("Cookie") ?? "").split(/; */).includes(NEWEST_COOKIE);
}
