/** The levels of verification: what each means, and how to reach the next one. Pure. */
import { VERIFIED, type VERIFIED_LEVELS } from "#app/db/states/verified.ts";

export type VerifiedLevel = (typeof VERIFIED_LEVELS)[number];

interface LevelText {
  title: string;
  /** What it says about somebody, in one sentence. */
  meaning: string;
}

export const LEVELS: Record<Exclude<VerifiedLevel, "none">, LevelText> = {
  email: {
    title: "Email confirmed",
    meaning: "They opened the link that we sent to their email address.",
  },
  student: {
    title: "Verified student",
    meaning: "Our team checked their student ID, or they confirmed an email address at a Kenyan university.",
  },
  business: {
    title: "Verified business",
    meaning: "Our team checked a document of their business.",
  },
};

/** The level in words, for the person and for our team. */
export function levelTitle(level: VerifiedLevel): string {
  return level === "none" ? "Email not confirmed" : LEVELS[level].title;
}

/** What people read who have just confirmed an address at a university. */
export const NEW_STUDENT_TEXT = "You're a verified student.";

/** What decides somebody's level. */
export interface Verification {
  level: VerifiedLevel;
  accountType: "student" | "wholesaler";
  /** Their newest document; null when they have sent none. */
  document: "pending" | "approved" | "rejected" | null;
}

const DOCUMENTS = { student: "student ID", wholesaler: "business document" } as const;
const NEXT_LEVEL = { student: "student", wholesaler: "business" } as const;

/** How to reach the next level; null for somebody who has the highest one. */
export function nextStep({ level, accountType, document }: Verification): string | null {
  if (VERIFIED.isVerified(level)) return null;
  if (level === "none") return "Open the link in our email to confirm your address.";
  const name = DOCUMENTS[accountType];
  if (document === "pending" || document === "approved")
    return `We're checking your ${name}. We'll email you when we've decided.`;
  if (document === "rejected") return `We couldn't accept your ${name}. Please upload another one.`;
  return `Upload your ${name} to become a verified ${NEXT_LEVEL[accountType]}.`;
}
