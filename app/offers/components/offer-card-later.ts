import "./offers.css";
import { later } from "#app/ui/later.tsx";

/** `OfferCard`, which counts down the time that is left when it is on the screen. */
export const OfferCard = later(async () => (await import("./offer-card.tsx")).OfferCard, { inView: true });
