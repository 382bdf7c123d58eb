import { type RefObject, useLayoutEffect, useRef } from "react";
import type { PaymentState } from "#app/payments/collect/attempt-rules.ts";
import { smoothly } from "#app/ui/browser/motion.ts";

/**
 * Moves the focus to the phone field when the panel that had it ends without a payment: it failed, or the buyer chose
 * to use a different number.
 */
export function useFocusOnPhone(
  payment: Pick<PaymentState, "paymentStatus" | "paymentFailure"> | null,
  form: RefObject<HTMLFormElement | null>,
): void {
  const isUnpaid = payment?.paymentStatus === "failed" || payment?.paymentFailure === "abandoned";
  const wasUnpaid = useRef(isUnpaid);
  // Before the focus is given to what follows the panel (app/ui/browser/keep-focus.ts).
  useLayoutEffect(() => {
    const phone = form.current?.elements.namedItem("phone");
    if (isUnpaid && !wasUnpaid.current && phone instanceof HTMLElement && document.activeElement === document.body) {
      phone.focus({ preventScroll: true });
      phone.scrollIntoView({ block: "center", behavior: smoothly() });
    }
    wasUnpaid.current = isUnpaid;
  }, [isUnpaid, form]);
}
