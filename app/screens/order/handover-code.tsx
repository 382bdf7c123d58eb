import "#app/deals/components/deal-steps.css";
import { type DealView, wrongCodesText } from "#app/deals/deal-words.ts";
import type { QrDrawing } from "#app/platform/qr-code.ts";
import { QrCode } from "#app/ui/qr-code.tsx";

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
      <QrCode drawing={qr} label="The code as a QR code, for the seller's camera" className="handover__qr" />
      <p>
        Give this code to {seller} only when you have the item and it's fine.{" "}
        {deal.subtotal > 0 ? "The seller is paid at once." : "The order is then completed."}
      </p>
      {wrong && <p className="quiet small">{wrong}</p>}
    </section>
  );
}
