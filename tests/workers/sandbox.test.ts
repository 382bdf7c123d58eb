/** The sandbox answers as docs/m-pesa.md says that Daraja does. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { ApiName } from "#workers/sandbox/sandbox-object.ts";
import { merchantOf } from "#workers/sandbox/merchant.ts";
import { SandboxObject } from "#workers/sandbox/sandbox.ts";
import type { Settings } from "#workers/sandbox/settings.ts";

const MERCHANT = merchantOf(env);
const BASIC = `Basic ${btoa(`${MERCHANT.consumerKey}:${MERCHANT.consumerSecret}`)}`;
const TIMESTAMP = "20261121140500";
const PASSWORD = btoa(MERCHANT.shortcode + MERCHANT.passkey + TIMESTAMP);
const HOOK = "http://localhost:8787/hooks/pay";

interface Received {
  url: string;
  agent: string | null;
  shortcode: string | null;
  // Bodies of every kind. Each test says what it expects of them.
  body: Record<string, never> & { Body?: { stkCallback: StkCallback }; Result?: Result };
}

interface StkCallback {
  ResultCode: number | string;
  ResultDesc: string;
  CallbackMetadata?: { Item: { Name: string; Value?: number | string }[] };
}

interface Result {
  ResultCode: number | string;
  OriginatorConversationID: string;
  TransactionID: string;
  ResultParameters?: { ResultParameter: { Key: string; Value?: number | string }[] };
}

interface Answer {
  status: number;
  type: string | null;
  body: Record<string, string>;
  text: string;
}

interface Bench {
  sandbox: SandboxObject;
  received: Received[];
  call(api: ApiName, fields: object): Promise<Answer>;
  push(phone: string, change?: object): Promise<Answer>;
  query(id: string | undefined): Promise<Answer>;
  payOut(phone: string, id: string, change?: object): Promise<Answer>;
  lookUp(change: object): Promise<Result | undefined>;
  /** Lets every payment and payout take one step. */
  tick(): Promise<void>;
  settle(): Promise<void>;
}

let benches = 0;

/** A sandbox object on real storage, whose callbacks are caught here and whose clock moves only when told. */
async function withSandbox(
  work: (bench: Bench) => Promise<void>,
  settings: Partial<Settings> = {},
  answerCallback = () => new Response("{}"),
): Promise<void> {
  benches += 1;
  await runInDurableObject(env.SANDBOX_OBJECT.getByName(`bench-${benches}`), async (_, state) => {
    const received: Received[] = [];
    const app = {
      fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
        const request = new Request(input, init);
        received.push({
          url: request.url.slice(HOOK.length),
          agent: request.headers.get("User-Agent"),
          shortcode: request.headers.get("Businessshortcode"),
          body: await request.json(),
        });
        return answerCallback();
      },
    };
    const sandbox = new SandboxObject(state, { SANDBOX_OBJECT: env.SANDBOX_OBJECT, APP: app, SANDBOX_PACE: "0" });
    await sandbox.changeSettings(settings);
    const granted = await sandbox.grantToken(BASIC, "client_credentials");
    const token: string = granted.text === "" ? "" : JSON.parse(granted.text).access_token;

    async function call(api: ApiName, fields: object): Promise<Answer> {
      const answer = await sandbox.call(api, {
        authorization: `Bearer ${token}`,
        contentType: "application/json",
        body: JSON.stringify(fields),
      });
      const body = answer.type === "application/json" ? JSON.parse(answer.text) : {};
      return { status: answer.status, type: answer.type, text: answer.text, body };
    }
    async function settle(): Promise<void> {
      for (let steps = 0; steps < 20 && (await state.storage.getAlarm()) !== null; steps += 1) await sandbox.alarm();
    }
    await work({
      sandbox,
      received,
      call,
      settle,
      tick: () => sandbox.alarm(),
      push: (phone, change = {}) => call("push", { ...pushFor(phone), ...change }),
      query: (id) =>
        call("query", {
          BusinessShortCode: MERCHANT.shortcode,
          Password: PASSWORD,
          Timestamp: TIMESTAMP,
          CheckoutRequestID: id,
        }),
      payOut: (phone, id, change = {}) => call("payout", { ...payoutFor(phone, id), ...change }),
      async lookUp(change) {
        expect(
          await call("status", {
            ...initiated("TransactionStatusQuery"),
            PartyA: MERCHANT.payoutShortcode,
            IdentifierType: "4",
            ...change,
          }),
        ).toMatchObject({
          status: 200,
          body: { ResponseCode: "0" },
        });
        received.length = 0;
        await settle();
        return received.find(({ url }) => url === "/l")?.body.Result;
      },
    });
  });
}

