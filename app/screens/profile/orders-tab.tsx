import { TextLink } from "#app/ui/text-link.tsx";
import type { ComponentProps } from "react";
import { LinkButton } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/feedback/state.tsx";
import { OrderList } from "./order-list.tsx";

/** The profile's tab of what the member bought. */
export function OrdersTab({ history }: { history: ComponentProps<typeof OrderList>["first"] }) {
  return (
    <section className="stack" aria-labelledby="orders">
      <h2 id="orders" className="visually-hidden">
        My Orders
      </h2>
      {history.orders.length === 0 ? (
        <EmptyState
          icon="package"
          title="No orders yet"
          sentence="Your orders appear here, so you can follow them."
          action={<LinkButton to="/studentmarketplace">Start Shopping</LinkButton>}
        />
      ) : (
        <>
          <OrderList first={history} />
          <p>
            <TextLink to="/receipts">Receipts of a year</TextLink>
          </p>
        </>
      )}
    </section>
  );
}
