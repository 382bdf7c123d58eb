/** Safaricom's texts for result codes. The same code has different texts in a callback and in a query. */

interface Prose {
  callback: string;
  query: string;
}

function same(text: string): Prose {
  return { callback: text, query: text };
}

const PAYMENT_PROSE: Readonly<Record<string, Prose>> = {
  "0": same("The service request is processed successfully."),
  "1": same("The balance is insufficient for the transaction."),
  "11": same("The DebitParty is in an invalid state."),
  "17": same("Rule limited."),
  "1019": same("Transaction has expired"),
  "1025": same("An error occurred while sending a push request"),
  "1032": { callback: "Request cancelled by user", query: "Request canceled by user." },
  "1036": same("SMSC ACK timeout."),
  "1037": { callback: "No response from user.", query: "DS timeout user cannot be reached." },
  "2001": same("The initiator information is invalid."),
  "2026": same("The channel session ID has expired."),
  "2028": same("The request is not permitted according to product assignment."),
  "8006": same("The security credential is locked."),
  "4999": same("The transaction is still under processing"),
  E3008: same("Error, the user has a bad debt contract."),
  SFC_IC0003: same("The operator does not exist."),
};

/** ResultDesc of a payment, in its callback or in a query. */
export function paymentProse(code: string, source: keyof Prose): string {
  return PAYMENT_PROSE[code]?.[source] ?? "The request could not be completed.";
}

const PAYOUT_PROSE: Readonly<Record<string, string>> = {
  "0": "The service request is processed successfully.",
  "1": "The balance is insufficient for the transaction.",
  "2": "Declined due to limit rule: less than the minimum transaction amount.",
  "3": "Declined due to limit rule: greater than the maximum transaction amount.",
  "2001": "The initiator information is invalid.",
  "2032": "The transaction receipt number does not exist.",
  "2040": "Credit Party customer type (Unregistered or Registered Customer) can't be supported by the service.",
  "8006": "The security credential is locked.",
  R000001: "The transaction has already been reversed.",
  R000002: "The OriginalTransactionID is invalid.",
};

/** ResultDesc of a payout, reversal or look-up. */
export function payoutProse(code: string): string {
  return PAYOUT_PROSE[code] ?? "The request could not be completed.";
}
