import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PaymentGateway } from "#app/payments/gateway.ts";
import { createDarajaGateway } from "#workers/daraja/client.ts";
import { type DarajaLogEvent } from "#workers/daraja/calls.ts";
import type { DarajaConfig } from "#workers/daraja/config.ts";
import type { HeldToken, TokenHolder } from "#workers/daraja/token-holder.ts";

const NOW = Date.parse("2026-11-21T21:15:30Z");
const TOKEN = "0123456789abcdef0123456789abcdef";
const CHECKOUT = "ws_CO_22112026001530409708374149";
const CONVERSATION = "7d0c1b9e-52a4-4c7e-9d0f-6a3f8e1b2c4d";
const PHONE = "254708374149";

const config: DarajaConfig = {
  mode: "sandbox",
  baseUrl: "https://daraja.test",
  shortcode: "174379",
  kind: "paybill",
  till: "",
  payoutShortcode: "600996",
  initiator: "testapi",
  consumerKey: "consumer-key-4Jw9",
  consumerSecret: "consumer-secret-8Qz2",
  passkey: "passkey-7Xk1",
  securityCredential: "credential-5Vn3",
  callbackOrigin: "http://localhost:8787",
  timeoutMs: 60,
};

const pushRequest = {
  callbackToken: TOKEN,
  phone: PHONE,
  amount: 1500,
  accountReference: "ORD1a2b3c4d",
  description: "Chuoni order",
};
const payoutRequest = {
  conversationId: CONVERSATION,
  callbackToken: TOKEN,
  phone: PHONE,
  amount: 1400,
  remarks: "Order item paid out",
};

const reversalRequest = { receipt: "RKI9Q95ERN", callbackToken: TOKEN, amount: 1500, remarks: "Chuoni refund" };

type Reply = (call: Call) => Response | Promise<Response>;

interface Call {
  url: string;
  init: RequestInit;
  authorization: string;
  body: Record<string, unknown>;
}

const json =
  (body: unknown, status = 200): Reply =>
  () =>
    Response.json(body, { status });
const text =
  (body: string, status: number): Reply =>
  () =>
    new Response(body, { status });
const error = (errorCode: string, errorMessage: string, status: number): Reply =>
  json({ requestId: "16813-15905-1", errorCode, errorMessage }, status);
const disconnect: Reply = () => Promise.reject(new TypeError("fetch failed"));
/** Waits until the caller gives up. */
const silence: Reply = ({ init }) =>
  new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
const mintToken: Reply = json({ access_token: "c9SQxWWhmdVRlyh0zh8gZDTkubVF", expires_in: "3599" });
const acceptPush: Reply = json({
  MerchantRequestID: "m-1",
  CheckoutRequestID: CHECKOUT,
  ResponseCode: "0",
  ResponseDescription: "Success",
});
const acceptPayout: Reply = json({
  ConversationID: "AG_1",
  OriginatorConversationID: CONVERSATION,
  ResponseCode: "0",
  ResponseDescription: "Accept",
});
const paid: Reply = json({ ResponseCode: "0", CheckoutRequestID: CHECKOUT, ResultCode: "0", ResultDesc: "Processed" });

/** Memory in place of the database's row, for one isolate. */
function holdInMemory(): TokenHolder {
  let held: HeldToken | null = null;
  let generation = 0;
  const holder: TokenHolder = {
    async current(mint) {
      if (held !== null) return held;
      const minted = await mint();
      if (minted.kind === "none") return minted;
      generation += 1;
      held = { kind: "token", accessToken: minted.accessToken, generation };
      return held;
    },
    renew(failedGeneration, mint) {
      if (held?.generation === failedGeneration) held = null;
      return holder.current(mint);
    },
  };
  return holder;
}

/** A gateway whose provider answers with `replies` in turn, with its calls, log lines and waits. */
function scripted(replies: Reply[], change: Partial<DarajaConfig> = {}, tokens: TokenHolder = holdInMemory()) {
  const calls: Call[] = [];
  const events: DarajaLogEvent[] = [];
  const waits: number[] = [];
  const gateway = createDarajaGateway(
    { ...config, ...change },
    {
      tokens,
      now: () => NOW,
      log: (event) => events.push(event),
      wait: async (ms) => void waits.push(ms),
      fetch: async (url, init) => {
        const reply = replies[calls.length];
        const authorization = new Headers(init.headers).get("Authorization") ?? "";
        const body: Record<string, unknown> = typeof init.body === "string" ? JSON.parse(init.body) : {};
        const call = { url, init, authorization, body };
        calls.push(call);
        if (reply === undefined) throw new Error(`No reply left for ${url}`);
        return reply(call);
      },
    },
  );
  return { gateway, calls, events, waits };
}

