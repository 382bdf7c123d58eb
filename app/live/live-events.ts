import { CONTACT_WARNINGS } from "#app/safety/warning-text-rules.ts";
import { z } from "zod/mini";
import { FEE_PAYERS } from "#app/db/states/fee.ts";
import { MEETING_STATES } from "#app/db/states/meeting.ts";
import { OFFER_END_REASONS, OFFER_STATES } from "#app/db/states/offer.ts";
import { LIVE_VERSION } from "./live-protocol.ts";

/*
 * Each schema is made when it is first used. A page loads this file with its first event, and making all schemas would
 * block a phone for a tenth of a second.
 */

/** A photo as `ProductImage` describes it. */
export const livePhotoSchema = z.lazy(() =>
  z.object({
    key: z.string(),
    format: z.optional(z.enum(["webp", "jpg", "png"])),
    width: z.number(),
    height: z.number(),
    widths: z.array(z.number()),
    tone: z.string(),
    thumbhash: z.string(),
    preview: z.optional(z.boolean()),
  }),
);

/** An offer as its two sides see it. Amounts in KES, times in ms since 1970. */
const liveOfferSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    buyerId: z.string(),
    amount: z.number(),
    counterAmount: z.nullable(z.number()),
    /** Of the listing now. */
    price: z.number(),
    /** The service fee that its order would have now; null for none. */
    feeRule: z.nullable(
      z.object({ payer: z.enum(FEE_PAYERS), share: z.number(), smallest: z.number(), largest: z.number() }),
    ),
    state: z.enum(OFFER_STATES),
    endReason: z.nullable(z.enum(OFFER_END_REASONS)),
    expiresAt: z.number(),
  }),
);

export type LiveOffer = z.infer<typeof liveOfferSchema>;

/** A meeting as its two sides see it. Times in ms since 1970. */
const liveMeetingSchema = z.lazy(() =>
  z.object({
    itemId: z.string(),
    place: z.string(),
    /** A guard or a camera is there. */
    isGuarded: z.optional(z.boolean()),
    startsAt: z.number(),
    proposedBy: z.string(),
    state: z.enum(MEETING_STATES),
    round: z.number(),
    /** The item is paid and not handed over, so the meeting can still change. */
    isOpen: z.boolean(),
    /** What to be careful about in a place in somebody's own words. In a conversation it stands below the message. */
    warning: z.optional(z.nullable(z.string())),
  }),
);

export type LiveMeeting = z.infer<typeof liveMeetingSchema>;

/** A message as its two sides see it. */
export const liveMessageSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** The id that the sender's page gave it. */
    key: z.nullable(z.string()),
    senderId: z.string(),
    senderName: z.string(),
    recipientId: z.string(),
    message: z.string(),
    images: z.array(livePhotoSchema),
    /** Our team removed it: its words and photos are gone. */
    removed: z.optional(z.boolean()),
    /** What its reader should be careful about. `warningText` says what is shown once they have paid each other. */
    warning: z.optional(z.enum(CONTACT_WARNINGS)),
    /** Ms since 1970. */
    createdAt: z.number(),
    read: z.boolean(),
    /**
     * With an "agreement" the buyer agreed to how an order's item reaches them. An "offer" is a step of `offer`, and a
     * "meeting" a step of `meeting`.
     */
    kind: z.enum(["text", "agreement", "offer", "meeting"]),
    productId: z.nullable(z.string()),
    productName: z.nullable(z.string()),
    orderId: z.nullable(z.string()),
    orderItemId: z.nullable(z.string()),
    /** As they are now, not as they were when the message was written. */
    offer: z.nullable(liveOfferSchema),
    meeting: z.nullable(liveMeetingSchema),
  }),
);

export type LiveMessage = z.infer<typeof liveMessageSchema>;

/**
 * The events that open pages get over the live connection. Nothing depends on them: each only reports sooner what is in
 * the database.
 */
const liveEventSchema = z.lazy(() =>
  z.discriminatedUnion("type", [
    /** Somebody messaged the reader, who has `unread` messages now; or the reader sent one, in this tab or another. */
    z.object({ type: z.literal("message"), message: liveMessageSchema, unread: z.optional(z.number()) }),
    /**
     * `by` has read what `with` wrote to them up to `at` (ms): all of it, or what was about `item`. `unread` is the
     * count of `by`, sent only to their own pages.
     */
    z.object({
      type: z.literal("read"),
      by: z.string(),
      with: z.string(),
      at: z.number(),
      item: z.optional(z.string()),
      unread: z.optional(z.number()),
    }),
    /** `by` is typing a message to the reader. */
    z.object({ type: z.literal("typing"), by: z.string() }),
    /**
     * The payment of one of the reader's orders changed. A `notice` is shown as a toast, except on the page
     * `shownOn`, which shows it itself.
     */
    z.object({
      type: z.literal("payment"),
      orderId: z.string(),
      notice: z.optional(z.string()),
      shownOn: z.optional(z.string()),
    }),
    /** The payment of the reader's plan changed. */
    z.object({ type: z.literal("plan") }),
    /** The status of an order of the reader's, or of an item that they sell, changed. `notice` is shown as a toast. */
    z.object({
      type: z.literal("order"),
      orderId: z.string(),
      orderItemId: z.optional(z.string()),
      notice: z.optional(z.string()),
    }),
    z.object({
      type: z.literal("payout"),
      orderItemId: z.string(),
      notice: z.optional(z.string()),
      shownOn: z.optional(z.string()),
    }),
    /**
     * The reader's cart or wishlist changed in another tab or on another device. `by` is the page that changed it
     * and already knows.
     */
    z.object({ type: z.literal("cart"), by: z.optional(z.string()) }),
    /** A product that the reader waits for can be bought again. The toast with `notice` leads to it. */
    z.object({ type: z.literal("stock"), productId: z.string(), notice: z.string() }),
    /** An offer of the reader's, or to them, changed without a message: it expired, ended or was paid. */
    z.object({ type: z.literal("offer") }),
    /** The reader was told something that stands in the notification centre. */
    z.object({ type: z.literal("notifications") }),
    /** Our team decided something about the reader's account or listing, or about a message that they sent or got. */
    z.object({ type: z.literal("account"), notice: z.optional(z.string()) }),
  ]),
);

export type LiveEvent = z.infer<typeof liveEventSchema>;

const envelope = z.lazy(() => z.object({ v: z.literal(LIVE_VERSION) }));

/** An event of our version and of a known type; null for anything else. */
export function readLiveEvent(text: string): LiveEvent | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!envelope.safeParse(value).success) return null;
    const parsed = liveEventSchema.safeParse(value);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** What a page sends to its hub: that its user is typing a message to somebody. */
export const liveSignalSchema = z.object({
  v: z.literal(LIVE_VERSION),
  type: z.literal("typing"),
  to: z.string().check(z.maxLength(64)),
});

export type LiveSignal = z.infer<typeof liveSignalSchema>;

export interface Notifier {
  /** Best effort. Never throws, because pages also poll and the database has the data. */
  send(userId: string, event: LiveEvent): Promise<void>;
  /** Closes the live connection of every open page of this user, or of one session's pages. */
  endSessions(userId: string, sessionId?: string): Promise<void>;
}
