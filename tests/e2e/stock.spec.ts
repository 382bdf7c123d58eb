import type { Page } from "@playwright/test";
import {
  expect,
  expectAccessible,
  expectAccessibleAtBothSizes,
  runScheduledJobs,
  test,
} from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { openFields } from "#tests/support/more-fields.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, payOrder, post } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

test.describe.configure({ mode: "parallel", timeout: 240_000 });
// Refused changes are part of what people see.
test.use({ tolerated: /status of 4(00|09)/ });

/** A listing with this many pieces. */
function stocked(seller: Page, name: string, stock: string, condition = "new"): Promise<string> {
  return listProduct(seller, name, { madeToOrder: "", stock, condition });
}

async function cancelOnHandset(payer: Page, phone: string): Promise<void> {
  const handset = await payer.context().newPage();
  await handset.goto(`/sandbox/phone?phone=${phone}`);
  await handset.getByRole("button", { name: "Cancel", exact: true }).click();
  await handset.close();
}

test(
  "while one student pays for the last piece another waits for it, is told live, and buys it",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const [seller, waiting] = [await openWindow(), await openWindow()];
    await joinAsSeller(seller);
    const name = `Kettle ${newWord()}`;
    const productId = await stocked(seller, name, "1", "good");
    await joinCampus(page);
    const { email } = await joinCampus(waiting);
    const phone = freshPhone("00");
    await payOrder(page, await orderProduct(page, productId), phone);

    // Who pays is led to the payment.
    await page.goto(`/product/${productId}`);
    await expect(page.getByText("You're paying for this right now.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Go to the payment" })).toBeVisible();

    await waiting.goto(`/product/${productId}`);
    await expect(waiting.getByText(/Somebody is paying for this right now\. Try again in [45] min/)).toBeVisible();
    await expect(waiting.getByRole("button", { name: "Buy Now" })).toBeDisabled();
    // On a phone too the reason stands with the button.
    await expect(waiting.getByText(/Somebody is paying for this right now/)).toBeInViewport({ ratio: 1 });
    await expect(waiting.getByRole("button", { name: "Tell me when it's available" })).toBeInViewport({ ratio: 1 });
    await waiting.getByRole("button", { name: "Tell me when it's available" }).click();
    await expect(waiting.getByText("We'll tell you")).toBeVisible();
    await waiting.getByRole("button", { name: "Stop waiting" }).click();
    await waiting.getByRole("button", { name: "Tell me when it's available" }).click();
    await expect(waiting.getByRole("button", { name: "Stop waiting" })).toBeVisible();
    await expectAccessibleAtBothSizes(waiting);
    // It stands in a cart all the same.
    await waiting.getByRole("button", { name: "Add to Cart" }).click();
    await waiting.goto("/cart");
    await expect(waiting.getByText(/Somebody is paying for this right now/)).toBeVisible();
    await expectAccessibleAtBothSizes(waiting);

    await cancelOnHandset(page, phone);
    const told = waiting.getByRole("status").filter({ hasText: `${name} is available again` });
    await expect(told.or(waiting.getByText(`${name} is available again`)).first()).toBeVisible({ timeout: 30_000 });
    await waiting.getByRole("button", { name: "Open", exact: true }).click();
    await expect(waiting).toHaveURL(`/product/${productId}`);
    // The job of every minute gathers what the email says.
    await runScheduledJobs(waiting);
    await linkMailedTo(waiting, email, { path: `/product/${productId}` });
    await waiting.getByRole("button", { name: "Buy Now" }).click();
    await expect(waiting).toHaveURL(/\/checkout\//);
    await waiting.getByLabel(/phone/i).fill(freshPhone());
    await waiting.getByRole("button", { name: /^Pay KES/ }).click();
    await expect(waiting).toHaveURL(/\/order-confirmation\//, { timeout: 60_000 });

    await page.goto(`/product/${productId}`);
    await expect(page.getByText("Sold out")).toBeVisible();
    await expect(page.getByRole("button", { name: "Tell me when it's back" })).toBeVisible();
    await expectAccessibleAtBothSizes(page);
  },
);

/** Runs in the page: presses the button once more when an answer has come, before the screen shows it. */
function pressAgainWithTheAnswer(button: HTMLElement): void {
  const { json } = Response.prototype;
  Response.prototype.json = async function (this: Response) {
    Response.prototype.json = json;
    const answer = await json.call(this);
    // The code that waits for the answer goes on first. Rendering is a task of its own.
    const press = async (steps: number): Promise<void> => {
      await Promise.resolve();
      return steps === 0 ? button.click() : press(steps - 1);
    };
    void press(10);
    return answer;
  };
}

