/**
 * What the reader of a text reads below it. Browsers load these words, and not the rules that find what to be careful
 * about.
 */

export type ContactWarning = "code" | "payment" | "phone" | "link";

const WARNING_TEXTS: Record<ContactWarning, string> = {
  code: "Never send your code. Give it only when you hold the item.",
  payment: "Careful: keep your payment on Chuoni. We can't protect money that you send directly.",
  phone: "Careful: keep talking here until you've paid on Chuoni. We can't protect what you agree on elsewhere.",
  link: "Careful: this leads away from Chuoni. Never enter your M-Pesa PIN or a password there.",
};

/**
 * What the reader of a message sees below it; null for nothing. `hasPaid`: one of the two has paid the other here, so
 * they may need to call each other.
 */
export function warningText(warning: ContactWarning | null | undefined, hasPaid: boolean): string | null {
  return warning && (warning === "code" || warning === "payment" || !hasPaid) ? WARNING_TEXTS[warning] : null;
}
