/** What search engines read about a page, in the vocabulary of schema.org. Addresses are absolute. */
import type { BreadcrumbList, Organization, Thing } from "schema-dts";
import { brand } from "./brand.ts";
import type { Crumb } from "./breadcrumbs.tsx";

/** The meta tag of a page that is about `things`. */
export function structuredData(things: readonly Thing[]) {
  return { "script:ld+json": { "@context": "https://schema.org", "@graph": things } };
}

/**
 * The way to a page. The last crumb is the page itself; a page alone has no way to it. `/` is no crumb, because it
 * leads visitors to the login. `origin`: this site's.
 */
export function breadcrumbData(crumbs: readonly Crumb[], origin: string): BreadcrumbList[] {
  if (crumbs.length < 2) return [];
  return [
    {
      "@type": "BreadcrumbList",
      itemListElement: crumbs.map(({ name, path }, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name,
        item: origin + path,
      })),
    },
  ];
}

/** Ourselves. */
export function siteData(origin: string): Organization {
  return {
    "@type": "Organization",
    name: brand.name,
    description: brand.description,
    url: `${origin}/`,
    logo: `${origin}/icons/icon-512.png`,
  };
}
