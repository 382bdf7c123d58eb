import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readPayoutLookup,
  readPayoutResult,
  readPushCallback,
  readReceiptLookup,
  readReversalResult,
} from "#workers/daraja/callbacks.ts";

const CHECKOUT = "ws_CO_03102025030409377708374149";
const CONVERSATION = "7d0c1b9e-52a4-4c7e-9d0f-6a3f8e1b2c4d";

interface Item {
  Name: string;
  Value?: unknown;
}

const ITEMS: Item[] = [
  { Name: "Amount", Value: 1500 },
  { Name: "MpesaReceiptNumber", Value: "RKI9Q95ERN" },
  { Name: "Balance" },
  { Name: "TransactionDate", Value: 20231118214505 },
  { Name: "PhoneNumber", Value: 254708374149 },
];

function pushBody(change: Record<string, unknown> = {}, items: unknown = ITEMS): string {
  const stkCallback = {
    MerchantRequestID: "ac7b-470b-8df7-23ab3cef38271071873",
    CheckoutRequestID: CHECKOUT,
    ResultCode: 0,
    ResultDesc: "The service request is processed successfully.",
    CallbackMetadata: { Item: items },
    ...change,
  };
  return JSON.stringify({ Body: { stkCallback } });
}

function withItem(name: string, value: unknown): Item[] {
  return ITEMS.map((item) => (item.Name === name ? { Name: name, Value: value } : item));
}

