import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PayoutAnswer, PushOutcome } from "#app/payments/gateway.ts";
import {
  classifyLookup,
  classifyPayout,
  classifyPush,
  classifyQuery,
  classifyReversal,
  classifyToken,
  pushOutcome,
  readAnswer,
  refusesToken,
  SHAPES,
  type StatusGroup,
} from "#workers/daraja/classify.ts";
import { scrubMessage } from "#workers/daraja/privacy.ts";
import { payoutResult, pushResult, transactionStatus } from "#workers/daraja/result-codes.ts";

const CHECKOUT = "ws_CO_03102025030409377708374149";
const CONVERSATION = "7d0c1b9e-52a4-4c7e-9d0f-6a3f8e1b2c4d";

const error = (errorCode: string, errorMessage: string) =>
  JSON.stringify({ requestId: "16813-1590513-1", errorCode, errorMessage });
const fault = (faultstring: string, errorcode: string) =>
  JSON.stringify({ fault: { faultstring, detail: { errorcode } } });

const pushAck = {
  MerchantRequestID: "ac7b-470b-8df7-23ab3cef38271071873",
  CheckoutRequestID: CHECKOUT,
  ResponseCode: "0",
  ResponseDescription: "Success. Request accepted for processing",
  CustomerMessage: "Success. Request accepted for processing",
};
const queryAnswer = {
  ResponseCode: "0",
  ResponseDescription: "The service request has been accepted successfully",
  MerchantRequestID: "ac7b-470b-8df7-23ab3cef38271071873",
  CheckoutRequestID: CHECKOUT,
  ResultCode: "0",
  ResultDesc: "The service request is processed successfully.",
};
const payoutAck = {
  ConversationID: "AG_20240706_20106e9209f64bebd05b",
  OriginatorConversationID: CONVERSATION,
  ResponseCode: "0",
  ResponseDescription: "Accept the service request successfully.",
};

const SPIKE = fault(
  "Spike arrest violation. Allowed rate : MessageRate{messagesPerPeriod=5, periodInMicroseconds=60000000, maxBurstMessageCount=1.0}",
  "policies.ratelimit.SpikeArrestViolation",
);
const NO_PRODUCT = fault(
  "Invalid API call as no apiproduct match found",
  "keymanagement.service.InvalidAPICallAsNoApiProductMatchFound",
);
const IMPERVA =
  "<html><head></head><body><iframe>Request unsuccessful. Incapsula incident ID: 1234-5678</iframe></body></html>";

/** Answers that mean nothing to any API. */
const MEANINGLESS: [string, number, string][] = [
  ["empty 400", 400, ""],
  ["empty 200", 200, ""],
  ["gateway time-out page", 504, "<html><body>504 Gateway Time-out</body></html>"],
  ["plain text", 200, "OK"],
  ["a list", 200, "[]"],
  ["null", 200, "null"],
  ["a cut object", 200, '{"ResponseCode":"0","CheckoutReq'],
  ["an empty object", 200, "{}"],
  ["internal server error", 500, error("500.003.1001", "Internal Server Error")],
  ["an unlisted error", 500, error("500.999.99", "Whatever")],
  [
    "an unlisted fault",
    503,
    fault("The Service is temporarily unavailable", "messaging.adaptors.http.flow.ServiceUnavailable"),
  ],
  ["a redirect", 302, ""],
];

describe("the token endpoint", () => {
  test.each([
    ["text", '"3599"', 3_599_000],
    ["a number", "3599", 3_599_000],
    ["absent or unreadable: short", "null", 300_000],
    ["negative: short", "-1", 300_000],
  ])("expires_in as %s", (_name, expiresIn, lifeMs) => {
    const answer = readAnswer(200, `{"access_token":"c9SQxWWhmdVRlyh0zh8gZDTkubVF","expires_in":${expiresIn}}`);
    expect(classifyToken(answer)).toEqual({ kind: "minted", accessToken: "c9SQxWWhmdVRlyh0zh8gZDTkubVF", lifeMs });
  });

  test.each([
    ["400.008.01", 400, error("400.008.01", "Invalid Authentication passed"), "refused"],
    ["400.008.02", 400, error("400.008.02", "Invalid grant type passed"), "refused"],
    ["sandbox keys in production: 400 and an empty body", 400, "", "refused"],
    ["an empty token", 200, '{"access_token":"","expires_in":"3599"}', "unknown"],
    ["no token", 200, "{}", "unknown"],
    ["401 and an empty body", 401, "", "refused"],
    ["Imperva page", 403, IMPERVA, "unknown"],
    ["a page under 400", 400, IMPERVA, "unknown"],
    ["a page under 401", 401, IMPERVA, "unknown"],
    ["spike arrest", 429, SPIKE, "unknown"],
    ["server error", 503, "", "unknown"],
  ])("%s", (_name, status, text, kind) => {
    expect(classifyToken(readAnswer(status, text)).kind).toBe(kind);
  });
});

