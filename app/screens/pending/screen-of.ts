/**
 * Names the screen of an address: its path, tab and conversation. Filters and pages of a list belong to the same
 * screen.
 */
export function screenOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname} ${search.match(/\b(tab|with)=[^&]*/g)}`;
}

/** Lists that stay beside what is opened from them. */
const DESKS = ["/admin/moderation", "/admin/problems"];

/** Whether a list stays on the screen while what is open beside it changes. */
export function keepsList(here: string, next: string): boolean {
  return DESKS.some((desk) => here.startsWith(desk) && next.startsWith(desk));
}
