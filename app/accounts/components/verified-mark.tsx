import { VERIFIED } from "#app/db/states/verified.ts";
import { LevelMark, type LevelMarkProps } from "./level-mark.tsx";

/** Marks a verified student or business. Nearly everybody has confirmed an email, so that level has no mark. */
export function VerifiedMark({ level, name }: LevelMarkProps) {
  return VERIFIED.isVerified(level) ? <LevelMark level={level} name={name} /> : null;
}
