/**
 * Outcomes of a payment as the buyer sees them at the checkout. The last two digits of the phone decide the outcome.
 * `tests/workers/payments.test.ts` has every one.
 */
import type { Page } from "@playwright/test";
import { expect, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, post } from "#tests/support/requests.ts";

test.describe.configure({ mode: "parallel", timeout: 240_000 });

/** Fills in the checkout and presses Pay. */
async function payByHand(page: Page, orderId: string, phone: string): Promise<void> {
  await page.goto(`/checkout/${orderId}`);
  await pressPay(page, phone);
}

async function pressPay(page: Page, phone: string): Promise<void> {
  await page.getByLabel(/phone/i).fill(phone);
  await page.getByRole("button", { name: /^Pay KES/ }).click();
}

/** Presses a button of the sandbox's handset while this phone rings. */
async function answerOnHandset(payer: Page, phone: string, button: string): Promise<void> {
  const handset = await payer.context().newPage();
  await handset.goto(`/sandbox/phone?phone=${phone}`);
  await handset.getByRole("button", { name: button, exact: true }).click();
  await expect(handset.getByRole("dialog")).toHaveCount(0);
  await handset.close();
}

async function expectPaid(page: Page, orderId: string): Promise<void> {
  await expect(page).toHaveURL(`/order-confirmation/${orderId}`, { timeout: 90_000 });
  await expect(page.getByRole("heading", { level: 1, name: "Order Confirmed!" })).toBeVisible();
}

async function expectFailed(page: Page, reason: RegExp): Promise<void> {
  const alert = page.getByRole("alert").filter({ hasText: "Payment failed. Please try again." });
  await expect(alert).toContainText(reason, { timeout: 60_000 });
  await expect(page.getByRole("button", { name: /^Pay KES/ })).toBeEnabled();
  // The number may be what has to change.
  const [said, number] = [await alert.boundingBox(), await page.getByLabel("M-Pesa phone number").boundingBox()];
  expect((number?.y ?? 0) - (said ? said.y + said.height : 0), "px between the reason and the number").toBeLessThan(
    200,
  );
}

/** The phone's ending, what happens, and what the buyer sees. */
type Outcome = [ending: string, story: string, look: (page: Page, orderId: string, phone: string) => Promise<void>];