test(
  "a seller changes the stock in one tap, in two tabs, and buyers see how many are left",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    await joinAsSeller(page);
    const name = `Mug ${newWord()}`;
    const productId = await stocked(page, name, "1");
    await page.goto("/myshop");
    const stock = page.getByRole("textbox", { name: `Stock of ${name}` });
    await expect(stock).toHaveValue("1");
    const other = await page.context().newPage();
    await other.goto("/myshop");

    // Quick presses add up.
    await page.waitForLoadState("networkidle");
    const more = page.locator("form", { has: stock }).getByLabel(`One more of ${name}`);
    await more.evaluate(pressAgainWithTheAnswer);
    await more.click();
    await expect(stock).toHaveValue("3");
    const theirs = other.getByRole("textbox", { name: `Stock of ${name}` });
    await expect(async () => {
      await other.reload();
      await expect(theirs).toHaveValue("3", { timeout: 2_000 });
    }).toPass();

    // In a tab that shows an old number, a press changes nothing, and shows the number there is.
    await post(page, `/product/${productId}/manage`, { intent: "stock", seen: "3", stock: "2" });
    await other.getByRole("button", { name: `One more of ${name}` }).click();
    await expect(other.getByText("You have 2 now", { exact: false })).toBeVisible();
    await expect(theirs).toHaveValue("2");

    const buyer = await openWindow();
    await joinCampus(buyer);
    await buyer.goto(`/product/${productId}`);
    await expect(buyer.getByText("Only 2 left").first()).toBeVisible();

    await page.reload();
    await expect(stock).toHaveValue("2");
    await stock.fill("0");
    await stock.press("Enter");
    await expect(page.getByText("Sold out")).toBeVisible();
    await expectAccessible(page);
    const manage = page.getByRole("button", { name: `Manage ${name}` });
    await manage.click();
    await page.getByRole("button", { name: "Mark as Active" }).click();
    await expect(page.getByText("Enter how many you have to put it back on sale.", { exact: false })).toBeVisible();
    await expect(stock).toBeFocused();
    await stock.fill("2");
    await stock.press("Enter");
    const badge = page.locator(".status-badge");
    await expect(badge).toHaveText("Active");

    // The seller's choice ends when the number puts the listing on sale again.
    await manage.click();
    const answered = page.waitForResponse("**/manage");
    await page.getByRole("button", { name: "Mark as Out of Stock" }).click();
    await answered;
    await expect(badge).toHaveText("Out of Stock");
    for (const pieces of ["0", "2"]) {
      await stock.fill(pieces);
      await stock.press("Enter");
      await expect(page.locator(`input[name=seen][value="${pieces}"]`)).toBeAttached();
    }
    await expect(badge).toHaveText("Active");

    // A form that was open meanwhile undoes nothing, and loses nothing.
    await other.goto(`/product/${productId}/edit`);
    const noted = page.waitForResponse(/\/manage$/);
    await more.click();
    await noted;
    await expect(stock).toHaveValue("3");
    await openFields(other, "Stock and selling");
    await other.getByLabel("How many do you have?").fill("9");
    await other.getByLabel("Product name").fill(`${name} blue`);
    await other.getByRole("button", { name: "Save Changes" }).click();
    await expect(other.getByText("You have 3 now", { exact: false })).toBeVisible();
    await expect(other.getByLabel("Product name")).toHaveValue(`${name} blue`);
    await expectAccessible(other);
    await other.getByRole("button", { name: "Save Changes" }).click();
    await expect(other).toHaveURL(`/product/${productId}`);
    await expect(other.getByRole("textbox", { name: `Stock of ${name} blue` })).toHaveValue("9");
    await other.close();

    // Back shows the number that was just loaded, and a press starts from it.
    await page.getByRole("link", { name, exact: true }).click();
    const counted = page.waitForResponse(/\/manage$/);
    await page.getByRole("button", { name: `One more of ${name} blue` }).click();
    await counted;
    await expect(page.getByRole("textbox", { name: `Stock of ${name} blue` })).toHaveValue("10");
    await page.goBack();
    await page
      .getByRole("article")
      .getByRole("button", { name: `One more of ${name} blue` })
      .click();
    await expect(page.getByRole("textbox", { name: `Stock of ${name} blue` })).toHaveValue("11");
  },
);

test(
  "without scripts, the stock and the waiting list work with their buttons",
  { tag: "@desktop" },
  async ({ browser, contextOptions, openWindow }) => {
    const seller = await openWindow();
    await joinAsSeller(seller);
    const name = `Lamp ${newWord()}`;
    const productId = await stocked(seller, name, "1");
    const plain = async (from: Page) => {
      const context = await browser.newContext({ ...contextOptions, javaScriptEnabled: false });
      await context.addCookies(await from.context().cookies());
      return context.newPage();
    };
    const shop = await plain(seller);
    await shop.goto("/myshop");
    await shop.getByRole("button", { name: `One less of ${name}` }).click();
    await expect(shop.getByText("Sold out")).toBeVisible();

    const buyer = await openWindow();
    await joinCampus(buyer);
    const page = await plain(buyer);
    await page.goto(`/product/${productId}`);
    await page.getByRole("button", { name: "Tell me when it's back" }).click();
    await expect(page.getByText("We'll tell you", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Stop waiting" }).click();
    await expect(page.getByRole("button", { name: "Tell me when it's back" })).toBeVisible();

    await shop.getByRole("textbox", { name: `Stock of ${name}` }).fill("4");
    await shop.getByRole("button", { name: "Set", exact: true }).click();
    await expect(shop.getByRole("textbox", { name: `Stock of ${name}` })).toHaveValue("4");
    await shop.context().close();
    await page.context().close();
  },
);
