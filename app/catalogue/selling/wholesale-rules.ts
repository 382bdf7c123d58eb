/**
 * The form of wholesale terms: the smallest order, the price steps and the SKU (docs/product-rules.md, "Wholesale").
 */
import { PAYMENT_LIMITS, PAYOUT_LIMITS } from "#app/catalogue/m-pesa-rules.ts";
import { readCount, unclearText } from "#app/platform/number-rules.ts";
import { formatKes } from "#app/ui/money.ts";
import { readPrice } from "./listing-price-rules.ts";
import { readPieces } from "./listing-stock-rules.ts";
import { EMPTY_WHOLESALE, STEP_ROWS, type WholesaleValues } from "./listing-form-rules.ts";
import { type PriceStep, WHOLESALE_QUANTITY_MAX } from "./price-step-rules.ts";

export interface WholesaleTerms {
  /** Pieces. 1 means that there is no smallest order. */
  minQuantity: number;
  /** In rising order of `fromQuantity`, with falling prices. */
  steps: PriceStep[];
}

const MIN_QUANTITY_MAX = 999;
const SKU_MAX = 40;

/** Whether a listing with these terms is a wholesale listing. */
export function isWholesale({ minQuantity, steps }: WholesaleTerms): boolean {
  return minQuantity > 1 || steps.length > 0;
}

/** Terms as the form holds them. */
export function writeTerms({ minQuantity, steps }: WholesaleTerms, sku: string | null): WholesaleValues {
  const values = { ...EMPTY_WHOLESALE, sku: sku ?? "", minQuantity: minQuantity > 1 ? String(minQuantity) : "" };
  for (const row of STEP_ROWS) {
    const step = steps[row - 1];
    if (!step) continue;
    values[`stepFrom${row}`] = String(step.fromQuantity);
    values[`stepPrice${row}`] = String(step.price);
  }
  return values;
}

export type WholesaleErrors = Partial<Record<keyof WholesaleValues, string>>;

/**
 * Reads the smallest order (empty is 1) and the price steps (empty rows don't count) of a listing that costs `price`
 * KES a piece; or returns the error of each field. `price` is null while it is unknown: then nothing is compared with
 * it.
 */
export function readTerms(
  values: Omit<WholesaleValues, "sku">,
  price: number | null,
): { ok: true; terms: WholesaleTerms } | { ok: false; errors: WholesaleErrors } {
  const errors: WholesaleErrors = {};
  const smallest =
    values.minQuantity.trim() === "" ? 1 : readPieces(values.minQuantity, { least: 1, max: MIN_QUANTITY_MAX });
  const minQuantity = typeof smallest === "number" ? smallest : null;
  if (typeof smallest === "string") errors.minQuantity = smallest;
  else if (price !== null && price * smallest > PAYMENT_LIMITS.max)
    errors.minQuantity = `The smallest order would cost ${formatKes(price * smallest)}. M-Pesa takes at most ${formatKes(PAYMENT_LIMITS.max)} in one payment`;

  const steps: PriceStep[] = [];
  let above = { fromQuantity: minQuantity ?? 1, price };
  for (const row of STEP_ROWS) {
    const [from, cost] = [`stepFrom${row}`, `stepPrice${row}`] as const;
    if (values[from].trim() === "" && values[cost].trim() === "") continue;
    const reading = readCount(values[from]);
    const fromQuantity = reading.ok ? reading.value : null;
    const stepPrice = readPrice(values[cost]);
    if (values[from].trim() === "") errors[from] = "Enter from how many pieces";
    else if (fromQuantity === null || fromQuantity > WHOLESALE_QUANTITY_MAX)
      errors[from] =
        unclearText(values[from], reading) ??
        `Enter a whole number up to ${WHOLESALE_QUANTITY_MAX.toLocaleString("en")}`;
    else if (fromQuantity <= above.fromQuantity)
      errors[from] =
        steps.length === 0
          ? `Enter more than ${above.fromQuantity}, the smallest order`
          : `Enter more than ${above.fromQuantity}, as in the step before`;
    if (values[cost].trim() === "") errors[cost] = "Enter the price for one piece";
    else if (typeof stepPrice === "string") errors[cost] = stepPrice;
    else if (stepPrice < PAYOUT_LIMITS.min) errors[cost] = `Enter at least ${formatKes(PAYOUT_LIMITS.min)}`;
    else if (above.price !== null && stepPrice >= above.price)
      errors[cost] =
        steps.length === 0
          ? `Enter less than the price, ${formatKes(above.price)}`
          : `Enter less than ${formatKes(above.price)}, as in the step before`;
    else if (fromQuantity !== null && fromQuantity * stepPrice > PAYMENT_LIMITS.max)
      errors[from] ??=
        `Nobody can reach this step: M-Pesa takes at most ${formatKes(PAYMENT_LIMITS.max)} in one payment`;
    if (fromQuantity === null || typeof stepPrice === "string") continue;
    steps.push({ fromQuantity, price: stepPrice });
    above = { fromQuantity, price: stepPrice };
  }
  if (Object.keys(errors).length > 0 || minQuantity === null) return { ok: false, errors };
  return { ok: true, terms: { minQuantity, steps } };
}

/** The seller's own code for a product, tidied; null when there is none. Returns an error for one that is too long. */
export function readSku(typed: string): { ok: true; sku: string | null } | { ok: false; error: string } {
  const sku = typed
    .normalize("NFC")
    .replaceAll(/[\p{C}\s]+/gu, " ")
    .trim();
  if ([...sku].length > SKU_MAX) return { ok: false, error: `Please use at most ${SKU_MAX} characters` };
  return { ok: true, sku: sku === "" ? null : sku };
}

/** The wholesale part of a listing: its terms and its SKU. */
export interface Wholesale {
  terms: WholesaleTerms;
  sku: string | null;
}

/**
 * Reads the wholesale part of the listing form, which only verified wholesalers see. `wholesale` is null for a form
 * without it: then the listing keeps its terms.
 */
export function readWholesale(
  form: FormData,
  values: WholesaleValues & { price: string },
): { wholesale: Wholesale | null; errors: WholesaleErrors } {
  if (!form.has("minQuantity")) return { wholesale: null, errors: {} };
  const price = readPrice(values.price);
  const terms = readTerms(values, typeof price === "number" ? price : null);
  const sku = readSku(values.sku);
  if (terms.ok && sku.ok) return { wholesale: { terms: terms.terms, sku: sku.sku }, errors: {} };
  return { wholesale: null, errors: { ...(terms.ok ? {} : terms.errors), ...(sku.ok ? {} : { sku: sku.error }) } };
}