const FAILURES: Outcome[] = [
  [
    "00",
    "waits for the handset, is cancelled there, and paid there at the second try",
    async (page, orderId, phone) => {
      await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Waiting for your PIN..." })).toBeDisabled();
      // A buyer who reloads or returns still sees that it is waiting.
      await page.reload();
      await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
      await answerOnHandset(page, phone, "Cancel");
      await expectFailed(page, /You cancelled on your phone/);
      await expect(page.getByLabel(/phone/i)).toBeFocused();
      await pressPay(page, phone);
      await answerOnHandset(page, phone, "Pay KES 1,500");
      await expect(page.getByText(/Payment successful! M-Pesa receipt: [A-Z0-9]{10}/)).toBeVisible();
      await expectPaid(page, orderId);
    },
  ],
  [
    "02",
    "has too little money, and finds on the order's own page why, and the way back",
    async (page, orderId) => {
      await expectFailed(page, /isn't enough money/);
      await page.goto(`/order-confirmation/${orderId}`);
      await expect(page.getByRole("heading", { level: 1, name: "Payment Failed" })).toBeVisible();
      await expect(page.getByText("There isn't enough money in that M-Pesa account.", { exact: false })).toBeVisible();
      await page.getByRole("link", { name: "Try Payment Again" }).click();
      await expect(page).toHaveURL(`/checkout/${orderId}`);
      await expectFailed(page, /isn't enough money/);
    },
  ],
  [
    "00",
    "is a stranger's by a slip, so the buyer turns to another number; the stranger pays first all the same",
    async (page, orderId, phone) => {
      await page.getByRole("button", { name: "Use a different number" }).click();
      await expect(page.getByRole("alert").filter({ hasText: "Enter a different M-Pesa number" })).toBeVisible();
      await expect(page.getByLabel(/phone/i)).toBeFocused();
      await expect(page.getByLabel(/phone/i)).not.toHaveValue("");
      await pressPay(page, freshPhone("00"));
      await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
      await answerOnHandset(page, phone, "Pay KES 1,500");
      await expectPaid(page, orderId);
    },
  ],
  [
    "04",
    "types a wrong PIN, and pays at the second try",
    async (page, orderId) => {
      await expectFailed(page, /PIN was wrong/);
      await pressPay(page, freshPhone());
      await expectPaid(page, orderId);
    },
  ],
];

const SUCCESSES: Outcome[] = [
  [
    "05",
    "pays, and the callback is lost",
    async (page, orderId) => {
      await expectPaid(page, orderId);
      await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
    },
  ],
  [
    "08",
    "pays another amount",
    async (page) => {
      await expect(page.getByRole("status").filter({ hasText: "We are checking your payment" })).toBeVisible();
      await expect(page.locator("section:focus")).toContainText("Please don't pay again");
      await expect(page.getByRole("button", { name: "Checking your payment..." })).toBeDisabled();
    },
  ],
];

/** One buyer pays once for each outcome, in parallel, and then looks at each checkout. */
async function payAll(buyer: Page, seller: Page, outcomes: Outcome[]): Promise<void> {
  await joinCampus(buyer);
  await joinCampus(seller);
  await Promise.all(
    outcomes.map(([ending, story, look]) =>
      test.step(`phone ending ${ending}: ${story}`, async () => {
        const orderId = await orderProduct(buyer, await listProduct(seller, `Notebook ${ending}`));
        const page = await buyer.context().newPage();
        const phone = freshPhone(ending);
        await payByHand(page, orderId, phone);
        await look(page, orderId, phone);
      }),
    ),
  );
}

test("payments that fail are explained, and can be tried again", { tag: "@phone" }, async ({ page, openWindow }) => {
  await payAll(page, await openWindow(), FAILURES);
});

test(
  "payments that arrive are confirmed, however M-Pesa tells of them",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    await payAll(page, await openWindow(), SUCCESSES);
  },
);

test.describe("when answers are lost", () => {
  test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 500/ });

  test(
    "the checkout keeps what was typed, and continues by itself",
    { tag: "@phone" },
    async ({ page, openWindow }) => {
      const seller = await openWindow();
      await joinCampus(seller);
      await post(seller, "/myshop/settings", { shopName: "Otieno Boards", offersDelivery: "on" });
      await joinCampus(page);
      const data = "**/checkout/*.data*";
      await page.goto(`/product/${await listProduct(seller, "Drawing board")}`);
      await page.route(data, (route) => route.fulfill({ status: 500, body: "Internal Server Error" }));
      await page.getByRole("button", { name: /Buy Now/ }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Failed to load order information" })).toBeVisible();
      await page.unroute(data);
      await page.getByRole("button", { name: "Try Again" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Complete Your Payment" })).toBeVisible();

      await page.getByRole("radio", { name: /^Delivery/ }).check();
      const address = page.getByLabel("Delivery address");
      await address.fill("Hall 9, room 12");
      await page.context().setOffline(true);
      await page.getByRole("link", { name: "Refresh Status" }).click();
      await expect(page.getByText("Failed to check payment status")).toBeVisible();
      await expect(address).toHaveValue("Hall 9, room 12");
      await page.context().setOffline(false);

      const phone = freshPhone("00");
      const unseen = page.getByRole("main").getByText(/^We can't see yet whether your payment went through/);
      await page.route(data, (route) =>
        route.request().method() === "POST" ? route.fulfill({ status: 500, body: "" }) : route.fallback(),
      );
      await pressPay(page, phone);
      await expect(unseen).toBeVisible();
      await page.unroute(data);
      const refreshed = page.waitForResponse(/\/checkout\/[^/]+\.data/);
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await refreshed;
      await page.waitForLoadState("networkidle");
      await expect(unseen).toBeVisible();
      await pressPay(page, phone);
      await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
      await expect(unseen).toBeHidden();
      let lost = 0;
      await page.route(data, (route) => {
        lost += 1;
        return route.fulfill({ status: 500, body: "Internal Server Error" });
      });
      // Longer than the attempts of one round, so that polling has continued.
      await expect.poll(() => lost, { timeout: 30_000 }).toBeGreaterThan(3);
      await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
      await page.unroute(data);
      const orderId = page.url().split("/").at(-1) ?? "";
      await answerOnHandset(page, phone, "Pay KES 1,500");
      await expectPaid(page, orderId);
    },
  );
});