describe("refused access tokens", () => {
  test.each([
    ["404.001.03", 404, error("404.001.03", "Invalid Access Token")],
    [
      "401.002.01 echoing the token",
      401,
      error("401.002.01", "Error Occurred - Invalid Access Token - c9SQxWWhmdVRlyh0zh8gZDTkubVF"),
    ],
    ["401.002.01 echoing a short token", 401, error("401.002.01", "Error Occurred - Invalid Access Token - c9SQ")],
    ["400.003.01", 400, error("400.003.01", "Invalid Access Token")],
    ["401.003.01", 401, error("401.003.01", "Error Occurred - Invalid Access Token")],
    ["an expired token's fault", 401, fault("Access Token expired", "keymanagement.service.access_token_expired")],
    ["a bare 401", 401, ""],
  ])("%s is refused by every API, and never echoed", (_name, status, text) => {
    const answer = readAnswer(status, text);
    expect(refusesToken(answer)).toBe(true);
    for (const verdict of [classifyPush(answer), classifyPayout(answer, CONVERSATION)]) {
      expect(verdict).toMatchObject({ kind: "refused", reason: "provider_busy", retryAfterMs: 60_000 });
      expect(JSON.stringify(verdict)).not.toContain("c9SQ");
    }
    expect(classifyLookup(answer).kind).toBe("refused");
    expect(classifyQuery(answer, CHECKOUT).kind).toBe("unknown");
  });

  test.each([
    ["a product that is not enabled", 401, NO_PRODUCT],
    ["a wrong field", 400, error("400.002.02", "Bad Request - Invalid Password")],
    ["a firewall's page", 403, IMPERVA],
    ["success", 200, JSON.stringify(pushAck)],
    ["wrong credentials", 500, error("500.001.1001", "Wrong credentials")],
  ])("%s does not ask for a new token", (_name, status, text) => {
    expect(refusesToken(readAnswer(status, text))).toBe(false);
  });
});

/** One body of each shape that no list of codes knows. */
const UNLISTED: Record<(typeof SHAPES)[number], string> = {
  result: JSON.stringify({ something: "else" }),
  error: error("999.999.99", "Something new"),
  fault: fault("Something new", "something.New"),
  page: IMPERVA,
  empty: "",
};

/**
 * What each group of statuses says about the shapes: "r" where M-Pesa never had the request, "?" where it may have it.
 */
const NEVER_SENT: Record<StatusGroup, { statuses: number[]; shapes: string }> = {
  "2xx": { statuses: [200, 201, 204], shapes: "?????" },
  "3xx": { statuses: [301, 302, 304], shapes: "?????" },
  "4xx": { statuses: [400, 404, 405, 410, 418], shapes: "??rr?" },
  blocked: { statuses: [403, 406, 451], shapes: "?rrrr" },
  limited: { statuses: [429], shapes: "rrrrr" },
  timed_out: { statuses: [408, 499], shapes: "?????" },
  "5xx": { statuses: [500, 502, 503, 504, 522, 600], shapes: "?????" },
};

