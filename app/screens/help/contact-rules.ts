import { emailError } from "#app/accounts/login/sign-up-rules.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";

/** Characters of a question to our team. */
export const CONTACT_MAX = 2_000;
/** Questions a day: of one member, and of all visitors from one network, because a campus shares one. */
export const CONTACTS_A_DAY = { member: 5, email: 5, network: 500 } as const;

export const CONTACT_TEXTS = {
  text: "Tell us what you need help with",
  too_long: `Please use at most ${CONTACT_MAX.toLocaleString("en")} characters`,
  email: "Enter your email, so that we can answer",
  often: "You've sent us several messages today. We'll answer them first. Please write again tomorrow.",
  busy: TOO_MANY_REQUESTS,
  failed: "We couldn't send it. Please check your connection and try again.",
} as const;

export function sentText(email: string): string {
  return `Sent. Our team answers to ${email}.`;
}

export type ContactErrors = Partial<Record<"email" | "text" | "form", string>>;

/** The errors of a question, by field. Only visitors are asked for an email. */
export function checkContact({ email, text }: { email: string | null; text: string }): ContactErrors {
  const errors: ContactErrors = {};
  if (email !== null) {
    const error = email.trim() === "" ? CONTACT_TEXTS.email : emailError(email.trim());
    if (error) errors.email = error;
  }
  if (text.trim() === "") errors.text = CONTACT_TEXTS.text;
  else if (text.trim().length > CONTACT_MAX) errors.text = CONTACT_TEXTS.too_long;
  return errors;
}
