import { brand } from "./brand.ts";

/** A screen's title for the browser. */
export function pageTitle(screen: string): string {
  return `${screen} – ${brand.name}`;
}
