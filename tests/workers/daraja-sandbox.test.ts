import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { PushAnswer } from "#app/payments/gateway.ts";
import { newCallbackToken } from "#app/payments/payment-services.ts";
import { gatewayTo } from "#tests/support/daraja-gateway.ts";
import { createTokenHolder } from "#workers/daraja/token-holder.ts";

/** The client as production runs it, talking to the sandbox over its binding. */
const gateway = gatewayTo({ fetch: (url, init) => env.SANDBOX.fetch(url, init), tokens: createTokenHolder(env.DB) });

const sandbox = env.SANDBOX_OBJECT.getByName("sandbox");
let lastPhone = 0;

/** An unused number, with the ending that decides what happens. */
function phoneEnding(ending: string): string {
  lastPhone += 1;
  return `2547${String(lastPhone).padStart(6, "0")}${ending}`;
}

function push(ending: string, token = newCallbackToken()): Promise<PushAnswer> {
  return gateway.push({
    callbackToken: token,
    phone: phoneEnding(ending),
    amount: 1500,
    accountReference: "ORD1a2b3c4d",
    description: "Chuoni order",
  });
}

async function checkoutIdOf(answer: Promise<PushAnswer>): Promise<string> {
  const accepted = await answer;
  if (accepted.kind !== "accepted") throw new Error(`The push was ${accepted.kind}`);
  return accepted.checkoutRequestId;
}

/** Lets every payment and payout take its next steps, until none is left. */
async function letTimePass(): Promise<void> {
  for (let step = 0; step < 10 && (await runDurableObjectAlarm(sandbox)); step += 1);
}

/** Somebody else fetches a token with our keys, which ends ours. */
async function endToken(): Promise<void> {
  await sandbox.grantToken(
    `Basic ${btoa(`${env.DARAJA_CONSUMER_KEY}:${env.DARAJA_CONSUMER_SECRET}`)}`,
    "client_credentials",
  );
}

async function bodiesFor(token: string): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT body FROM payment_callbacks WHERE token = ? ORDER BY received_at")
    .bind(token)
    .all<{ body: string }>();
  return results.map((row) => row.body);
}

beforeEach(async () => {
  await sandbox.changeSettings(null);
  await sandbox.changeSettings({ pace: 0, ackDelayMs: 0 });
});

test("a payment: accepted, in flight in all three shapes, then paid, with a callback that can be read", async () => {
  const token = newCallbackToken();
  const checkoutRequestId = await checkoutIdOf(push("20", token));
  for (let shape = 0; shape < 3; shape += 1)
    expect(await gateway.queryPush(checkoutRequestId)).toEqual({ kind: "pending" });
  await letTimePass();
  expect(await gateway.queryPush(checkoutRequestId)).toEqual({ kind: "done" });
  const bodies = await bodiesFor(token);
  expect(bodies).toHaveLength(1);
  const report = gateway.readPushCallback(bodies[0] ?? "");
  expect(report).toMatchObject({ checkoutRequestId, outcome: { kind: "done" }, code: "0", amountCents: 150_000 });
  expect(report?.receipt).toMatch(/^[A-Z0-9]{10}$/);
  expect(Math.abs((report?.paidAt ?? 0) - Date.now())).toBeLessThan(60_000);
});

test.each([
  ["01", "cancelled"],
  ["02", "insufficient_funds"],
  ["03", "no_answer"],
  ["04", "wrong_pin"],
])("a payer ending in %s fails in the query and in the callback alike: %s", async (ending, reason) => {
  const token = newCallbackToken();
  const checkoutRequestId = await checkoutIdOf(push(ending, token));
  await letTimePass();
  expect(await gateway.queryPush(checkoutRequestId)).toMatchObject({ kind: "failed", reason });
  const [body] = await bodiesFor(token);
  expect(gateway.readPushCallback(body ?? "")?.outcome).toMatchObject({ kind: "failed", reason });
});

test("callbacks are read with every quirk at once", async () => {
  await sandbox.changeSettings({
    omitBalance: true,
    omitReceipt: true,
    maskPhone: true,
    earlyDate: true,
    integerAmount: true,
  });
  const token = newCallbackToken();
  await push("20", token);
  await letTimePass();
  const [body] = await bodiesFor(token);
  expect(gateway.readPushCallback(body ?? "")).toMatchObject({
    outcome: { kind: "done" },
    amountCents: 150_000,
    receipt: null,
  });
});

test("an answer that gets lost after the push was accepted is unknown", async () => {
  expect((await push("09")).kind).toBe("unknown");
});

test("a firewall's page and a busy system are refusals", async () => {
  await sandbox.changeSettings({ html403: 1 });
  expect(await push("20")).toMatchObject({ kind: "refused", reason: "provider_blocked", retryAfterMs: 60_000 });
  await sandbox.changeSettings({ systemBusy: 1 });
  expect(await push("20")).toMatchObject({ kind: "refused", reason: "provider_busy", retryAfterMs: 60_000 });
});

test("a second push to a phone that is ringing is refused as busy", async () => {
  const request = { phone: phoneEnding("00"), amount: 10, accountReference: "ORD1", description: "Chuoni order" };
  await gateway.push({ ...request, callbackToken: newCallbackToken() });
  expect(await gateway.push({ ...request, callbackToken: newCallbackToken() })).toMatchObject({
    kind: "refused",
    reason: "payer_busy",
  });
});

