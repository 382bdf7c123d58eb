/** What a phone shows: the prompt, and the messages M-PESA sends. Pure. */
import { messageTimeOf } from "./kenya-time.ts";

/** "Ksh1,500.00", as M-PESA writes it. `amount` in KES. */
function ksh(amount: number): string {
  return `Ksh${amount.toLocaleString("en-KE", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** The question on the prompt. If it is longer than 182 characters including the PIN line, Safaricom can't send it. */
export function promptQuestion(amount: number, business: string, account: string): string {
  return `Do you want to pay KES ${amount.toLocaleString("en-KE")} to ${business}? Account no. ${account}`;
}

const PIN_LINE = "\nEnter M-PESA PIN:";
const MAX_PROMPT = 182;

/** Whether the whole prompt fits on a SIM card's screen. */
export function fitsPrompt(question: string): boolean {
  return (question + PIN_LINE).length < MAX_PROMPT;
}

export interface MoneyMessage {
  receipt: string;
  /** Whole KES. */
  amount: number;
  business: string;
  /** ms. */
  at: number;
  /** KES left on the phone. */
  balance: number;
}

/** To the payer. */
export function paidMessage(message: MoneyMessage, account: string): string {
  const { date, time } = messageTimeOf(message.at);
  return (
    `${message.receipt} Confirmed. ${ksh(message.amount)} sent to ${message.business} for account ${account} on ${date} at ${time}. ` +
    `New M-PESA balance is ${ksh(message.balance)}. Transaction cost, Ksh0.00.`
  );
}

/** To the payer, when a payment was reversed. `original`: its receipt. */
export function reversedMessage(message: MoneyMessage, original: string): string {
  const { date, time } = messageTimeOf(message.at);
  return (
    `${message.receipt} Confirmed. Your payment ${original} of ${ksh(message.amount)} to ${message.business} was reversed on ${date} at ${time}. ` +
    `New M-PESA balance is ${ksh(message.balance)}.`
  );
}

/** To the receiver of a payout or refund. */
export function receivedMessage(message: MoneyMessage): string {
  const { date, time } = messageTimeOf(message.at);
  return (
    `${message.receipt} Confirmed. You have received ${ksh(message.amount)} from ${message.business} on ${date} at ${time}. ` +
    `New M-PESA balance is ${ksh(message.balance)}.`
  );
}

const FAILURE_MESSAGES: Readonly<Record<string, (amount: string, business: string, account: string) => string>> = {
  "1": (amount, business, account) =>
    `Failed. You do not have enough money in your M-PESA account to pay ${amount} to ${business} for account ${account}.`,
  "2001": (amount, business) =>
    `Failed. You have entered the wrong PIN. Your payment of ${amount} to ${business} was not made.`,
  "17": (amount, business) =>
    `Failed. You have just paid ${amount} to ${business}. Wait 2 minutes to pay the same amount again.`,
};

/** The message to a payer whose payment failed; null when M-PESA sends none. `amount` in whole KES. */
export function failedMessage(code: string, amount: number, business: string, account: string): string | null {
  return FAILURE_MESSAGES[code]?.(ksh(amount), business, account) ?? null;
}
