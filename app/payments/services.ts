import type { Notifier } from "#app/platform/live-events.ts";
import type { Store } from "#app/db/client.ts";
import type { PaymentGateway } from "./gateway.ts";

/** What payment use cases need. */
export interface PaymentServices extends Store {
  gateway: PaymentGateway;
  notifier: Notifier;
  payments: PaymentSettings;
  /** Lets `ms` go by. */
  pause(ms: number): Promise<void>;
  /** A line of the log, as JSON; never a phone number, a token or a secret. */
  log(event: { event: string } & Record<string, unknown>): void;
}

export interface PaymentSettings {
  /**
   * Whether real money moves. In sandbox mode sellers see the payout log, labelled as a test.
   */
  mode: "sandbox" | "production";
  /** The least time between two queries to the provider, ms. */
  querySpacingMs: number;
}

/**
 * 32 random bytes in hexadecimal: stands in a callback's path, so it must not be guessable, and must not spell a word that the
 * provider refuses in addresses: "exe", "cmd" or "sql" occurs in one base64url token of 270 (docs/m-pesa.md, "Callback addresses").
 */
export function newCallbackToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
