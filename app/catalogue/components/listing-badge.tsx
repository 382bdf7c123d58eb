import { type ProductStatus, STATUS_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";

const TONES = { active: "green", sold: "red", out_of_stock: "orange" } as const satisfies Record<ProductStatus, string>;

/** `label` ("Only 2 left", "Sold out"); if it is null, Active, Sold or Out of Stock. */
export function ListingBadge({ status, label }: { status: ProductStatus; label: string | null }) {
  return <StatusBadge tone={label ? "orange" : TONES[status]}>{label || STATUS_LABELS[status]}</StatusBadge>;
}
