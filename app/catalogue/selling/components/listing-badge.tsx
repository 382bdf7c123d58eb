import { type ProductStatus, STATUS_LABELS, STATUS_TONES } from "#app/catalogue/catalogue-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";

/** `label` ("Only 2 left", "Sold out"); without one, Active, Sold or Out of Stock. */
export function ListingBadge({ status, label }: { status: ProductStatus; label?: string | null | undefined }) {
  return <StatusBadge tone={label ? "orange" : STATUS_TONES[status]}>{label || STATUS_LABELS[status]}</StatusBadge>;
}
