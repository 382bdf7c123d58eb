import {
  itemStatusLabel,
  orderListStatus,
  orderStatusOf,
  type ShippingStep,
  SHIPPING_STEPS,
  shippingLabel,
} from "#app/orders/order-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import type { Tone } from "#app/ui/tone.ts";

const ITEM_TONES: Record<string, Tone> = {
  pending: "orange",
  processing: "orange",
  shipped: "blue",
  delivered: "green",
  completed: "green",
  cancel_requested: "orange",
  problem_reported: "red",
  offered: "red",
  in_review: "red",
  expired: "red",
};

/** The status of one item. */
export function ItemBadge({ status, handover }: { status: string; handover?: Handover }) {
  return <StatusBadge tone={ITEM_TONES[status] ?? "gray"}>{itemStatusLabel(status, handover)}</StatusBadge>;
}

interface ListedOrder {
  paymentStatus: "pending" | "processing" | "completed" | "failed";
  itemStatuses: readonly string[];
}

/** An order's status in a list. An unpaid order says so, because nothing has happened to its items yet. */
export function OrderBadge({ order }: { order: ListedOrder }) {
  if (order.paymentStatus === "processing") return <StatusBadge tone="orange">Pending</StatusBadge>;
  if (order.paymentStatus !== "completed") return <StatusBadge tone="gray">Not paid</StatusBadge>;
  const status = orderStatusOf(order.itemStatuses);
  return <StatusBadge tone={ITEM_TONES[status] ?? "gray"}>{orderListStatus(status)}</StatusBadge>;
}

const STEP_TONES = { red: "red", yellow: "gold", green: "green" } as const;

/** The seller's next step. */
export function StepBadge({ step, handover }: { step: ShippingStep; handover: Handover }) {
  const { tone } = SHIPPING_STEPS[step];
  const label = shippingLabel(step, handover);
  return <StatusBadge tone={STEP_TONES[tone]}>{label}</StatusBadge>;
}
