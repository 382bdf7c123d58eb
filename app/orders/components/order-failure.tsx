import type { ReactNode } from "react";
import { LoadFailed } from "#app/ui/feedback/load-failed.tsx";
import { ScreenFailed } from "#app/ui/feedback/screen-failed.tsx";

interface OrderFailureProps {
  error: unknown;
  sentence?: string;
  /** The way on from here. */
  action: ReactNode;
  /** What is said where the order could not be loaded. */
  failed?: string;
  /** Whether the screen shows a payment of the person who looks. */
  paying?: boolean;
}

/** Replaces an order's screen, for buyers and sellers, when the order doesn't exist or couldn't be loaded. */
export function OrderFailure({
  error,
  sentence = "This order doesn't exist, or it belongs to another account.",
  action,
  failed = "Failed to load order details",
  paying = false,
}: OrderFailureProps) {
  return (
    <ScreenFailed title={failed} error={error} missing={{ icon: "search", title: "Order Not Found", sentence, action }}>
      <LoadFailed title={failed} paying={paying} />
    </ScreenFailed>
  );
}
