/**
 * Drafts: of listings and messages over a session that ends, slow scripts and a lost answer; of other forms over Back
 * and a reload.
 */
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { newImei } from "#tests/support/new-imei.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, post } from "#tests/support/requests.ts";

test.use({ tolerated: /Failed to load resource|^Connecting to 'blob:|WebSocket / });

test.beforeEach(async ({ page }) => {
  // A live connection that begins after the session has ended would leave the page at once.
  await page.context().routeWebSocket(/\/live$/, () => {});
});

const form = (page: Page) => page.locator("form.listing-form");
const hidden = (page: Page, name: string) =>
  form(page)
    .locator(`input[type=hidden][name=${name}]`)
    .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

const formDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes("form-fields")));

async function addPhoto(page: Page): Promise<void> {
  const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: "teal" } })
    .jpeg()
    .toBuffer();
  await page.getByLabel("Add photos").setInputFiles({ name: "one.jpg", mimeType: "image/jpeg", buffer });
  await expect(page.getByRole("button", { name: /^Photo 1\b.*options$/ })).toBeVisible();
}

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("Price", { exact: true }).fill("1,200");
  await page.getByLabel("Category").selectOption("stationery");
  await page.getByRole("radio", { name: "Used - Good" }).check();
  await page.getByLabel("Description").fill("Boils in three minutes.");
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("campus-demo");
  await page.getByRole("button", { name: "Login" }).click();
  await page.waitForURL((url) => url.pathname !== "/auth");
}

test(
  "a new listing whose session has ended is filled in after the login, with its photos, and listed once",
  { tag: "@phone" },
  async ({ page }) => {
    const { email } = await joinCampus(page);
    const name = `Kettle ${newWord()}`;
    await page.goto("/add-product");
    await fillIn(page, name);
    await addPhoto(page);
    const [productId] = await hidden(page, "productId");
    const photos = await hidden(page, "photos");
    await page.context().clearCookies({ name: "session" });
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page).toHaveURL(/\/auth\?to=/);

    await logIn(page, email);
    await expect(page.getByText("We restored your draft.")).toBeVisible();
    await expect(page.getByLabel("Product name")).toHaveValue(name);
    await expect(page.getByLabel("Price", { exact: true })).toHaveValue("1,200");
    await expect(page.getByLabel("Category")).toHaveValue("stationery");
    await expect(page.getByRole("radio", { name: "Used - Good" })).toBeChecked();
    await expect(page.getByLabel("Description")).toHaveValue("Boils in three minutes.");
    await expect.poll(() => hidden(page, "photos")).toEqual(photos);
    // The same id: a listing whose first answer was lost is listed once.
    expect(await hidden(page, "productId")).toEqual([productId]);

    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`/product/${productId}`);
  },
);