function pushFor(phone: string) {
  return {
    BusinessShortCode: MERCHANT.shortcode,
    Password: PASSWORD,
    Timestamp: TIMESTAMP,
    TransactionType: "CustomerPayBillOnline",
    Amount: 1500,
    PartyA: phone,
    PartyB: MERCHANT.shortcode,
    PhoneNumber: phone,
    CallBackURL: `${HOOK}/s`,
    AccountReference: "ORD1a2b3c4d",
    TransactionDesc: "Order",
  };
}

function initiated(command: string) {
  return {
    Initiator: MERCHANT.initiator,
    SecurityCredential: MERCHANT.securityCredential,
    CommandID: command,
    Remarks: "Asked by a test",
    ResultURL: `${HOOK}/l`,
    QueueTimeOutURL: `${HOOK}/t`,
  };
}

function payoutFor(phone: string, id: string) {
  return {
    ...initiated("BusinessPayment"),
    OriginatorConversationID: id,
    InitiatorName: MERCHANT.initiator,
    Amount: 800,
    PartyA: MERCHANT.payoutShortcode,
    PartyB: phone,
    ResultURL: `${HOOK}/r`,
    Occassion: "",
  };
}

/** A callback in short: its code, and the amount if there is one. */
function said({ body }: Received): string {
  const callback = body.Body?.stkCallback;
  const amount = callback?.CallbackMetadata?.Item.find((item) => item.Name === "Amount")?.Value;
  return [callback?.ResultCode, amount].filter((part) => part !== undefined).join(" ");
}

function valueOf(result: Result | undefined, key: string): number | string | undefined {
  return result?.ResultParameters?.ResultParameter.find((item) => item.Key === key)?.Value;
}

describe("a payer's last two digits", () => {
  test.each([
    ["01", ["1032"], "1032"],
    ["02", ["1"], "1"],
    ["03", ["1037"], "1037"],
    ["04", ["2001"], "2001"],
    ["05", [], "0"],
    ["06", ["0 1500", "0 1500"], "0"],
    ["08", ["0 1501"], "0"],
    ["37", ["0 1500"], "0"],
  ])("%s: callbacks say %j, the query says %s", async (ending, callbacks, queried) => {
    await withSandbox(async ({ push, query, settle, received }) => {
      const { body } = await push(`2547123456${ending}`);
      expect(received).toEqual([]);
      await settle();
      expect(received.map(said)).toEqual(callbacks);
      expect((await query(body.CheckoutRequestID)).body.ResultCode).toBe(queried);
    });
  });

  test("07: the query gives the payment up, then the callback says it is paid, and so does the query", async () => {
    await withSandbox(async ({ push, query, tick, received }) => {
      const { body } = await push("254712345607");
      await tick();
      expect((await query(body.CheckoutRequestID)).body).toMatchObject({
        ResultCode: "1037",
        ResultDesc: "DS timeout user cannot be reached.",
      });
      expect(received).toEqual([]);
      await tick();
      expect(received.map(said)).toEqual(["0 1500"]);
      expect((await query(body.CheckoutRequestID)).body.ResultCode).toBe("0");
    });
  });

  test("09: the answer to the request is lost, the payment is not", async () => {
    await withSandbox(async ({ sandbox, push, settle, received }) => {
      expect(await push("254712345609")).toMatchObject({ status: 504, type: "text/html" });
      await settle();
      expect(received.map(said)).toEqual(["0 1500"]);
      expect((await sandbox.activity()).prompts).toMatchObject([{ phone: "254712345609", state: "paid" }]);
    });
  });
});

