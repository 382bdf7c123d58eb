import type { Handover } from "#app/db/states/handover.ts";

/** A kind of thing that students trade: what a listing is, and what people call it. */
export interface ItemType {
  /** A stable code in kebab case, which `products.type` holds: "laptop-charger". */
  id: string;
  /** As shown: "Laptop charger". */
  name: string;
  plural: string;
  /** The id of the category in which such a listing belongs. */
  category: string;
  kind: "thing" | "accessory" | "service";
  /** How its deal ends, where its category and `kind` don't say it (`handoverOfType`). */
  handover?: Handover;
  /** What an accessory or a service is for, as types: a laptop charger is of "laptop". */
  of?: readonly string[];
  /** A wider type that includes this one ("gas-cooker" is in "cooker"), only where people search for it. */
  parent?: string;
  /** What people call it, singular and in lower case: English, Kenyan English, Swahili, Sheng. */
  names: readonly string[];
  /**
   * What a listing of this type says though it doesn't name it: brands' model lines ("elitebook"), and patterns in
   * which "#" stands for a number ("fx #"). Of an accessory they count only beside their thing: "cover" with "phone".
   */
  signs: readonly string[];
}

/** What an admin says about a word of a type: people call it so, a listing with it is one, or it doesn't mean it. */
export const WORD_USES = ["name", "sign", "none"] as const;

export type WordUse = (typeof WORD_USES)[number];
