/** Reads a price as people write it ("1,500", "KES 1500", "1500.00"), in whole shillings; or returns its error. */
export function readPrice(typed: string): number | string {
  const text = typed
    .trim()
    .replace(/^(kes|kshs?|sh)\b\.?/i, "")
    .replaceAll(/\s/g, "")
    .replace(/\/[-=]$/, "")
    .replaceAll(/,(?=\d{3}(,|\.|$))/g, "");
  if (/^-\d/.test(text)) return "Price must be positive";
  if (!/^\d+(\.0*)?$/.test(text)) return "Price must be a whole number of shillings";
  return Number.parseInt(text, 10);
}
