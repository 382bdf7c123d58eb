import "./payments.css";
import { type ReactNode, useEffect, useRef } from "react";
import type { PayoutView } from "#app/payments/payment-api.server.ts";
import { PAYOUT_WORDS, payoutLog, payoutSentence } from "#app/payments/payout-words.ts";
import { payoutFailedText, payoutReasonText } from "#app/payments/payment-texts.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatClock, formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { toast } from "#app/ui/toast.ts";

/** The state of the seller's payout. `children`: the button to try again, if there is one. */
export function PayoutPanel({ payout, children }: { payout: PayoutView; children?: ReactNode }) {
  const words = PAYOUT_WORDS[payout.state];
  const reason = payoutReasonText(payout);
  return (
    <section className="stack" aria-labelledby="payout">
      <div className="row row--apart">
        <h2 id="payout">Payout</h2>
        <StatusBadge tone={words.tone}>{words.label}</StatusBadge>
      </div>
      <p role="status">{payoutSentence(payout)}</p>
      <SummaryRows
        rows={[
          { label: "Amount", value: formatKes(payout.share) },
          ...(payout.items > 1
            ? [{ label: "Sent together", value: `${formatKes(payout.amount)} for ${payout.items} items` }]
            : []),
          ...(payout.receipt
            ? [
                {
                  label: "Transaction ID",
                  value: <span className="receipt-number__digits">{payout.receipt}</span>,
                },
              ]
            : []),
          ...(payout.settledAt ? [{ label: "Paid", value: formatDateTime(payout.settledAt) }] : []),
          ...(reason ? [{ label: payout.state === "parked" ? "Reason" : "Note", value: reason }] : []),
        ]}
      />
      {children}
    </section>
  );
}

/** Labels the page as a test of M-Pesa, and shows the payout's last log lines. `free`: there will never be a payout. */
export function PayoutLog({ payout, free }: { payout: PayoutView | null; free: boolean }) {
  return (
    <section className="payout-log" aria-labelledby="payout-log">
      <h2 id="payout-log">B2C testing mode</h2>
      {payout ? (
        <ol role="list">
          {payoutLog(payout).map((line) => (
            <li key={`${line.at} ${line.text}`}>
              <time dateTime={new Date(line.at).toISOString()}>{formatClock(line.at)}</time> {line.text}
            </li>
          ))}
        </ol>
      ) : (
        <p>
          {free
            ? "This item is free, so there's no payout."
            : "No payout yet. It will be logged here once the item is delivered. No real money moves."}
        </p>
      )}
    </section>
  );
}

/**
 * Shows a toast once when a payout was made while the page was open, with M-Pesa's own transaction id, or when it
 * couldn't be made.
 */
export function usePayoutToasts(payout: PayoutView | null): void {
  const state = payout?.state ?? null;
  const reason = payout && payoutReasonText(payout);
  const reasonCode = payout?.reasonCode ?? null;
  const id = payout?.receipt ?? null;
  const before = useRef(state);
  useEffect(() => {
    const was = before.current;
    before.current = state;
    if (was === state) return;
    if (state === "paid" && id) toast.success(`B2C Payment initiated! Transaction ID: ${id}`);
    if (state === "parked") toast.error(payoutFailedText(reason ?? "", reasonCode));
  }, [state, reason, reasonCode, id]);
}