test(
  "a message that is sent after the session ended waits in its conversation, for the same person alone, until a logout",
  { tag: "@phone" },
  async ({ openAs, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const listing = await listProduct(seller, "Exam pad");
    const page = await openAs("pro@campus.test");
    const kept = () => page.evaluate(() => JSON.stringify(sessionStorage));
    const dialog = page.getByRole("dialog");
    const unsent = dialog.getByRole("listitem");
    const open = async () => {
      await expect(page.getByRole("heading", { name: "Exam pad", level: 1 })).toBeVisible();
      await page.getByRole("button", { name: "Message", exact: true }).click();
      await expect(dialog.getByLabel("Your message")).toBeVisible();
    };
    await page.context().routeWebSocket(/\/live$/, () => {});
    const send = async (text: string) => {
      await dialog.getByLabel("Your message").fill(text);
      await page.context().clearCookies({ name: "session" });
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect(unsent.filter({ hasText: text })).toContainText("You must be logged in to send messages");
      await expect.poll(kept).toContain(text);
    };
    await page.goto(`/product/${listing}`);
    await open();
    await send("Is it ruled?");
    await dialog.getByLabel("Your message").fill("And how many pages?");
    await page.reload();
    await expect(page).toHaveURL(/\/auth\?to=/);
    await logIn(page, "pro@campus.test");
    await open();
    await expect(dialog.getByLabel("Your message")).toHaveValue("And how many pages?");
    await expect(unsent.filter({ hasText: "Is it ruled?" })).toContainText("Failed to send message");
    await unsent.getByRole("button", { name: "Try Again" }).click();
    await expect(unsent).toHaveCount(0);
    await expect.poll(kept).not.toContain("Is it ruled?");

    // Somebody else who logs in finds nothing.
    await send("Could you come to the gate?");
    await page.goto(`/auth?to=/product/${listing}`);
    await logIn(page, "wholesaler@campus.test");
    await open();
    await expect(unsent).toHaveCount(0);
    await expect(dialog.getByLabel("Your message")).toHaveValue("");
    expect(await kept()).not.toContain("gate");

    // Nor does the same person after a logout in another tab.
    await send("I can pay today.");
    await page.goto(`/auth?to=/product/${listing}`);
    const other = await page.context().newPage();
    await other.goto("/auth");
    await logIn(other, "wholesaler@campus.test");
    expect(await kept()).toContain("I can pay today.");
    await other.goto("/logout");
    await other.getByRole("button", { name: "Log out" }).click();
    await expect(other).toHaveURL(/\/auth$/);
    await expect.poll(kept).not.toContain("I can pay today.");
  },
);

test(
  "two listings with photos are posted one after the other in My Shop's dialog",
  { tag: "@desktop" },
  async ({ page }) => {
    await joinCampus(page);
    for (const name of ["Kettle", "Toaster"]) {
      await page.goto("/myshop");
      await page.getByRole("button", { name: "Add Product" }).click();
      await expect(page.getByLabel("Product name")).toHaveValue("");
      await fillIn(page, name);
      await addPhoto(page);
      await form(page).getByRole("button", { name: "Add Product" }).click();
      await expect(form(page)).toBeHidden();
      await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    }
  },
);

test(
  "what is typed before the page's scripts have come wins over an old draft, which fills in the rest",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    await page.goto("/add-product");
    await fillIn(page, "Toaster");
    await addPhoto(page);
    const [productId] = await hidden(page, "productId");
    await page.goto("/home");

    const { send } = await holdRequests(page, /\/assets\/.*\.js/);
    const opened = page.goto("/add-product");
    const name = page.getByLabel("Product name");
    await name.fill("Kettle");
    await page.getByLabel("Category").selectOption("electronics");
    await name.focus();
    await page.evaluate(() => document.activeElement?.setAttribute("data-test", "typed"));
    send();
    await opened;
    await expect(page.getByText("We restored your draft.")).toBeVisible();
    await expect(name).toHaveValue("Kettle");
    await expect(page.getByLabel("Category")).toHaveValue("electronics");
    await expect(page.getByLabel("Price", { exact: true })).toHaveValue("1,200");
    await expect(page.getByLabel("Description")).toHaveValue("Boils in three minutes.");
    await expect(page.getByRole("radio", { name: "Used - Good" })).toBeChecked();
    expect(await hidden(page, "photos")).toHaveLength(1);
    expect(await hidden(page, "productId")).toEqual([productId]);
    // Whoever types goes on typing in the same field.
    await expect(name).toBeFocused();
    await expect(name).toHaveAttribute("data-test", "typed");
    await page.keyboard.press("End");
    await page.keyboard.type(" 2");

    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByRole("heading", { name: "Kettle 2", level: 1 })).toBeVisible();

    // A text area that came filled in keeps what was typed, too.
    const scripts = await holdRequests(page, /\/assets\/.*\.js/);
    const editing = page.goto(`/product/${productId}/edit`);
    await page.getByLabel("Description").fill("Boils in two minutes.");
    scripts.send();
    await editing;
    await name.fill("Kettle 3");
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByRole("heading", { name: "Kettle 3", level: 1 })).toBeVisible();
    await expect(page.getByText("Boils in two minutes.").first()).toBeVisible();
  },
);

test(
  "a listing whose answer was lost is listed once, although the page has been refreshed since",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    const name = `Kettle ${newWord()}`;
    await page.goto("/add-product");
    await fillIn(page, name);
    const [productId] = await hidden(page, "productId");
    await page.route(
      "**/add-product.data*",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("Failed to add product")).toBeVisible();
    const refreshed = page.waitForResponse(/\/add-product\.data/);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await refreshed;
    await page.waitForLoadState("networkidle");
    expect(await hidden(page, "productId")).toEqual([productId]);
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await page.goto("/myshop");
    await expect(page.getByRole("heading", { name })).toHaveCount(1);
  },
);

