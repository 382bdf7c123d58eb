import { describe, expect, test } from "vitest";
import { merchantOf } from "#workers/sandbox/merchant.ts";
import { isCallbackUrl, readFields, readPayout, readPush, readQuery, readStatus } from "#workers/sandbox/requests.ts";

const MERCHANT = merchantOf({ SANDBOX_OBJECT: {} as never });
const TIMESTAMP = "20261121140500";
const PASSWORD = btoa(MERCHANT.shortcode + MERCHANT.passkey + TIMESTAMP);

const PUSH = {
  BusinessShortCode: 174379,
  Password: PASSWORD,
  Timestamp: TIMESTAMP,
  TransactionType: "CustomerPayBillOnline",
  Amount: 1500,
  PartyA: 254712345678,
  PartyB: "174379",
  PhoneNumber: "254712345678",
  CallBackURL: "http://localhost:8787/hooks/pay/s/abc",
  AccountReference: "ORD1a2b3c4d",
  TransactionDesc: "Order",
};

const PAYOUT = {
  OriginatorConversationID: "b1f6a8f0-0000-4000-8000-000000000000",
  InitiatorName: "testapi",
  SecurityCredential: "sandbox-security-credential",
  CommandID: "BusinessPayment",
  Amount: 800,
  PartyA: "600996",
  PartyB: "254722334455",
  Remarks: "Order item",
  QueueTimeOutURL: "http://localhost:8787/hooks/pay/t/abc",
  ResultURL: "http://localhost:8787/hooks/pay/r/abc",
  Occassion: "",
};

const STATUS = {
  Initiator: "testapi",
  SecurityCredential: "sandbox-security-credential",
  CommandID: "TransactionStatusQuery",
  OriginalConversationID: PAYOUT.OriginatorConversationID,
  PartyA: "600996",
  IdentifierType: "4",
  ResultURL: PAYOUT.ResultURL,
  QueueTimeOutURL: PAYOUT.QueueTimeOutURL,
  Remarks: "Look up",
};

function refusalOf(
  reading: ReturnType<typeof readPush | typeof readPayout | typeof readStatus | typeof readQuery>,
): string {
  return reading.ok ? "accepted" : `${reading.refusal.status} ${reading.refusal.code} ${reading.refusal.message}`;
}

describe("a payment request", () => {
  test("is taken with numbers and with texts alike", () => {
    const texts = Object.fromEntries(Object.entries(PUSH).map(([name, value]) => [name, String(value)]));
    expect(readPush(PUSH, MERCHANT, true).ok).toBe(false);
    expect(readPush(texts, MERCHANT, false)).toEqual(readPush(PUSH, MERCHANT, false));
    expect(readPush(PUSH, MERCHANT, false)).toMatchObject({
      ok: true,
      value: { amount: 1500, phone: "254712345678", failureCode: null },
    });
  });

  test.each([
    ["BusinessShortCode", "Merchant", "BusinessShortCode"],
    ["Password", "***", "Password"],
    ["Timestamp", "20261321140500", "Timestamp"],
    ["TransactionType", "CustomerPayBill", "TransactionType"],
    ["Amount", 0, "Amount"],
    ["Amount", 250_001, "Amount"],
    ["Amount", 10.5, "Amount"],
    ["Amount", "1e3", "Amount"],
    ["PartyA", "254612345678", "PartyA"],
    ["PartyB", "Chuoni", "PartyB"],
    ["PhoneNumber", "0712345678", "PhoneNumber"],
    ["PhoneNumber", ["254712345678"], "PhoneNumber"],
    ["CallBackURL", "http://localhost:8787/api/mpesa/callback", "CallBackURL"],
    ["AccountReference", "", "AccountReference"],
    ["TransactionDesc", undefined, "Remarks"],
  ])("with a bad %s (%j) is refused by that name", (field, value, named) => {
    expect(refusalOf(readPush({ ...PUSH, [field]: value }, MERCHANT, false))).toBe(
      `400 400.002.02 Bad Request - Invalid ${named}`,
    );
  });

  test("of a stranger or with a password for another moment is refused", () => {
    expect(refusalOf(readPush({ ...PUSH, BusinessShortCode: 174378 }, MERCHANT, false))).toBe(
      "500 500.001.1001 Merchant does not exist",
    );
    expect(refusalOf(readPush({ ...PUSH, Timestamp: "20261121140501" }, MERCHANT, false))).toBe(
      "500 500.001.1001 Wrong credentials",
    );
  });

  test("to another party than its paybill is taken, and will end with 2028", () => {
    expect(readPush({ ...PUSH, PartyB: "600000" }, MERCHANT, false)).toMatchObject({
      ok: true,
      value: { failureCode: "2028" },
    });
    const till = { ...PUSH, PartyB: "600000", TransactionType: "CustomerBuyGoodsOnline" };
    expect(readPush(till, MERCHANT, false)).toMatchObject({ ok: true, value: { failureCode: null } });
  });

  test("may be longer than documented, unless the sandbox is strict", () => {
    const url = "https://chuoni.example/hooks/pay/s/abc";
    const long = {
      ...PUSH,
      CallBackURL: url,
      AccountReference: "Order #1a2b3c4d",
      TransactionDesc: "Payment for an order of books",
    };
    expect(refusalOf(readPush(long, MERCHANT, false))).toBe("accepted");
    expect(refusalOf(readPush(long, MERCHANT, true))).toContain("Invalid AccountReference");
    expect(refusalOf(readPush({ ...long, AccountReference: "ORD1a2b3c4d" }, MERCHANT, true))).toContain(
      "Invalid Remarks",
    );
    expect(refusalOf(readPush({ ...PUSH, CallBackURL: url }, MERCHANT, true))).toBe("accepted");
  });
});

