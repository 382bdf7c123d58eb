/** The API's answers are held against what `/api/openapi.json` says they look like. */
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { z } from "zod";
import { deliverItem } from "#app/deals/fulfilment.server.ts";
import { requestOrderPayment } from "#app/payments/collect/request-payment.server.ts";
import type { Env } from "#workers/env.ts";
import { ORIGIN } from "#tests/support/accounts.ts";
import { eventually } from "#tests/support/eventually.ts";
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
type Method = "get" | "post";
interface Published {
  paths: Record<
    string,
    Partial<Record<Method, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>>
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
  /** JSON. */
  body?: object;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  bindings?: Partial<Env>;
}

const FROM_ANOTHER_SITE = { headers: { Origin: "https://evil.example" } };
const full = { limit: async () => ({ success: false }) };

/** A limit that is used up for the keys that begin so. */
function fullFor(beginning: string) {
  return { limit: async ({ key }: { key: string }) => ({ success: !key.startsWith(beginning) }) };
}

/** Calls a documented operation, and holds its answer, whatever its status, against the document. */
async function call(method: Method, template: string, { path = template, body, ...input }: Input): Promise<number> {
  const answer = await visit(path, {
    ...input,
    method: method.toUpperCase(),
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const document = await published();
  const described = document.paths[template]?.[method]?.responses[answer.status];
  expect(described, `${method} ${template} may answer ${answer.status}`).toBeDefined();
  const [type, { schema }] = Object.entries(described?.content ?? {})[0] ?? ["", { schema: true }];
  expect(answer.headers.get("Content-Type") ?? "").toContain(type.replace("*", ""));
  if (type !== "application/json") return answer.status;
  const own =
    typeof schema === "object" && schema.$ref
      ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""]
      : schema;
  const verdict = z.fromJSONSchema(own ?? false).safeParse(await answer.json());
  expect(verdict.error?.issues ?? [], `${method} ${template} ${answer.status}`).toEqual([]);
  return answer.status;
}

test("every endpoint answers as documented where nobody is logged in, and where a member sends nothing sensible", async () => {
  const user = await makeUser();
  for (const [template, methods] of Object.entries((await published()).paths))
    for (const method of Object.keys(methods) as Method[])
      for (const as of [undefined, user]) {
        const path = template.replaceAll(/\{\w+\}/g, "x");
        const status = await call(method, template, { as, path, ...(method === "post" && { body: {} }) });
        const needsSession = "401" in (methods[method]?.responses ?? {}) && template !== "/live";
        expect(status === 401, `${method} ${template}`).toBe(needsSession && as === undefined);
      }
});

test("messages, pictures and health answer as documented", async () => {
  const { buyerId, sellerId, itemId } = await makeDeal();
  const send = (fields: Record<string, string>, input: Input = {}) =>
    call("post", "/api/messages", { as: buyerId, form: { key: crypto.randomUUID(), ...fields }, ...input });
  const message = { about: `item:${itemId}`, text: "Hello" };
  expect(await send(message)).toBe(200);
  expect(await send({ ...message, from: "/profile" })).toBe(303);
  expect(await send({ ...message, text: "" })).toBe(400);
  expect(await send({ ...message, photo: "img/none" })).toBe(410);
  expect(await send({ to: await makeUser(), text: "Hello" })).toBe(404);
  expect(await send(message, FROM_ANOTHER_SITE)).toBe(403);
  expect(await call("get", "/api/messages", { as: sellerId, path: `/api/messages?item=${itemId}` })).toBe(200);
  expect(await call("post", "/api/messages/read", { as: sellerId, form: { with: buyerId } })).toBe(200);
  expect(await call("get", "/live", { as: buyerId, headers: { Upgrade: "websocket" } })).toBe(101);

  const key = `img/${"c".repeat(32)}/320.webp`;
  await env.MEDIA.put(key, "picture", { httpMetadata: { contentType: "image/webp" } });
  const picture = (headers?: Record<string, string>) =>
    call("get", "/files/{path}", { path: `/files/${key}`, headers });
  expect(await picture()).toBe(200);
  expect(await picture({ "If-None-Match": "*" })).toBe(304);
});

test("a payment request answers as documented, from the first to every refusal", async () => {
  const deal = await makeDeal();
  const other = await makeUser();
  const body = { phoneNumber: Number(uniquePhone("00")), amount: deal.amount, orderId: deal.orderId };
  const push = (as: string | undefined, change: object = {}, input: Input = {}) =>
    call("post", "/api/mpesa/stkpush", { as, body: { ...body, ...change }, ...input });
  expect(await push(deal.buyerId, {}, FROM_ANOTHER_SITE)).toBe(403);
  expect(await push(deal.buyerId, {}, { bindings: { LIMIT_PAYMENT: full } })).toBe(429);
  expect(
    await push(
      deal.buyerId,
      {},
      { bindings: { LIMIT_ADDRESS: fullFor("payment:192.0.2.7") }, headers: { "CF-Connecting-IP": "192.0.2.7" } },
    ),
  ).toBe(429);
  expect(await push(deal.buyerId, {}, { bindings: { DB: databaseThrough(env.DB, faultEvery(1, "failing")) } })).toBe(
    503,
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
  expect(await payout(deal.sellerId, {}, FROM_ANOTHER_SITE)).toBe(403);
  expect(await payout(deal.sellerId, {}, { bindings: { LIMIT_PAYMENT: full } })).toBe(429);

  await requestOrderPayment(servicesAt(), { orderId: deal.orderId, userId: deal.buyerId, phone: uniquePhone("77") });
  await runSandbox();
  await eventually(async () => expect((await readItem(deal.itemId)).status).toBe("processing"));
  await env.DB.prepare("UPDATE order_items SET status = 'shipped' WHERE id = ?").bind(deal.itemId).run();
  expect(await payout(deal.sellerId)).toBe(409);
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
  await eventually(async () => expect((await readPayout(deal.itemId))?.state).toBe("done"));
  // The money went to that day's phone, whatever number the seller has now.
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