function failAsDatabase(): Promise<never> {
  return Promise.reject(new Error("D1_ERROR: no such table"));
}

function pathsOf(calls: Call[]): string[] {
  return calls.map((call) => new URL(call.url).pathname);
}

describe("requests", () => {
  test("a token is asked for with the keys, and used as bearer", async () => {
    const { gateway, calls } = scripted([mintToken, acceptPush]);
    await gateway.push(pushRequest);
    expect(calls[0]?.url).toBe("https://daraja.test/oauth/v1/generate?grant_type=client_credentials");
    expect(atob(calls[0]?.authorization.replace("Basic ", "") ?? "")).toBe("consumer-key-4Jw9:consumer-secret-8Qz2");
    expect(calls[1]?.authorization).toBe("Bearer c9SQxWWhmdVRlyh0zh8gZDTkubVF");
  });

  test("a push to a paybill", async () => {
    const { gateway, calls } = scripted([mintToken, acceptPush]);
    expect(await gateway.push(pushRequest)).toEqual({
      kind: "accepted",
      checkoutRequestId: CHECKOUT,
      merchantRequestId: "m-1",
    });
    expect(calls[1]?.url).toBe("https://daraja.test/mpesa/stkpush/v1/processrequest");
    expect(calls[1]?.init).toMatchObject({ method: "POST", redirect: "manual" });
    expect(new Headers(calls[1]?.init.headers).get("Content-Type")).toBe("application/json");
    expect(calls[1]?.body).toEqual({
      BusinessShortCode: 174379,
      Password: btoa("174379passkey-7Xk120261122001530"),
      Timestamp: "20261122001530",
      TransactionType: "CustomerPayBillOnline",
      Amount: 1500,
      PartyA: 254708374149,
      PartyB: 174379,
      PhoneNumber: 254708374149,
      CallBackURL: `http://localhost:8787/hooks/pay/s/${TOKEN}`,
      AccountReference: "ORD1a2b3c4d",
      TransactionDesc: "Chuoni order",
    });
  });

  test("a push to a till goes to the till under the store number", async () => {
    const { gateway, calls } = scripted([mintToken, acceptPush], { kind: "till", till: "5100001" });
    await gateway.push(pushRequest);
    expect(calls[1]?.body).toMatchObject({
      TransactionType: "CustomerBuyGoodsOnline",
      BusinessShortCode: 174379,
      PartyB: 5100001,
    });
  });

  test.each([
    ["Wanjirũ's café – order no. 7", "Wanjir s caf"],
    ["", "Payment"],
    ["é", "Payment"],
  ])("the description %j is sent as %j: always, and in 13 plain characters", async (description, sent) => {
    const { gateway, calls } = scripted([mintToken, acceptPush]);
    await gateway.push({ ...pushRequest, description });
    expect(calls[1]?.body.TransactionDesc).toBe(sent);
  });

  test("a query", async () => {
    const { gateway, calls } = scripted([mintToken, paid]);
    expect(await gateway.queryPush(CHECKOUT)).toEqual({ kind: "done" });
    expect(calls[1]?.url).toBe("https://daraja.test/mpesa/stkpushquery/v1/query");
    expect(calls[1]?.body).toEqual({
      BusinessShortCode: 174379,
      Password: btoa("174379passkey-7Xk120261122001530"),
      Timestamp: "20261122001530",
      CheckoutRequestID: CHECKOUT,
    });
  });

  test("a payout", async () => {
    const { gateway, calls } = scripted([mintToken, acceptPayout]);
    expect(await gateway.payOut(payoutRequest)).toEqual({ kind: "accepted", providerConversationId: "AG_1" });
    expect(calls[1]?.url).toBe("https://daraja.test/mpesa/b2c/v3/paymentrequest");
    expect(calls[1]?.body).toEqual({
      OriginatorConversationID: CONVERSATION,
      InitiatorName: "testapi",
      SecurityCredential: "credential-5Vn3",
      CommandID: "BusinessPayment",
      Amount: "1400",
      PartyA: "600996",
      PartyB: PHONE,
      Remarks: "Order item paid out",
      QueueTimeOutURL: `http://localhost:8787/hooks/pay/q/${TOKEN}`,
      ResultURL: `http://localhost:8787/hooks/pay/o/${TOKEN}`,
      Occassion: "Payout",
    });
  });

  test("a look-up", async () => {
    const { gateway, calls } = scripted([mintToken, acceptPayout]);
    expect(await gateway.lookUpPayout({ conversationId: CONVERSATION, callbackToken: TOKEN })).toEqual({
      kind: "accepted",
    });
    expect(calls[1]?.url).toBe("https://daraja.test/mpesa/transactionstatus/v1/query");
    expect(calls[1]?.body).toEqual({
      Initiator: "testapi",
      SecurityCredential: "credential-5Vn3",
      CommandID: "TransactionStatusQuery",
      OriginalConversationID: CONVERSATION,
      PartyA: "600996",
      IdentifierType: "4",
      ResultURL: `http://localhost:8787/hooks/pay/l/${TOKEN}`,
      QueueTimeOutURL: `http://localhost:8787/hooks/pay/t/${TOKEN}`,
      Remarks: "Payout",
      Occasion: "Payout",
    });
  });

  test("a reversal", async () => {
    const { gateway, calls } = scripted([mintToken, acceptPayout]);
    expect(await gateway.reverse(reversalRequest)).toEqual({ kind: "accepted", providerConversationId: "AG_1" });
    expect(calls[1]?.url).toBe("https://daraja.test/mpesa/reversal/v1/request");
    expect(calls[1]?.body).toEqual({
      Initiator: "testapi",
      SecurityCredential: "credential-5Vn3",
      CommandID: "TransactionReversal",
      TransactionID: "RKI9Q95ERN",
      Amount: "1500",
      ReceiverParty: "174379",
      RecieverIdentifierType: "11",
      ResultURL: `http://localhost:8787/hooks/pay/v/${TOKEN}`,
      QueueTimeOutURL: `http://localhost:8787/hooks/pay/w/${TOKEN}`,
      Remarks: "Chuoni refund",
      Occasion: "Refund",
    });
  });
});

