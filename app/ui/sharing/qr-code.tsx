import type { QrDrawing } from "#app/platform/qr-code.ts";

interface QrCodeProps {
  drawing: QrDrawing;
  /** The accessible name: what the code is for. */
  label: string;
  /** Its style sets the size, the colours and the margin, which scanners need. */
  className: string;
}

export function QrCode({ drawing: { size, path }, label, className }: QrCodeProps) {
  return (
    <svg
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
