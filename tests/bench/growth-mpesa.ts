/** An M-Pesa that answers at once, and what it posts. */
import type { PaymentGateway } from "#app/payments/gateway.ts";

/** What M-Pesa posts, as long as the real one. */
export function pushBody(checkoutRequestId: string, receipt: string, amount: number): string {
  const Item = [
    { Name: "Amount", Value: amount },
    { Name: "MpesaReceiptNumber", Value: receipt },
    { Name: "TransactionDate", Value: 20260121101500 },
    { Name: "PhoneNumber", Value: 254708374149 },
  ];
  const stkCallback = {
    MerchantRequestID: "29115-34620561-1",
    CheckoutRequestID: checkoutRequestId,
    ResultCode: 0,
    ResultDesc: "The service request is processed successfully.",
    CallbackMetadata: { Item },
  };
  return JSON.stringify({ Body: { stkCallback } });
}

export function payoutBody(conversationId: string, receipt: string): string {
  const ResultParameter = [
    { Key: "TransactionAmount", Value: 1900 },
    { Key: "TransactionReceipt", Value: receipt },
    { Key: "B2CRecipientIsRegisteredCustomer", Value: "Y" },
    { Key: "B2CChargesPaidAccountAvailableFunds", Value: 0 },
    { Key: "ReceiverPartyPublicName", Value: "254708374149 - Wanjiku Otieno" },
    { Key: "TransactionCompletedDateTime", Value: "21.1.2026 10:15:00" },
    { Key: "B2CUtilityAccountAvailableFunds", Value: 10116 },
    { Key: "B2CWorkingAccountAvailableFunds", Value: 900000 },
  ];
  return JSON.stringify({
    Result: {
      ResultType: 0,
      ResultCode: 0,
      ResultDesc: "The service request is processed successfully.",
      OriginatorConversationID: conversationId,
      ConversationID: `AG_20260121_${receipt}`,
      TransactionID: receipt,
      ResultParameters: { ResultParameter },
      ReferenceData: { ReferenceItem: { Key: "QueueTimeoutURL", Value: "https://internalsandbox.safaricom.co.ke" } },
    },
  });
}

let receipts = 0;
export function nextReceipt(): string {
  receipts += 1;
  return `TGR${receipts.toString(36).toUpperCase().padStart(7, "0")}`;
}

export const gateway = {
  push: async () => ({
    kind: "accepted",
    checkoutRequestId: `ws_CO_${crypto.randomUUID()}`,
    merchantRequestId: "29115-34620561-1",
  }),
  queryPush: async () => ({ kind: "done" }),
  payOut: async () => ({ kind: "accepted", providerConversationId: `AG_20260121_${crypto.randomUUID()}` }),
  readPushCallback: (body: string) => {
    const { stkCallback } = JSON.parse(body).Body;
    return {
      checkoutRequestId: stkCallback.CheckoutRequestID,
      merchantRequestId: stkCallback.MerchantRequestID,
      outcome: { kind: "done" },
      code: "0",
      message: stkCallback.ResultDesc,
      amountCents: stkCallback.CallbackMetadata.Item[0].Value * 100,
      receipt: stkCallback.CallbackMetadata.Item[1].Value,
      paidAt: null,
    };
  },
  readPayoutResult: (body: string) => {
    const { Result } = JSON.parse(body);
    const outcome = { kind: "done", receipt: Result.TransactionID };
    const { OriginatorConversationID: conversationId, TransactionID: receipt } = Result;
    return { conversationId, outcome, code: "0", message: Result.ResultDesc, amountCents: null, receipt };
  },
} as unknown as PaymentGateway; // Nothing else is asked of it.

/** A private bucket in which nothing waits. */
export const NO_OBJECTS = { list: async () => ({ objects: [] }) } as unknown as R2Bucket; // Nothing else is asked of it.
