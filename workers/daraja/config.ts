/** The client's configuration, and its check. */
import { DarajaConfigurationError, findCallbackOriginFaults } from "./callback-urls.ts";

export interface DarajaConfig {
  mode: "sandbox" | "production";
  /** Scheme and host of the API, without a slash at the end. */
  baseUrl: string;
  /** The paybill, or the store number that a till belongs to. */
  shortcode: string;
  kind: "paybill" | "till";
  /** The till number, if `kind` is "till". */
  till: string;
  /** The shortcode that pays the payouts. */
  payoutShortcode: string;
  initiator: string;
  consumerKey: string;
  consumerSecret: string;
  passkey: string;
  /** The initiator's password, encrypted offline with Safaricom's certificate. */
  securityCredential: string;
  /** The scheme, host and port where Safaricom reaches us, without a slash at the end. */
  callbackOrigin: string;
  /** How long to wait for an answer, in ms. Default: 30,000 (docs/m-pesa.md, "Endpoints"). */
  timeoutMs?: number;
}

const SHORTCODE = /^\d{5,7}$/;

/**
 * Checks the configuration before the first payment needs it. The sandbox accepts anything, including localhost.
 * @throws DarajaConfigurationError in production mode, naming every setting that can't work
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
