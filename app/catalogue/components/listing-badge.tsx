import { type ProductStatus, STATUS_LABELS } from "#app/catalogue/catalogue-rules.ts";
import { StatusBadge } from "#app/ui/badge.tsx";

const TONES = { active: "green", sold: "red", out_of_stock: "orange" } as const satisfies Record<ProductStatus, string>;

/** Active, Sold or Out of Stock. */
export function ListingBadge({ status }: { status: ProductStatus }) {
  return <StatusBadge tone={TONES[status]}>{STATUS_LABELS[status]}</StatusBadge>;
}
