import { z } from "zod/mini";

/** What the live channel tells a user's open pages. Version 1; unknown types are ignored by older pages. */
export const liveEventSchema = z.discriminatedUnion("type", [
  /** The payment of one of my orders changed. */
  z.object({ type: z.literal("payment"), orderId: z.string() }),
  /** An order of mine, or an item I sell, moved on. `notice` is shown as a toast. */
  z.object({ type: z.literal("order"), orderId: z.string(), orderItemId: z.optional(z.string()), notice: z.optional(z.string()) }),
  z.object({ type: z.literal("payout"), orderItemId: z.string(), notice: z.optional(z.string()) }),
  /** My cart or wishlist changed in another tab or on another device; `by` is the page that did it, which knows already. */
  z.object({ type: z.literal("cart"), by: z.optional(z.string()) }),
]);

export type LiveEvent = z.infer<typeof liveEventSchema>;

export interface Notifier {
  /** Best effort, never throws: pages also poll, and the database stays the truth. */
  notify(userId: string, event: LiveEvent): Promise<void>;
  /** Closes every open page's channel of this user, when all sessions end. */
  endSessions(userId: string): Promise<void>;
}
