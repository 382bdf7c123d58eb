/** How the deal of each kind of thing goes: its periods. Pure. `handover-word-rules.ts` has the words. */
import type { Handover } from "#app/db/states/handover.ts";

interface HandoverTerms {
  /** Hours after the payment in which it must be handed over. Then the buyer gets the money back. */
  within: number;
  /** Hours after the seller has marked it as sent until the buyer can say that they don't have it. */
  arrival: number;
  /**
   * How long the buyer can report a problem after the seller says that they have it: this share of the operator's
   * hours, or until the next morning.
   */
  check: number | "morning";
  /** New or used says something about it. */
  hasCondition: boolean;
  /** It can be shipped, so its steps may be those of a parcel. */
  isParcel: boolean;
  /** A seller who delivers can bring it to an address. */
  isBrought: boolean;
  /** It changes hands, so a campus can ask that this is at a meeting point. The others are where they happen. */
  changesHands: boolean;
}

export const HANDOVER_TERMS: Record<Handover, HandoverTerms> = {
  thing: {
    within: 168,
    arrival: 168,
    check: 1,
    hasCondition: true,
    isParcel: true,
    isBrought: true,
    changesHands: true,
  },
  food: {
    within: 168,
    arrival: 24,
    check: 0.5,
    hasCondition: false,
    isParcel: false,
    isBrought: true,
    changesHands: true,
  },
  service: {
    within: 336,
    arrival: 168,
    check: 0.5,
    hasCondition: false,
    isParcel: false,
    isBrought: true,
    changesHands: false,
  },
  ticket: {
    within: 720,
    arrival: 168,
    check: "morning",
    hasCondition: false,
    isParcel: false,
    isBrought: false,
    changesHands: false,
  },
  room: {
    within: 336,
    arrival: 168,
    check: 1,
    hasCondition: false,
    isParcel: false,
    isBrought: false,
    changesHands: false,
  },
};

/** Categories whose listings are of one kind, by their id: for a type that says nothing else, and for no type. */
export const CATEGORY_HANDOVERS: Readonly<Record<string, Handover>> = {
  services: "service",
  food: "food",
  rooms: "room",
};

/** What a type says about it (`ItemType`). */
interface TypeFacts {
  handover?: Handover;
  kind: "thing" | "accessory" | "service";
  category: string;
}

/** How the deal of a type goes. */
export function handoverOfType(type: TypeFacts): Handover {
  if (type.handover) return type.handover;
  if (type.kind === "service") return "service";
  return (type.kind === "thing" && CATEGORY_HANDOVERS[type.category]) || "thing";
}

/** How the deal of a listing goes: as its type's, or without one as its category's. `HANDOVER` says the same in SQL. */
export function handoverOf(
  listing: { type: string | null; category: string | null },
  types: ReadonlyMap<string, TypeFacts>,
): Handover {
  if (listing.type === null) return CATEGORY_HANDOVERS[listing.category?.toLowerCase() ?? ""] ?? "thing";
  const type = types.get(listing.type);
  return type ? handoverOfType(type) : "thing";
}