test.each<[string, Reply, object]>([
  ["accepted without an id", json({ ResponseCode: "0" }), { kind: "unknown" }],
  ["already reversed", json({ ResponseCode: "R000001" }), { kind: "already_reversed" }],
  [
    "an invalid receipt",
    error("400.002.02", "Bad Request - Invalid TransactionID", 400),
    { kind: "refused", reason: "receipt_invalid", pausesChannel: false },
  ],
  [
    "spike arrest",
    error("500.003.02", "Spike Arrest Violation", 500),
    { kind: "refused", reason: "provider_busy", retryAfterMs: 12_000 },
  ],
  ["an internal error", error("500.001.1001", "Internal Server Error", 500), { kind: "unknown" }],
  ["no answer", disconnect, { kind: "unknown" }],
])("a reversal that is answered with %s", async (_case, reply, answer) => {
  const { gateway } = scripted([mintToken, reply]);
  expect(await gateway.reverse(reversalRequest)).toMatchObject(answer);
});

describe("requests that Safaricom would refuse anyway", () => {
  test.each([
    [{ phone: "254208374149" }, "invalid_phone"],
    [{ phone: "0708374149" }, "invalid_phone"],
    [{ amount: 0 }, "amount_limit"],
    [{ amount: 250_001 }, "amount_limit"],
    [{ amount: 10.5 }, "amount_limit"],
    [{ amount: Number.NaN }, "amount_limit"],
    [{ accountReference: "Order #1a2b3c4d" }, "our_configuration"],
    [{ callbackToken: "x/../y" }, "our_configuration"],
  ])("a push with %j is refused without being sent", async (change, reason) => {
    const { gateway, calls } = scripted([]);
    expect(await gateway.push({ ...pushRequest, ...change })).toMatchObject({
      kind: "refused",
      reason,
      retryAfterMs: null,
    });
    expect(calls).toEqual([]);
  });

  test.each([
    [{ phone: "+254708374149" }, "invalid_phone", false],
    [{ amount: 9 }, "amount_limit", false],
    [{ amount: 250_001 }, "amount_limit", false],
    [{ callbackToken: "" }, "our_configuration", true],
    [{ conversationId: "" }, "our_configuration", true],
  ])("a payout with %j is refused without being sent", async (change, reason, pausesChannel) => {
    const { gateway, calls } = scripted([]);
    expect(await gateway.payOut({ ...payoutRequest, ...change })).toMatchObject({
      kind: "refused",
      reason,
      pausesChannel,
      retryAfterMs: null,
    });
    expect(calls).toEqual([]);
  });

  test("a look-up without a usable token is refused without being sent", async () => {
    const { gateway, calls } = scripted([]);
    expect((await gateway.lookUpPayout({ conversationId: CONVERSATION, callbackToken: "" })).kind).toBe("refused");
    expect(calls).toEqual([]);
  });
});