describe("push callbacks", () => {
  test("a success carries amount, receipt and time", () => {
    expect(readPushCallback(pushBody())).toEqual({
      checkoutRequestId: CHECKOUT,
      merchantRequestId: "ac7b-470b-8df7-23ab3cef38271071873",
      outcome: { kind: "done" },
      code: "0",
      message: "The service request is processed successfully.",
      amountCents: 150_000,
      receipt: "RKI9Q95ERN",
      paidAt: Date.parse("2023-11-18T18:45:05Z"),
    });
  });

  test("a failure comes without metadata", () => {
    const body = pushBody({ ResultCode: 1032, ResultDesc: "Request cancelled by user", CallbackMetadata: undefined });
    expect(readPushCallback(body)).toEqual({
      checkoutRequestId: CHECKOUT,
      merchantRequestId: "ac7b-470b-8df7-23ab3cef38271071873",
      outcome: { kind: "failed", code: "1032", message: "Request cancelled by user", reason: "cancelled" },
      code: "1032",
      message: "Request cancelled by user",
      amountCents: null,
      receipt: null,
      paidAt: null,
    });
  });

  test("items are found by name in any order, with Balance missing", () => {
    const shuffled = ITEMS.filter((item) => item.Name !== "Balance").toReversed();
    expect(readPushCallback(pushBody({}, shuffled))).toEqual(readPushCallback(pushBody()));
  });

  test.each([
    ["1.00 in the text of 2023", pushBody({}, withItem("Amount", 1)).replace('"Value":1}', '"Value":1.00}'), 100],
    ["1", pushBody({}, withItem("Amount", 1)), 100],
    ['"1.00"', pushBody({}, withItem("Amount", "1.00")), 100],
    ["10.5", pushBody({}, withItem("Amount", 10.5)), 1050],
    ["19.99", pushBody({}, withItem("Amount", 19.99)), 1999],
    ["a third decimal", pushBody({}, withItem("Amount", 1.005)), "unreadable"],
    ["a negative number", pushBody({}, withItem("Amount", -1)), "unreadable"],
    ["an exponent", pushBody({}, withItem("Amount", "1e3")), "unreadable"],
    ["a list", pushBody({}, withItem("Amount", [1])), "unreadable"],
    ["true", pushBody({}, withItem("Amount", true)), "unreadable"],
    ["an item without a value", pushBody({}, withItem("Amount", null)), null],
  ])("the amount %s", (_name, body, cents) => {
    expect(readPushCallback(body)?.amountCents).toBe(cents);
  });

  test.each(["2547 ***** 349", "254708***149", null, 254708374149, "254708374149", { masked: true }])(
    "the payer's number may be %j and is never read",
    (phone) => {
      const report = readPushCallback(pushBody({}, withItem("PhoneNumber", phone)));
      expect(report).toEqual(readPushCallback(pushBody()));
    },
  );

  test("a success without a receipt, or without any metadata, is still a success", () => {
    expect(readPushCallback(pushBody({}, withItem("MpesaReceiptNumber", undefined)))).toMatchObject({
      outcome: { kind: "done" },
      receipt: null,
      amountCents: 150_000,
    });
    expect(readPushCallback(pushBody({ CallbackMetadata: null }))).toMatchObject({
      outcome: { kind: "done" },
      receipt: null,
      amountCents: null,
    });
  });

  test("a lone item needs no list", () => {
    expect(readPushCallback(pushBody({}, { Name: "Amount", Value: 5 }))?.amountCents).toBe(500);
  });

  test("an item that contradicts itself cannot be read; one that is repeated counts once", () => {
    expect(readPushCallback(pushBody({}, [...ITEMS, { Name: "Amount", Value: 1 }]))?.amountCents).toBe("unreadable");
    expect(readPushCallback(pushBody({}, [...ITEMS, { Name: "Amount", Value: 1500 }]))?.amountCents).toBe(150_000);
  });

  test.each([
    ["a number", 0, "done"],
    ["text", "0", "done"],
    ["not a number", "SFC_IC0003", "failed"],
    ["still under way", 4999, "pending"],
    ["in no list", 31415, "unknown"],
    ["in no list, as text", "00", "unknown"],
  ])("a result code that is %s", (_name, code, kind) => {
    const report = readPushCallback(pushBody({ ResultCode: code }));
    expect(report?.outcome.kind).toBe(kind);
    expect(report?.code).toBe(String(code));
  });

  test("a date before the request is kept as it is", () => {
    expect(readPushCallback(pushBody({}, withItem("TransactionDate", "20231118214206")))?.paidAt).toBe(
      Date.parse("2023-11-18T18:42:06Z"),
    );
  });

  test("prose is cut, and loses phone numbers and control characters", () => {
    const report = readPushCallback(
      pushBody({ ResultCode: 1, ResultDesc: `Paid by 254708374149 \u0000\n${"x y ".repeat(200)}` }),
    );
    expect(report?.message).not.toMatch(/\d{9}|[\u0000-\u001f]/);
    expect(report?.message.length).toBeLessThanOrEqual(200);
  });

  test.each([
    ["nothing", ""],
    ["HTML", "<html></html>"],
    ["a list", "[]"],
    ["null", "null"],
    ["an empty object", "{}"],
    ["an empty callback", '{"Body":{"stkCallback":{}}}'],
    ["a callback that is a list", '{"Body":{"stkCallback":[]}}'],
    ["no id", pushBody({ CheckoutRequestID: undefined })],
    ["an id that is an object", pushBody({ CheckoutRequestID: { $ne: null } })],
    ["an id of 129 characters", pushBody({ CheckoutRequestID: "w".repeat(129) })],
    ["no result code", pushBody({ ResultCode: undefined })],
    ["a result code that is true", pushBody({ ResultCode: true })],
    ["a result code that is null", pushBody({ ResultCode: null })],
    ["a payout's result", '{"Result":{"ResultCode":0}}'],
    ["a body of 64 KiB and more", pushBody({ ResultDesc: "x".repeat(64 * 1024) })],
    ["deep nesting", "[".repeat(20_000)],
  ])("%s is no push callback", (_name, body) => {
    expect(readPushCallback(body)).toBeNull();
  });
});

