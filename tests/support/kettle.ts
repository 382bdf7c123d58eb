import type { Listing } from "#app/catalogue/selling/listing-rules.ts";

/** A listing as its form gives it. */
export const KETTLE: Listing = {
  name: "Kettle",
  price: 1_500,
  originalPrice: null,
  description: "Works well",
  category: "electronics",
  chosenType: null,
  facts: {},
  condition: "good",
  stock: 1,
  takesOffers: false,
  lowestOffer: null,
};
