/** The API's answers are held against what `/api/openapi.json` says they look like. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { z } from "zod";
import { makeDeal, makeUser, runSandbox, uniquePhone } from "#tests/support/house.ts";
import { ORIGIN, sessionCookie } from "#tests/support/accounts.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0];
interface Published {
  paths: Record<string, Record<string, { responses: Record<string, { content: { "application/json": { schema: Schema } } }> }>>;
  components: { schemas: Record<string, Schema> };
}

async function published(): Promise<Published> {
  const answer = await env.APP.fetch(`${ORIGIN}/api/openapi.json`);
  expect(answer.headers.get("Content-Type")).toContain("application/json");
  return answer.json();
}

/** Calls a documented operation and holds its answer, whatever its status, against the document. */
async function call(method: "get" | "post", template: string, input: { as?: string; path?: string; body?: object }): Promise<number> {
  const answer = await env.APP.fetch(`${ORIGIN}${input.path ?? template}`, {
    method: method.toUpperCase(),
    headers: { Origin: ORIGIN, ...(input.as ? { Cookie: await sessionCookie(input.as) } : {}) },
    ...(input.body ? { body: JSON.stringify(input.body) } : {}),
  });
  const document = await published();
  const described = document.paths[template]?.[method]?.responses[answer.status];
  expect(described, `${method} ${template} may answer ${answer.status}`).toBeDefined();
  const { schema } = described!.content["application/json"];
  const own = typeof schema === "object" && schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema;
  const verdict = z.fromJSONSchema(own ?? false).safeParse(await answer.json());
  expect(verdict.error?.issues ?? [], `${method} ${template} ${answer.status}`).toEqual([]);
  return answer.status;
}

test("the payment calls answer as documented, from the first request to every refusal", async () => {
  const deal = await makeDeal();
  const other = await makeUser();
  const push = (as: string | undefined, change: object = {}) => call("post", "/api/mpesa/stkpush", { as, body: { phoneNumber: Number(uniquePhone("00")), amount: deal.amount, orderId: deal.orderId, ...change } });
  expect(await push(deal.buyerId)).toBe(200);
  expect(await push(deal.buyerId)).toBe(409);
  expect(await push(deal.buyerId, { amount: -1 })).toBe(400);
  expect(await push(undefined)).toBe(401);
  expect(await push(other)).toBe(404);

  const [row] = await env.DB.prepare("SELECT checkout_request_id AS id FROM orders WHERE id = ?").bind(deal.orderId).all<{ id: string }>().then(({ results }) => results);
  const status = (as: string | undefined) => call("get", "/api/mpesa/status/{checkoutRequestId}", { as, path: `/api/mpesa/status/${row?.id}` });
  expect(await status(deal.buyerId)).toBe(200);
  expect(await status(other)).toBe(404);
  expect(await status(undefined)).toBe(401);

  const payout = (as: string | undefined, body: object) => call("post", "/api/mpesa/b2c", { as, body });
  expect(await payout(deal.sellerId, { orderItemId: deal.itemId })).toBe(404);
  expect(await payout(deal.sellerId, {})).toBe(400);
  expect(await payout(undefined, { orderItemId: deal.itemId })).toBe(401);
  await runSandbox();
});

test("the mail calls answer as documented", async () => {
  const user = await makeUser();
  const email = `${user}@campus.test`;
  expect(await call("post", "/api/email/confirmation", { body: { email, confirmationToken: "wrong" } })).toBe(400);
  expect(await call("post", "/api/email/password-reset", { body: { email, resetToken: "wrong" } })).toBe(400);
  expect(await call("post", "/api/email/confirmation/resend", { body: { email } })).toBe(200);
  expect(await call("post", "/api/email/welcome", { as: user, body: { email } })).toBe(200);
  expect(await call("post", "/api/email/welcome", { as: user, body: { email: "other@campus.test" } })).toBe(403);
  expect(await call("post", "/api/email/welcome", { body: { email } })).toBe(401);
});