describe("answers whose code is in no list", () => {
  const cases = Object.values(NEVER_SENT).flatMap(({ statuses, shapes }) =>
    statuses.flatMap((status) =>
      SHAPES.map((shape, n) => [status, shape, shapes[n] === "r" ? "refused" : "unknown"] as const),
    ),
  );

  test.each(cases)("HTTP %i with %s is %s, for whatever was sent", (status, shape, kind) => {
    const answer = readAnswer(status, UNLISTED[shape]);
    expect(answer.shape).toBe(shape);
    for (const verdict of [
      classifyPush(answer),
      classifyPayout(answer, CONVERSATION),
      classifyReversal(answer),
      classifyLookup(answer),
    ]) {
      expect(verdict.kind).toBe(kind);
      // No single page stops all payouts.
      expect(verdict).not.toMatchObject({ pausesChannel: true });
    }
    expect(classifyQuery(answer, CHECKOUT).kind).toBe("unknown");
    expect(classifyToken(readAnswer(status, UNLISTED.page)).kind).toBe("unknown");
  });

  test.each([
    ["a page", 503, "<html><body>System is busy. Please try again in few minutes.</body></html>"],
    ["an unlisted error", 500, error("500.999.99", "System is busy. Please try again in few minutes.")],
    ["a fault", 503, fault("System is busy", "x.Busy")],
    ["500.003.02 with other prose", 500, error("500.003.02", "Something else")],
  ])("a busy system that says so in %s has sent nothing", (_name, status, text) => {
    expect(classifyPush(readAnswer(status, text))).toMatchObject({ kind: "refused", reason: "provider_busy" });
  });

  test("a firewall's page is known to stop everybody, and quotes nothing of itself", () => {
    expect(classifyPush(readAnswer(403, IMPERVA))).toEqual({
      kind: "refused",
      code: "http_403",
      message: "",
      reason: "provider_blocked",
      retryAfterMs: 60_000,
    });
  });
});

describe("answers to an STK push", () => {
  test("accepted: both ids, nothing about money", () => {
    expect(classifyPush(readAnswer(200, JSON.stringify(pushAck)))).toEqual({
      kind: "accepted",
      checkoutRequestId: CHECKOUT,
      merchantRequestId: "ac7b-470b-8df7-23ab3cef38271071873",
    });
    expect(classifyPush(readAnswer(200, JSON.stringify({ ...pushAck, ResponseCode: 0 }))).kind).toBe("accepted");
  });

  const configuration = ["our_configuration", null] as const;
  test.each([
    ["400.002.02", "Bad Request - Invalid BusinessShortCode", 400, ...configuration],
    ["400.002.02", "Bad Request - Invalid Password", 400, ...configuration],
    ["400.002.02", "Bad Request - Invalid Timestamp", 400, ...configuration],
    ["400.002.02", "Bad Request - Invalid TransactionType", 400, ...configuration],
    ["400.002.02", "Bad Request - Invalid Amount", 400, "amount_limit", null],
    ["400.002.02", "Bad Request - Invalid PartyA", 400, "invalid_phone", null],
    ["400.002.02", "Bad Request - Invalid PartyB", 400, ...configuration],
    ["400.002.02", "Bad Request - Invalid PhoneNumber", 400, "invalid_phone", null],
    ["400.002.02", "Bad Request - Invalid CallBackURL", 400, ...configuration],
    ["400.002.02", "Bad Request - Invalid Remarks", 400, ...configuration],
    ["404.001.01", "Resource not found", 404, ...configuration],
    ["405.001", "Method Not Allowed", 405, ...configuration],
    ["500.001.1001", "Merchant does not exist", 500, ...configuration],
    ["500.001.1001", "Wrong credentials", 500, ...configuration],
    ["500.001.1001", "[MerchantValidate] - Wrong credentials", 500, ...configuration],
    [
      "500.001.1001",
      "Unable to lock subscriber, a transaction is already in process for the current subscriber",
      500,
      "payer_busy",
      60_000,
    ],
    ["500.003.02", "System is busy. Please try again in few minutes.", 500, "provider_busy", 60_000],
    ["500.003.02", "Error Occurred: Spike Arrest Violation", 500, "provider_busy", 12_000],
    ["500.003.03", "Quota Violation", 500, "provider_busy", 60_000],
  ] as const)("%s %s", (code, message, status, reason, retryAfterMs) => {
    expect(classifyPush(readAnswer(status, error(code, message)))).toEqual({
      kind: "refused",
      code,
      message,
      reason,
      retryAfterMs,
    });
  });

  test.each([429, 500])("a spike-arrest fault with HTTP %i may be tried again in 12 s", (status) => {
    expect(classifyPush(readAnswer(status, SPIKE))).toMatchObject({
      kind: "refused",
      reason: "provider_busy",
      retryAfterMs: 12_000,
    });
  });

  test("a product that is not enabled is our configuration", () => {
    expect(classifyPush(readAnswer(401, NO_PRODUCT))).toMatchObject({
      kind: "refused",
      reason: "our_configuration",
      retryAfterMs: null,
    });
  });

  test.each([
    ...MEANINGLESS,
    ["an acknowledgement without an id", 200, JSON.stringify({ ...pushAck, CheckoutRequestID: undefined })],
    ["an id of 129 characters", 200, JSON.stringify({ ...pushAck, CheckoutRequestID: "w".repeat(129) })],
    ["an acknowledgement under HTTP 500", 500, JSON.stringify(pushAck)],
    ["another ResponseCode", 200, JSON.stringify({ ...pushAck, ResponseCode: "1" })],
    ["500.001.1001 without prose", 500, error("500.001.1001", "")],
  ] as [string, number, string][])("%s is unknown", (_name, status, text) => {
    expect(classifyPush(readAnswer(status, text)).kind).toBe("unknown");
  });
});

