import { FEE_MAX } from "#app/catalogue/fees/fee-rules.ts";

/** The messages of the income page. They stand apart, because every admin page loads the others. */
export const INCOME_TEXTS = {
  fee_proposed: "Suggested. It begins after another owner has confirmed it.",
  fee_confirmed: "Confirmed. It begins on its day. If sellers pay it, they read it on My Shop until then.",
  fee_declined: "Gone. Nothing changes.",
  fee_take_back_proposed: "Suggested. It still begins, unless another owner confirms that it is taken back.",
  fee_taken_back: "Taken back. Nothing changes.",
  fee_kept: "It begins on its day.",
  fee_share: `Enter a share from 0 to ${FEE_MAX.share / 100} percent, such as 2.5`,
  fee_amount: "Enter whole shillings, such as 5, or 0 for none",
  fee_too_large: "Please enter a smaller amount",
  fee_order: "The most must be at least as much as the least",
  fee_payer: "Please choose who pays",
  fee_category: "This category is gone. Please choose another.",
  fee_day: "Choose a day from",
  cost_set: "Saved",
} as const;
