import type { ItemResult } from "#app/messaging/components/item-conversation.tsx";

/** The answer to a form on the seller's page of an item. */
export interface SoldItemAnswer extends ItemResult {
  /** The error at the field of the handover code. */
  codeError?: string;
  /** What was typed there, for browsers without scripts. */
  typed?: string;
}
