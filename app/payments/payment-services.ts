import type { Notifier } from "#app/live/live-events.ts";
import type { Logging, Store } from "#app/db/client.ts";
import type { PaymentGateway } from "./gateway.ts";

/** The services of the payment use cases. */
export interface PaymentServices extends Store, Logging {
  gateway: PaymentGateway;
  notifier: Notifier;
  /** The private bucket, for what M-Pesa says while the database is away. */
  documents: R2Bucket;
  payments: PaymentSettings;
  /** Waits for `ms`. */
  pause(ms: number): Promise<void>;
  /** A line of the log, as JSON; never a phone number, a token or a secret. */
}

export interface PaymentSettings {
  /** Whether real money moves. In sandbox mode sellers see the payout log, labelled as a test. */
  mode: "sandbox" | "production";
  /** The minimum time between two queries to the provider, in ms. */
  querySpacingMs: number;
  /** The number that M-Pesa nominated for its list of payments (254XXXXXXXXX). Empty: the list isn't pulled. */
  pullNumber: string;
}

/**
 * 32 random bytes in hexadecimal. It is part of a callback's path, so it must not be guessable, and must not spell a
 * word that the provider refuses in addresses: one in 270 base64url tokens contains "exe", "cmd" or "sql"
 * (docs/m-pesa.md, "Callback addresses").
 */
export function newCallbackToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
