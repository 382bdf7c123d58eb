/** Offers on the demo campus: one that waits for its seller, and one that its buyer can pay. */
import type { OfferState } from "#app/db/states/offer.ts";
import type { PersonName } from "./people.ts";
import type { Row } from "./rows.ts";

export interface DemoOffer {
  buyer: PersonName;
  seller: PersonName;
  about: string;
  /** KES. */
  amount: number;
  note: string;
  state: Extract<OfferState, "open" | "accepted">;
  hoursAgo: number;
}

export const OFFERS: readonly DemoOffer[] = [
  {
    buyer: "buyer",
    seller: "kevin",
    about: "Study desk with two drawers",
    amount: 5_000,
    note: "I can collect it tomorrow with my roommate.",
    state: "accepted",
    hoursAgo: 3,
  },
  {
    buyer: "simiyu",
    seller: "seller",
    about: "HP EliteBook 840 G3, i5, 8 GB, 256 SSD",
    amount: 22_500,
    note: "",
    state: "open",
    hoursAgo: 2,
  },
];

/** The listings that take offers, and the lowest price that each seller accepts, in KES. */
const LOWEST_OFFERS: Partial<Record<string, number | null>> = {
  "Study desk with two drawers": 4_800,
  "HP EliteBook 840 G3, i5, 8 GB, 256 SSD": 22_000,
  "Electric guitar, beginner": null,
};

/** A listing's columns about offers. An accepted offer reserves a piece. */
export function offerSettings(name: string): Pick<Row<"products">, "takesOffers" | "lowestOffer" | "reserved"> {
  return {
    takesOffers: name in LOWEST_OFFERS,
    lowestOffer: LOWEST_OFFERS[name] ?? null,
    reserved: OFFERS.filter(({ about, state }) => about === name && state === "accepted").length,
  };
}
