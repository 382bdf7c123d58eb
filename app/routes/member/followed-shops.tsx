import type { ReactNode } from "react";
import type { Route } from "./+types/followed-shops.ts";
import { loadDeferred } from "#app/catalogue/browse/deferred.ts";
import { DeferredContent } from "#app/catalogue/browse/components/deferred-content.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { followAction } from "#app/screens/actions/follow-action.server.ts";
import { ShopCardsSkeleton } from "#app/shops/components/featured-shops.tsx";
import { passFollow } from "#app/shops/components/follow-button.tsx";
import { FollowsNone } from "#app/shops/components/follows-none.tsx";
import { ShopList } from "#app/shops/components/shop-list.tsx";
import { listFollowedShops } from "#app/shops/following.server.ts";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";
import { ErrorState } from "#app/ui/feedback/state.tsx";

const PATH = "/following/shops";

export function meta() {
  return pageMeta("Shops You Follow");
}

export function loader({ request, context }: Route.LoaderArgs) {
  return listFollowedShops(context.get(servicesContext), {
    viewerId: requireViewer(context).id,
    after: new URL(request.url).searchParams.get("after"),
  });
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadDeferred(args);

export const action = (args: Route.ActionArgs) => followAction(args);

export const clientAction = (args: Route.ClientActionArgs) => passFollow(args);

export default function FollowedShops({ loaderData }: Route.ComponentProps) {
  return (
    <Screen>
      <DeferredContent data={loaderData} path={PATH} waiting={<ShopCardsSkeleton />} failure={<Failed />}>
        {(page) => <ShopList first={page} path={PATH} empty={<FollowsNone />} />}
      </DeferredContent>
    </Screen>
  );
}

function Screen({ children }: { children: ReactNode }) {
  return (
    <div className="page stack">
      <PageHeader
        title="Shops You Follow"
        lead="Press Following to stop following a shop"
        back={{ to: "/following", label: "Following" }}
      />
      {children}
    </div>
  );
}

function Failed() {
  return <ErrorState title="We couldn't load the shops you follow" />;
}

export function ErrorBoundary() {
  return (
    <Screen>
      <Failed />
    </Screen>
  );
}
