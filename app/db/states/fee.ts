/** Who pays a service fee: the buyer on top of the price, or the seller out of it. */
export const FEE_PAYERS = ["buyer", "seller"] as const;

export type FeePayer = (typeof FEE_PAYERS)[number];
