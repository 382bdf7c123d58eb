/** How to reach the next level of verification. Pure. */
import { VERIFIED } from "#app/db/states/verified.ts";
import type { VerifiedLevel } from "./verified-rules.ts";

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
export function nextLevelStep({ level, accountType, document }: Verification): string | null {
  if (VERIFIED.isVerified(level)) return null;
  if (level === "none") return "Open the link in our email to confirm your address.";
  const name = DOCUMENTS[accountType];
  if (document === "pending" || document === "approved")
    return `We're checking your ${name}. We'll email you when we've decided.`;
  if (document === "rejected") return `We couldn't accept your ${name}. Please upload another one.`;
  return `Upload your ${name} to become a verified ${NEXT_LEVEL[accountType]}.`;
}