describe("payments", () => {
  test("a phone takes one prompt at a time", async () => {
    await withSandbox(async ({ push, settle }) => {
      const phone = "254712345637";
      const pushes = await Promise.all([push(phone), push(phone), push("254712345638")]);
      expect(pushes.map(({ status }) => status)).toEqual([200, 500, 200]);
      expect(pushes[1]!.body).toMatchObject({
        errorCode: "500.001.1001",
        errorMessage: "Unable to lock subscriber, a transaction is already in process for the current subscriber",
      });
      await settle();
      expect((await push(phone)).status).toBe(200);
    });
  });

  test("under way, a query has three shapes; an unknown payment has a fourth", async () => {
    await withSandbox(async ({ push, query }) => {
      const { body } = await push("254712345637");
      const shapes = [
        await query(body.CheckoutRequestID),
        await query(body.CheckoutRequestID),
        await query(body.CheckoutRequestID),
      ];
      expect(
        shapes.map(({ status, body: shape }) => [status, shape.ResultCode ?? shape.errorCode, shape.errorMessage]),
      ).toEqual([
        [200, "4999", undefined],
        [500, "500.001.1001", "The transaction is being processed"],
        [200, "500.001.1001", ""],
      ]);
      const unknown = await query("ws_CO_21112026140500123712345637");
      expect([unknown.status, unknown.body.errorMessage]).toEqual([500, "The transaction does not Exist"]);
    });
  });

  test("callbacks carry Safaricom's headers, and are sent once, whatever is answered", async () => {
    for (const answer of [
      () => new Response("no", { status: 500 }),
      () => Promise.reject(new Error("gone")) as never,
    ]) {
      await withSandbox(
        async ({ sandbox, push, settle, received }) => {
          await push("254712345637");
          await settle();
          await settle();
          expect(received).toMatchObject([{ url: "/s", agent: "ReactorNetty/1.2.9", shortcode: "174379" }]);
          expect((await sandbox.activity()).prompts[0]!.callbacks).toHaveLength(1);
        },
        {},
        answer,
      );
    }
  });
});

describe("a seller's last two digits", () => {
  test.each([
    ["11", "/r", 1, "failed", "Declined"],
    ["12", null, 0, "paid", "Completed"],
    ["14", "/r", 2040, "failed", "Declined"],
    ["15", "/r", 0, "paid", "Completed"],
    ["37", "/r", 0, "paid", "Completed"],
  ])(
    "%s: news at %s with code %d; in truth it is %s, and a look-up says %s",
    async (ending, url, code, state, status) => {
      await withSandbox(async ({ sandbox, payOut, settle, received, lookUp }) => {
        const answer = await payOut(`2547223344${ending}`, "payout-1");
        expect(answer.status).toBe(ending === "15" ? 504 : 200);
        await settle();
        expect(received.map(({ url: path, body }) => [path, body.Result?.ResultCode])).toEqual(
          url === null ? [] : [[url, code]],
        );
        const [payout] = (await sandbox.activity()).payouts;
        expect(payout!.state).toBe(state);
        const found = await lookUp({ OriginalConversationID: "payout-1" });
        expect(found?.ResultCode).toBe(0);
        expect(found?.OriginatorConversationID).not.toBe("payout-1");
        expect(valueOf(found, "OriginatorConversationID")).toBe("payout-1");
        expect(valueOf(found, "TransactionStatus")).toBe(status);
        expect(valueOf(found, "ReceiptNo")).toBe(payout!.receipt);
      });
    },
  );

  test("13: the time-out URL is called, though the money was paid", async () => {
    await withSandbox(async ({ payOut, settle, received, lookUp }) => {
      await payOut("254722334413", "payout-1");
      await settle();
      expect(received).toMatchObject([{ url: "/t", body: { OriginatorConversationID: "payout-1" } }]);
      expect(valueOf(await lookUp({ OriginatorConversationID: "payout-1" }), "TransactionStatus")).toBe("Completed");
    });
  });
});

