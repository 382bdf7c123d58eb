import "#app/deals/components/deal-steps.css";
import type { DealSummary } from "#app/deals/words/deal-summary.server.ts";
import type { QrDrawing } from "#app/platform/qr-code.ts";
import { QrCode } from "#app/ui/sharing/qr-code.tsx";

interface HandoverCodeProps {
  /** Six digits. */
  code: string;
  qr: QrDrawing;
  isFree: boolean;
  summary: Pick<DealSummary, "wrongCodes" | "called">;
  /** Inside a sentence. */
  seller: string;
}

/** The code that the buyer gives the seller, in digits and as a QR code for the seller's camera. */
export function HandoverCode({ code, qr, isFree, summary: { wrongCodes, called }, seller }: HandoverCodeProps) {
  return (
    <section className="card handover" aria-label="Handover code">
      <h2>Your handover code</h2>
      <p className="handover__code">
        {code.slice(0, 3)} {code.slice(3)}
      </p>
      <details className="handover__more">
        <summary>Let the seller scan it</summary>
        <QrCode drawing={qr} label="The code as a QR code, for the seller's camera" className="handover__qr" />
      </details>
      <p className="small">
        Give this code to {seller} only when {called.fine}.{" "}
        {isFree ? "The order is then completed." : "The seller is paid at once."}
      </p>
      {wrongCodes && <p className="quiet small">{wrongCodes}</p>}
    </section>
  );
}
