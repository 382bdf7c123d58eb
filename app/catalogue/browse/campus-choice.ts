/** Whether the feed shows the viewer's own campus first. The address says so, else what this browser chose last. */
const YEAR_S = 365 * 24 * 60 * 60;

/** The feed's address parameter `campus` for all campuses. Its other values are the names of campuses. */
export const ALL_CAMPUSES = "all";

/** Whether the feed of an address without filters shows all campuses, although the own one has enough. */
export function wantsAllCampuses(params: URLSearchParams, cookie: string | null): boolean {
  return params.get("campus") === ALL_CAMPUSES || /(?:^|;\s*)feed_campus=all(?:;|$)/.test(cookie ?? "");
}

/**
 * The Set-Cookie header that remembers the choice which an address makes; null where it makes none. All campuses are
 * remembered for a year, and naming one forgets it. `url` is the request's.
 */
export function campusChoiceCookie(url: string): string | null {
  const { protocol, searchParams } = new URL(url);
  const campus = searchParams.get("campus");
  if (!campus) return null;
  const age = campus === ALL_CAMPUSES ? YEAR_S : 0;
  return `feed_campus=all; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${protocol === "https:" ? "; Secure" : ""}`;
}