const PARAMETERS = [
  { Key: "TransactionAmount", Value: 10 },
  { Key: "TransactionReceipt", Value: "SG632NMUAB" },
  { Key: "ReceiverPartyPublicName", Value: "254708374149 - Jane Wanjiru" },
  { Key: "TransactionCompletedDateTime", Value: "06.07.2024 00:30:00" },
  { Key: "B2CUtilityAccountAvailableFunds", Value: 9992 },
  { Key: "B2CWorkingAccountAvailableFunds", Value: 0 },
  { Key: "B2CChargesPaidAccountAvailableFunds", Value: -15 },
  { Key: "B2CRecipientIsRegisteredCustomer", Value: "Y" },
];

function resultBody(change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    Result: {
      ResultType: 0,
      ResultCode: 0,
      ResultDesc: "The service request is processed successfully.",
      OriginatorConversationID: CONVERSATION,
      ConversationID: "AG_20240706_20106e9209f64bebd05b",
      TransactionID: "SG632NMUAB",
      ResultParameters: { ResultParameter: PARAMETERS },
      ReferenceData: {
        ReferenceItem: {
          Key: "QueueTimeoutURL",
          Value: "https://internalsandbox.safaricom.co.ke/mpesa/b2cresults/v1/submit",
        },
      },
      ...change,
    },
  });
}

describe("payout results", () => {
  test("a success carries our id, the amount and the transaction", () => {
    expect(readPayoutResult(resultBody())).toEqual({
      conversationId: CONVERSATION,
      outcome: { kind: "done", receipt: "SG632NMUAB" },
      code: "0",
      message: "The service request is processed successfully.",
      amountCents: 1000,
      receipt: "SG632NMUAB",
    });
  });

  test.each([
    ["another order of keys", { ResultParameters: { ResultParameter: PARAMETERS.toReversed() } }],
    [
      "a reference list",
      { ReferenceData: { ReferenceItem: [{ Key: "Occasion" }, { Key: "QueueTimeoutURL", Value: "https://x" }] } },
    ],
    ["a reference without a value", { ReferenceData: { ReferenceItem: { Key: "Occasion" } } }],
    ["no reference", { ReferenceData: undefined }],
    ["a result code as text", { ResultCode: "0" }],
    [
      "a masked receiver",
      {
        ResultParameters: {
          ResultParameter: [...PARAMETERS.slice(0, 2), { Key: "ReceiverPartyPublicName", Value: "0708***149 - J" }],
        },
      },
    ],
  ])("%s changes nothing", (_name, change) => {
    expect(readPayoutResult(resultBody(change))).toEqual(readPayoutResult(resultBody()));
  });

  test("a failure has no parameters, but a transaction id", () => {
    const body = resultBody({
      ResultCode: 8006,
      ResultDesc: "The security credential is locked.",
      ResultParameters: undefined,
      TransactionID: "XXXXXXXXXX",
    });
    expect(readPayoutResult(body)).toEqual({
      conversationId: CONVERSATION,
      outcome: {
        kind: "failed",
        code: "8006",
        message: "The security credential is locked.",
        reason: "our_configuration",
        pausesChannel: true,
      },
      code: "8006",
      message: "The security credential is locked.",
      amountCents: null,
      receipt: "XXXXXXXXXX",
    });
  });

  test("an empty float comes with parameters", () => {
    expect(readPayoutResult(resultBody({ ResultCode: 1 }))?.outcome).toMatchObject({
      kind: "failed",
      reason: "our_float",
      pausesChannel: true,
    });
  });

  test("a success without a transaction id is looked up, unless the parameters have it", () => {
    expect(readPayoutResult(resultBody({ TransactionID: undefined }))?.outcome).toEqual({
      kind: "done",
      receipt: "SG632NMUAB",
    });
    expect(readPayoutResult(resultBody({ TransactionID: undefined, ResultParameters: undefined }))?.outcome.kind).toBe(
      "unknown",
    );
  });

  test.each([
    ["nothing", ""],
    ["a push callback", pushBody()],
    ["no result code", resultBody({ ResultCode: undefined })],
    ["a list", '{"Result":[]}'],
    ["a long result code", resultBody({ ResultCode: "1".repeat(33) })],
  ])("%s is no payout result", (_name, body) => {
    expect(readPayoutResult(body)).toBeNull();
  });

  test("the provider may leave our id out", () => {
    expect(readPayoutResult(resultBody({ OriginatorConversationID: undefined }))?.conversationId).toBeNull();
  });
});

