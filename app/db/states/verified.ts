import { predicates } from "./predicates.ts";

/** `profiles.verified_level`: what has been verified about a person. */
export const VERIFIED_LEVELS = [
  "none",
  /** They confirmed their email address. */
  "email",
  /** Our team approved their student ID, or they confirmed an address at a Kenyan university. */
  "student",
  /** Our team approved their business document. */
  "business",
] as const;
export type VerifiedLevel = (typeof VERIFIED_LEVELS)[number];

export const VERIFIED = predicates(VERIFIED_LEVELS, {
  isStudent: ["student"],
  /** Somebody checked more than an email address. */
  isVerified: ["student", "business"],
});
