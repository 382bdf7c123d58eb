import type { SandboxEnv } from "./env.ts";

/** Who the sandbox believes to be calling, and what they must present. */
export interface Merchant {
  /** What payers and payees read on their phones. */
  name: string;
  consumerKey: string;
  consumerSecret: string;
  /** Takes customers' payments. */
  shortcode: string;
  passkey: string;
  /** Pays sellers out. */
  payoutShortcode: string;
  initiator: string;
  securityCredential: string;
}

/**
 * The one merchant of the sandbox. Shortcodes, passkey and initiator are Safaricom's public sandbox data (Daraja facts §8);
 * keys and credential are harmless constants, which the environment may replace.
 */
export function merchantOf(env: SandboxEnv): Merchant {
  return {
    name: "CHUONI",
    consumerKey: env.SANDBOX_CONSUMER_KEY ?? "sandbox-consumer-key",
    consumerSecret: env.SANDBOX_CONSUMER_SECRET ?? "sandbox-consumer-secret",
    shortcode: "174379",
    passkey: "bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919",
    payoutShortcode: "600996",
    initiator: "testapi",
    securityCredential: env.SANDBOX_SECURITY_CREDENTIAL ?? "sandbox-security-credential",
  };
}
