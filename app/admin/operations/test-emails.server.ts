import { write } from "#app/db/batch.ts";
import type { Store } from "#app/db/client.ts";
import { writeTo } from "#app/notifications/notify.server.ts";

interface TestEmailServices extends Store {
  adminEmails: string[];
  supportEmail: string;
  sendMailNow(key: string): Promise<boolean>;
}

/** Sends a test email to each operator, as any other email is sent. `sent`: all have left. */
export async function sendTestEmails(services: TestEmailServices): Promise<{ sent: boolean; to: string[] }> {
  const { adminEmails, supportEmail, db, now } = services;
  const to = adminEmails.length > 0 ? adminEmails : [supportEmail];
  const mails = to.map((email) => ({ email, key: `test:${crypto.randomUUID()}` }));
  await write(
    db,
    mails.map(({ email, key }) => writeTo({ id: null, email, name: "" }, { kind: "test_email", data: {} }, key, now())),
  );
  const sent = await Promise.all(mails.map(({ key }) => services.sendMailNow(key)));
  return { sent: sent.every(Boolean), to };
}
