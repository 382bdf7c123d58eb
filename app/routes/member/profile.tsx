import { data, isRouteErrorResponse } from "react-router";
import type { Route } from "./+types/profile.ts";
import { MemberHeader } from "#app/accounts/components/member-header.tsx";
import { readCursor } from "#app/catalogue/rules.ts";
import { requireViewer, servicesContext } from "#app/context.ts";
import { OrderList } from "#app/orders/components/order-list.tsx";
import { findOrderHistory } from "#app/orders/order-history.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { pageTitle } from "#app/ui/page-title.ts";
import { EmptyState, ErrorState } from "#app/ui/state.tsx";

export function meta() {
  return [{ title: pageTitle("Profile") }];
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const cursor = readCursor(new URL(request.url).searchParams.get("after"));
  const history = await findOrderHistory(context.get(servicesContext).db, requireViewer(context).id, cursor);
  if (!history) throw data(null, { status: 404 });
  return history;
}

export default function Profile({ loaderData }: Route.ComponentProps) {
  const { member, orders } = loaderData;
  return (
    <div className="page stack stack--loose">
      <MemberHeader member={member} />
      <section className="stack" aria-labelledby="orders">
        <h2 id="orders">My Orders</h2>
        {orders.length === 0 ? (
          <EmptyState
            icon="package"
            title="No orders yet"
            sentence="What you buy shows here, with everything you need to follow it."
            action={<LinkButton to="/studentmarketplace">Start Shopping</LinkButton>}
          />
        ) : (
          <OrderList first={loaderData} path="/profile?tab=orders" />
        )}
      </section>
    </div>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const missing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <div className="page">
      <ErrorState
        level={1}
        title={missing ? "Profile not found" : "Your profile could not be loaded"}
        sentence={missing ? "Profile not found. Please sign in again or contact support." : "Please check your connection and try again."}
      />
    </div>
  );
}
