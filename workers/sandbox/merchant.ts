import type { SandboxEnv } from "./env.ts";

/** The merchant that the sandbox expects, and its credentials. */
export interface Merchant {
  /** What payers and payees read on their phones. */
  name: string;
  consumerKey: string;
  consumerSecret: string;
  /** The shortcode that receives customers' payments. */
  shortcode: string;
  passkey: string;
  /** The shortcode that pays sellers. */
  payoutShortcode: string;
  initiator: string;
  securityCredential: string;
}

/**
 * The sandbox's one merchant. Shortcodes, passkey and initiator are Safaricom's public sandbox data. Keys and
 * credential are harmless constants, which the environment may replace.
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