test(
  "the next thing, written over a draft whose listing was saved, is listed, too",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    const [first, next] = [`Kettle ${newWord()}`, `Toaster ${newWord()}`];
    await page.goto("/add-product");
    await fillIn(page, first);
    await page.route(
      "**/add-product.data*",
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("Failed to add product")).toBeVisible();
    await page.goto("/home");
    await page.goto("/add-product");
    await expect(page.getByText("We restored your draft.")).toBeVisible();
    await page.getByLabel("Product name").fill(next);
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("You've already posted this listing.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "List it as a new one" }).click();
    await expect(page.getByRole("heading", { name: next, level: 1 })).toBeVisible();
    await page.goto("/myshop");
    for (const name of [first, next]) await expect(page.getByRole("heading", { name })).toHaveCount(1);
    await page.goto("/add-product");
    await expect(page.getByLabel("Product name")).toHaveValue("");
  },
);

test(
  "photos that are added to an old draft stay with it for a day of their own",
  { tag: "@phone" },
  async ({ page }) => {
    const begunAt = Date.now();
    const reopen = async (hours: number) => {
      await page.goto("/home");
      await page.clock.setFixedTime(begunAt + hours * 60 * 60_000);
      await page.goto("/add-product");
      await expect(page.getByText("We restored your draft.")).toBeVisible();
    };
    await joinCampus(page);
    await page.goto("/add-product");
    await fillIn(page, "Kettle");
    await reopen(30);
    await addPhoto(page);
    await reopen(49);
    await expect.poll(() => hidden(page, "photos")).toHaveLength(1);
    // The photo is deleted a day after it was uploaded.
    await reopen(51);
    await expect(page.getByLabel("Product name")).toHaveValue("Kettle");
    expect(await hidden(page, "photos")).toEqual([]);
  },
);

test("what was typed just before a link was pressed is in the draft", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  await page.goto("/add-product");
  await page.getByLabel("Product name").fill("Kettle");
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>("[name=price]");
    if (!field) throw new Error("no price");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "950");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    document.querySelector<HTMLAnchorElement>('a[href="/studentmarketplace"]')?.click();
  });
  await expect(page).toHaveURL(/\/studentmarketplace/);
  await page.goBack();
  await expect(page.getByText("We restored your draft.")).toBeVisible();
  await expect(page.getByLabel("Price", { exact: true })).toHaveValue("950");
});

test(
  "what is typed and chosen in a report or an offer survives Back and a reload, until it is sent",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const productId = await listProduct(seller, "Kettle", { takesOffers: "on" });
    await joinCampus(page);
    const scam = page.getByRole("radio", { name: /^Scam/ });
    const price = page.getByLabel("Your price");
    for (const { path, label, begin, isThere, send } of [
      {
        path: `/report/listing/${productId}`,
        label: "What should our team know?",
        begin: () => scam.check(),
        isThere: () => expect(scam).toBeChecked(),
        send: "Send Report",
      },
      {
        path: `/product/${productId}/offer`,
        label: "Message to the seller",
        begin: () => page.getByRole("button", { name: /^10% off/ }).click(),
        isThere: () => expect(price).toHaveValue("1350"),
        send: "Send Offer",
      },
    ]) {
      await page.goto(`/product/${productId}`);
      await page.locator(`a[href^="${path}"]`).first().click();
      const text = page.getByLabel(label);
      await text.fill("I can come today.");
      await begin();
      await page.goBack();
      await expect(page).toHaveURL(/\/product\/[^/]+$/);
      await page.goForward();
      await expect(text).toHaveValue("I can come today.");
      await isThere();
      await page.reload();
      await expect(text).toHaveValue("I can come today.");
      await isThere();
      await page.getByRole("button", { name: send }).click();
      await expect(page).not.toHaveURL(new RegExp(`${path}(\\?|$)`));
      await expect.poll(() => formDrafts(page)).toEqual([]);
    }
  },
);

