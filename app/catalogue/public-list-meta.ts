import { brand } from "#app/ui/brand.ts";
import { brandPicture, shareMeta } from "#app/ui/share-meta.ts";
import { breadcrumbData, siteData, structuredData } from "#app/ui/structured-data.ts";

interface ListPage {
  title: string;
  /** The page's own name in its breadcrumbs. */
  name: string;
  description: string;
  path: string;
}

/** The meta tags of the public page of a category or a campus. `origin`: this site's. */
export function publicListMeta({ title, name, description, path }: ListPage, origin: string) {
  const crumbs = [
    { name: brand.name, path: "/" },
    { name, path },
  ];
  return [
    ...shareMeta({ title, description, url: origin + path, type: "website", image: brandPicture(origin) }),
    structuredData([siteData(origin), breadcrumbData(crumbs, origin)]),
  ];
}