function lookupBody(status: string | undefined, change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    Result: {
      ConversationID: "AG_20180223_0000493344ae97d86f75",
      OriginatorConversationID: "3213-416199-2",
      ReferenceData: { ReferenceItem: { Key: "Occasion" } },
      ResultCode: 0,
      ResultDesc: "The service request is processed successfully.",
      ResultParameters: {
        ResultParameter: [
          { Key: "DebitPartyName", Value: "600310 - Chuoni" },
          { Key: "DebitPartyName", Value: "254708374149 - Jane Wanjiru" },
          { Key: "OriginatorConversationID", Value: CONVERSATION },
          { Key: "InitiatedTime", Value: 20180223054112 },
          { Key: "DebitPartyCharges", Value: "Fee For B2C Payment|KES|22.40" },
          { Key: "TransactionReason" },
          { Key: "TransactionStatus", Value: status },
          { Key: "Amount", Value: "300" },
          { Key: "ConversationID", Value: "AG_20180223_000041b09c22e613d6c9" },
          { Key: "ReceiptNo", Value: "MBN31H462N" },
        ],
      },
      ResultType: 0,
      TransactionID: "MBN0000000",
      ...change,
    },
  });
}

describe("look-up results", () => {
  test("a completed payout is found by our id among the parameters, not by the look-up's own ids", () => {
    expect(readPayoutLookup(lookupBody("Completed"))).toEqual({
      conversationId: CONVERSATION,
      outcome: { kind: "done", receipt: "MBN31H462N" },
      code: "Completed",
      message: "The service request is processed successfully.",
      amountCents: 30_000,
      receipt: "MBN31H462N",
    });
  });

  const ours = { collecting: ["600111"], own: ["600111", "600310"] };

  test("the portal's sample without a result code is read as well, of a payout and of a receipt", () => {
    const sample = lookupBody("Completed", { ResultCode: undefined });
    expect(readPayoutLookup(sample)?.outcome.kind).toBe("done");
    expect(readReceiptLookup(sample, ours)).toEqual({
      outcome: "done",
      receipt: "MBN31H462N",
      amountCents: 30_000,
      isToUs: false,
      isFromUs: true,
      payer: "600310",
      receiver: "254708374149",
      code: "Completed",
    });
  });

  test.each([
    ["Reversed", 0, "failed", "Reversed"],
    ["Initiated", 0, "pending", "Initiated"],
    ["Never heard of", 0, "unknown", "unreadable"],
    [undefined, 2032, "not_found", "2032"],
    [undefined, 26, "busy", "26"],
    [undefined, "17", "busy", "17"],
    [undefined, 2001, "unknown", "2001"],
    [undefined, 0, "unknown", "0"],
  ])("a receipt with the status %s and code %s is %s", (status, ResultCode, outcome, code) => {
    expect(readReceiptLookup(lookupBody(status, { ResultCode }), ours)).toMatchObject({ outcome, code });
  });

  test.each([
    [25, "A parameter is bad"],
    ["2001", "The initiator information is invalid."],
    [8006, "The security credential is locked."],
  ])("a look-up that ends with %j says nothing about the payout", (code, prose) => {
    const report = readPayoutLookup(
      lookupBody(undefined, { ResultCode: code, ResultDesc: prose, ResultParameters: undefined }),
    );
    expect(report).toEqual({
      conversationId: null,
      outcome: { kind: "unknown", code: String(code), message: prose },
      code: String(code),
      message: prose,
      amountCents: null,
      receipt: null,
    });
  });

  test("a look-up that finds nothing says so", () => {
    const report = readPayoutLookup(
      lookupBody(undefined, {
        ResultCode: 2032,
        ResultDesc: "The transaction receipt number does not exist.",
        ResultParameters: undefined,
      }),
    );
    expect(report?.outcome).toEqual({ kind: "not_found" });
  });

  test("a failed look-up is not believed when it names a status all the same", () => {
    expect(readPayoutLookup(lookupBody("Completed", { ResultCode: 25 }))?.outcome.kind).toBe("unknown");
  });

  test.each(["", "<html>", "{}", '{"Result":{}}', pushBody()])("%j is no look-up result", (body) => {
    expect(readPayoutLookup(body)).toBeNull();
    expect(readReceiptLookup(body, ours)).toBeNull();
  });
});

