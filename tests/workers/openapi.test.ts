/** The API's answers are held against what `/api/openapi.json` says they look like. */
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { deliverItem } from "#app/payments/deliver-item.server.ts";
import { requestOrderPayment } from "#app/payments/request-payment.server.ts";
import type { Env } from "#workers/env.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { databaseThrough, faultEvery } from "#tests/support/faults.ts";
import {
  makeDeal,
  makeUser,
  readItem,
  readOrder,
  readPayout,
  runSandbox,
  servicesAt,
  uniquePhone,
} from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

type Schema = Parameters<typeof z.fromJSONSchema>[0];
interface Published {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content: { "application/json": { schema: Schema } } }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

async function published(): Promise<Published> {
  const answer = await env.APP.fetch(`${ORIGIN}/api/openapi.json`);
  expect(answer.headers.get("Content-Type")).toContain("application/json");
  return answer.json();
}

interface Input {
  as?: string;
  path?: string;
  body?: object;
  headers?: Record<string, string>;
  bindings?: Partial<Env>;
}

const ELSEWHERE = { headers: { Origin: "https://evil.example" } };
const full = { limit: async () => ({ success: false }) };

/** A limit that is used up for the keys that begin so. */
function fullFor(beginning: string) {
  return { limit: async ({ key }: { key: string }) => ({ success: !key.startsWith(beginning) }) };
}

/** Calls a documented operation and holds its answer, whatever its status, against the document. */
async function call(method: "get" | "post", template: string, input: Input): Promise<number> {
  const { as, path = template, body, headers, bindings } = input;
  const answer = await visit(path, {
    as,
    method: method.toUpperCase(),
    headers,
    bindings,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const document = await published();
  const described = document.paths[template]?.[method]?.responses[answer.status];
  expect(described, `${method} ${template} may answer ${answer.status}`).toBeDefined();
  const { schema } = described!.content["application/json"];
  const own =
    typeof schema === "object" && schema.$ref
      ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]
      : schema;
  const verdict = z.fromJSONSchema(own ?? false).safeParse(await answer.json());
  expect(verdict.error?.issues ?? [], `${method} ${template} ${answer.status}`).toEqual([]);
  return answer.status;
}

test("a payment request answers as documented, from the first to every refusal", async () => {
  const deal = await makeDeal();
  const other = await makeUser();
  const body = { phoneNumber: Number(uniquePhone("00")), amount: deal.amount, orderId: deal.orderId };
  const push = (as: string | undefined, change: object = {}, input: Input = {}) =>
    call("post", "/api/mpesa/stkpush", { as, body: { ...body, ...change }, ...input });
  expect(await push(deal.buyerId, {}, ELSEWHERE)).toBe(403);
  expect(await push(deal.buyerId, {}, { bindings: { LIMIT_PAYMENT: full } })).toBe(429);
  expect(
    await push(
      deal.buyerId,
      {},
      { bindings: { LIMIT_ADDRESS: fullFor("payment:192.0.2.7") }, headers: { "CF-Connecting-IP": "192.0.2.7" } },
    ),
  ).toBe(429);
  expect(await push(deal.buyerId, {}, { bindings: { DB: databaseThrough(env.DB, faultEvery(1, "failing")) } })).toBe(
    500,
  );
  expect(await push(deal.buyerId, { amount: deal.amount + 1 })).toBe(409);
  expect(await push(deal.buyerId, {}, { bindings: { DARAJA_CONSUMER_SECRET: "wrong" } })).toBe(502);
  expect(await push(deal.buyerId)).toBe(200);
  expect(await push(deal.buyerId)).toBe(409);
  expect(await push(deal.buyerId, { amount: -1 })).toBe(400);
  expect(await push(undefined)).toBe(401);
  expect(await push(other)).toBe(404);

  const id = (await readOrder(deal.orderId)).checkoutRequestId;
  const status = (as: string | undefined, input: Input = {}) =>
    call("get", "/api/mpesa/status/{checkoutRequestId}", { as, path: `/api/mpesa/status/${id}`, ...input });
  expect(await status(deal.buyerId)).toBe(200);
  expect(await status(deal.buyerId, { bindings: { LIMIT_WRITE: fullFor(`status:${deal.buyerId}`) } })).toBe(429);
  expect(await status(other)).toBe(404);
  expect(await status(undefined)).toBe(401);
  expect(await call("get", "/api/mpesa/status", { as: other })).toBe(400);
  expect(await call("get", "/api/mpesa/status", {})).toBe(401);
  await runSandbox();
});

test("a payout request answers as documented, and whatever it says that is not ours is refused before anything leaves", async () => {
  const sellerPhone = uniquePhone("60");
  const deal = await makeDeal({ price: 1_800, sellerPhone });
  const payout = (as: string | undefined, body: object = {}, input: Input = {}) =>
    call("post", "/api/mpesa/b2c", { as, body: { orderItemId: deal.itemId, ...body }, ...input });
  expect(await payout(deal.sellerId)).toBe(404);
  expect(await payout(deal.sellerId, { orderItemId: undefined })).toBe(400);
  expect(await payout(undefined)).toBe(401);
  expect(await payout(deal.sellerId, {}, ELSEWHERE)).toBe(403);
  expect(await payout(deal.sellerId, {}, { bindings: { LIMIT_PAYMENT: full } })).toBe(429);

  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("77") });
  await runSandbox();
  await vi.waitFor(async () => expect((await readItem(deal.itemId)).status).toBe("processing"));
  await env.DB.prepare("UPDATE order_items SET status = 'shipped' WHERE id = ?").bind(deal.itemId).run();
  expect(await deliverItem(servicesAt(), { itemId: deal.itemId, sellerId: deal.sellerId })).toMatchObject({ ok: true });

  expect(await payout(deal.buyerId)).toBe(404);
  for (const wrong of [
    { amount: 1 },
    { amount: 10 },
    { orderId: "nonsense" },
    { sellerId: deal.buyerId },
    { phoneNumber: uniquePhone("61") },
  ])
    expect(await payout(deal.sellerId, wrong)).toBe(409);
  expect(await payout(deal.sellerId, { phoneNumber: "not a phone" })).toBe(400);
  expect(await readPayout(deal.itemId)).toMatchObject({ state: "due", sendCount: 0 });

  const right = {
    phoneNumber: Number(sellerPhone),
    amount: 1_800,
    orderId: deal.orderId,
    sellerId: deal.sellerId,
    remarks: "Payment for order",
  };
  expect(await payout(deal.sellerId, right)).toBe(200);
  expect(await readPayout(deal.itemId)).toMatchObject({ sendCount: 1, phone: sellerPhone, amount: 1_800 });
  await runSandbox();
  await vi.waitFor(async () => expect((await readPayout(deal.itemId))?.state).toBe("paid"));
  // What was paid went to the phone of that day, whichever the seller has now.
  await env.DB.prepare("UPDATE profiles SET phone = ? WHERE id = ?").bind(uniquePhone("62"), deal.sellerId).run();
  expect(await payout(deal.sellerId, right)).toBe(200);
  expect((await readPayout(deal.itemId))?.sendCount).toBe(1);
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
