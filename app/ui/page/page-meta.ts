import type { MetaDescriptor } from "react-router";
import { brand } from "./brand.ts";

/** A screen's title for the browser. */
export function pageTitle(screen: string): string {
  return `${screen} – ${brand.name}`;
}

/**
 * The tags of a screen: its title, and the product's description, which search engines read where a screen has none of
 * its own.
 */
export function pageMeta(screen: string): MetaDescriptor[] {
  return [{ title: pageTitle(screen) }, { name: "description", content: brand.description }];
}
