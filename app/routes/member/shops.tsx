import type { ReactNode } from "react";
import type { Route } from "./+types/shops.ts";
import { loadInStep } from "#app/catalogue/arriving.ts";
import { Arrival } from "#app/catalogue/components/arrival.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { followAction } from "#app/screens/actions/follow-action.server.ts";
import { ShopCardsSkeleton } from "#app/shops/components/featured-shops.tsx";
import { passFollow } from "#app/shops/components/follow-button.tsx";
import { ShopList } from "#app/shops/components/shop-list.tsx";
import { listShops } from "#app/shops/shops.server.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { ErrorState } from "#app/ui/state.tsx";

const PATH = "/studentmarketplace/shops";

export function meta() {
  return [{ title: pageTitle("All Shops") }];
}

export function loader({ request, context }: Route.LoaderArgs) {
  return listShops(context.get(servicesContext), {
    viewerId: requireViewer(context).id,
    after: new URL(request.url).searchParams.get("after"),
  });
}

export function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  return loadInStep(request, serverLoader);
}

export const action = (args: Route.ActionArgs) => followAction(args);

export const clientAction = (args: Route.ClientActionArgs) => passFollow(args);

export default function Shops({ loaderData }: Route.ComponentProps) {
  return (
    <Screen>
      <Arrival data={loaderData} path={PATH} waiting={<ShopCardsSkeleton />} failure={<Failed />}>
        {(page) => <ShopList first={page} path={PATH} />}
      </Arrival>
    </Screen>
  );
}

function Screen({ children }: { children: ReactNode }) {
  return (
    <div className="page stack">
      <PageHeader
        title="All Shops"
        lead="Every shop with something for sale, newest first"
        back={{ to: "/studentmarketplace", label: "Student Marketplace" }}
      />
      {children}
    </div>
  );
}

function Failed() {
  return (
    <ErrorState
      title="Error loading shops: the server did not answer"
      sentence="Please check your connection and try again."
    />
  );
}

export function ErrorBoundary() {
  return (
    <Screen>
      <Failed />
    </Screen>
  );
}
