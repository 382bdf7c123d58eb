import { brand } from "./brand.ts";

/** A screen's title as the browser shows it. */
export function pageTitle(screen: string): string {
  return `${screen} – ${brand.name}`;
}
