import { useState } from "react";
import type { PaymentState } from "#app/payments/collect/attempt-rules.ts";

/**
 * What was answered to the last press, or null once the page has seen the payment itself: what it shows of the payment is
 * newer, and says more.
 */
export function useUntilSeen<Answer>(
  answer: Answer | null,
  paymentStatus: PaymentState["paymentStatus"],
): Answer | null {
  const [seen, setSeen] = useState<Answer | null>(null);
  if (paymentStatus !== "pending" && seen !== answer) setSeen(answer);
  return answer === seen ? null : answer;
}
