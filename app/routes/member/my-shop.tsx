import type { Route } from "./+types/my-shop.ts";
import { OwnListings } from "#app/catalogue/components/own-listings.tsx";
import { requireViewer, servicesContext } from "#app/context.ts";
import { DeskItems } from "#app/orders/components/desk-items.tsx";
import { openDeskOrders, openDeskProducts } from "#app/orders/seller-desk.server.ts";
import { CountBadge } from "#app/ui/badge.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { EmptyState, ErrorState } from "#app/ui/state.tsx";
import { TabLinks } from "#app/ui/tabs.tsx";

export function meta() {
  return [{ title: pageTitle("My Shop") }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { id } = requireViewer(context);
  const { searchParams } = new URL(request.url);
  if (searchParams.get("tab") === "orders") return { tab: "orders" as const, ...(await openDeskOrders(services, id)) };
  return { tab: "products" as const, ...(await openDeskProducts(services.db, id, searchParams.get("after"))) };
}

export default function MyShop({ loaderData }: Route.ComponentProps) {
  const { tab, shopName, pendingOrders } = loaderData;
  return (
    <div className="page stack stack--loose">
      <PageHeader
        title={shopName ?? "My Shop"}
        lead={waiting(pendingOrders)}
        actions={
          <LinkButton to="/add-product" icon="plus">
            Add Product
          </LinkButton>
        }
      />
      <TabLinks
        label="Shop"
        tabs={[
          { to: "/myshop", label: "Products", current: tab === "products" },
          { to: "/myshop?tab=orders", label: "Orders", current: tab === "orders", mark: <CountBadge count={pendingOrders} />, tour: "shop-orders-tab" },
        ]}
      />
      {loaderData.tab === "products" ? <OwnListings first={loaderData} path="/myshop" empty={<NoListings />} /> : <Orders items={loaderData.items} />}
    </div>
  );
}

function waiting(pendingOrders: number): string {
  if (pendingOrders === 0) return "No orders are waiting for you";
  return pendingOrders === 1 ? "1 order is waiting for you" : `${pendingOrders} orders are waiting for you`;
}

function NoListings() {
  return <EmptyState icon="store" title="You haven't posted any listings yet" action={<LinkButton to="/add-product">Create Your First Listing</LinkButton>} />;
}

function Orders({ items }: Parameters<typeof DeskItems>[0]) {
  if (items.length === 0) return <EmptyState icon="package" title="No orders yet" sentence="As soon as someone has paid for a listing of yours, it shows here." />;
  return <DeskItems items={items} />;
}

export function ErrorBoundary() {
  return (
    <div className="page">
      <ErrorState level={1} title="Your shop could not be loaded" sentence="Please check your connection and try again." />
    </div>
  );
}
