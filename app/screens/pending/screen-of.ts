/**
 * Names the screen of an address: its path, tab and conversation. Filters and pages of a list belong to the same
 * screen.
 */
export function screenOf({ pathname, search }: { pathname: string; search: string }): string {
  return `${pathname} ${search.match(/\b(tab|with)=[^&]*/g)}`;
}