describe("payouts", () => {
  test("an id is paid once, even when many ask at the same time", async () => {
    await withSandbox(async ({ sandbox, payOut, settle }) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => payOut("254722334437", "payout-1")));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(
        answers.filter(
          ({ body }) =>
            body.errorCode === "500.002.1001" && body.errorMessage === "Duplicate OriginatorConversationID.",
        ),
      ).toHaveLength(19);
      await settle();
      expect((await sandbox.activity()).payouts).toHaveLength(1);
    });
  });

  test.each([
    ["below the minimum", { Amount: 9 }, 2],
    ["above the maximum", { Amount: 250_001 }, 3],
    ["with a wrong credential", { SecurityCredential: "guess" }, 2001],
  ])("%s are taken, and fail", async (_, change, code) => {
    await withSandbox(async ({ payOut, settle, received }) => {
      expect((await payOut("254722334437", "payout-1", change)).status).toBe(200);
      await settle();
      expect(received.map(({ body }) => body.Result?.ResultCode)).toEqual([code]);
      expect(received[0]!.body.Result?.TransactionID).toMatch(/^[0-9A-Z]{10}$/);
    });
  });

  test("a look-up finds a payout on its way, a customer's payment by its receipt, and nothing of a stranger", async () => {
    await withSandbox(async ({ sandbox, push, payOut, settle, lookUp, received }) => {
      await push("254712345637");
      await settle();
      const [prompt] = (await sandbox.activity()).prompts;
      expect(valueOf(await lookUp({ TransactionID: prompt!.receipt }), "DebitPartyName")).toContain("254712345637 - ");
      await payOut("254722334437", "payout-1");
      const underWay = await lookUp({ OriginalConversationID: "payout-1" });
      expect(valueOf(underWay, "TransactionStatus")).toBe("Authorized");
      expect(underWay?.ResultParameters?.ResultParameter.filter(({ Key }) => Key === "DebitPartyName")).toHaveLength(2);
      expect((await lookUp({ OriginalConversationID: "payout-2" }))?.ResultCode).toBe(2032);
      expect((await lookUp({ OriginalConversationID: "payout-1", SecurityCredential: "guess" }))?.ResultCode).toBe(
        2001,
      );
      expect(received).toHaveLength(1);
    });
  });
});

describe("tokens", () => {
  test("a new one ends the one before, and each API says so in its own words", async () => {
    await withSandbox(async ({ sandbox, push, call, query }) => {
      expect((await push("254712345637")).status).toBe(200);
      await sandbox.grantToken(BASIC, "client_credentials");
      const answers = [
        await push("254712345638"),
        await query("ws_CO_1"),
        await call("payout", {}),
        await call("status", {}),
      ];
      expect(answers.map(({ status, body }) => [status, body.errorCode])).toEqual([
        [404, "404.001.03"],
        [404, "404.001.03"],
        [401, "401.002.01"],
        [400, "400.003.01"],
      ]);
      expect(answers[2]!.body.errorMessage).toMatch(/^Error Occurred - Invalid Access Token - [A-Za-z0-9]{28}$/);
    });
  });

  test("are refused for a wrong key, a wrong grant type, and for nothing at all", async () => {
    await withSandbox(async ({ sandbox }) => {
      const wrong = [
        await sandbox.grantToken(`Basic ${btoa("a:b")}`, "client_credentials"),
        await sandbox.grantToken(BASIC, "password"),
      ];
      expect(wrong.map(({ status, text }) => [status, JSON.parse(text).errorCode])).toEqual([
        [400, "400.008.01"],
        [400, "400.008.02"],
      ]);
      await sandbox.changeSettings({ emptyToken: 1, expiresIn: "number" });
      expect(await sandbox.grantToken(BASIC, "client_credentials")).toMatchObject({
        status: 400,
        type: null,
        text: "",
      });
      expect(JSON.parse((await sandbox.grantToken(BASIC, "client_credentials")).text).expires_in).toBe(3599);
    });
  });
});

test("the same amount twice in 2 minutes ends with 17", async () => {
  await withSandbox(async ({ sandbox, push, settle, received }) => {
    await sandbox.changeSettings({ ruleLimited: true });
    for (const change of [{}, {}, { Amount: 1400 }]) {
      await push("254712345637", change);
      await settle();
    }
    expect(received.map(said)).toEqual(["0 1500", "17", "0 1400"]);
  });
});

test("unknown paths are refused in Daraja's own shape", async () => {
  async function refusalOf(path: string, init?: RequestInit) {
    const response = await env.SANDBOX.fetch(`https://daraja.sandbox.internal${path}`, init);
    return [response.status, (await response.json<{ errorCode: string }>()).errorCode];
  }
  const posted = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  expect(await refusalOf("/mpesa/stkpush/v2/processrequest", posted)).toEqual([404, "404.001.01"]);
  expect(await refusalOf("/mpesa/b2c/v1/paymentrequest", posted)).toEqual([404, "404.001.01"]);
  expect(await refusalOf("/mpesa/stkpush/v1/processrequest")).toEqual([405, "405.001"]);
  expect(await refusalOf("/oauth/v1/generate")).toEqual([400, "400.008.01"]);
});