test("forbidden words are refused anywhere in a callback URL, in either case", () => {
  for (const word of ["mpesa", "M-PESA", "Safaricom", "exe", "exec", "cmd", "SQL", "query"]) {
    expect(isCallbackUrl(`https://chuoni.example/${word}/1`, false)).toBe(false);
    expect(isCallbackUrl(`https://${word}.chuoni.example/1`, false)).toBe(false);
  }
  expect(isCallbackUrl("https://chuoni.example/hooks/pay/s/0f3a", true)).toBe(true);
  expect(isCallbackUrl("http://localhost:8787/hooks/pay/s/0f3a", false)).toBe(true);
  for (const local of [
    "http://chuoni.example/1",
    "https://localhost/1",
    "https://10.0.0.1/1",
    "https://chuoni.example/1?a=b",
  ]) {
    expect(isCallbackUrl(local, true)).toBe(false);
  }
  for (const wrong of ["", "chuoni.example/1", "ftp://chuoni.example/1"])
    expect(isCallbackUrl(wrong, false)).toBe(false);
});

test("bodies that are not a JSON object, or not called JSON, cannot be read", () => {
  expect(readFields("application/json; charset=utf-8", '{"a":1}')).toEqual({ a: 1 });
  for (const body of ["", "[]", "null", "7", "{"]) expect(readFields("application/json", body)).toBeNull();
  expect(readFields("text/plain", '{"a":1}')).toBeNull();
  expect(readFields(undefined, '{"a":1}')).toBeNull();
});

test("a query names its payment", () => {
  const query = { BusinessShortCode: "174379", Password: PASSWORD, Timestamp: TIMESTAMP, CheckoutRequestID: "ws_CO_1" };
  expect(readQuery(query, MERCHANT)).toEqual({ ok: true, value: "ws_CO_1" });
  expect(refusalOf(readQuery({ ...query, CheckoutRequestID: "" }, MERCHANT))).toContain("Invalid CheckoutRequestID");
});

describe("a payout request", () => {
  test.each([
    ["OriginatorConversationID", "x".repeat(129)],
    ["InitiatorName", ""],
    ["CommandID", "BusinessPay"],
    ["Amount", "10.00"],
    ["PartyA", "174379"],
    ["PartyB", "0722334455"],
    ["Remarks", "x"],
    ["QueueTimeOutURL", "nowhere"],
    ["ResultURL", "http://localhost:8787/mpesa"],
  ])("with a bad %s is refused by that name", (field, value) => {
    expect(refusalOf(readPayout({ ...PAYOUT, [field]: value }, MERCHANT, false))).toBe(
      `400 400.002.02 Bad Request - Invalid ${field}`,
    );
  });

  test("outside the limits or with a wrong credential is taken, and fails later", () => {
    const readChanged = (change: object) => readPayout({ ...PAYOUT, ...change }, MERCHANT, false);
    expect(readChanged({})).toMatchObject({ ok: true, value: { failureCode: null } });
    expect(readChanged({ Amount: 9 })).toMatchObject({ ok: true, value: { failureCode: "2" } });
    expect(readChanged({ Amount: 250_001 })).toMatchObject({ ok: true, value: { failureCode: "3" } });
    expect(readChanged({ SecurityCredential: "guess" })).toMatchObject({ ok: true, value: { failureCode: "2001" } });
  });
});

test("a look-up needs one id, under any of its names", () => {
  const { OriginalConversationID: id, ...rest } = STATUS;
  expect(readStatus(STATUS, MERCHANT, false)).toMatchObject({
    ok: true,
    value: { originalConversationId: id, receipt: "" },
  });
  expect(readStatus({ ...rest, OriginatorConversationID: id }, MERCHANT, false)).toMatchObject({
    value: { originalConversationId: id },
  });
  expect(readStatus({ ...rest, TransactionID: "UKL1234567" }, MERCHANT, false)).toMatchObject({
    value: { receipt: "UKL1234567" },
  });
  expect(refusalOf(readStatus(rest, MERCHANT, false))).toContain("Invalid TransactionID");
});
