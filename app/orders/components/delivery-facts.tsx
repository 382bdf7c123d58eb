import type { orders } from "#app/orders/tables.server.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";

type Delivery = Pick<typeof orders.$inferSelect, "deliveryOption" | "deliveryAddress" | "deliveryInstructions">;

/** Where an order is brought. */
export function DeliveryFacts({ title, of }: { title: string; of: Delivery }) {
  return (
    <section className="card stack" aria-labelledby="delivery">
      <h2 id="delivery">{title}</h2>
      <SummaryRows
        rows={[
          ...(of.deliveryAddress ? [{ label: "Address", value: of.deliveryAddress }] : []),
          ...(of.deliveryInstructions ? [{ label: "Instructions", value: of.deliveryInstructions }] : []),
        ]}
      />
    </section>
  );
}
