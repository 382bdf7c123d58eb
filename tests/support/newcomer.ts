/** A new student: signs up, opens the emailed link, and is logged in. For tests that need their own cart. */
import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";

export async function joinCampus(
  page: Page,
  domain = "campus.test",
  campusLocation = "Main Campus",
): Promise<{ email: string }> {
  const origin = new URL(test.info().project.use.baseURL ?? "http://localhost:8787").origin;
  const email = `newcomer-${crypto.randomUUID()}@${domain}`;
  const form = {
    accountType: "student",
    fullName: "Njeri Wambui",
    email,
    password: "campus-demo",
    phone: "0722000020",
    campusLocation,
  };
  const signedUp = await page.request.post(`${origin}/auth/signup`, {
    multipart: form,
    headers: { origin },
    maxRedirects: 0,
  });
  expect(signedUp.status(), "signing up").toBe(302);

  const link = await linkMailedTo(page, email, { path: "/auth/callback" });
  const token = new URL(link).searchParams.get("token");
  const confirmed = await page.request.post(`${origin}/auth/callback`, {
    form: { token: token ?? "" },
    headers: { origin },
    maxRedirects: 0,
  });
  expect(confirmed.status(), "confirming the address").toBe(302);
  await page.context().clearCookies({ name: "flash" });
  return { email };
}
