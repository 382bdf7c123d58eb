/**
 * Notifications while the app is closed. What is real: the browser's permission, its service worker, the encryption and
 * the signature, the sandbox's push service, which decrypts with keys of its own, and the notification that Chromium
 * then shows. What isn't: the way from a push service to the browser. Here the test hands the decrypted message to
 * Chromium.
 */
import type { CDPSession, Page } from "@playwright/test";
import { z } from "zod";
import { expect, expectAccessible, gotoLive, test } from "#tests/support/browser.ts";
import { findChromium } from "#scripts/chromium.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, originOf, post } from "#tests/support/requests.ts";

const program = findChromium({ whole: true });

test.use({
  serviceWorkers: "allow",
  launchOptions: [
    ({ launchOptions }, provide) =>
      provide(program === null ? launchOptions : { ...launchOptions, executablePath: program }),
    { scope: "worker" },
  ],
});

test.skip(program === null, "needs a Chromium that shows notifications, and not its headless shell alone");

const Pushes = z.array(
  z.object({
    browser: z.string(),
    title: z.string(),
    body: z.string(),
    path: z.string(),
    answerPath: z.string().nullable(),
    tag: z.string(),
  }),
);

/** What the sandbox's push service got for this browser, newest first. */
async function pushesFor(page: Page, browser: string) {
  const answer = await page.request.get(`${originOf()}/sandbox/pushes.json?browser=${browser}`);
  return Pushes.parse(await answer.json());
}

/** The sandbox's name for this browser. */
function browserId(page: Page): Promise<string> {
  return page.evaluate(() => (JSON.parse(localStorage.getItem("sandbox-push") ?? "{}") as { id: string }).id);
}

/** Hands Chromium a message, as its connection to a push service would. */
async function deliver(devtools: CDPSession, registrationId: string, message: object): Promise<void> {
  await devtools.send("ServiceWorker.deliverPushMessage", {
    origin: originOf(),
    registrationId,
    data: JSON.stringify(message),
  });
}

interface Shown {
  title: string;
  body: string;
  actions: { title: string }[];
}

/** What stands on the device now. */
async function shownOn(page: Page): Promise<{ title: string; body: string; actions: string[] }[]> {
  const [worker] = page.context().serviceWorkers();
  return worker!.evaluate(async () => {
    const { registration } = self as unknown as { registration: { getNotifications(): Promise<Shown[]> } };
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, actions }) => ({ title, body, actions: actions.map((action) => action.title) }));
  });
}

test(
  "a message reaches a student whose app is closed, and a device that they remove hears no more",
  { tag: "@phone" },
  async ({ page, context, openAs }) => {
    await context.grantPermissions(["notifications"]);
    await joinCampus(page);
    const devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((found) =>
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        if (registrations[0]) found(registrations[0].registrationId);
      }),
    );
    await devtools.send("ServiceWorker.enable");

    await test.step("they turn notifications on, and find their device in the list", async () => {
      await page.goto("/settings/notifications");
      await page.getByRole("button", { name: "Turn on notifications" }).click();
      await expect(page.getByText("This device", { exact: true })).toBeVisible();
      await expect(page.getByRole("button", { name: "Turn on notifications" })).toHaveCount(0);
      await expectAccessible(page);
    });

    await test.step("they want push at night, too, as this test may run then", async () => {
      await page.getByLabel("No push between these times").uncheck();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await expect(page.getByText("Saved", { exact: true })).toBeVisible();
      await expect(page.getByLabel("No push between these times")).not.toBeChecked();
    });

    const browser = await browserId(page);
    const me = await page.locator("[data-viewer]").first().getAttribute("data-viewer");
    const about = `product:${await listProduct(page, "Steel ruler")}`;
    const writer = await openAs("seller@campus.test");
    const write = (text: string) =>
      post(writer, "/api/messages", { to: me ?? "", about, text, key: crypto.randomUUID() });

    await test.step("somebody writes: the message comes encrypted, without what they wrote", async () => {
      await write("Call me on 0712345678, the code is 482913");
      await expect.poll(async () => (await pushesFor(page, browser)).length).toBe(1);
    });
    const [message] = await pushesFor(page, browser);
    expect(`${message?.title} ${message?.body}`).not.toMatch(/\d{3}/);

    await test.step("while the app is on the screen, Chromium shows nothing", async () => {
      await deliver(devtools, await registered, message!);
      expect(await shownOn(page)).toEqual([]);
    });

    await test.step("with the app closed, Chromium shows it, with Answer and Open", async () => {
      await page.goto("about:blank");
      await deliver(devtools, await registered, message!);
      await expect
        .poll(() => shownOn(page))
        .toEqual([{ title: message!.title, body: message!.body, actions: ["Answer", "Open"] }]);
      await page.goto(message!.answerPath ?? "");
      await expect(page.getByRole("log").getByText("the code is 482913")).toBeVisible();
      await expect(page.getByRole("textbox", { name: /^Message / })).toBeFocused();
    });

    await test.step("they remove the device, and nothing more is sent there", async () => {
      await page.goto("/settings/notifications");
      await page.getByRole("button", { name: /^Remove / }).click();
      await expect(page.getByText("That device gets no more notifications")).toBeVisible();
      await write("Are you there?");
      await expect(page.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
      expect(await pushesFor(page, browser)).toHaveLength(1);
    });
  },
);

test(
  "a student is asked for notifications after a first message, and “Not now” is an answer",
  { tag: "@phone" },
  async ({ page, openAs }) => {
    // As in a browser that nobody has asked yet.
    await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "default" }));
    await joinCampus(page);
    const seller = await openAs("seller@campus.test");
    const about = `product:${await listProduct(seller, "Steel ruler")}`;
    const question = page.getByRole("button", { name: "Tell me when they answer" });
    const write = (text: string) => post(page, "/api/messages", { about, text, key: crypto.randomUUID() });
    await seller.goto("/home");
    const sellerId = await seller.locator("[data-viewer]").first().getAttribute("data-viewer");

    await write("Is it still there?");
    await page.goto("/home");
    await expect(page.getByRole("button", { name: /^Tell me when/ })).toHaveCount(0);
    const conversation = `/profile?tab=messages&with=${sellerId}`;
    await gotoLive(page, conversation);
    await expect(question).toBeVisible();
    // It is a line of the page, and waits for its answer on the next one, too.
    await expect(page.getByRole("main").getByRole("button", { name: "Not now" })).toBeVisible();
    await page.reload();
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(question).toHaveCount(0);

    // What is written before the connection is open would show with the page's next reload only.
    await gotoLive(page, conversation);
    await write("I can come today");
    await expect(page.getByText("I can come today").first()).toBeVisible();
    await expect(question).toHaveCount(0);
  },
);

test("who has listed something is asked for notifications on its page", { tag: "@phone" }, async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "default" }));
  await joinCampus(page);
  const product = await listProduct(page, "Steel ruler");
  await page.goto(`/product/${product}`);
  await expect(
    page.getByRole("main").getByRole("button", { name: "Tell me when somebody writes or buys" }),
  ).toBeVisible();
});
