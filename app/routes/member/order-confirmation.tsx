import { data } from "react-router";
import type { Route } from "./+types/order-confirmation.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { findOrderForBuyer } from "#app/orders/orders.server.ts";
import { ConfirmationView } from "#app/payments/components/confirmation-view.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Order Confirmation");
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const found = await findOrderForBuyer(context.get(servicesContext).db, params.orderId, requireViewer(context).id);
  if (!found) throw data(null, { status: 404 });
  return found;
}

export default function OrderConfirmation({ loaderData }: Route.ComponentProps) {
  return <ConfirmationView {...loaderData} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <OrderFailure paying error={error} action={<LinkButton to="/studentmarketplace">Continue Shopping</LinkButton>} />
  );
}
