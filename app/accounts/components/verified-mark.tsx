import { LEVELS } from "#app/accounts/trust/verified-rules.ts";
import { LevelMark, type LevelMarkProps } from "./level-mark.tsx";

/** Marks a verified student or business. */
export function VerifiedMark({ level, name }: LevelMarkProps) {
  return level !== "none" && LEVELS[level].isMarked ? <LevelMark level={level} name={name} /> : null;
}
