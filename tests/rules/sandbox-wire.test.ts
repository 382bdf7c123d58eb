import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paymentCallback, payoutResult } from "#workers/sandbox/callback-bodies.ts";
import {
  accessToken,
  checkoutRequestId,
  conversationId,
  receiptNumber,
  requestId,
  systemRandom,
} from "#workers/sandbox/identifiers.ts";
import { dayFirstStampOf } from "#workers/sandbox/kenya-time.ts";
import { DEFAULT_SETTINGS } from "#workers/sandbox/settings.ts";

const moment = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2039, 11, 31) });
const phone = fc.stringMatching(/^254[17]\d{8}$/);
const JUST_BEFORE_MIDNIGHT_IN_NAIROBI = Date.UTC(2026, 10, 21, 20, 59, 59);

describe("ids in Safaricom's shapes", () => {
  test("a CheckoutRequestID holds the moment and the nine national digits", () => {
    fc.assert(
      fc.property(moment, phone, (ms, payer) => {
        const id = checkoutRequestId(ms, payer, systemRandom);
        expect(id).toMatch(/^ws_CO_\d{14}\d{3}\d{9}$/);
        expect(id).toContain(`ws_CO_${dayFirstStampOf(ms)}`);
        expect(id.endsWith(payer.slice(3))).toBe(true);
      }),
    );
  });

  test("a receipt tells its day: RKI is 18 November 2023", () => {
    expect(receiptNumber(Date.UTC(2023, 10, 18, 12), systemRandom)).toMatch(/^RKI[0-9A-Z]{7}$/);
    expect(receiptNumber(Date.UTC(2024, 6, 6, 12), systemRandom)).toMatch(/^SG6[0-9A-Z]{7}$/);
    expect(receiptNumber(JUST_BEFORE_MIDNIGHT_IN_NAIROBI, systemRandom).slice(0, 3)).toBe("UKL");
    fc.assert(
      fc.property(moment, (ms) => {
        expect(receiptNumber(ms, systemRandom)).toMatch(/^[A-Z]{2}[0-9A-V][0-9A-Z]{7}$/);
      }),
    );
  });

  test("request, conversation and token have today's shapes", () => {
    expect(requestId(1873, systemRandom)).toMatch(/^[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}1873$/);
    expect(conversationId(JUST_BEFORE_MIDNIGHT_IN_NAIROBI, systemRandom)).toMatch(/^AG_20261121_[0-9a-f]{20}$/);
    expect(accessToken(systemRandom)).toMatch(/^[A-Za-z0-9]{28}$/);
  });
});

describe("payment callbacks", () => {
  const news = {
    merchantRequestId: "m-1",
    checkoutRequestId: "ws_CO_1",
    code: "0",
    amount: 1500,
    receipt: "UKL1234567",
    paidAt: JUST_BEFORE_MIDNIGHT_IN_NAIROBI,
    phone: "254712345678",
  };

  test("a success is written as on the wire: amount with two decimals, Balance without a value, date and phone as numbers", () => {
    const text = paymentCallback(news, DEFAULT_SETTINGS);
    expect(text).toContain('{"Name":"Amount","Value":1500.00}');
    expect(text).toContain('{"Name":"Balance"}');
    expect(JSON.parse(text).Body.stkCallback).toEqual({
      MerchantRequestID: "m-1",
      CheckoutRequestID: "ws_CO_1",
      ResultCode: 0,
      ResultDesc: "The service request is processed successfully.",
      CallbackMetadata: {
        Item: [
          { Name: "Amount", Value: 1500 },
          { Name: "MpesaReceiptNumber", Value: "UKL1234567" },
          { Name: "Balance" },
          { Name: "TransactionDate", Value: 20261121235959 },
          { Name: "PhoneNumber", Value: 254712345678 },
        ],
      },
    });
  });

  test("a failure has no metadata, and a code with letters stays text", () => {
    expect(
      JSON.parse(paymentCallback({ ...news, code: "1032", receipt: null }, DEFAULT_SETTINGS)).Body.stkCallback,
    ).toEqual({
      MerchantRequestID: "m-1",
      CheckoutRequestID: "ws_CO_1",
      ResultCode: 1032,
      ResultDesc: "Request cancelled by user",
    });
    expect(JSON.parse(paymentCallback({ ...news, code: "E3008" }, DEFAULT_SETTINGS)).Body.stkCallback.ResultCode).toBe(
      "E3008",
    );
  });

  test("each quirk changes its own item only", () => {
    const quirks = { omitBalance: true, omitReceipt: true, maskPhone: true, earlyDate: true, integerAmount: true };
    const text = paymentCallback(news, quirks);
    expect(text).toContain('{"Name":"Amount","Value":1500}');
    expect(JSON.parse(text).Body.stkCallback.CallbackMetadata.Item).toEqual([
      { Name: "Amount", Value: 1500 },
      { Name: "TransactionDate", Value: 20261121235700 },
      { Name: "PhoneNumber", Value: "2547 ***** 678" },
    ]);
  });
});

test("payout results differ in the order of keys and in ReferenceItem, never in what they say", () => {
  const news = {
    originatorConversationId: "ours",
    conversationId: "AG_1",
    receipt: "UKL7654321",
    code: "0",
    amount: 800,
    phone: "254722334455",
    customer: "AMINA KAMAU",
    settledAt: JUST_BEFORE_MIDNIGHT_IN_NAIROBI,
    funds: { utility: 9200, working: 1500, charges: -5 },
  };
  const results = [0, 1, 2, 3].map((turn) => JSON.parse(payoutResult(news, turn)).Result);
  const meanings = results.map((result) =>
    Object.fromEntries(
      result.ResultParameters.ResultParameter.map((item: { Key: string; Value: unknown }) => [item.Key, item.Value]),
    ),
  );
  expect(meanings[0]).toEqual({
    TransactionAmount: 800,
    TransactionReceipt: "UKL7654321",
    ReceiverPartyPublicName: "254722334455 - AMINA KAMAU",
    TransactionCompletedDateTime: "21.11.2026 23:59:59",
    B2CUtilityAccountAvailableFunds: 9200,
    B2CWorkingAccountAvailableFunds: 1500,
    B2CChargesPaidAccountAvailableFunds: -5,
    B2CRecipientIsRegisteredCustomer: "Y",
  });
  for (const meaning of meanings) expect(meaning).toEqual(meanings[0]);
  expect(new Set(results.map((result) => result.ResultParameters.ResultParameter[0].Key)).size).toBe(4);
  expect(new Set(results.map((result) => JSON.stringify(result.ReferenceData.ReferenceItem))).size).toBe(3);
});
