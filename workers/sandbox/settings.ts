import { z } from "zod";

/** How many requests it happens to. */
function times(meaning: string) {
  return z.int().min(0).max(1000).describe(meaning);
}

/**
 * The fault settings of the sandbox, with their meanings. All are off by default; `POST /sandbox/faults` changes them.
 */
export const settingsSchema = z.strictObject({
  pace: z
    .number()
    .min(0)
    .max(10)
    .describe(
      "Multiplies every delay; below 1 the handset rings as long as ever. With 0 the clock stands still and each alarm takes the next step.",
    ),
  ackDelayMs: z
    .int()
    .min(0)
    .max(60_000)
    .describe("How long the answer to a payment request takes, in ms. Above 2000 the callback arrives first."),
  queryNoise: z
    .int()
    .min(0)
    .max(100)
    .describe("Every nth query about a known payment answers 500.001.1001 for no reason. 0 turns it off."),
  spikeArrest: z.boolean().describe("Allow one query every 12 s, as Safaricom's sandbox does."),
  html403: times("This many payment requests get the firewall's HTML page with status 403."),
  systemBusy: times("This many payment requests get 500.003.02, System is busy."),
  emptyToken: times("This many token requests get status 400 with an empty body."),
  tokenPage: times("This many token requests get the firewall's HTML page with status 400."),
  badRemarks: times("This many payouts and transfers are refused with 400.002.02, Invalid Remarks."),
  resultCode: z
    .string()
    .regex(/^[A-Z0-9_]{0,10}$/)
    .describe(
      "Payments that would succeed end with this code instead, such as 1019, 2026 or E3008. Empty turns it off.",
    ),
  omitBalance: z.boolean().describe("Leave the Balance item out of payment callbacks."),
  omitReceipt: z.boolean().describe("Leave MpesaReceiptNumber out of payment callbacks."),
  maskPhone: z.boolean().describe("Mask the payer's number in payment callbacks."),
  earlyDate: z.boolean().describe("Date the payment 179 s before it happened."),
  integerAmount: z.boolean().describe("Write Amount as 1, not 1.00."),
  pushBusy: times("This many messages to phones are answered 429, Too Many Requests."),
  pullRegistered: z.boolean().describe("Whether the shortcode is registered for Pull Transactions."),
  credentialLocked: z.boolean().describe("Payouts and reversals end with code 8006: the credential is locked."),
  emptyAccounts: z.boolean().describe("Payouts and reversals end with code 1: our accounts are empty."),
  float: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .describe("The balance of the utility account, in KES. A payout above it ends with code 1."),
});

export type Settings = z.infer<typeof settingsSchema>;

/** The body of `POST /sandbox/faults`: any of the settings, and nothing else. */
export const settingsChangeSchema = settingsSchema.partial();

const DEFAULT_SETTINGS = {
  pace: 1,
  ackDelayMs: 300,
  queryNoise: 0,
  spikeArrest: false,
  html403: 0,
  systemBusy: 0,
  emptyToken: 0,
  tokenPage: 0,
  badRemarks: 0,
  resultCode: "",
  omitBalance: false,
  omitReceipt: false,
  maskPhone: false,
  earlyDate: false,
  integerAmount: false,
  pushBusy: 0,
  pullRegistered: false,
  credentialLocked: false,
  emptyAccounts: false,
  float: 10_000_000,
} satisfies Settings;

/** The settings of a new sandbox. An unreadable SANDBOX_PACE counts as 1. */
export function startingSettings(pace: string | undefined): Settings {
  const parsed = settingsSchema.shape.pace.safeParse(Number(pace ?? "1"));
  return { ...DEFAULT_SETTINGS, pace: parsed.success ? parsed.data : 1 };
}

/** Name and meaning of each setting, for the page that lists them. */
export function describeSettings(): { name: keyof Settings; meaning: string }[] {
  return settingsSchema
    .keyof()
    .options.map((name) => ({ name, meaning: settingsSchema.shape[name].description ?? "" }));
}