test("noise, an id nobody knows and a spike arrest decide nothing", async () => {
  const checkoutRequestId = await checkoutIdOf(push("20"));
  await letTimePass();
  await sandbox.changeSettings({ queryNoise: 1 });
  expect((await gateway.queryPush(checkoutRequestId)).kind).toBe("unknown");
  await sandbox.changeSettings({ queryNoise: 0 });
  expect((await gateway.queryPush("ws_CO_01012026000000000700000000")).kind).toBe("unknown");
  await sandbox.changeSettings({ spikeArrest: true });
  expect(await gateway.queryPush(checkoutRequestId)).toMatchObject({
    kind: "unknown",
    code: "policies.ratelimit.SpikeArrestViolation",
  });
});

test("a token that somebody else's ended is replaced on the way, for each API's way of saying so", async () => {
  await endToken();
  const checkoutRequestId = await checkoutIdOf(push("20"));
  await endToken();
  expect((await gateway.queryPush(checkoutRequestId)).kind).toBe("pending");
  await endToken();
  const conversationId = crypto.randomUUID();
  const payout = {
    conversationId,
    callbackToken: newCallbackToken(),
    phone: phoneEnding("20"),
    amount: 100,
    remarks: "Order item",
  };
  expect((await gateway.payOut(payout)).kind).toBe("accepted");
  await endToken();
  expect(await gateway.lookUpPayout({ conversationId, callbackToken: payout.callbackToken })).toEqual({
    kind: "accepted",
  });
});

test("a token endpoint that answers 400 with nothing refuses the push before it is sent", async () => {
  await env.DB.prepare("DELETE FROM daraja_tokens").run();
  await sandbox.changeSettings({ emptyToken: 1 });
  expect(await push("20")).toMatchObject({ kind: "refused", reason: "our_configuration" });
});

test("a page from the token endpoint says nothing about our keys", async () => {
  await env.DB.prepare("DELETE FROM daraja_tokens").run();
  await sandbox.changeSettings({ tokenPage: 1 });
  expect(await push("20")).toMatchObject({ kind: "refused", reason: "provider_busy", retryAfterMs: 60_000 });
});

test("a payout: accepted, a duplicate when sent again, and paid once", async () => {
  const request = {
    conversationId: crypto.randomUUID(),
    callbackToken: newCallbackToken(),
    phone: phoneEnding("20"),
    amount: 1400,
    remarks: "Order item",
  };
  expect((await gateway.payOut(request)).kind).toBe("accepted");
  expect(await gateway.payOut(request)).toEqual({ kind: "duplicate" });
  await letTimePass();
  const bodies = await bodiesFor(request.callbackToken);
  expect(bodies).toHaveLength(1);
  const report = gateway.readPayoutResult(bodies[0] ?? "");
  expect(report).toMatchObject({
    conversationId: request.conversationId,
    outcome: { kind: "done" },
    amountCents: 140_000,
  });
});

test.each([
  ["11", { reason: "our_float", pausesChannel: true }],
  ["14", { reason: "not_registered", pausesChannel: false }],
])("a seller ending in %s is not paid: %j", async (ending, outcome) => {
  const request = {
    conversationId: crypto.randomUUID(),
    callbackToken: newCallbackToken(),
    phone: phoneEnding(ending),
    amount: 50,
    remarks: "Order item",
  };
  expect((await gateway.payOut(request)).kind).toBe("accepted");
  await letTimePass();
  const [body] = await bodiesFor(request.callbackToken);
  expect(gateway.readPayoutResult(body ?? "")?.outcome).toMatchObject({ kind: "failed", ...outcome });
});

test.each(["12", "15"])(
  "a payout to a seller ending in %s whose result or answer is lost is found by looking it up",
  async (ending) => {
    const request = {
      conversationId: crypto.randomUUID(),
      callbackToken: newCallbackToken(),
      phone: phoneEnding(ending),
      amount: 50,
      remarks: "Order item",
    };
    expect((await gateway.payOut(request)).kind).toBe(ending === "15" ? "unknown" : "accepted");
    await letTimePass();
    const lookup = { conversationId: request.conversationId, callbackToken: newCallbackToken() };
    expect(await gateway.lookUpPayout(lookup)).toEqual({ kind: "accepted" });
    await letTimePass();
    const [body] = await bodiesFor(lookup.callbackToken);
    expect(gateway.readPayoutLookup(body ?? "")).toMatchObject({
      conversationId: request.conversationId,
      outcome: { kind: "done" },
      amountCents: 5000,
    });
  },
);

test("looking up a payout that was never asked for says that there is none", async () => {
  const lookup = { conversationId: crypto.randomUUID(), callbackToken: newCallbackToken() };
  expect(await gateway.lookUpPayout(lookup)).toEqual({ kind: "accepted" });
  await letTimePass();
  const [body] = await bodiesFor(lookup.callbackToken);
  expect(gateway.readPayoutLookup(body ?? "")).toMatchObject({ conversationId: null, outcome: { kind: "not_found" } });
});