function askQuery(status: number, text: string): PushOutcome {
  return classifyQuery(readAnswer(status, text), CHECKOUT);
}

describe("answers to an STK query", () => {
  test("paid", () => {
    expect(askQuery(200, JSON.stringify(queryAnswer))).toEqual({ kind: "done" });
    expect(
      askQuery(200, JSON.stringify({ ...queryAnswer, ResultDesc: "The service request is processed successsfully." })),
    ).toEqual({ kind: "done" });
  });

  test("over, with the payer's reason", () => {
    const text = JSON.stringify({ ...queryAnswer, ResultCode: "1032", ResultDesc: "Request canceled by user." });
    expect(askQuery(200, text)).toEqual({
      kind: "failed",
      code: "1032",
      message: "Request canceled by user.",
      reason: "cancelled",
    });
  });

  test.each([
    [
      "result code 4999",
      200,
      JSON.stringify({ ...queryAnswer, ResultCode: "4999", ResultDesc: "The transaction is still under processing" }),
    ],
    ["500.001.1001 being processed", 500, error("500.001.1001", "The transaction is being processed")],
    ["500.001.1001 under HTTP 200 with no prose", 200, error("500.001.1001", "")],
  ])("in flight: %s", (_name, status, text) => {
    expect(askQuery(status, text)).toEqual({ kind: "pending" });
  });

  test.each([
    ...MEANINGLESS,
    ["an unknown id", 500, error("500.001.1001", "The transaction does not Exist")],
    ["noise for a known id", 500, error("500.001.1001", "")],
    ["wrong credentials", 500, error("500.001.1001", "Wrong credentials")],
    ["merchant does not exist", 500, error("500.001.1001", "Merchant does not exist")],
    ["lock", 500, error("500.001.1001", "Unable to lock subscriber")],
    ["spike arrest", 429, SPIKE],
    ["a wrong field", 400, error("400.002.02", "Bad Request - Invalid CheckoutRequestID")],
    ["no result code", 200, JSON.stringify({ ...queryAnswer, ResultCode: undefined })],
    ["a result about another push", 200, JSON.stringify({ ...queryAnswer, CheckoutRequestID: "ws_CO_1" })],
    ["a result of an unaccepted query", 200, JSON.stringify({ ...queryAnswer, ResponseCode: "1" })],
    ["a result under HTTP 500", 500, JSON.stringify(queryAnswer)],
    ["a result code that is in no list", 200, JSON.stringify({ ...queryAnswer, ResultCode: "7777" })],
  ] as [string, number, string][])("%s decides nothing", (_name, status, text) => {
    expect(askQuery(status, text).kind).toBe("unknown");
  });
});

function askPayout(status: number, text: string): PayoutAnswer {
  return classifyPayout(readAnswer(status, text), CONVERSATION);
}

