import { useFetcher } from "react-router";
import type { FailedPage } from "#app/catalogue/browse/components/use-product-pages.ts";
import type { ShopsPage } from "#app/shops/shops.server.ts";
import { LiveRegion } from "#app/ui/feedback/live-region.tsx";
import { MoreLink } from "#app/ui/more-link.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { rowsOnce, useMorePages } from "#app/ui/browser/use-more-pages.ts";
import { ShopCards } from "./featured-shops.tsx";

/** All shops. "Show more" appends the next page; without scripts it leads to it. `path`: the list's address, with its order. */
export function ShopList({ first, path }: { first: ShopsPage; path: string }) {
  const fetcher = useFetcher<ShopsPage | FailedPage>();
  const failed = fetcher.data !== undefined && "failed" in fetcher.data;
  const latest = fetcher.data === undefined || "failed" in fetcher.data ? undefined : fetcher.data;
  const pages = useMorePages(first, latest, (page) => page.after ?? "");
  const shops = rowsOnce(pages.flatMap((page) => page.shops));
  const next = pages.at(-1)?.next;
  return (
    <>
      {shops.length === 0 && !next ? (
        <EmptyState icon="store" title="No shops yet" sentence="Shops appear here when they have something for sale." />
      ) : (
        <ShopCards shops={shops} level={2} />
      )}
      <LiveRegion text={pages.length > 1 ? `${shops.length} shops shown` : ""} />
      {next && (
        <div className="feed-end">
          {failed && <p role="alert">We couldn't load more shops. Please try again.</p>}
          <MoreLink to={`${path}${path.includes("?") ? "&" : "?"}after=${next}`} fetcher={fetcher} />
        </div>
      )}
    </>
  );
}
