/** What a page's script sets for a few seconds when it must read what somebody else has just written. */
export const NEWEST_COOKIE = "newest=1";
