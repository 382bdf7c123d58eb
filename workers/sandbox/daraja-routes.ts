import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { SandboxObject } from "./sandbox-object.ts";
import type { SandboxEnv } from "./env.ts";
import { requestId, systemRandom } from "./identifiers.ts";
import { API_NAMES, APIS } from "./m-pesa.ts";
import { answerRefusal, REFUSALS, type Refusal, type WireAnswer } from "./wire-answer.ts";

type SandboxContext = Context<{ Bindings: SandboxEnv }>;

/** The sandbox's one Durable Object. */
export function sandboxObjectOf(env: SandboxEnv): DurableObjectStub<SandboxObject> {
  return env.SANDBOX_OBJECT.getByName("sandbox");
}

async function send(c: SandboxContext, answer: WireAnswer): Promise<Response> {
  if (answer.afterMs > 0) await scheduler.wait(answer.afterMs);
  // Every answer of the sandbox has a body except the empty one, which is sent as an empty text.
  const status = answer.status as ContentfulStatusCode;
  return c.body(answer.text, status, answer.type ? { "Content-Type": answer.type } : {});
}

function sendRefusal(c: SandboxContext, refusal: Refusal): Promise<Response> {
  return send(c, answerRefusal(refusal, requestId(0, systemRandom)));
}

/** Safaricom's endpoints. */
export const darajaRoutes = new Hono<{ Bindings: SandboxEnv }>();

darajaRoutes.get("/oauth/v1/generate", async (c) => {
  return send(c, await sandboxObjectOf(c.env).grantToken(c.req.header("Authorization"), c.req.query("grant_type")));
});
darajaRoutes.all("/oauth/v1/generate", (c) => sendRefusal(c, REFUSALS.methodNotAllowed));

for (const api of API_NAMES) {
  const { path } = APIS[api];
  darajaRoutes.post(path, async (c) => {
    const request = {
      authorization: c.req.header("Authorization"),
      contentType: c.req.header("Content-Type"),
      body: await c.req.text(),
    };
    return send(c, await sandboxObjectOf(c.env).call(api, request));
  });
  darajaRoutes.all(path, (c) => sendRefusal(c, REFUSALS.methodNotAllowed));
}

darajaRoutes.all("*", (c) => sendRefusal(c, REFUSALS.notFound));
