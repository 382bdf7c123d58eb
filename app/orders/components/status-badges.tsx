import { itemStatusLabel, orderListStatus, type ShippingStep, SHIPPING_STEPS } from "#app/orders/rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import type { Tone } from "#app/ui/tone.ts";

const ITEM_TONES: Record<string, Tone> = {
  pending: "orange",
  processing: "orange",
  shipped: "blue",
  delivered: "green",
  expired: "red",
};

/** What has become of one item; a status nobody knows is shown as it is. */
export function ItemBadge({ status }: { status: string }) {
  return <StatusBadge tone={ITEM_TONES[status] ?? "gray"}>{itemStatusLabel(status)}</StatusBadge>;
}

/** An order's status in a list. */
export function OrderBadge({ status }: { status: string }) {
  return (
    <StatusBadge tone={orderListStatus(status) === "Unknown" ? "gray" : (ITEM_TONES[status] ?? "gray")}>
      {orderListStatus(status)}
    </StatusBadge>
  );
}

const STEP_TONES = { red: "red", yellow: "gold", green: "green" } as const;

/** What the seller has to do next. */
export function StepBadge({ step }: { step: ShippingStep }) {
  const { label, tone } = SHIPPING_STEPS[step];
  return <StatusBadge tone={STEP_TONES[tone]}>{label}</StatusBadge>;
}