describe("access tokens", () => {
  test("one token serves call after call", async () => {
    const { gateway, calls } = scripted([mintToken, acceptPush, paid, acceptPayout]);
    await gateway.push(pushRequest);
    await gateway.queryPush(CHECKOUT);
    await gateway.payOut(payoutRequest);
    expect(pathsOf(calls).filter((path) => path.startsWith("/oauth"))).toHaveLength(1);
  });

  test.each([
    [
      "push",
      (gateway: PaymentGateway) => gateway.push(pushRequest),
      error("404.001.03", "Invalid Access Token", 404),
      acceptPush,
    ],
    [
      "payout",
      (gateway: PaymentGateway) => gateway.payOut(payoutRequest),
      error("401.002.01", "Error Occurred - Invalid Access Token - c9SQxWWhmdVRlyh0zh8gZDTkubVF", 401),
      acceptPayout,
    ],
    [
      "look-up",
      (gateway: PaymentGateway) => gateway.lookUpPayout(payoutRequest),
      error("400.003.01", "Invalid Access Token", 400),
      acceptPayout,
    ],
  ])("a %s whose token is refused is sent once more with a fresh one", async (_name, act, refusal, accept) => {
    const { gateway, calls } = scripted([
      mintToken,
      refusal,
      json({ access_token: "p7GtYQaVbKxZ2nRfLd0HuWsEj4Mc", expires_in: 3599 }),
      accept,
    ]);
    expect((await act(gateway)).kind).toBe("accepted");
    expect(calls[3]?.authorization).toBe("Bearer p7GtYQaVbKxZ2nRfLd0HuWsEj4Mc");
    expect(calls[3]?.body).toEqual(calls[1]?.body);
  });

  test("a token refused twice ends the call: nothing was done, and it may be tried in a minute", async () => {
    const refusal = error("404.001.03", "Invalid Access Token", 404);
    const { gateway, calls } = scripted([mintToken, refusal, mintToken, refusal]);
    expect(await gateway.push(pushRequest)).toMatchObject({
      kind: "refused",
      reason: "provider_busy",
      retryAfterMs: 60_000,
    });
    expect(calls).toHaveLength(4);
  });

  test.each([
    ["wrong keys", error("400.008.01", "Invalid Authentication passed", 400)],
    ["keys of the other environment, answered with nothing", text("", 400)],
  ])("%s pause the channel", async (_name, reply) => {
    const { gateway, calls, events } = scripted([reply, reply, reply, reply]);
    expect(await gateway.push(pushRequest)).toMatchObject({
      kind: "refused",
      reason: "our_configuration",
      retryAfterMs: null,
    });
    expect(await gateway.payOut(payoutRequest)).toMatchObject({
      kind: "refused",
      reason: "our_configuration",
      pausesChannel: true,
    });
    expect((await gateway.lookUpPayout(payoutRequest)).kind).toBe("refused");
    expect((await gateway.queryPush(CHECKOUT)).kind).toBe("unknown");
    expect(new Set(pathsOf(calls))).toEqual(new Set(["/oauth/v1/generate"]));
    expect(new Set(events.map((event) => event.level))).toEqual(new Set(["error"]));
  });

  test("without an answer from the token endpoint nothing was sent, and that is what is said", async () => {
    const { gateway, calls, waits } = scripted([disconnect, disconnect, disconnect, disconnect]);
    expect(await gateway.payOut(payoutRequest)).toMatchObject({
      kind: "refused",
      reason: "provider_busy",
      pausesChannel: false,
      retryAfterMs: 60_000,
    });
    expect(calls).toHaveLength(4);
    expect(waits).toEqual([1000, 1000, 1000]);
  });

  test("a database that fails before the call refuses it, and is logged as ours to mend", async () => {
    const { gateway, calls, events } = scripted([], {}, { current: failAsDatabase, renew: failAsDatabase });
    expect(await gateway.push(pushRequest)).toMatchObject({
      kind: "refused",
      code: "token_store",
      retryAfterMs: 60_000,
    });
    expect(calls).toEqual([]);
    expect(events).toMatchObject([{ api: "token", level: "error", code: "token_store" }]);
  });
});

