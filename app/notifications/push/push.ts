/** What the business knows of Web Push. `workers/push` speaks the protocol. */

/** What a phone shows, also while it is locked. */
export interface PushMessage {
  title: string;
  /** Empty where the title says all. */
  body: string;
  /** The screen that it opens. */
  path: string;
  /** The box in which it can be answered, within its conversation; null where there is nothing to answer. */
  answerPath: string | null;
  /** A later message with the same tag takes the place of this one. */
  tag: string;
}

/** A browser's address at its push service, and the keys that only this browser can read with. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushSender {
  /** What browsers subscribe with (RFC 8292): base64url. */
  publicKey: string;
  /** Whether the endpoint is of a push service that we call. */
  accepts(endpoint: string): boolean;
  /**
   * "gone" if the browser takes no more messages. Throws when the push service refuses, is busy or can't be reached.
   * The outbox tries again.
   */
  send(target: PushTarget, message: PushMessage): Promise<"sent" | "gone">;
}
