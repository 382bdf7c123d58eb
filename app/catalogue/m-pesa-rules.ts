/** M-Pesa's limits for one transaction, in whole KES (docs/m-pesa.md). */

/** One payment by a buyer. */
export const PAYMENT_LIMITS = { min: 1, max: 250_000 };

/** One transfer to a number: a payout, or a part of a payment that goes back. */
export const PAYOUT_LIMITS = { min: 10, max: 250_000 };
