import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";

// Forms with errors answer with a status that the browser logs.
test.use({ tolerated: /status of 4\d\d/, termsSeen: false, tourDone: false });

// Complete journeys, with accessibility checks on the way.
test.describe.configure({ timeout: 120_000 });

const PASSWORD = "kilimani-7";

function newEmail(name: string): string {
  return `${name}-${Date.now()}-${test.info().project.name}@campus.test`;
}

/** Signs up by request. */
async function signUpQuietly(page: Page, email: string, change: Record<string, string> = {}): Promise<void> {
  const origin = new URL(page.url()).origin;
  const fields = {
    accountType: "student",
    fullName: "Wanjiku Otieno",
    email,
    password: PASSWORD,
    phone: "0712345678",
    campusLocation: "Main Campus",
    ...change,
  };
  const response = await page.request.post("/auth/signup", { multipart: fields, headers: { origin }, maxRedirects: 0 });
  expect(response.status()).toBe(302);
}

const flags = (page: Page) => page.evaluate(() => ({ ...localStorage }));

test(
  "a student signs up on a phone, asks for the email again, and the link leads home",
  { tag: "@phone" },
  async ({ page }) => {
    const email = newEmail("student");
    await page.goto("/auth");
    await page.getByRole("link", { name: "Sign Up" }).click();
    await expect(page.getByText("Create a student account to buy and sell within your campus.")).toBeVisible();
    await expectAccessible(page);

    await page.getByRole("button", { name: "Create Account" }).click();
    for (const error of [
      "Full name is required",
      "Email is required",
      "Password is required",
      "Campus location is required",
    ])
      await expect(page.getByText(error)).toBeVisible();
    await expect(page.getByLabel("Full name")).toBeFocused();
    await page.getByLabel("Full name").fill("Wanjiku Otieno");
    await expect(page.getByText("Full name is required")).toBeHidden();

    await page.getByLabel("Email").fill("buyer@campus.test");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Show password" }).click();
    await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "text");
    await page.getByLabel("Phone").fill("0712 345 678");
    await page.getByLabel("Campus location").fill("Main Campus");
    const upload = page.getByLabel("Student ID");
    await upload.setInputFiles({
      name: "id.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from("<html>not a PDF</html>"),
    });
    await expect(page.getByText("0.01 MB")).toBeVisible();
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page.getByText("Please choose a picture (JPG, PNG, WebP, GIF) or a PDF")).toBeVisible();

    await page.getByRole("button", { name: "Remove id.pdf" }).click();
    await upload.setInputFiles("public/art/campus.webp");
    await expect(page.locator(".file-field__preview img")).toBeVisible();
    await expect(page.getByText("Please choose a picture")).toBeHidden();
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page.getByText("This email is already registered")).toBeVisible();
    await expect(page.getByLabel("Email")).toBeFocused();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Create Account" }).click();

    await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
    await expect(
      page.getByText("Account created successfully! Please check your email for the confirmation link."),
    ).toBeVisible();
    await expect(page.getByText("Verification Required")).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    await expectAccessible(page);
    const first = await linkMailedTo(page, email);
    await page.getByRole("button", { name: "Resend Confirmation Email" }).click();
    await expect(page.getByText("Confirmation email has been resent. Please check your inbox.")).toBeVisible();
    const second = await linkMailedTo(page, email, { count: 2 });
    expect(second).not.toBe(first);

    await page.goto(second);
    await page.waitForURL("**/home");
    await expect(page.getByText("Welcome back!")).toBeVisible();
    // New users get the tour.
    await expect(page.getByRole("dialog", { name: "Welcome!" })).toBeVisible();
    expect(await flags(page)).toMatchObject({ hasLoggedInBefore: "true" });
    expect(await flags(page)).not.toHaveProperty("isNewUser");
  },
);

