import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import type { FailedPage } from "#app/ui/browser/failed-page.ts";
import type { ShopsPage } from "#app/shops/shops.server.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { MoreLink } from "#app/ui/more-link.tsx";
import { useMorePages } from "#app/ui/browser/use-more-pages.ts";
import { ShopCards } from "./featured-shops.tsx";

/**
 * A list of shops. "Show more" appends the next page; without scripts it leads to it. `path`: the list's address, with
 * its order. `empty`: what to show when there are none.
 */
export function ShopList({ first, path, empty }: { first: ShopsPage; path: string; empty: ReactNode }) {
  const fetcher = useFetcher<ShopsPage | FailedPage>();
  const pages = useMorePages(first, fetcher, {
    rowsOf: (page) => page.shops,
    nextOf: ({ next }) => next && `${path}${path.includes("?") ? "&" : "?"}after=${next}`,
    nameOf: (page) => page.after ?? "",
  });
  const { rows: shops, nextPath, isSeveral } = pages;
  return (
    <>
      {shops.length === 0 && !nextPath ? empty : <ShopCards shops={shops} level={2} />}
      <LiveRegion text={isSeveral ? `${shops.length} shops shown` : ""} />
      {nextPath && <MoreLink to={nextPath} fetcher={fetcher} />}
    </>
  );
}
