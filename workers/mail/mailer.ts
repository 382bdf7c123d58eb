import type { Mailer } from "#app/accounts/mailer.ts";
import type { Env } from "#workers/env.ts";
import { writeMail, type WrittenMail } from "./write-mail.tsx";

interface Letter extends WrittenMail {
  from: string;
  to: string;
  /** Lets the transport drop a repeat. */
  key: string;
}

type Transport = (letter: Letter) => Promise<void>;

/** A mailer over the transport that `MAIL_TRANSPORT` names: the sandbox's mailbox, or Resend's HTTP API. */
export function createMailer(env: Env, outbound: typeof fetch): Mailer {
  const transport = env.MAIL_TRANSPORT === "resend" ? resend(env.RESEND_API_KEY ?? "") : mailbox(outbound);
  const writing = { origin: env.APP_ORIGIN, pepper: env.PASSWORD_PEPPER };
  return {
    send: (mail, key) => transport({ ...writeMail(mail, writing), from: env.MAIL_FROM, to: mail.to, key }),
  };
}

function mailbox(outbound: typeof fetch): Transport {
  return (letter) => post(outbound, "https://mail.sandbox.internal/messages", {}, { to: letter.to, subject: letter.subject, text: letter.text, html: letter.html });
}

function resend(apiKey: string): Transport {
  return (letter) => {
    const { key, ...message } = letter;
    return post(fetch, "https://api.resend.com/emails", { Authorization: `Bearer ${apiKey}`, "Idempotency-Key": key }, message);
  };
}

async function post(send: typeof fetch, url: string, headers: Record<string, string>, body: object): Promise<void> {
  const response = await send(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`mail transport answered ${response.status}`);
}
