import { Hono } from "hono";
import { z } from "zod";
import { networkOf } from "#app/platform/network.ts";
import { readAtMost } from "#app/request/form-data.server.ts";
import {
  applyCallback,
  type CallbackKind,
  type IncomingCallback,
  storeUnknownCallback,
  storeCallback,
} from "#app/payments/callbacks.server.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { endpoint } from "./endpoint.ts";
import { refuse } from "./refuse.ts";

/** Safaricom's callbacks. The token in the path is the only credential. The path avoids the words that Safaricom refuses (docs/m-pesa.md, "Callback addresses"). */
const KINDS: Record<string, CallbackKind> = {
  s: "push",
  o: "payout",
  q: "payout_timeout",
  l: "lookup",
  t: "lookup_timeout",
  r: "receipt",
  v: "reversal",
  w: "reversal_timeout",
};
/** The shape of `newCallbackToken`. */
const TOKEN = /^[0-9a-f]{32,64}$/;
/** Bytes. */
const MAX_BODY = 64 * 1024;
/** The answer that Safaricom expects by convention. */
const ACCEPTED = { ResultCode: 0, ResultDesc: "Accepted" };

export const hooks = new Hono<HttpEnv>();

const acceptedAnswer = z.object({ ResultCode: z.literal(0), ResultDesc: z.string() });

hooks.post(
  "/:kind/:token",
  endpoint({
    id: "receiveCallback",
    tag: "Payments",
    summary: "Safaricom reports how a request to M-Pesa ended",
    path: { kind: `What it reports: ${Object.keys(KINDS).join(", ")}.`, token: "The secret of the request." },
    body: {
      type: "application/json",
      schema: z.unknown().meta({ description: "Safaricom's report, stored as it comes." }),
    },
    answers: { 200: acceptedAnswer, 413: acceptedAnswer },
    refusals: { 404: "No such kind, or no token of ours." },
  }),
  async (c) => {
    const kind = KINDS[c.req.param("kind")];
    if (!kind) return refuse(c, 404, "No such endpoint");
    const services = c.get("services");
    const { id: requestId, address: sourceAddress } = c.get("info");
    const token = c.req.param("token");
    const keep = async (callback: IncomingCallback) => {
      if (await services.limits.address(`hook:${networkOf(sourceAddress)}`))
        await storeUnknownCallback(services, callback);
    };
    // Never Safaricom, so its body isn't read.
    if (!TOKEN.test(token)) {
      await keep({ kind, token, body: "refused: not a token", sourceAddress, requestId });
      return refuse(c, 404, "No such endpoint");
    }
    // Read before any limit is asked: Safaricom sends many from few addresses, and none may be lost.
    const sent = await readAtMost(c.req.raw.body, MAX_BODY);
    const body = sent === null ? `refused: more than ${MAX_BODY} bytes` : new TextDecoder().decode(sent);
    const incoming = { kind, token, body, sourceAddress, requestId };
    const status = sent === null ? 413 : 200;
    // Stored before anything else, because Safaricom sends a callback once. For the same reason everything is answered as accepted,
    // except malformed tokens, which were refused with 404.
    const stored = await storeCallback(services, incoming);
    if (!stored) {
      await keep(incoming);
      return c.json(ACCEPTED, status);
    }
    services.defer(
      applyCallback(services, stored).then(() => {
        services.drainOutbox();
      }),
    );
    return c.json(ACCEPTED, status);
  },
);

hooks.all("/:kind/:token", (c) => refuse(c, 405, "POST only"));
