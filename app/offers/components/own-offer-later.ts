import { later } from "#app/ui/later.tsx";

/** `OwnOffer`, whose script loads with the screen, but only for a buyer who made an offer. */
export const OwnOffer = later(async () => (await import("./own-offer.tsx")).OwnOffer, { isWanted: () => true });
