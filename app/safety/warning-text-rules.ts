/**
 * What the reader of a text reads below it. Browsers load these words, and not the rules that find what to be careful
 * about.
 */

export const CONTACT_WARNINGS = ["code", "pin", "reversal", "payment", "proof", "borrowing", "phone", "link"] as const;
export type ContactWarning = (typeof CONTACT_WARNINGS)[number];

const WARNING_TEXTS: Record<ContactWarning, string> = {
  code: "Never send your code. Give it only when you hold the item.",
  payment: "Careful: keep your payment on Chuoni. We can't protect money that you send directly.",
  pin: "Careful: your M-Pesa PIN pays. Nobody needs it to send you money.",
  reversal: "Careful: send nothing back yourself. Money that was paid by mistake goes back through Chuoni.",
  proof: "Careful: a message or a screenshot is no payment. You're paid when Chuoni says so.",
  borrowing: "Careful: don't lend your phone. Your money and your codes are on it.",
  phone: "Careful: keep talking here until you've paid on Chuoni. We can't protect what you agree on elsewhere.",
  link: "Careful: this leads away from Chuoni. Never enter your M-Pesa PIN or a password there.",
};

/** Who has paid the other here may call them, and write elsewhere. */
const ENDS_WITH_PAYMENT: readonly ContactWarning[] = ["phone", "link"];

/**
 * What the reader of a message sees below it; null for nothing. `hasPaid`: one of the two has paid the other here, so
 * they may need to call each other.
 */
export function warningText(warning: ContactWarning | null | undefined, hasPaid: boolean): string | null {
  return warning && (!hasPaid || !ENDS_WITH_PAYMENT.includes(warning)) ? WARNING_TEXTS[warning] : null;
}
