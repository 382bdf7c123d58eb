/**
 * Every ending that a payment or a payout can take, as buyer and seller see it. The orders are placed by quick requests, side by
 * side; what is looked at are the screens. Runs after all other tests: an empty float stops every payout for a while.
 */
import type { APIRequestContext, Page } from "@playwright/test";
import { expect, runScheduledJobs, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";

async function post(request: APIRequestContext, path: string, form: Record<string, string>, origin: string) {
  return request.post(path, { form, headers: { origin }, maxRedirects: 0 });
}

const PRICE = "1500";

/** The seller puts something new on sale: each purchase has a thing of its own. Answers with its path. */
async function list(seller: Page, name: string, origin: string): Promise<string> {
  const productId = crypto.randomUUID();
  const answer = await post(
    seller.request,
    "/add-product",
    { productId, name, price: PRICE, description: "Works well", category: "stationery", condition: "new" },
    origin,
  );
  expect(answer.status(), `listing ${name}`).toBeLessThan(400);
  return `/product/${productId}`;
}

async function order(buyer: Page, listing: string, origin: string): Promise<string> {
  const answer = await post(
    buyer.request,
    listing,
    { intent: "buy-now", quantity: "1", orderKey: crypto.randomUUID(), price: PRICE },
    origin,
  );
  const orderId = answer.headers().location?.split("/").at(-1);
  expect(orderId, `ordering answered ${answer.status()}`).toMatch(/^[0-9a-f-]{36}$/);
  return orderId ?? "";
}

/** Fills in the checkout and presses Pay, as a person does. */
async function payByHand(page: Page, orderId: string, phone: string): Promise<void> {
  await page.goto(`/checkout/${orderId}`);
  const pickup = page.getByRole("checkbox");
  await pickup.click();
  await expect(pickup).toBeChecked();
  await pressPay(page, phone);
}

async function pressPay(page: Page, phone: string): Promise<void> {
  await page.getByLabel(/phone/i).fill(phone);
  await page.getByRole("button", { name: /^Pay KES/ }).click();
}

/** Presses a button of the sandbox's handset while this phone rings there. */
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
}

/** What each payer's ending looks like at the checkout. */
const PAYERS: [ending: string, story: string, look: (page: Page, orderId: string, phone: string) => Promise<void>][] = [
  [
    "00",
    "waits for the handset, is cancelled there, and paid there at the second try",
    async (page, orderId, phone) => {
      await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
      await expect(page.getByRole("button", { name: "Waiting for your PIN..." })).toBeDisabled();
      // Somebody who reloads, or comes back, finds it waiting still.
      await page.reload();
      await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
      await answerOnHandset(page, phone, "Cancel");
      await expectFailed(page, /You cancelled the request/);
      await pressPay(page, phone);
      await answerOnHandset(page, phone, "Pay KES 1,500");
      await expect(page.getByText(/Payment successful! M-Pesa receipt: [A-Z0-9]{10}/)).toBeVisible();
      await expectPaid(page, orderId);
    },
  ],
  ["01", "cancels", (page) => expectFailed(page, /You cancelled the request/)],
  [
    "02",
    "has too little money, and finds on the order's own page why, and the way back",
    async (page, orderId) => {
      await expectFailed(page, /not enough money/);
      await page.goto(`/order-confirmation/${orderId}`);
      await expect(page.getByRole("heading", { level: 1, name: "Payment Failed" })).toBeVisible();
      await expect(page.getByText("There is not enough money in that M-Pesa account.", { exact: false })).toBeVisible();
      await page.getByRole("link", { name: "Try Payment Again" }).click();
      await expect(page).toHaveURL(`/checkout/${orderId}`);
      await expectFailed(page, /not enough money/);
    },
  ],
  ["03", "does not answer", (page) => expectFailed(page, /did not answer in time/)],
  [
    "04",
    "types a wrong PIN, and pays at the second try",
    async (page, orderId) => {
      await expectFailed(page, /PIN was wrong/);
      await pressPay(page, freshPhone());
      await expectPaid(page, orderId);
    },
  ],
  [
    "05",
    "pays, and the callback is lost",
    async (page, orderId) => {
      await expectPaid(page, orderId);
      await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
    },
  ],
  ["06", "pays, and the callback comes twice", expectPaid],
  ["07", "pays late", expectPaid],
  [
    "08",
    "pays another amount",
    async (page) => {
      await expect(page.getByRole("status").filter({ hasText: "We are checking your payment" })).toBeVisible();
      await expect(page.getByText("Please do not pay again", { exact: false })).toBeVisible();
      await expect(page.getByRole("button", { name: "Payment under review" })).toBeDisabled();
    },
  ],
  ["09", "pays, and the answer to the request is lost", expectPaid],
];

test("each way a buyer's payment can end is shown at the checkout, in plain words", async ({ openAs, baseURL }) => {
  test.setTimeout(240_000);
  const origin = new URL(baseURL ?? "").origin;
  const seller = await openAs("seller@campus.test");
  // Two buyers, because one may not ask for so many payments a minute.
  const buyers = [await openAs("buyer@campus.test"), await openAs("wholesaler@campus.test")];
  await Promise.all(
    PAYERS.map(([ending, story, look], n) =>
      test.step(`payer ending ${ending}: ${story}`, async () => {
        const buyer = buyers[n % buyers.length];
        if (!buyer) throw new Error("no buyer");
        const orderId = await order(buyer, await list(seller, `Notebook ${ending}`, origin), origin);
        const page = await buyer.context().newPage();
        const phone = freshPhone(ending);
        await payByHand(page, orderId, phone);
        await look(page, orderId, phone);
      }),
    ),
  );
});

