import { data } from "react-router";
import type { Route } from "./+types/item-money.ts";
import { OrderFailure } from "#app/orders/components/order-failure.tsx";
import { requireViewer, servicesContext } from "#app/request/context.ts";
import { findItemMoney } from "#app/screens/item-money/item-money.server.ts";
import { ItemMoneyView } from "#app/screens/item-money/item-money-view.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pageMeta } from "#app/ui/page/page-meta.ts";

export function meta() {
  return pageMeta("Where is my money?");
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const money = await findItemMoney(context.get(servicesContext), params.itemId, requireViewer(context).id);
  if (!money) throw data(null, { status: 404 });
  return money;
}

export default function Money({ loaderData }: Route.ComponentProps) {
  return <ItemMoneyView {...loaderData} />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <OrderFailure error={error} action={<LinkButton to="/profile?tab=orders">My Orders</LinkButton>} />;
}
