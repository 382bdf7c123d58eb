import "./stock-stepper.css";
import { later } from "#app/ui/later.tsx";

/** `OwnerPanel`, whose script loads with the screen, but only for the owner. */
export const OwnerPanel = later(async () => (await import("./owner-panel.tsx")).OwnerPanel, { isWanted: () => true });
