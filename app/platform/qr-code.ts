/** QR codes as an SVG draws them. Call it on the server, so that pages need no script for them. */
import { encode } from "uqr";

export interface QrDrawing {
  /** Modules along each side, without a margin. */
  size: number;
  /** The dark modules, as the data of an SVG path. */
  path: string;
}

export function drawQr(text: string): QrDrawing {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  return { size, path: rows.join("") };
}
