/** How a deal ends, by the type of thing: an item keeps it as it was ordered (`order_items.handover`). */
export const HANDOVERS = ["thing", "food", "service", "ticket", "room"] as const;

export type Handover = (typeof HANDOVERS)[number];
