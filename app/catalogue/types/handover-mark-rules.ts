import type { Handover } from "#app/db/states/handover.ts";

/** What a seller marks an item as, by the kind of thing: "Marked as shipped". Screens load it, so it is short. */
export const HANDOVER_MARKS: Record<Handover, { sent: string; done: string }> = {
  thing: { sent: "shipped", done: "delivered" },
  food: { sent: "on its way", done: "delivered" },
  service: { sent: "started", done: "done" },
  ticket: { sent: "ready", done: "used" },
  room: { sent: "ready", done: "handed over" },
};
