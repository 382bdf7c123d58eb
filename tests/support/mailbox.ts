/** The sandbox's mailbox, as browser tests read it. */
import type { Page } from "@playwright/test";
import { z } from "zod";
import { expect, test } from "#tests/support/browser.ts";

const Mails = z.array(z.object({ subject: z.string(), text: z.string(), links: z.array(z.string()) }));

/** The emails to an address, newest first. */
export async function mailsTo(page: Page, email: string): Promise<z.infer<typeof Mails>> {
  const { origin } = new URL(test.info().project.use.baseURL ?? "http://localhost:8787");
  return Mails.parse(
    await (await page.request.get(`${origin}/sandbox/mailbox.json?to=${encodeURIComponent(email)}`)).json(),
  );
}

interface Wanted {
  /** Part of the link. */
  path?: string;
  /** How many emails must have arrived. */
  count?: number;
}

/** The newest link that was emailed to an address. Waits for it. */
export async function linkMailedTo(page: Page, email: string, { path = "/", count = 1 }: Wanted = {}): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const mails = await mailsTo(page, email);
    expect(mails.length).toBeGreaterThanOrEqual(count);
    link = mails.flatMap(({ links }) => links).find((address) => address.includes(path));
    expect(link, `a mail to ${email} with a link to ${path}`).toBeDefined();
  }).toPass({ timeout: 15_000 });
  return link ?? "";
}
