/** Cart and wishlist: pure rules (accounts spec §4, commerce spec §5, §9). */

export const QUANTITY_MIN = 1;
export const QUANTITY_MAX = 99;
export const QUANTITY_MAX_WARNING = "Maximum quantity is 99";

export interface CartTotals {
  /** KES. */
  total: number;
  /** Lines. */
  items: number;
  /** Pieces. */
  quantity: number;
}

/** Totals over the lines that can be bought; a missing price counts as 0. */
export function cartTotals(lines: { price: number | null; quantity: number; available: boolean }[]): CartTotals {
  const bought = lines.filter((line) => line.available);
  return {
    total: bought.reduce((sum, line) => sum + (line.price ?? 0) * line.quantity, 0),
    items: bought.length,
    quantity: bought.reduce((sum, line) => sum + line.quantity, 0),
  };
}