test.describe("with answers that are lost", () => {
  // The router leaves an answer's error, an object of a class with a short name, unhandled while it looks for a route's styles.
  test.use({ tolerated: /ERR_INTERNET_DISCONNECTED|Failed to fetch|status of 500|^\w{1,3}$/ });

  test("a checkout stays as it is, keeps what was typed, and goes on by itself", async ({ openAs, baseURL }) => {
    const [seller, page] = [await openAs("seller@campus.test"), await openAs("newcomer@campus.test")];
    const data = "**/checkout/*.data*";
    await page.goto(await list(seller, "Drawing board", new URL(baseURL ?? "").origin));
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
    await pressPay(page, phone);
    await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
    let lost = 0;
    await page.route(data, (route) => {
      lost += 1;
      return route.fulfill({ status: 500, body: "Internal Server Error" });
    });
    // More than the tries of one round, so that polling has gone on.
    await expect.poll(() => lost, { timeout: 30_000 }).toBeGreaterThan(3);
    await expect(page.getByRole("heading", { name: "Check your phone" })).toBeVisible();
    await page.unroute(data);
    const orderId = page.url().split("/").at(-1) ?? "";
    await answerOnHandset(page, phone, "Pay KES 1,500");
    await expectPaid(page, orderId);
  });
});

function saleLinks(seller: Page): Promise<string[]> {
  return seller
    .locator('a[href^="/seller/orders/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
}

/** Lets a buyer order and pay `count` things; answers the seller's pages of what was sold. */
async function sell(
  count: number,
  buyer: Page,
  seller: Page,
  origin: string,
): Promise<{ sales: string[]; anOrder: string }> {
  await seller.goto("/myshop?tab=orders");
  const earlier = await saleLinks(seller);
  let anOrder = "";
  for (let n = 0; n < count; n += 1) {
    anOrder = await order(buyer, await list(seller, `Ruled paper ${n}`, origin), origin);
    const paying = await post(
      buyer.request,
      `/checkout/${anOrder}`,
      { intent: "pay", option: "pickup", pickupConfirmed: "on", phone: freshPhone() },
      origin,
    );
    expect(paying.ok()).toBe(true);
  }
  let sales: string[] = [];
  await expect(async () => {
    await seller.goto("/myshop?tab=orders");
    sales = (await saleLinks(seller)).filter((link) => !earlier.includes(link));
    expect(sales).toHaveLength(count);
  }).toPass();
  return { sales, anOrder };
}

test("each way a payout can end is shown to the seller, who is paid in the end or told why not", async ({
  openAs,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const origin = new URL(baseURL ?? "").origin;
  const [seller, buyer] = [await openAs("pro@campus.test"), await openAs("admin@campus.test")];
  const { sales, anOrder } = await sell(5, buyer, seller, origin);
  const changePhone = (phone: string) =>
    post(
      seller.request,
      "/settings",
      {
        intent: "details",
        fullName: "Amina Hassan",
        campusLocation: "City Campus",
        phone,
        currentPassword: "campus-demo",
      },
      origin,
    );

  /** Brings a sale to its payout, to a phone with this ending, and opens its page. */
  async function deliver(sale: string | undefined, ending: string): Promise<Page> {
    if (!sale) throw new Error("there is no such sale");
    const itemId = sale.split("/").at(-1) ?? "";
    await changePhone(freshPhone(ending));
    await post(
      seller.request,
      "/api/messages",
      { about: `item:${itemId}`, text: "At the library at four?", key: crypto.randomUUID() },
      origin,
    );
    await post(buyer.request, `/orders/${anOrder}`, { intent: "agree", itemId }, origin);
    for (const intent of ["ship", "deliver"])
      expect((await post(seller.request, sale, { intent, itemId }, origin)).ok(), `${intent} of ending ${ending}`).toBe(
        true,
      );
    const page = await seller.context().newPage();
    await page.goto(sale);
    // It has left for this phone before the next one is set.
    await expect(page.getByText("Sent to M-Pesa", { exact: false })).toBeVisible();
    return page;
  }

  const lost = await deliver(sales[0], "12");
  await expect(lost.getByText("M-Pesa has accepted your payout and is sending it.")).toBeVisible();
  await expect(lost.getByText(/Accepted as AG_/)).toBeVisible();

  const queued = await deliver(sales[1], "13");
  await expect(queued.getByText("M-Pesa has not told us the result yet.", { exact: false })).toBeVisible();

  const unanswered = await deliver(sales[2], "15");
  await expect(unanswered.getByText("The money is in your M-Pesa.")).toBeVisible();

  const unregistered = await deliver(sales[3], "14");
  await expect(unregistered.getByText("Your phone number is not registered for M-Pesa.").first()).toBeVisible();
  await changePhone(freshPhone("64"));
  await unregistered.getByRole("button", { name: "Try Payout Again" }).click();
  await expect(unregistered.getByText(/B2C Payment initiated! Transaction ID: \S+/).first()).toBeVisible();
  await expect(unregistered.getByText("The money is in your M-Pesa.")).toBeVisible();

  await expect(async () => {
    await runScheduledJobs(seller);
    await expect(queued.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 3_000 });
  }).toPass();

  // Last, because it stops the line.
  const empty = await deliver(sales[4], "11");
  await expect(empty.getByText("We are topping up our M-Pesa account.").first()).toBeVisible();
  await expect(empty.getByText("Your money is safe.", { exact: false })).toBeVisible();
  await changePhone("0733000021");

  // What M-Pesa has taken and says no more about is looked up after five minutes, also while the line stands.
  await expect(lost.getByText("M-Pesa has accepted your payout and is sending it.")).toBeVisible();
  await expect(async () => {
    await runScheduledJobs(seller, 6);
    await expect(lost.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 3_000 });
  }).toPass();
});
