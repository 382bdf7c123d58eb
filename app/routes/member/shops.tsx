import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import type { Route } from "./+types/shops.ts";
import { loadDeferred } from "#app/catalogue/browse/deferred.ts";
import { DeferredContent } from "#app/catalogue/browse/components/deferred-content.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { followAction } from "#app/screens/actions/follow-action.server.ts";
import { ShopCardsSkeleton } from "#app/shops/components/featured-shops.tsx";
import { passFollow } from "#app/shops/components/follow-button.tsx";
import { ShopList } from "#app/shops/components/shop-list.tsx";
import { listShops } from "#app/shops/shops.server.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { EmptyState, ErrorState } from "#app/ui/feedback/state.tsx";

const PATH = "/studentmarketplace/shops";

export function meta() {
  return pageMeta("All Shops");
}

export function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  return listShops(context.get(servicesContext), {
    viewerId: requireViewer(context).id,
    after: searchParams.get("after"),
    order: searchParams.get("sort") === "rated" ? "rated" : "newest",
  });
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const action = (args: Route.ActionArgs) => followAction(args);

export const clientAction = (args: Route.ClientActionArgs) => passFollow(args);

export default function Shops({ loaderData }: Route.ComponentProps) {
  const isRated = useSearchParams()[0].get("sort") === "rated";
  const path = isRated ? `${PATH}?sort=rated` : PATH;
  return (
    <Screen>
      <nav className="chip-row" aria-label="Order">
        <Link className="chip" to={PATH} aria-current={isRated ? undefined : "page"} replace preventScrollReset>
          Newest
        </Link>
        <Link
          className="chip"
          to={`${PATH}?sort=rated`}
          aria-current={isRated ? "page" : undefined}
          replace
          preventScrollReset
        >
          Best rated
        </Link>
      </nav>
      <DeferredContent data={loaderData} path={path} waiting={<ShopCardsSkeleton />} failure={<Failed />}>
        {(page) => <ShopList first={page} path={path} empty={NONE} />}
      </DeferredContent>
    </Screen>
  );
}

const NONE = (
  <EmptyState icon="store" title="No shops yet" sentence="Shops appear here when they have something for sale." />
);

function Screen({ children }: { children: ReactNode }) {
  return (
    <div className="page stack">
      <PageHeader
        title="All Shops"
        lead="Every shop with something for sale"
        back={{ to: "/studentmarketplace", label: "Student Marketplace" }}
      />
      {children}
    </div>
  );
}

function Failed() {
  return <ErrorState title="Error loading shops: the server did not answer" />;
}

export function ErrorBoundary() {
  return (
    <Screen>
      <Failed />
    </Screen>
  );
}
