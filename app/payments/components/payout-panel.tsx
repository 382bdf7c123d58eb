import "./payout-panel.css";
import { type ReactNode, useEffect, useRef } from "react";
import type { LogLine, PayoutSummary } from "#app/payments/transfers/payout-summary.ts";
import { StatusBadge } from "#app/ui/badge.tsx";
import { formatClock, formatDateTime } from "#app/ui/dates.ts";
import { formatKes } from "#app/ui/money.ts";
import { SummaryRows } from "#app/ui/summary-rows.tsx";
import { toast } from "#app/ui/feedback/toast.ts";

/** The state of the seller's payout. `children`: the button to try again, if there is one. */
export function PayoutPanel({ payout, children }: { payout: PayoutSummary; children?: ReactNode }) {
  const { badge, reason } = payout;
  return (
    <section className="stack" aria-labelledby="payout">
      <div className="row row--apart">
        <h2 id="payout">Payout</h2>
        <StatusBadge tone={badge.tone}>{badge.label}</StatusBadge>
      </div>
      <p role="status">{payout.sentence}</p>
      <SummaryRows
        rows={[
          { label: "Amount", value: formatKes(payout.share) },
          ...(payout.items > 1
            ? [{ label: "Sent together", value: `${formatKes(payout.amount)} for ${payout.items} items` }]
            : []),
          ...(payout.receipt
            ? [
                {
                  label: "M-Pesa receipt",
                  value: <span className="receipt-number__digits">{payout.receipt}</span>,
                },
              ]
            : []),
          ...(payout.doneAt ? [{ label: "Paid", value: formatDateTime(payout.doneAt) }] : []),
          ...(reason ? [{ label: payout.state === "parked" ? "Reason" : "Note", value: reason }] : []),
        ]}
      />
      {children}
    </section>
  );
}

/**
 * Labels the page as a test of M-Pesa, and shows the payout's last log lines: none before there is a payout. `free`:
 * there will never be one.
 */
export function PayoutLog({ lines, free }: { lines: readonly LogLine[]; free: boolean }) {
  return (
    <section className="payout-log" aria-labelledby="payout-log">
      <h2 id="payout-log">B2C testing mode</h2>
      {lines.length > 0 ? (
        <ol role="list">
          {lines.map((line) => (
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
 * Shows a toast once when a payout was made while the page was open, with M-Pesa's receipt, or when it
 * couldn't be made.
 */
export function usePayoutToasts(payout: PayoutSummary | null): void {
  const state = payout?.state ?? null;
  const failed = payout?.failed ?? null;
  const receipt = payout?.receipt ?? null;
  const share = payout?.share ?? 0;
  const before = useRef(state);
  useEffect(() => {
    const was = before.current;
    before.current = state;
    if (was === state) return;
    if (state === "done" && receipt) toast.success(`${formatKes(share)} is in your M-Pesa. Receipt ${receipt}`);
    if (failed !== null) toast.error(failed);
  }, [state, failed, receipt, share]);
}