describe("lost answers", () => {
  const losses: [string, Reply][] = [
    ["a broken connection", disconnect],
    ["silence until the time is up", silence],
    ["an empty gateway error", text("", 504)],
    [
      "an answer that breaks off",
      () => new Response(new ReadableStream({ start: (stream) => stream.error(new Error("reset")) })),
    ],
  ];

  test.each(losses)("a push met by %s is unknown and is not sent again", async (_name, reply) => {
    const { gateway, calls } = scripted([mintToken, reply]);
    expect((await gateway.push(pushRequest)).kind).toBe("unknown");
    expect(calls).toHaveLength(2);
  });

  test("a firewall's page is no lost answer: nothing was sent", async () => {
    const page = text("<html>Request unsuccessful. Incapsula incident ID</html>", 403);
    const { gateway, calls } = scripted([mintToken, page, mintToken, page]);
    expect(await gateway.push(pushRequest)).toMatchObject({ kind: "refused", reason: "provider_blocked" });
    expect(calls).toHaveLength(2);
  });

  test.each(losses)("a payout met by %s is unknown and is not sent again", async (_name, reply) => {
    const { gateway, calls } = scripted([mintToken, reply]);
    expect((await gateway.payOut(payoutRequest)).kind).toBe("unknown");
    expect(calls).toHaveLength(2);
  });

  test.each([
    ["timeout", silence],
    ["network", disconnect],
    ["http_504", text("", 504)],
  ])("an unknown push says how its answer was lost: %s", async (code, reply) => {
    const { gateway } = scripted([mintToken, reply]);
    expect(await gateway.push(pushRequest)).toMatchObject({ kind: "unknown", code });
  });

  test("a query, which only reads, is tried 3 times more, a second apart", async () => {
    const { gateway, waits } = scripted([mintToken, disconnect, disconnect, disconnect, paid]);
    expect(await gateway.queryPush(CHECKOUT)).toEqual({ kind: "done" });
    expect(waits).toEqual([1000, 1000, 1000]);
  });

  test("a query gives up after that, deciding nothing", async () => {
    const { gateway, calls } = scripted([mintToken, disconnect, disconnect, disconnect, disconnect, paid]);
    expect((await gateway.queryPush(CHECKOUT)).kind).toBe("unknown");
    expect(calls).toHaveLength(5);
  });

  test("a query that was answered with an error is not tried again", async () => {
    const { gateway, calls } = scripted([mintToken, text("", 500), paid]);
    expect((await gateway.queryPush(CHECKOUT)).kind).toBe("unknown");
    expect(calls).toHaveLength(2);
  });

  test("a query that ran out of time is not tried again", async () => {
    const { gateway, calls } = scripted([mintToken, silence, paid]);
    expect(await gateway.queryPush(CHECKOUT)).toMatchObject({ kind: "unknown", code: "timeout" });
    expect(calls).toHaveLength(2);
  });
});

