/** An M-Pesa without faults: who gets a prompt pays it, and every result is ready at once. */
import type {
  PaymentGateway,
  PayoutReport,
  PayoutRequest,
  PushReport,
  ReversalReport,
  ReversalRequest,
} from "#app/payments/gateway.ts";
import type { CallbackKind } from "#app/payments/callbacks.server.ts";

interface Callback {
  kind: CallbackKind;
  token: string;
  body: string;
}

interface Sent {
  phone: string;
  amount: number;
  receipt: string;
}

export class InstantMPesa {
  /** Whether the first answer to each payout is lost, with its result. Only a look-up tells. */
  losesPayoutAnswers = false;
  readonly #prompts: { amount: number; phone: string; receipt: string }[] = [];
  /** By conversation id. */
  readonly #payouts = new Map<string, Sent>();
  /** By the receipt of the payment. */
  readonly #reversals = new Map<string, Sent>();
  #callbacks: Callback[] = [];
  #receipts = 0;

  /** What customers paid, KES. */
  taken(): number {
    return this.#prompts.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** What a phone (254XXXXXXXXX) got, KES. */
  sentTo(phone: string): number {
    return [...this.#payouts.values(), ...this.#reversals.values()]
      .filter((sent) => sent.phone === phone)
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Whether no callback is on its way. */
  isIdle(): boolean {
    return this.#callbacks.length === 0;
  }

  takeCallbacks(): Callback[] {
    return this.#callbacks.splice(0);
  }

  #receipt(): string {
    this.#receipts += 1;
    return `STALL${this.#receipts}`;
  }

  #call(kind: CallbackKind, token: string, report: PushReport | PayoutReport | ReversalReport): void {
    this.#callbacks.push({ kind, token, body: JSON.stringify(report) });
  }

  readonly gateway: PaymentGateway = {
    push: async ({ amount, phone, callbackToken }) => {
      const receipt = this.#receipt();
      this.#prompts.push({ amount, phone, receipt });
      const ids = { checkoutRequestId: `ws_${receipt}`, merchantRequestId: receipt };
      this.#call("push", callbackToken, {
        ...ids,
        outcome: { kind: "done" },
        code: "0",
        message: "",
        amountCents: amount * 100,
        receipt,
        paidAt: null,
      });
      return { kind: "accepted", ...ids };
    },
    queryPush: async () => ({ kind: "done" }),
    payOut: async (request) => this.#payOut(request),
    lookUpPayout: async ({ conversationId, callbackToken }) => {
      const sent = this.#payouts.get(conversationId);
      this.#call("lookup", callbackToken, {
        conversationId: sent ? conversationId : null,
        outcome: sent ? { kind: "done", receipt: sent.receipt } : { kind: "not_found" },
        code: "0",
        message: "",
        amountCents: sent ? sent.amount * 100 : null,
        receipt: sent?.receipt ?? null,
      });
      return { kind: "accepted" };
    },
    reverse: async (request) => this.#reverse(request),
    lookUpReceipt: async () => ({ kind: "refused", code: "none", message: "", retryAfterMs: null }),
    readPushCallback: (body) => JSON.parse(body) as PushReport,
    readPayoutResult: (body) => JSON.parse(body) as PayoutReport,
    readPayoutLookup: (body) => JSON.parse(body) as PayoutReport,
    readReversalResult: (body) => JSON.parse(body) as ReversalReport,
    readReceiptLookup: () => null,
    registerPull: async () => ({ kind: "accepted" }),
    pull: async () => ({ kind: "listed", payments: [], unreadable: 0 }),
  };

  #payOut({ conversationId, callbackToken, phone, amount }: PayoutRequest) {
    if (this.#payouts.has(conversationId)) return { kind: "duplicate" } as const;
    const receipt = this.#receipt();
    this.#payouts.set(conversationId, { phone, amount, receipt });
    if (this.losesPayoutAnswers) return { kind: "unknown", code: "timeout", message: "No answer" } as const;
    const outcome = { kind: "done", receipt } as const;
    this.#call("payout", callbackToken, {
      conversationId,
      outcome,
      code: "0",
      message: "",
      amountCents: amount * 100,
      receipt,
    });
    return { kind: "accepted", providerConversationId: `AG_${receipt}` } as const;
  }

  #reverse({ receipt: original, callbackToken, amount }: ReversalRequest) {
    if (this.#reversals.has(original)) return { kind: "already_reversed" } as const;
    const phone = this.#prompts.find(({ receipt }) => receipt === original)?.phone ?? "";
    const receipt = this.#receipt();
    this.#reversals.set(original, { phone, amount, receipt });
    this.#call("reversal", callbackToken, {
      providerConversationId: `AG_${receipt}`,
      originalReceipt: original,
      outcome: { kind: "done", receipt },
      code: "0",
      message: "",
      amountCents: amount * 100,
    });
    return { kind: "accepted", providerConversationId: `AG_${receipt}` } as const;
  }
}
