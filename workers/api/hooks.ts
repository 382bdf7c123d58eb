import { Hono } from "hono";
import { z } from "zod";
import { keepProbeAnswer } from "#app/payments/answers/probes.server.ts";
import { networkOf } from "#app/platform/network.ts";
import { applyKeptObject } from "#app/payments/answers/apply-kept.server.ts";
import { isForeignSource } from "#app/payments/answers/callback-sources.ts";
import { hasRoomForForeign } from "#app/payments/answers/kept.server.ts";
import { readAtMost } from "#app/request/form-data.server.ts";
import {
  applyCallback,
  type IncomingCallback,
  type Taken,
  storeUnknownCallback,
  takeCallback,
} from "#app/payments/answers/callbacks.server.ts";
import { CALLBACK_SEGMENTS, callbackKindOf, isCallbackToken } from "#workers/daraja/callback-urls.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { endpoint } from "./endpoint.ts";
import { refuse } from "./refuse.ts";

/** Bytes. */
const MAX_BODY = 64 * 1024;
/** The answer that Safaricom expects by convention. */
const ACCEPTED = { ResultCode: 0, ResultDesc: "Accepted" };

/** Safaricom's callbacks. The token in the path is the only credential. */
export const hooks = new Hono<HttpEnv>();

const acceptedAnswer = z.object({ ResultCode: z.literal(0), ResultDesc: z.string() });

hooks.post(
  "/:kind/:token",
  endpoint({
    id: "receiveCallback",
    tag: "Payments",
    summary: "Safaricom reports how a request to M-Pesa ended",
    path: {
      kind: `What it reports: ${Object.values(CALLBACK_SEGMENTS).join(", ")}.`,
      token: "The secret of the request.",
    },
    body: {
      type: "application/json",
      schema: z.unknown().meta({ description: "Safaricom's report, stored as it comes." }),
    },
    answers: { 200: acceptedAnswer, 413: acceptedAnswer },
    refusals: {
      404: "No such kind, or no token of ours.",
      503: "It could be kept nowhere: neither our database nor our storage can be reached.",
    },
  }),
  async (c) => {
    const kind = callbackKindOf(c.req.param("kind"));
    if (!kind) return refuse(c, 404, "No such endpoint");
    const services = c.get("services");
    const { id: requestId, address: sourceAddress } = c.get("info");
    const token = c.req.param("token");
    const isWithinLimit = () => services.limits.address(`hook:${networkOf(sourceAddress)}`);
    const noteStranger = async (callback: IncomingCallback) => {
      if (await isWithinLimit()) await storeUnknownCallback(services, callback);
    };
    // Its token can't be checked while the database is away. Safaricom's own addresses have no limit.
    const mayKeep = async () =>
      !isForeignSource(sourceAddress) || ((await isWithinLimit()) && (await hasRoomForForeign(services)));
    // Never Safaricom, so its body isn't read.
    if (!isCallbackToken(token)) {
      await noteStranger({ kind, token, body: "refused: not a token", sourceAddress, requestId });
      return refuse(c, 404, "No such endpoint");
    }
    // Read before any limit is asked: Safaricom sends many from few addresses, and none may be lost.
    const sent = await readAtMost(c.req.raw.body, MAX_BODY);
    const body = sent === null ? `refused: more than ${MAX_BODY} bytes` : new TextDecoder().decode(sent);
    const incoming = { kind, token, body, sourceAddress, requestId };
    const status = sent === null ? 413 : 200;
    // Stored before anything else, because Safaricom sends a callback once. For the same reason everything is answered
    // as accepted, except malformed tokens, which were refused with 404.
    let taken: Taken;
    try {
      taken = await takeCallback(services, incoming, mayKeep);
    } catch (error) {
      services.log({ event: "callback_lost", level: "error", kind, error: String(error).slice(0, 200) });
      return refuse(c, 503, "Not stored");
    }
    if (taken.kind === "unknown") {
      if (!(await keepProbeAnswer(services, incoming))) await noteStranger(incoming);
    } else
      services.defer(
        (taken.kind === "stored" ? applyCallback(services, taken.stored) : applyKeptObject(services, taken.key)).then(
          () => {
            services.drainOutbox();
          },
        ),
      );
    return c.json(ACCEPTED, status);
  },
);

hooks.all("/:kind/:token", (c) => refuse(c, 405, "POST only"));
