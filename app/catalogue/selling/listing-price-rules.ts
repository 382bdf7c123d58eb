import { readAmount, unclearText } from "#app/platform/number-rules.ts";

/** Reads a price in whole shillings; or returns its error. */
export function readPrice(typed: string): number | string {
  const reading = readAmount(typed);
  if (reading.ok) return reading.value;
  if (reading.code === "negative") return "Price must be positive";
  return unclearText(typed, reading) ?? "Price must be a whole number of shillings";
}