describe("any body at all", () => {
  test("is read without throwing and settles nothing by chance", () => {
    const shaped = fc
      .jsonValue()
      .chain((value) => fc.constantFrom({ Body: { stkCallback: value } }, { Result: value }, { Body: value }));
    const body = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      shaped.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(body, (text) => {
        for (const read of [readPushCallback, readPayoutResult, readPayoutLookup]) {
          const kind = read(text)?.outcome.kind ?? "unknown";
          expect(kind).toBe("unknown");
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("with a code in no list is never done and never failed", () => {
    const listed =
      /^(0|1|2|3|4|8|11|17|18|20|21|26|1001|1019|1025|1031|1032|1037|2001|2006|2026|2028|2040|4999|8006|9999|E3008|SFC_IC0003)$/;
    const code = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string());
    fc.assert(
      fc.property(
        code.filter((candidate) => !listed.test(String(candidate).trim())),
        (ResultCode) => {
          expect(readPushCallback(pushBody({ ResultCode }))?.outcome.kind ?? "unknown").toBe("unknown");
          expect(readPayoutResult(resultBody({ ResultCode }))?.outcome.kind ?? "unknown").toBe("unknown");
        },
      ),
    );
  });
});

describe("results of a reversal", () => {
  const result = (change: Record<string, unknown>) =>
    JSON.stringify({
      Result: {
        ResultType: 0,
        ResultDesc: "Reversed for 254708374149",
        OriginatorConversationID: "r-1",
        ConversationID: "AG_1",
        TransactionID: "SKE52PAWR9",
        ...change,
      },
    });

  test("a success names its receipt, the payment and the amount, and no party", () => {
    const parameters = [
      { Key: "Amount", Value: 1500 },
      { Key: "OriginalTransactionID", Value: "RKI9Q95ERN" },
      { Key: "CreditPartyPublicName", Value: "254708374149 - JANE DOE" },
    ];
    const report = readReversalResult(result({ ResultCode: 0, ResultParameters: { ResultParameter: parameters } }));
    expect(report).toEqual({
      providerConversationId: "AG_1",
      originalReceipt: "RKI9Q95ERN",
      outcome: { kind: "done", receipt: "SKE52PAWR9" },
      code: "0",
      message: "Reversed for [number]",
      amountCents: 150_000,
    });
  });

  test.each([
    ["R000001", "already_reversed"],
    ["R000002", "failed"],
    [1, "failed"],
    [21, "failed"],
    [17, "unknown"],
    ["R000003", "unknown"],
  ])("the code %j is %s", (ResultCode, kind) => {
    expect(readReversalResult(result({ ResultCode }))?.outcome.kind).toBe(kind);
  });

  test("a success without a receipt decides nothing, and neither does anything else", () => {
    expect(readReversalResult(result({ ResultCode: 0, TransactionID: undefined }))?.outcome.kind).toBe("unknown");
    for (const body of ["", "null", "[]", "<html></html>", '{"Result":{}}'])
      expect(readReversalResult(body)).toBeNull();
  });
});
