/**
 * Existing accounts: forgotten and wrong passwords, settings, devices and logging out. Every test makes its own
 * account, because some end all sessions.
 */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { joinCampus } from "#tests/support/newcomer.ts";

const PASSWORD = "campus-demo";
const NEW_PASSWORD = "a-new-password";

test.use({ tolerated: /status of (4\d\d|502)|ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket .* no valid credentials/ });

async function logIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
}

async function expectHome(page: Page): Promise<void> {
  await expect(page).toHaveURL("/home");
}

/**
 * Opens a screen and waits for its live connection. A connection attempt while the session ends would be refused with a
 * console error.
 */
async function openLive(page: Page, path: string): Promise<void> {
  const opening = page.waitForEvent("websocket");
  await page.goto(path);
  await opening;
}

/** A second browser, as on another device. */
async function otherDevice(page: Page, email: string): Promise<Page> {
  const context = await page
    .context()
    .browser()
    ?.newContext(test.info().project.use.viewport ? { viewport: test.info().project.use.viewport } : {});
  if (!context) throw new Error("no browser");
  const other = await context.newPage();
  await signIn(other, email);
  await other.goto("/home");
  return other;
}

test("a reset link sets a new password once and logs out all other devices", { tag: "@phone" }, async ({ page }) => {
  const { email } = await joinCampus(page);
  const phone = await otherDevice(page, email);
  await page.context().clearCookies();
  await page.goto("/auth");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await page.getByRole("button", { name: "Send the Link" }).click();
  await expect(page.getByText("Email is required")).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await expect(page.getByText("Email is required")).toBeHidden();
  await page.getByRole("button", { name: "Send the Link" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();

  const link = await linkMailedTo(page, email, { path: "/auth/reset" });
  await page.goto(link);
  await page.getByLabel("New password").fill("12345");
  await page.getByRole("button", { name: "Save Password" }).click();
  await expect(page.getByText("Password must be at least 6 characters")).toBeVisible();
  await expectAccessible(page);
  await phone.goto(link);
  await page.getByLabel("New password").fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Save Password" }).click();
  await expectHome(page);
  await expect(page.getByText("Password changed. You're logged in.")).toBeVisible();

  await phone.getByLabel("New password").fill("another-password");
  await phone.getByRole("button", { name: "Save Password" }).click();
  await expect(phone.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await phone.goto("/cart");
  await expect(phone).toHaveURL(/\/auth\?to=/);
  await phone.context().close();
});

test(
  "logging out ends every tab of this browser at once, and leaves other devices logged in",
  { tag: "@desktop" },
  async ({ page }) => {
    const { email } = await joinCampus(page);
    const other = await otherDevice(page, email);
    await openLive(page, "/profile");
    const tab = await page.context().newPage();
    await tab.goto("/cart");
    await page.getByRole("main").getByRole("button", { name: "Log out", exact: true }).click();
    await expect(page).toHaveURL("/auth");
    await expect(page.getByText("Logged out successfully")).toBeVisible();
    await expect(tab).toHaveURL(/\/auth\?to=/);
    await other.goto("/cart");
    await expect(other).toHaveURL("/cart");
    await other.context().close();
  },
);

test(
  "a logout without a connection says that nobody is logged out, and succeeds as soon as there is one",
  { tag: "@desktop" },
  async ({ page }) => {
    await joinCampus(page);
    await page.goto("/profile");
    await page.route("**/logout.data*", (route) => route.abort());
    await page.getByRole("main").getByRole("button", { name: "Log out", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Failed to log out" })).toBeVisible();
    await expect(page.getByText("You're still logged in on this device", { exact: false })).toBeVisible();
    await page.unroute("**/logout.data*");
    await expect(page).toHaveURL("/auth");
    await expect(page.getByText("Logged out successfully")).toBeVisible();
    await page.goto("/home");
    await expect(page).toHaveURL(/\/auth\?to=/);
  },
);

test(
  "whoever stays logged in after a failed logout isn't logged out on the way",
  { tag: "@desktop" },
  async ({ page }) => {
    await joinCampus(page);
    await page.goto("/profile");
    await page.route("**/logout.data*", (route) => route.abort());
    await page.getByRole("main").getByRole("button", { name: "Log out", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Failed to log out" })).toBeVisible();
    // Home needs longer than the pause between two attempts.
    const home = await holdRequests(page, /\/home\.data/);
    await page.getByRole("link", { name: "Stay Logged In" }).click();
    await expect.poll(() => home.asked.length).toBeGreaterThan(0);
    await page.unroute("**/logout.data*");
    const logouts: string[] = [];
    page.on("request", (request) => void (request.url().includes("/logout.data") && logouts.push(request.method())));
    await page.waitForTimeout(6_000);
    home.send();
    await expect(page).toHaveURL("/home");
    expect(logouts).toEqual([]);
  },
);

test(
  "an answer from a proxy counts as a connection error, and what was typed stays",
  { tag: "@desktop" },
  async ({ page }) => {
    await page.goto("/auth");
    await page.getByLabel("Email").fill("nobody-here@campus.test");
    await page.getByLabel("Password", { exact: true }).fill("not-a-password");
    // The answer comes from a proxy between us and the server.
    await page.route("**/auth.data*", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
    );
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByText("Please check your internet connection and try again", { exact: true })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveText(
      "Connection Error - Please check your internet connection and try again.",
    );
    await expect(page.getByLabel("Email")).toHaveValue("nobody-here@campus.test");
    await page.unroute("**/auth.data*");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
  },
);

test("details are changed in the settings, with errors at their fields", { tag: "@desktop" }, async ({ page }) => {
  await joinCampus(page);
  await page.goto("/profile?tab=settings&section=details");
  await page.getByLabel("Phone").fill("0202345678");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Invalid phone number format. Use format: 07XXXXXXXX or 254XXXXXXXXX")).toBeVisible();
  await expect(page.getByLabel("Phone")).toBeFocused();
  await page.getByLabel("Full name").fill("Achieng Atieno");
  await page.getByLabel("Phone").fill("+254 733 000 001");
  // The list of messages is loaded, so messages show without a connection.
  await expect(page.getByRole("region", { name: "Notifications alt+T" })).toBeAttached();
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Please check your internet connection and try again")).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue("Achieng Atieno");
  await page.context().setOffline(false);
  await page.getByLabel("Campus location").fill("Parklands Campus");
  // What is typed while it is being saved stays, and is saved next.
  const saving = await holdRequests(page, "**/settings/send.data*");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await page.getByLabel("Full name").fill("Achieng Owino");
  saving.send();
  await expect(page.getByText("Profile saved")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Achieng Atieno" })).toBeVisible();
  await expect(page.getByLabel("Phone")).toHaveValue("0733 000 001");
  await expect(page.getByLabel("Full name")).toHaveValue("Achieng Owino");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("heading", { name: "Achieng Owino" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Phone")).toHaveValue("0733 000 001");
});

test("an account is deleted after confirmation, and its email is free again", { tag: "@desktop" }, async ({ page }) => {
  const { email } = await joinCampus(page);
  await page.goto("/profile?tab=settings&section=delete");
  await page.getByText("I want to delete my account").click();
  await page.getByRole("button", { name: "Delete My Account" }).click();
  await expect(page.getByText("Type DELETE to confirm").nth(1)).toBeVisible();
  await page.getByLabel("Type DELETE to confirm").fill("delete");
  await page.getByLabel("Current password").last().fill(PASSWORD);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete My Account" }).click();
  await expect(page.getByText("Your account has been deleted")).toBeVisible();
  await expect(page).toHaveURL("/auth");
  await logIn(page, email);
  await expect(page.getByRole("alert")).toHaveText("Invalid email or password");
});

test.describe("the slides", () => {
  test(
    "change every ten seconds, stop under the pointer or when paused, and follow their dots",
    { tag: "@desktop" },
    async ({ page }) => {
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await page.clock.install();
      await page.goto("/auth");
      const dot = (n: number) => page.getByRole("button", { name: new RegExp(`^Slide ${n}`) });
      await expect(dot(1)).toHaveAttribute("aria-current", "true");
      for (const next of [2, 3, 1]) {
        await page.clock.runFor(10_000);
        await expect(dot(next)).toHaveAttribute("aria-current", "true");
      }
      await dot(3).click();
      await expect(dot(3)).toHaveAttribute("aria-current", "true");
      await page.clock.runFor(30_000);
      await expect(dot(3)).toHaveAttribute("aria-current", "true");
      await page.getByRole("button", { name: "Pause slideshow" }).click();
      await page.getByLabel("Email").click();
      await page.clock.runFor(30_000);
      await expect(dot(3)).toHaveAttribute("aria-current", "true");
    },
  );

  test("follow a finger", { tag: "@phone" }, async ({ page }) => {
    await page.goto("/auth");
    const dot = (n: number) => page.getByRole("button", { name: new RegExp(`^Slide ${n}`) });
    await expect(dot(1)).toHaveAttribute("aria-current", "true");
    const session = await page.context().newCDPSession(page);
    async function swipe(from: number, to: number): Promise<void> {
      await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: from, y: 120 }] });
      for (let step = 1; step <= 10; step += 1) {
        await session.send("Input.dispatchTouchEvent", {
          type: "touchMove",
          touchPoints: [{ x: from + ((to - from) * step) / 10, y: 120 }],
        });
      }
      await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    }
    await swipe(330, 60);
    await expect(dot(2)).toHaveAttribute("aria-current", "true");
    await swipe(60, 330);
    await expect(dot(1)).toHaveAttribute("aria-current", "true");
  });
});
