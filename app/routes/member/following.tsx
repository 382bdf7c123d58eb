import "#app/shops/components/shops.css";
import type { ReactNode } from "react";
import type { Route } from "./+types/following.ts";
import { CardForms } from "#app/basket/components/card-forms.tsx";
import { useBasketCardParts } from "#app/basket/components/card-parts.tsx";
import { loadDeferred, reloadsList } from "#app/catalogue/browse/deferred.ts";
import { DeferredContent } from "#app/catalogue/browse/components/deferred-content.tsx";
import { ProductFeed } from "#app/catalogue/browse/components/product-feed.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { FollowsNone } from "#app/shops/components/follows-none.tsx";
import { openFollowing } from "#app/shops/following.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ProductGridSkeleton } from "#app/ui/product-grid.tsx";
import { EmptyState, ErrorState } from "#app/ui/feedback/state.tsx";

const PATH = "/following";

export function meta() {
  return pageMeta("Following");
}

export function loader({ request, context }: Route.LoaderArgs) {
  return openFollowing(context.get(servicesContext), {
    viewerId: requireViewer(context).id,
    after: new URL(request.url).searchParams.get("after"),
  });
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const shouldRevalidate = reloadsList;

export default function Following({ loaderData }: Route.ComponentProps) {
  const cardParts = useBasketCardParts();
  return (
    <Screen>
      <CardForms />
      <DeferredContent data={loaderData} path={PATH} waiting={<ProductGridSkeleton />} failure={<Failed />}>
        {(page) => (
          <ProductFeed
            label="Listings of shops you follow"
            first={page}
            path={PATH}
            cardParts={cardParts}
            empty={page.followsAny ? <NothingForSale /> : <FollowsNone />}
          />
        )}
      </DeferredContent>
    </Screen>
  );
}

function Screen({ children }: { children: ReactNode }) {
  return (
    <div className="page stack following">
      <PageHeader
        title="Following"
        lead="What the shops you follow have for sale, newest first"
        actions={
          <LinkButton to="/following/shops" variant="soft" icon="store">
            Shops you follow
          </LinkButton>
        }
      />
      {children}
    </div>
  );
}

function NothingForSale() {
  return (
    <EmptyState
      icon="package"
      title="Nothing for sale right now"
      sentence="When a shop you follow lists something, you see it here first."
      action={<LinkButton to="/studentmarketplace/shops">Find More Shops</LinkButton>}
    />
  );
}

function Failed() {
  return <ErrorState title="We couldn't load what your shops have for sale" />;
}

export function ErrorBoundary() {
  return (
    <Screen>
      <Failed />
    </Screen>
  );
}