describe("the log", () => {
  const SECRETS = [
    "consumer-key-4Jw9",
    "consumer-secret-8Qz2",
    "passkey-7Xk1",
    "credential-5Vn3",
    "c9SQxWWhmdVRlyh0zh8gZDTkubVF",
    TOKEN,
    PHONE,
    "708374149",
    btoa("consumer-key-4Jw9:consumer-secret-8Qz2"),
  ];

  function expectNoSecrets(logged: unknown): void {
    const written = JSON.stringify(logged);
    for (const secret of SECRETS) expect(written).not.toContain(secret);
  }

  test("tells of a call what happened, how long it took and the provider's request id", async () => {
    const { gateway, events } = scripted([mintToken, error("400.002.02", "Bad Request - Invalid PhoneNumber", 400)]);
    await gateway.push(pushRequest);
    expect(events).toEqual([
      {
        event: "daraja.call",
        level: "info",
        api: "token",
        status: 200,
        classification: "minted",
        code: "http_200",
        ms: 0,
        safaricomRequestId: null,
      },
      {
        event: "daraja.call",
        level: "info",
        api: "push",
        status: 400,
        classification: "refused",
        code: "400.002.02",
        ms: 0,
        safaricomRequestId: "16813-15905-1",
      },
    ]);
  });

  test.each([
    ["our float is empty", json({ ResponseCode: "1", ResponseDescription: "x" }), "error"],
    ["our configuration is wrong", error("400.002.02", "Bad Request - Invalid InitiatorName", 400), "error"],
    ["the receiver is not registered", json({ ResponseCode: "2040", ResponseDescription: "x" }), "info"],
    ["nobody knows", text("", 502), "warn"],
  ])("where %s the level of a payout is %3$s", async (_name, reply, level) => {
    const { gateway, events } = scripted([mintToken, reply]);
    await gateway.payOut(payoutRequest);
    expect(events[1]).toMatchObject({ api: "payout", level });
  });

  test("callbacks are logged by code, alarms as such", () => {
    const { gateway, events } = scripted([]);
    gateway.readPushCallback(
      `{"Body":{"stkCallback":{"CheckoutRequestID":"${CHECKOUT}","ResultCode":1032,"ResultDesc":"${PHONE}"}}}`,
    );
    gateway.readPayoutResult(
      `{"Result":{"ResultCode":8006,"ResultDesc":"The security credential is locked.","TransactionID":"X"}}`,
    );
    gateway.readPayoutLookup("<html>");
    expect(events).toMatchObject([
      { event: "daraja.callback", api: "push", classification: "failed", code: "1032", level: "info" },
      { event: "daraja.callback", api: "payout", classification: "failed", code: "8006", level: "error" },
      { event: "daraja.callback", api: "lookup", classification: "unreadable", code: null, level: "warn" },
    ]);
    expectNoSecrets(events);
  });

  test("holds no secret, token or phone number, whatever the provider echoes and wherever", async () => {
    const echo = fc.constantFrom(
      ...SECRETS,
      `Error - ${PHONE}`,
      "+254 708 374 149",
      "2547 ***** 149",
      `Invalid Access Token - c9SQxWWhmdVRlyh0zh8gZDTkubVF`,
    );
    const names = [
      "requestId",
      "errorCode",
      "errorMessage",
      "ResponseCode",
      "ResponseDescription",
      "ResultCode",
      "ResultDesc",
      "CheckoutRequestID",
    ];
    const body = fc.oneof(
      fc.dictionary(fc.constantFrom(...names), echo),
      fc.record({ fault: fc.record({ faultstring: echo, detail: fc.record({ errorcode: echo }) }) }),
    );
    await fc.assert(
      fc.asyncProperty(body, fc.constantFrom(200, 400, 401, 403, 500), async (echoed, status) => {
        const reply = json(echoed, status);
        const { gateway, events } = scripted([
          mintToken,
          reply,
          mintToken,
          reply,
          reply,
          mintToken,
          reply,
          reply,
          mintToken,
          reply,
        ]);
        const answers = [
          await gateway.push(pushRequest),
          await gateway.payOut(payoutRequest),
          await gateway.queryPush("ws_CO_1"),
        ];
        gateway.readPushCallback(JSON.stringify({ Body: { stkCallback: echoed } }));
        gateway.readPayoutResult(JSON.stringify({ Result: echoed }));
        const logged = JSON.stringify(events);
        expectNoSecrets(events);
        expect(logged).not.toMatch(/\d[\d *-]{8,}\d/);
        // Nothing stored or shown with a payment may contain the token or the number, either.
        const messages = JSON.stringify(answers.map((answer) => ("message" in answer ? answer.message : "")));
        expect(messages).not.toMatch(/c9SQxWWhmdVRlyh0zh8gZDTkubVF|708374149|708 374 149/);
      }),
      { numRuns: 300 },
    );
  });
});

test("production refuses to start with an origin that Safaricom would refuse", () => {
  expect(() => scripted([], { mode: "production" })).toThrow(/callbackOrigin http:\/\/localhost:8787/);
});