test(
  "uploaded photos of a report and of a message are there after a reload, until it is sent, answer or none",
  { tag: "@phone" },
  async ({ openAs, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const productId = await listProduct(seller, "Kettle");
    // Only verified students report what was stolen.
    const page = await openAs("buyer@campus.test");
    const kept = () =>
      page.evaluate(() => Object.keys(sessionStorage).filter((key) => /form-fields|message-/.test(key)));

    await test.step("a report", async () => {
      await page.goto("/serials");
      await page.getByLabel("Its IMEI or serial number").fill(newImei());
      await page.getByLabel("When and where was it taken?").fill("From the library, on Monday evening.");
      await addPhoto(page);
      const photos = page.getByRole("button", { name: /^Photo 1\b.*options$/ });
      const keys = page.locator("input[type=hidden][name=photos]");
      await page.reload();
      await expect(photos).toBeVisible();
      await expect(page.getByLabel("When and where was it taken?")).toHaveValue(/library/);
      await page.context().clearCookies({ name: "session" });
      await page.getByRole("button", { name: "Report It as Stolen" }).click();
      await expect(page).toHaveURL(/\/auth\?to=/);
      await logIn(page, "buyer@campus.test");
      await expect(photos).toBeVisible();
      await expect(keys).toHaveCount(1);

      // Its answer is lost, but once the list has it, the form is for the next one.
      const reports = page.getByRole("list", { name: "Your reports" }).getByRole("listitem");
      const count = await reports.count();
      await page.route("**/serials.data*", (route) => route.fetch().then(() => route.abort()), { times: 1 });
      await page.getByRole("button", { name: "Report It as Stolen" }).click();
      const failed = page.getByText("That didn't work. Please try again.");
      await expect(failed).toBeVisible();
      const draft = await page.evaluate(() => Object.entries(sessionStorage));
      const isListed = async () => {
        await expect(reports).toHaveCount(count + 1);
        for (const label of ["Its IMEI or serial number", "When and where was it taken?"])
          await expect(page.getByLabel(label)).toHaveValue("");
        await expect(keys).toHaveCount(0);
        await expect(failed).toHaveCount(0);
        await expect.poll(kept).toEqual([]);
      };
      await page.evaluate(() => dispatchEvent(new Event("online")));
      await isListed();
      await page.evaluate((all) => all.forEach(([name, value]) => sessionStorage.setItem(name, value)), draft);
      await page.reload();
      await isListed();
    });

    await test.step("a message", async () => {
      const dialog = page.getByRole("dialog");
      const open = () => page.getByRole("button", { name: "Message", exact: true }).click();
      const photo = dialog.getByRole("button", { name: "Remove photo 1" });
      await page.goto(`/product/${productId}`);
      await open();
      await dialog.getByLabel("Add photos").setInputFiles("public/apple-touch-icon.png");
      await expect(photo).toBeVisible();
      await expect(dialog.getByRole("button", { name: "Send" })).toBeEnabled();
      await dialog.getByRole("button", { name: "Close" }).click();
      await open();
      await expect(photo).toBeVisible();
      await page.reload();
      await open();
      await expect(photo).toBeVisible();
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect(page.getByText("Message sent successfully!")).toBeVisible();
      await expect.poll(kept).toEqual([]);
    });
  },
);

test(
  "a report that is sent after the session has ended is there after the login, and goes once it is sent",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const productId = await listProduct(seller, "Kettle");
    const { email } = await joinCampus(page);
    await page.goto(`/report/listing/${productId}`);
    await page.getByRole("radio", { name: /^Scam/ }).check();
    await page.getByLabel("What should our team know?").fill("They asked for money first.");
    await page.context().clearCookies({ name: "session" });
    await page.getByRole("button", { name: "Send Report" }).click();
    await expect(page).toHaveURL(/\/auth\?to=/);
    await logIn(page, email);
    await expect(page.getByLabel("What should our team know?")).toHaveValue("They asked for money first.");
    await expect(page.getByRole("radio", { name: /^Scam/ })).toBeChecked();
    await page.getByRole("button", { name: "Send Report" }).click();
    await expect(page).not.toHaveURL(/\/report\//);
    await expect.poll(() => formDrafts(page)).toEqual([]);
  },
);

test(
  "what is chosen and typed at the checkout survives a look at our promise, for this order, until it is paid",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const productId = await listProduct(seller, "Kettle");
    await post(seller, "/myshop/settings", { shopName: "Kettles and More", offersDelivery: "on" });
    await joinCampus(page);
    const [first, second] = [
      await orderProduct(page, productId),
      await orderProduct(page, await listProduct(seller, "Iron")),
    ];
    const delivery = page.getByRole("radio", { name: /^Delivery/ });
    const phone = page.getByLabel(/phone/i);
    const remember = page.getByLabel("Remember this number");
    const typed = freshPhone();
    await page.goto(`/checkout/${first}`);
    await page.locator("#pickupConfirmed").uncheck();
    await delivery.check();
    await page.getByLabel("Delivery address").fill("Hall 3, room 12");
    await phone.fill(typed);
    await remember.check();
    await page.getByRole("link", { name: /^We hold your money/ }).click();
    await expect(page).toHaveURL(/\/protection/);
    await page.goBack();
    await expect(delivery).toBeChecked();
    await expect(page.getByLabel("Delivery address")).toHaveValue("Hall 3, room 12");
    expect((await phone.inputValue()).replaceAll(" ", "")).toBe(typed);
    await expect(remember).toBeChecked();
    await expect(page.locator("#pickupConfirmed")).not.toBeChecked();

    await page.goto(`/checkout/${second}`);
    await expect(delivery).not.toBeChecked();
    await expect(remember).not.toBeChecked();

    await page.goto(`/checkout/${first}`);
    await expect(delivery).toBeChecked();
    await page.getByRole("button", { name: /^Pay KES/ }).click();
    await expect(page).toHaveURL(/\/order-confirmation\//, { timeout: 30_000 });
    expect(await formDrafts(page)).toEqual([]);
  },
);

test(
  "what is typed about an issue survives a reload, until it is sent",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    await joinCampus(page);
    const orderId = await orderProduct(page, await listProduct(seller, "Kettle"));
    await page.goto(`/orders/${orderId}`);
    const report = page.getByRole("button", { name: "Report Issue" });
    const text = page.getByLabel("What happened?");
    await report.click();
    await text.fill("Nobody answers me.");
    await page.reload();
    await report.click();
    await expect(text).toHaveValue("Nobody answers me.");
    await page.getByRole("button", { name: "Send Report" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
    await report.click();
    await expect(text).toHaveValue("");
  },
);

test(
  "a message that was sent doesn't come back into the box, and is sent from another screen if it wasn't",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    const seller = await openWindow();
    await joinCampus(seller);
    const productId = await listProduct(seller, "Kettle");
    await joinCampus(page);
    const key = crypto.randomUUID();
    await post(page, "/api/messages", { about: `product:${productId}`, text: "Hello", key });
    const conversation = page.getByRole("navigation", { name: "Conversations" }).getByRole("link").first();
    const box = page.getByRole("textbox", { name: /^Message / });
    const send = page.getByRole("button", { name: "Send", exact: true });
    const log = page.getByRole("log");

    await page.goto("/profile?tab=messages");
    await conversation.click();
    await box.fill("Is it loud?");
    await page.getByRole("link", { name: "All messages" }).click();
    await conversation.click();
    await expect(box).toHaveValue("Is it loud?");
    await send.click();
    await expect(log.getByText("Sent", { exact: true })).toBeVisible();
    // A question of the menu that was answered with no doesn't hold Back.
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: /^Block / }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.goBack();
    await expect(log).toBeHidden();
    await page.goBack();
    await expect(log.getByText("Is it loud?")).toBeVisible();
    await expect(box).toHaveValue("");

    await page.route("**/api/messages", (route) => route.fulfill({ status: 503, body: "busy" }));
    await box.fill("I can come at four.");
    await send.click();
    await expect(log.getByRole("button", { name: "Try Again" })).toBeVisible();
    await page.goto("/notifications");
    await page.unroute("**/api/messages");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await seller.goto("/profile?tab=messages");
    await seller.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
    await expect(seller.getByRole("log").getByText("I can come at four.")).toHaveCount(1);
  },
);