test(
  "a small phone shows the first field, and a mistyped address is mended without signing up again",
  { tag: "@phone" },
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/auth/signup");
    await expect(page.getByLabel("Full name")).toBeInViewport({ ratio: 1 });
    await signUpQuietly(page, newEmail("mistyped"));
    await page.goto("/auth/check-email");
    await page.getByText("Wrong address? Change it").click();
    await page.getByLabel("Your email").fill("wanjiku@");
    await page.getByRole("button", { name: "Send the Link There" }).click();
    await expect(page.getByText("Email address is invalid")).toBeVisible();
    const email = newEmail("right");
    await page.getByLabel("Your email").fill(email);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Send the Link There" }).click();
    await expect(page.getByText("If this address has no account yet, the link is on its way there.")).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
    await page.goto(await linkMailedTo(page, email));
    await page.waitForURL("**/home");
  },
);

test("a wholesaler signs up with a code and a document", { tag: "@desktop" }, async ({ page }) => {
  const email = newEmail("wholesaler");
  await page.goto("/auth/signup");
  await page.getByRole("link", { name: "Wholesaler" }).click();
  await expect(page.getByText("Create a wholesaler account to sell products to students.")).toBeVisible();
  await page.getByLabel("Full name").fill("Kamau Traders");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Phone", { exact: false }).first().fill("0712 345 678");
  const campus = page.getByLabel("Campus location");
  await campus.fill("the main campus");
  await campus.blur();
  await expect(page.getByText("Choose your campus, or type its name.")).toBeVisible();
  await campus.fill("Ngara");
  await campus.blur();
  await expect(page.getByText("We don't have this campus on our list yet.", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "Create Account" }).click();
  for (const error of [
    "Business name is required",
    "Wholesaler access code is required",
    "Business verification document is required",
  ])
    await expect(page.getByText(error)).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel("Business name").fill("Kamau Traders Ltd");
  await page.getByLabel("Wholesaler access code").fill("NOSUCH99");
  await page
    .getByLabel("Business verification document")
    .setInputFiles({ name: "licence.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 licence") });
  await page.getByText("More about your business").click();
  await page.getByLabel("Tax ID").fill("P051234567X");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByText("Invalid or already used access code")).toBeVisible();
  await page.getByLabel("Wholesaler access code").fill("CAMPUS23");
  await page.getByRole("button", { name: "Create Account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();

  // A mail scanner that opens the link doesn't use it up.
  const link = await linkMailedTo(page, email);
  expect((await page.request.get(link)).ok()).toBe(true);
  const { token } = Object.fromEntries(new URL(link).searchParams);
  await page.goto(`/auth/callback#access_token=${token ?? ""}&type=signup`);
  await page.waitForURL("**/home");

  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Authentication Error" })).toBeVisible();
  await expect(page.getByText("This confirmation link has already been used.")).toBeVisible();
  await expect(page.getByText("Authentication failed. Please try again.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("This confirmation link has already been used.")).toBeVisible();
  await page.getByRole("link", { name: "Return to Login" }).click();
  await page.waitForURL("**/auth");
});

test(
  "an unconfirmed user is told at login, gets a new link, and completes the profile",
  { tag: "@phone" },
  async ({ page }) => {
    const email = newEmail("waiting");
    await page.goto("/auth");
    await signUpQuietly(page, email, { phone: "" });
    await page.context().clearCookies();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert")).toContainText(
      "Please confirm your email before logging in. Check your inbox for the confirmation link.",
    );
    await expect(page.getByRole("button", { name: "Resend Confirmation Email" })).toBeVisible();
    await page.getByRole("button", { name: "Resend", exact: true }).click();
    await expect(page.getByText("Confirmation email has been resent. Please check your inbox.")).toBeVisible();

    // In another browser of the same phone, because mail apps open links there.
    await page.context().clearCookies();
    await page.goto(await linkMailedTo(page, email, { count: 2 }));
    await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
    await expect(page.getByText("w•••@campus.test")).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel("Password", { exact: true }).fill("not-my-password");
    await page.getByRole("button", { name: "Confirm My Email" }).click();
    await expect(page.getByText("Wrong password for this account")).toBeVisible();
    await page.getByRole("button", { name: "Forgot password? Email me a reset link" }).click();
    await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();

    // The owner of the email may not be the person who signed up, so the details from sign-up are gone.
    await page.goto(await linkMailedTo(page, email, { path: "/auth/reset" }));
    await page.getByLabel("New password").fill("westlands-8");
    await page.getByRole("button", { name: "Save Password" }).click();
    await page.waitForURL("**/complete-profile*");
    await expect(page.getByText("Please complete your profile to get started")).toBeVisible();
    await expect.poll(() => flags(page)).toEqual({ isNewUser: "true" });
    await page.evaluate(() => localStorage.setItem("chuoni_tutorial_completed", "true"));
    await expectAccessible(page);
    await page.getByRole("button", { name: "Complete Profile" }).click();
    await expect(page.getByText("Full name is required")).toBeVisible();
    await page.getByLabel("Full name").fill("Wanjiku O.");
    await page.getByLabel("Campus location").fill("Main Campus");
    await page.getByLabel("Register as a Seller").check();
    await page.getByRole("button", { name: "Complete Profile" }).click();
    await page.waitForURL("**/home");
    await expect(page.getByText("Profile completed successfully!")).toBeVisible();
    await expect.poll(() => flags(page)).toMatchObject({ hasLoggedInBefore: "true" });
    expect(await flags(page)).not.toHaveProperty("chuoni_tutorial_completed");
    await page.goto("/complete-profile");
    await page.waitForURL("**/home");
  },
);

test(
  "visitors reach neither the profile's screen nor anything by an empty callback",
  { tag: "@desktop" },
  async ({ page }) => {
    await page.goto("/complete-profile");
    await page.waitForURL("**/auth");
    await expect(page.getByText("Please log in to continue")).toBeVisible();
    await page.goto("/auth/callback");
    await page.waitForURL("**/auth");
    await page.goto("/auth/callback#error=access_denied");
    await expect(page.getByText("No access token found in URL")).toBeVisible();
  },
);

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test(
    "a student signs up without a phone, confirms, logs out and in again, and sets a new password",
    { tag: "@phone" },
    async ({ page }) => {
      const email = newEmail("plain");
      await page.goto("/auth/signup?type=wholesaler");
      await expect(page.getByLabel("Wholesaler access code")).toBeVisible();
      await page.getByRole("link", { name: "Student", exact: true }).click();
      await expect(page.getByRole("button", { name: "Show password" })).toBeHidden();
      await page.getByLabel("Full name").fill("Akinyi Achieng");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill("123");
      await page.getByLabel("Campus location").fill("City Campus");
      await page.getByRole("button", { name: "Create Account" }).click();
      await expect(page.getByText("Password must be at least 6 characters")).toBeVisible();
      await expect(page.getByLabel("Full name")).toHaveValue("Akinyi Achieng");
      await expect(page.getByLabel("Password", { exact: true })).toHaveValue("");
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page
        .getByLabel("Student ID")
        .setInputFiles({ name: "id.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 id") });
      await page.getByRole("button", { name: "Create Account" }).click();

      await expect(page.getByText("Verification Required")).toBeVisible();
      await page.getByRole("button", { name: "Resend Confirmation Email" }).click();
      await expect(
        page.getByRole("alert").filter({ hasText: "Confirmation email has been resent. Please check your inbox." }),
      ).toBeVisible();
      await page.goto(await linkMailedTo(page, email, { count: 2 }));
      await page.getByRole("button", { name: "Confirm my email" }).click();

      await page.waitForURL("**/home");

      await page.goto("/profile?tab=settings&section=documents");
      await expect(page.getByText("id.pdf")).toBeVisible();
      await page.getByRole("main").getByRole("button", { name: "Log out", exact: true }).click();
      await page.waitForURL("**/auth");
      await page.goto("/cart");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill("wrong-password");
      await page.getByRole("button", { name: "Login" }).click();
      await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
      await expect(page.getByLabel("Email")).toHaveValue(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Login" }).click();
      await page.waitForURL("**/cart");

      await page.context().clearCookies();
      await page.goto("/auth/forgot");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Send the Link" }).click();
      await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
      await page.goto(await linkMailedTo(page, email, { path: "/auth/reset" }));
      await page.getByLabel("New password").fill("westlands-8");
      await page.getByRole("button", { name: "Save Password" }).click();
      await page.waitForURL("**/home");
    },
  );
});