describe("answers to a payout request", () => {
  test("accepted", () => {
    expect(askPayout(200, JSON.stringify(payoutAck))).toEqual({
      kind: "accepted",
      providerConversationId: "AG_20240706_20106e9209f64bebd05b",
    });
  });

  test("a conversation id used before may have paid", () => {
    expect(askPayout(500, error("500.002.1001", "Duplicate OriginatorConversationID."))).toEqual({ kind: "duplicate" });
    expect(askPayout(200, JSON.stringify({ ...payoutAck, ResponseCode: "15" }))).toEqual({ kind: "duplicate" });
  });

  test.each([
    ["400.002.02", "Bad Request - Invalid InitiatorName", 400, "our_configuration", true, null],
    ["400.002.02", "Bad Request - Invalid PartyA", 400, "our_configuration", true, null],
    ["400.002.02", "Bad Request - Invalid PartyB", 400, "invalid_phone", false, null],
    ["400.002.02", "Bad Request - Invalid Amount", 400, "amount_limit", false, null],
    ["404.002.01", "Resource not found", 404, "our_configuration", true, null],
    ["405.001", "Method Not Allowed", 405, "our_configuration", true, null],
    ["400.002.02", "Bad Request - Invalid Remarks", 400, "other", false, null],
    ["400.002.02", "Bad Request - Invalid Occassion", 400, "other", false, null],
    ["500.003.02", "System is busy. Please try again in few minutes.", 500, "provider_busy", false, 60_000],
    ["500.003.02", "Error Occurred: Spike Arrest Violation", 500, "provider_busy", false, 12_000],
    ["500.003.03", "Quota Violation", 500, "provider_busy", false, 60_000],
  ] as const)("%s %s", (code, message, status, reason, pausesChannel, retryAfterMs) => {
    expect(askPayout(status, error(code, message))).toEqual({
      kind: "refused",
      code,
      message,
      reason,
      pausesChannel,
      retryAfterMs,
    });
  });

  test.each([
    ["2001", "our_configuration", true],
    ["1", "our_float", true],
    ["2040", "not_registered", false],
    ["424242", "other", false],
  ])("ResponseCode %s under HTTP 200 is a refusal", (code, reason, pausesChannel) => {
    expect(askPayout(200, JSON.stringify({ ...payoutAck, ResponseCode: code }))).toMatchObject({
      kind: "refused",
      code,
      reason,
      pausesChannel,
    });
  });

  test.each([
    ...MEANINGLESS,
    [
      "old maintenance prose",
      500,
      error("500.002.1001", "Service is currently under maintenance. Please try again later"),
    ],
    ["500.001.1001, which payouts do not list", 500, error("500.001.1001", "Wrong credentials")],
    ["an acknowledgement without an id", 200, JSON.stringify({ ...payoutAck, ConversationID: "" })],
    ["an acknowledgement of another payout", 200, JSON.stringify({ ...payoutAck, OriginatorConversationID: "other" })],
    ["an acknowledgement under HTTP 500", 500, JSON.stringify(payoutAck)],
  ] as [string, number, string][])("%s is unknown", (_name, status, text) => {
    expect(askPayout(status, text).kind).toBe("unknown");
  });
});

describe("answers to a look-up", () => {
  test("accepted: the answer comes later", () => {
    expect(classifyLookup(readAnswer(200, JSON.stringify(payoutAck)))).toEqual({ kind: "accepted" });
  });

  test("refused, with the time to try again", () => {
    expect(classifyLookup(readAnswer(429, SPIKE))).toMatchObject({ kind: "refused", retryAfterMs: 12_000 });
    expect(classifyLookup(readAnswer(400, error("400.002.02", "Bad Request - Invalid Initiator")))).toMatchObject({
      kind: "refused",
      retryAfterMs: null,
    });
  });

  test.each(MEANINGLESS)("%s is unknown", (_name, status, text) => {
    expect(classifyLookup(readAnswer(status, text)).kind).toBe("unknown");
  });
});

