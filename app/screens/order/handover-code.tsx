import "#app/deals/components/deal-steps.css";
import { type DealView, wrongCodesText } from "#app/deals/deal-words.ts";
import type { QrDrawing } from "#app/deals/handover-qr.server.ts";

interface HandoverCodeProps {
  /** Six digits. */
  code: string;
  qr: QrDrawing;
  deal: DealView;
  /** Inside a sentence. */
  seller: string;
}

/** The code that the buyer gives the seller, in digits and as a QR code for the seller's camera. */
export function HandoverCode({ code, qr, deal, seller }: HandoverCodeProps) {
  const wrong = wrongCodesText(deal);
  return (
    <section className="card handover" aria-label="Hand-over code">
      <h2>Your hand-over code</h2>
      <p className="handover__code">
        {code.slice(0, 3)} {code.slice(3)}
      </p>
      <svg
        className="handover__qr"
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label="The code as a QR code, for the seller's camera"
        shapeRendering="crispEdges"
      >
        <path d={qr.path} />
      </svg>
      <p>
        Give this code to {seller} only when you have the item and it's fine.{" "}
        {deal.subtotal > 0 ? "The seller is paid at once." : "The order is then completed."}
      </p>
      {wrong && <p className="quiet small">{wrong}</p>}
    </section>
  );
}
