import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";

/** A period as people say it: "48 hours", "7 days". */
export function periodText(hours: number): string {
  if (hours > 48 && hours % 24 === 0) return `${hours / 24} days`;
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

/** How long after the payment it must be handed over: "7 days". */
export function withinText(handover: Handover): string {
  return periodText(HANDOVER_TERMS[handover].within);
}

/** How long at least a buyer can report a problem: "at least 48 hours". `base`: the hours that the operator set. */
export function checkText(handover: Handover, base: number): string {
  const { check } = HANDOVER_TERMS[handover];
  return check === "morning" ? "until the next morning" : `at least ${periodText(Math.ceil(base * check))}`;
}
