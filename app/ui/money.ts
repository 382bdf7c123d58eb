/** "1,500". The same on every engine, unlike Intl. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "KES 1,500" for whole shillings. */
export function formatKes(amount: number): string {
  return `KES ${formatCount(amount)}`;
}

/** "−KES 1,500" for what goes away. */
export function formatSigned(amount: number): string {
  return amount < 0 ? `−${formatKes(-amount)}` : formatKes(amount);
}

/** "KES 1,500.00" for cart and order totals. */
export function formatTotal(amount: number): string {
  return `${formatKes(amount)}.00`;
}

/** A product's price: "Free" for a giveaway, else as formatKes. */
export function formatPrice(amount: number): string {
  return amount === 0 ? "Free" : formatKes(amount);
}
