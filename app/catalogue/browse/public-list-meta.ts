import { brandPicture, shareMeta } from "#app/ui/sharing/share-meta.ts";
import { siteData, structuredData } from "#app/ui/page/structured-data.ts";

interface ListPage {
  title: string;
  description: string;
  path: string;
}

/** The meta tags of the public page of a category or a campus. `origin`: this site's. */
export function publicListMeta({ title, description, path }: ListPage, origin: string) {
  return [
    ...shareMeta({ title, description, url: origin + path, type: "website", image: brandPicture(origin) }),
    structuredData([siteData(origin)]),
  ];
}
