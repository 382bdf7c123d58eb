import { later } from "#app/ui/later.tsx";

const figures = () => import("./shop-figures.tsx");

/** `ShopFacts` and `ShopFigures`. Only new data, and the buttons of the first, need their script. */
export const ShopFacts = later(async () => (await figures()).ShopFacts);
export const ShopFigures = later(async () => (await figures()).ShopFigures);
