/** The levels of verification, and what each means. Pure. */
import { OWN_LABELS } from "#app/platform/label-rules.ts";
import type { VERIFIED_LEVELS } from "#app/db/states/verified.ts";

export type VerifiedLevel = (typeof VERIFIED_LEVELS)[number];

interface LevelText {
  title: string;
  /** What it says about somebody, in one sentence. */
  meaning: string;
  /** Whether a mark beside their name shows it. Nearly everybody has confirmed an email, so that level has none. */
  isMarked: boolean;
}

export const LEVELS: Record<Exclude<VerifiedLevel, "none">, LevelText> = {
  email: {
    title: OWN_LABELS.levels.email,
    meaning: "They opened the link that we sent to their email address.",
    isMarked: false,
  },
  student: {
    title: OWN_LABELS.levels.student,
    meaning: "Our team checked their student ID, or they confirmed an email address at a Kenyan university.",
    isMarked: true,
  },
  business: {
    title: OWN_LABELS.levels.business,
    meaning: "Our team checked a document of their business.",
    isMarked: true,
  },
};

/** The level in words, for the person and for our team. */
export function levelTitle(level: VerifiedLevel): string {
  return level === "none" ? "Email not confirmed" : LEVELS[level].title;
}

/** How a student stays one, or becomes one again. `byAddress`: they have a university's address. */
export function renewText({ byAddress, isEnded }: { byAddress: boolean; isEnded: boolean }): string {
  const address = byAddress ? "open the link that we send to your university address, or " : "";
  return `To ${isEnded ? "be verified again" : "stay verified"}, ${address}upload your current student ID.`;
}

/** What people read who have just confirmed an address at a university. */
export const NEW_STUDENT_TEXT = "You're a verified student.";
