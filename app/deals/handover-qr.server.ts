import { encode } from "uqr";
import { writeHandoverQr } from "./handover-code-rules.ts";

/** A QR code as an SVG draws it. */
export interface QrDrawing {
  /** Modules along each side. */
  size: number;
  /** The dark modules, as the data of an SVG path. */
  path: string;
}

/** The QR code that the seller's camera reads. It is drawn on the server, so that the page needs no script for it. */
export function drawHandoverQr(itemId: string, code: string): QrDrawing {
  const { data, size } = encode(writeHandoverQr(itemId, code), { ecc: "M", border: 0 });
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  return { size, path: rows.join("") };
}
