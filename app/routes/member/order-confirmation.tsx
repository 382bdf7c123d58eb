import { data } from "react-router";
import type { Route } from "./+types/order-confirmation.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { seeMoment } from "#app/screens/notifications/see-things.server.ts";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { findConfirmation } from "#app/screens/order/confirmation.server.ts";
import { ConfirmationView } from "#app/payments/components/confirmation-view.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Order Confirmation");
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const viewer = requireViewer(context);
  const services = context.get(servicesContext);
  const found = await findConfirmation(services.db, params.orderId, viewer.id);
  if (!found) throw data(null, { status: 404 });
  if (found.isNews) seeMoment(services, viewer, request, [`order:${params.orderId}`]);
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
