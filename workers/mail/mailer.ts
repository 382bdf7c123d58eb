import type { Mailer } from "#app/notifications/mailer.ts";
import type { Env } from "#workers/env.ts";
import { faultOfStatus, type MailFault, MailNotSent, readRetryAfter } from "./retry-rules.ts";
import { writeMail, type WrittenMail } from "./write-mail.tsx";

interface OutgoingMail extends WrittenMail {
  /** "Name <address>", or an address alone. */
  from: string;
  replyTo: string;
  to: string;
  /** Lets the transport drop a repeated send. */
  key: string;
}

type Transport = (outgoing: OutgoingMail) => Promise<void>;

/** How long a transport may take to send one email, ms. */
const SEND_TIMEOUT_MS = 10_000;

/**
 * Sends through the transport that `MAIL_TRANSPORT` names: the sandbox's mailbox, Cloudflare Email Sending or Resend.
 * Where a transport is not set up, each email fails with an error that says what is missing, and waits in the outbox.
 */
export function createMailer(env: Env, outbound: typeof fetch): Mailer {
  const transport = transportOf(env, outbound);
  const writing = { origin: env.APP_ORIGIN, pepper: env.PASSWORD_PEPPER };
  return {
    send: (mail, key) =>
      transport({ ...writeMail(mail, writing), from: env.MAIL_FROM, replyTo: env.SUPPORT_EMAIL, to: mail.to, key }),
  };
}

function transportOf(env: Env, outbound: typeof fetch): Transport {
  switch (env.MAIL_TRANSPORT) {
    case "sandbox":
      return mailbox(outbound);
    case "cloudflare":
      return env.EMAIL ? cloudflare(env.EMAIL) : missing("the binding EMAIL");
    case "resend":
      return env.RESEND_API_KEY ? resend(outbound, env.RESEND_API_KEY) : missing("the secret RESEND_API_KEY");
    default:
      return missing(`a mail transport named ${JSON.stringify(env.MAIL_TRANSPORT)}`);
  }
}

function missing(what: string): Transport {
  return () => Promise.reject(new MailNotSent("refused", `mail cannot be sent: ${what} is missing`));
}

function mailbox(outbound: typeof fetch): Transport {
  return (outgoing) =>
    post(
      outbound,
      "https://mail.sandbox.internal/messages",
      {},
      { to: outgoing.to, subject: outgoing.subject, text: outgoing.text, html: outgoing.html },
    );
}

/**
 * Cloudflare Email Sending, through the worker's own binding. It does not drop repeats. The outbox sends each email
 * once, unless the answer to the first try is lost.
 */
function cloudflare(binding: Pick<SendEmail, "send">): Transport {
  return async ({ from, key: _key, ...message }) => {
    try {
      await withinTime(binding.send({ from: senderOf(from), ...message }));
    } catch (error) {
      throw new MailNotSent(faultOfBinding(String(error)), String(error));
    }
  };
}

/** The binding's errors have a code in their message, such as E_DAILY_LIMIT_EXCEEDED. */
function faultOfBinding(message: string): MailFault {
  if (/LIMIT|SENDER|NOT_VERIFIED|NOT_ENABLED|DISABLED/.test(message)) return "refused";
  return /RECIPIENT|VALIDATION|TOO_LARGE/.test(message) ? "email" : "away";
}

/** Splits "Chuoni <hello@chuoni.example>" into name and address, as the binding expects them. */
function senderOf(from: string): string | EmailAddress {
  const [, name, email] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return name && email ? { name, email } : (email ?? from.trim());
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(SEND_TIMEOUT_MS);
  const late = new Promise<never>((_, fail) =>
    timeout.addEventListener("abort", () => fail(new Error("mail transport did not answer"))),
  );
  return Promise.race([work, late]);
}

function resend(outbound: typeof fetch, apiKey: string): Transport {
  return (outgoing) => {
    const { key, replyTo, ...message } = outgoing;
    return post(
      outbound,
      "https://api.resend.com/emails",
      { Authorization: `Bearer ${apiKey}`, "Idempotency-Key": key },
      { ...message, reply_to: replyTo },
    );
  };
}

async function post(send: typeof fetch, url: string, headers: Record<string, string>, body: object): Promise<void> {
  const response = await send(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
  });
  if (response.ok) return;
  const retryAfterMs = readRetryAfter(response.headers.get("Retry-After"), Date.now());
  throw new MailNotSent(faultOfStatus(response.status, retryAfterMs), await describeRefusal(response), retryAfterMs);
}

/** Resend names its errors, such as daily_quota_exceeded. The rest of the answer may hold an address. */
async function describeRefusal(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const name = typeof body === "object" && body !== null && "name" in body ? `: ${String(body.name).slice(0, 60)}` : "";
  return `mail transport answered ${response.status}${name}`;
}
