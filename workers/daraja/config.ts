/** What the client must be told, and the check that it was. */
import { DarajaConfigurationError, findCallbackOriginFaults } from "./callback-urls.ts";

export interface DarajaConfig {
  mode: "sandbox" | "production";
  /** Scheme and host of the API, without a slash at the end. */
  baseUrl: string;
  /** The paybill, or the store number that a till belongs to. */
  shortcode: string;
  kind: "paybill" | "till";
  /** The till number, where `kind` is "till". */
  till: string;
  /** The shortcode payouts leave from. */
  payoutShortcode: string;
  initiator: string;
  consumerKey: string;
  consumerSecret: string;
  passkey: string;
  /** The initiator's password, encrypted offline with Safaricom's certificate. */
  securityCredential: string;
  /** Scheme, host and port that Safaricom reaches us at, without a slash at the end. */
  callbackOrigin: string;
  /** How long to wait for an answer, ms; 30,000 where left out (docs/m-pesa.md, "Endpoints"). */
  timeoutMs?: number;
}

const SHORTCODE = /^\d{5,7}$/;

/**
 * Checks the configuration before the first payment needs it.
 * @throws DarajaConfigurationError in production mode, naming every setting that cannot work. The sandbox takes anything, localhost too.
 */
export function requireDarajaConfig(config: DarajaConfig): void {
  if (config.mode !== "production") return;
  const faults = findCallbackOriginFaults(config.callbackOrigin);
  if (!config.baseUrl.startsWith("https://") || config.baseUrl.endsWith("/"))
    faults.push("baseUrl must be https, without a slash at the end");
  if (!SHORTCODE.test(config.shortcode)) faults.push("shortcode must be 5 to 7 digits");
  if (!SHORTCODE.test(config.payoutShortcode)) faults.push("payoutShortcode must be 5 to 7 digits");
  if (config.kind === "till" && !SHORTCODE.test(config.till)) faults.push("till must be 5 to 7 digits");
  for (const name of ["initiator", "consumerKey", "consumerSecret", "passkey", "securityCredential"] as const) {
    if (config[name] === "") faults.push(`${name} is empty`);
  }
  if (faults.length > 0) throw new DarajaConfigurationError(`Daraja is not configured: ${faults.join("; ")}.`);
}
