import "./stock-stepper.css";
import "#app/ui/quantity-stepper.css";
import { later } from "#app/ui/later.tsx";

/** The controls of each listing in a seller's list. Their scripts load when somebody is about to press one of them. */
export const OwnerMenu = later(async () => (await import("./owner-controls.tsx")).OwnerMenu);
export const StockStepper = later(async () => (await import("./stock-stepper.tsx")).StockStepper, { eachPress: true });