describe("result codes", () => {
  test.each([
    ["1", "insufficient_funds"],
    ["2", "amount_limit"],
    ["3", "amount_limit"],
    ["4", "payer_limit"],
    ["8", "our_limit"],
    ["17", "duplicate_request"],
    ["26", "provider_busy"],
    ["1001", "payer_busy"],
    ["1019", "expired"],
    ["1025", "other"],
    ["9999", "other"],
    ["1031", "no_answer"],
    ["1032", "cancelled"],
    ["1037", "no_answer"],
    ["2001", "wrong_pin"],
    ["2026", "expired"],
    ["2028", "our_configuration"],
    ["8006", "pin_locked"],
    ["SFC_IC0003", "our_configuration"],
    ["E3008", "other"],
  ])("push %s ends the attempt: %s", (code, reason) => {
    expect(pushOutcome(code, "prose")).toEqual({ kind: "failed", code, message: "prose", reason });
  });

  test("only 0 is paid and only 4999 is in flight", () => {
    expect(pushResult("0")).toEqual({ kind: "done" });
    expect(pushResult("4999")).toEqual({ kind: "pending" });
  });

  test.each([
    ["1", "our_float", true],
    ["2", "amount_limit", false],
    ["3", "amount_limit", false],
    ["4", "receiver_limit", false],
    ["8", "receiver_limit", false],
    ["11", "our_configuration", true],
    ["18", "our_configuration", true],
    ["20", "our_configuration", true],
    ["21", "our_configuration", true],
    ["2001", "our_configuration", true],
    ["2006", "our_configuration", true],
    ["2028", "our_configuration", true],
    ["2040", "not_registered", false],
    ["8006", "our_configuration", true],
    ["SFC_IC0003", "invalid_phone", false],
  ])("payout %s fails: %s, pauses its channel: %s", (code, reason, pausesChannel) => {
    expect(payoutResult(code)).toEqual({ kind: "failed", reason, pausesChannel });
  });

  test.each(["15", "17", "22", "24", "25", "26", "29"])("payout %s must be looked up", (code) => {
    expect(payoutResult(code)).toEqual({ kind: "unknown" });
  });

  test.each([
    ["Completed", "done"],
    ["COMPLETED", "done"],
    ["Cancelled", "failed"],
    ["Declined", "failed"],
    ["Expired", "failed"],
    ["Initiated", "pending"],
    ["Authorized", "pending"],
    ["Failed", "failed"],
    ["Reversed", "failed"],
    [" completed ", "done"],
    ["Something new", "unknown"],
    ["constructor", "unknown"],
  ])("a transaction that is %s is %s", (status, kind) => {
    expect(transactionStatus(status).kind).toBe(kind);
  });

  test("a code in no list never decides anything", () => {
    const listed = new Set(
      "0 1 2 3 4 8 11 17 18 20 21 26 1001 1019 1025 1031 1032 1036 1037 2001 2006 2026 2028 2029 2040 4999 8006 9999 E3008 SFC_IC0003".split(
        " ",
      ),
    );
    const code = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.constantFrom("00", "0.0", "-0", " 0", "O", "null", "__proto__"),
    );
    fc.assert(
      fc.property(
        code.filter((candidate) => !listed.has(candidate)),
        (unlisted) => {
          expect(pushResult(unlisted)).toEqual({ kind: "unknown" });
          expect(payoutResult(unlisted)).toEqual({ kind: "unknown" });
        },
      ),
    );
  });
});

describe("any body at all", () => {
  const anyText = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.constantFrom(IMPERVA, SPIKE, JSON.stringify(pushAck).slice(0, 60)),
  );

  test("is read without throwing, and text that is no JSON object is unknown, or turned away under 4xx", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), anyText, (status, text) => {
        const answer = readAnswer(status, text);
        const verdicts = [
          classifyPush(answer),
          classifyQuery(answer, CHECKOUT),
          classifyPayout(answer, CONVERSATION),
          classifyLookup(answer),
        ];
        classifyToken(answer);
        if (answer.shape !== "page" && answer.shape !== "empty") return;
        const mayBeRefused = status >= 400 && status < 500;
        for (const { kind } of verdicts) expect(kind === "unknown" || (mayBeRefused && kind === "refused")).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("with fields of any type is read without throwing", () => {
    const names = [
      "errorCode",
      "errorMessage",
      "requestId",
      "fault",
      "ResponseCode",
      "ResponseDescription",
      "CheckoutRequestID",
      "ConversationID",
      "ResultCode",
      "ResultDesc",
      "access_token",
      "expires_in",
    ];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), (body) => {
        const answer = readAnswer(200, JSON.stringify(body));
        for (const verdict of [
          classifyPush(answer),
          classifyQuery(answer, CHECKOUT),
          classifyPayout(answer, CONVERSATION),
          classifyLookup(answer),
          classifyToken(answer),
        ]) {
          expect(typeof verdict.kind).toBe("string");
        }
      }),
      { numRuns: 500 },
    );
  });
});

test("a message keeps long words that people read, and hides what may be a token or a number", () => {
  for (const word of [
    "OriginalTransactionID",
    "DebitPartyAffectedAccountBalance",
    "internationalisations",
    "QueueTimeOutURL_missing",
  ])
    expect(scrubMessage(`Invalid ${word} given`)).toBe(`Invalid ${word} given`);
  for (const secret of [
    "7d0c1b9e52a44c7e9d0f6a3f8e1b2c4d",
    "aBcDeFgHiJkLmNoPqRsTuVwXyZab",
    "EqPoZkWvLrXcYnTbQmHsJdGfUaKi",
    "0zcYQtGkV6lI1nqBvTGHHnBEMq4S",
    "c29tZSBsb25nIHNlY3JldCB0ZXh0=",
  ])
    expect(scrubMessage(`Invalid ${secret} given`)).toBe("Invalid [hidden] given");
  expect(scrubMessage("from 254712345678")).toBe("from [number]");
});
