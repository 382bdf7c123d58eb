import { env } from "cloudflare:workers";
import type { PaymentGateway } from "#app/payments/gateway.ts";
import type { DarajaDeps } from "#workers/daraja/calls.ts";
import { createDarajaGateway } from "#workers/daraja/client.ts";

/** The real client of Daraja with the keys of the tests, on whatever answers in M-Pesa's place. */
export function gatewayTo(
  deps: Pick<DarajaDeps, "fetch" | "tokens"> & Partial<DarajaDeps>,
  timeoutMs?: number,
): PaymentGateway {
  return createDarajaGateway(
    {
      mode: "sandbox",
      baseUrl: env.DARAJA_BASE_URL,
      shortcode: env.DARAJA_SHORTCODE,
      kind: "paybill",
      till: "",
      payoutShortcode: env.DARAJA_PAYOUT_SHORTCODE,
      initiator: env.DARAJA_INITIATOR,
      consumerKey: env.DARAJA_CONSUMER_KEY,
      consumerSecret: env.DARAJA_CONSUMER_SECRET,
      passkey: env.DARAJA_PASSKEY,
      securityCredential: env.DARAJA_SECURITY_CREDENTIAL,
      callbackOrigin: env.APP_ORIGIN,
      ...(timeoutMs !== undefined && { timeoutMs }),
    },
    { now: Date.now, log: () => {}, ...deps },
  );
}
