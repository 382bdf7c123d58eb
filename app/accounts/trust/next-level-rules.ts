/** How to reach the next level of verification, or keep it. Pure. */
import { VERIFIED } from "#app/db/states/verified.ts";
import type { StudentStand } from "./student-end-rules.ts";
import { renewText, type VerifiedLevel } from "./verified-rules.ts";

/** What decides somebody's level. */
export interface Verification {
  level: VerifiedLevel;
  accountType: "student" | "wholesaler";
  /** Their newest document; null when they have sent none. */
  document: "pending" | "approved" | "rejected" | null;
  /** Until when their latest proof shows that they are a student, ms; null where there is none. */
  until: number | null;
  stand: StudentStand;
  /** Their address is at a university. */
  byAddress: boolean;
}

const DOCUMENTS = { student: "student ID", wholesaler: "business document" } as const;
const NEXT_LEVEL = { student: "student", wholesaler: "business" } as const;

/** Whether a student has to prove again that they are one. */
export function mustRenew({ level, accountType, stand }: Verification): boolean {
  return accountType === "student" && stand !== "holds" && level !== "none";
}

/** How to reach the next level, or keep this one; null for somebody who has the highest one. */
export function nextLevelStep(verification: Verification): string | null {
  const { level, accountType, document, stand, byAddress } = verification;
  if (level === "none") return "Open the link in our email to confirm your address.";
  const name = DOCUMENTS[accountType];
  if (VERIFIED.isVerified(level) && !mustRenew(verification)) return null;
  if (document === "pending") return `We're checking your ${name}. We'll email you when we've decided.`;
  if (mustRenew(verification)) return renewText({ byAddress, isEnded: stand === "ended" });
  if (document === "approved") return `We're checking your ${name}. We'll email you when we've decided.`;
  if (document === "rejected") return `We couldn't accept your ${name}. Please upload another one.`;
  return `Upload your ${name} to become a verified ${NEXT_LEVEL[accountType]}.`;
}
