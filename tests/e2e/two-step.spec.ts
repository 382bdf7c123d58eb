/** The second step of a login, with a real authenticator of the browser and with codes as an app makes them. */
import type { Page } from "@playwright/test";
import { codeAt, periodAt } from "#app/accounts/two-step/totp.server.ts";
import { expect, expectAccessible, signInByHand, test } from "#tests/support/browser.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { joinCampus } from "#tests/support/newcomer.ts";

test.use({ tolerated: /status of 4\d\d|WebSocket .* no valid credentials/ });

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}

/** An authenticator that always says yes, as of a phone with a fingerprint. */
async function addAuthenticator(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function openTwoStep(page: Page): Promise<void> {
  await page.goto("/profile?tab=settings");
  await page.getByRole("link", { name: "Two-step login" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Two-step login" })).toBeVisible();
}

/** Logs in anew with the password, up to the second step. */
async function logInAgain(page: Page, email: string): Promise<void> {
  await page.context().clearCookies();
  await signInByHand(page, email);
  await expect(page).toHaveURL(/\/auth\/two-step/);
  await expect(page.getByRole("heading", { level: 1, name: "Confirm that it's you" })).toBeVisible();
}

test("a passkey is added, asked for at the next login, and removed", { tag: "@phone" }, async ({ page }) => {
  const { email } = await joinCampus(page);
  await addAuthenticator(page);
  await openTwoStep(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Add a Passkey" }).click();
  await expect(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
  await expect(page.locator(".two-step__codes li")).toHaveCount(10);
  const recovery = (await page.locator(".two-step__codes li").first().textContent()) ?? "";
  await page.getByRole("link", { name: "I've Saved Them" }).click();
  await expect(page.getByText("You have 10 of 10 left")).toBeVisible();

  await logInAgain(page, email);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Use a Passkey" }).click();
  await expect(page).toHaveURL("/home");

  await logInAgain(page, email);
  await page.getByLabel("Recovery code").fill(recovery.toUpperCase());
  await page.getByRole("button", { name: "Log In" }).click();
  await expect(page).toHaveURL("/home");

  await openTwoStep(page);
  await expect(page.getByText("You have 9 of 10 left")).toBeVisible();
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Removed. Your other devices are logged out.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Recovery codes" })).toBeHidden();
  const subjects = (await mailsTo(page, email)).map(({ subject }) => subject);
  for (const told of ["A passkey was added", "A recovery code was used", "A passkey was removed"])
    expect(
      subjects.some((subject) => subject.startsWith(told)),
      told,
    ).toBe(true);
});

test(
  "an authenticator app is set up by its QR code, and its codes log in once each",
  { tag: "@phone" },
  async ({ page }) => {
    const { email } = await joinCampus(page);
    await openTwoStep(page);
    await page.getByRole("button", { name: "Set Up an App" }).click();
    await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
    const secret = fromBase32(((await page.locator(".two-step__key").textContent()) ?? "").replaceAll(" ", ""));
    const code = (offset: number) => codeAt(secret, periodAt(Date.now()) + offset);
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await page.getByRole("button", { name: "Turn On" }).click();
    await expect(page.getByText("That code isn't right")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Code", { exact: true }).fill(code(-1));
    await page.getByRole("button", { name: "Turn On" }).click();
    await expect(page.getByRole("heading", { name: "Save your recovery codes" })).toBeVisible();
    await expectAccessible(page);

    await logInAgain(page, email);
    const used = code(0);
    await page.getByLabel("Code", { exact: true }).fill(used);
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL("/home");

    await logInAgain(page, email);
    await page.getByLabel("Code", { exact: true }).fill(used);
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page.getByText("That code isn't right")).toBeVisible();
    await page.getByLabel("Code", { exact: true }).fill(code(1));
    await page.getByRole("button", { name: "Log In" }).click();
    await expect(page).toHaveURL("/home");
  },
);

test(
  "an admin's form that is sent too late goes on after the password, with what was typed",
  { tag: "@phone" },
  async ({ page, openAs }) => {
    const { email } = await joinCampus(page);
    const admin = await openAs("admin@campus.test");
    await admin.goto(`/admin/people?q=${encodeURIComponent(email)}`);
    await admin.getByText("Suspend this account", { exact: true }).click();
    await admin.getByLabel("Reason").fill('Sold "nothing", twice');
    // A quarter of an hour later.
    await admin.setExtraHTTPHeaders({ "X-Days-Ahead": "0.0105" });
    await admin.getByRole("button", { name: "Suspend This Account" }).click();
    await expect(admin.getByRole("heading", { level: 1, name: "Confirm that it's you" })).toBeVisible();
    await expect(admin.getByText("What you entered is kept")).toBeVisible();
    await expectAccessible(admin);
    await admin.getByLabel("Password", { exact: true }).fill("not my password");
    await admin.getByRole("button", { name: "Continue" }).click();
    await expect(admin.getByText("That isn't your password")).toBeVisible();
    await admin.getByLabel("Password", { exact: true }).fill("campus-demo");
    await admin.getByRole("button", { name: "Continue" }).click();
    await expect(admin.getByText("Account suspended and logged out everywhere")).toBeVisible();
    await expect(admin).toHaveURL(/\/admin\/people\?q=/);
    await expect(admin.getByText('Sold "nothing", twice')).toBeVisible();
  },
);
