/** What a product's page says about how old a listing is, and how one gets it. */
import { HANDOVER_TERMS } from "#app/catalogue/types/handover-rules.ts";
import { HANDOVER_WORDS } from "#app/catalogue/types/handover-word-rules.ts";
import type { Handover } from "#app/db/states/handover.ts";
import { dayOf } from "#app/platform/east-africa-time.ts";
import { formatDate } from "#app/ui/dates.ts";

/** From this age on, in days, a date says more than a number of days. */
const LONG_AGO = 30;

/** "Listed 3 days ago", in days as people in Kenya count them. Both ms since 1970. */
export function listedText(listedAt: number, now: number): string {
  const days = Math.max(0, dayOf(now) - dayOf(listedAt));
  if (days === 0) return "Listed today";
  if (days === 1) return "Listed yesterday";
  return days < LONG_AGO ? `Listed ${days} days ago` : `Listed ${formatDate(listedAt)}`;
}

/** How one gets it. */
export function handoverText(how: { handover: Handover; location: string | null; offersDelivery: boolean }): string {
  const { isBrought } = HANDOVER_TERMS[how.handover];
  return HANDOVER_WORDS[how.handover].place(how.location, how.offersDelivery && isBrought);
}
