/** Two people write to each other in two browsers: everything that shows, on both sides, as it happens. */
import type { Locator, Page } from "@playwright/test";
import { expect, expectAccessible, gotoLive, signIn, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, originOf, post } from "#tests/support/requests.ts";

// Without a connection the router says, in fog-of-war.js, that it could not look up the routes of new links.
test.use({
  tolerated: /net::ERR_INTERNET_DISCONNECTED|WebSocket connection to|status of 403|fog-of-war/,
});

/** Sends the first message about a listing, from the dialog on its page. */
async function writeFirst(
  buyer: Page,
  productId: string,
  text: string,
): Promise<{ sellerId: string; buyerId: string }> {
  const response = await buyer.request.post("/api/messages", {
    form: { about: `product:${productId}`, text, key: crypto.randomUUID() },
    headers: { origin: originOf() },
  });
  expect(response.status(), await response.text()).toBe(200);
  const { data } = (await response.json()) as { data: { senderId: string; recipientId: string } };
  return { sellerId: data.recipientId, buyerId: data.senderId };
}

const thread = (page: Page) => page.getByRole("log", { name: /^Messages with/ });
const box = (page: Page) => page.getByRole("textbox", { name: /^Message / });

/** A buyer sends a seller the first message, and both open the conversation. Returns the buyer's id. */
async function converse(buyer: Page, seller: Page): Promise<string> {
  await joinCampus(seller);
  await joinCampus(buyer);
  const { sellerId, buyerId } = await writeFirst(buyer, await listProduct(seller, "Ruled paper"), "Is it still there?");
  await seller.goto(`/profile?tab=messages&with=${buyerId}`);
  await buyer.goto(`/profile?tab=messages&with=${sellerId}`);
  return buyerId;
}

test("a first message is announced, counted, read and answered while both pages are open", async ({
  page: buyer,
  openWindow,
}, { project }) => {
  const seller = await openWindow();
  await joinCampus(seller);
  await joinCampus(buyer);
  const productId = await listProduct(seller, "Ruled paper");
  const unreadLink = seller.getByRole("link", { name: /^Messages/ }).first();
  // The answer of before the message comes after it.
  const { promise: announced, resolve: answer } = Promise.withResolvers<void>();
  await seller.route("**/api/messages/unread", async (route) => {
    const response = await route.fetch();
    await announced;
    await route.fulfill({ response });
  });
  const asked = seller.waitForRequest("**/api/messages/unread");
  await gotoLive(seller, "/home");
  await asked;

  let ids = { sellerId: "", buyerId: "" };
  await test.step("a first message is announced, counted and put into the title", async () => {
    ids = await writeFirst(buyer, productId, "Is this still available, and could you bring it to Main Campus?");
    await expect(seller.getByText("New message from Njeri Wambui: Is this still available, and c…")).toBeVisible();
    await expect(unreadLink).toHaveAccessibleName(`Messages, 1 unread`);
    const answered = seller.waitForResponse("**/api/messages/unread");
    answer();
    await answered;
    await seller.evaluate(() => new Promise((done) => requestIdleCallback(done)));
    await expect(unreadLink).toHaveAccessibleName(`Messages, 1 unread`);
    await expect(seller).toHaveTitle(new RegExp(`^\\(1\\) `));
  });

  await test.step("a message that arrives while a page loads stays counted", async () => {
    const { promise: arrived, resolve: deliver } = Promise.withResolvers<void>();
    const data = /\.data/;
    await seller.route(data, async (route) => {
      const response = await route.fetch();
      await arrived;
      await route.fulfill({ response });
    });
    const [answered] = await Promise.all([
      seller.waitForEvent("request", { predicate: (request) => data.test(request.url()) }),
      seller.getByRole("link", { name: "Wishlist", exact: true }).first().click(),
    ]);
    await post(buyer, "/api/messages", { to: ids.sellerId, text: "Or to the gate?", key: crypto.randomUUID() });
    await expect(unreadLink).toHaveAccessibleName("Messages, 2 unread");
    deliver();
    await answered.response();
    await expect(seller).toHaveURL(/wishlist/);
    await seller.evaluate(() => new Promise((done) => requestIdleCallback(done)));
    await expect(unreadLink).toHaveAccessibleName("Messages, 2 unread");
    await seller.unroute(data);
  });

  await test.step("the inbox lists the conversation, and opening it reads it", async () => {
    await unreadLink.click();
    await expect(seller).toHaveURL(/tab=messages/);
    await seller
      .getByRole("link", { name: /Njeri Wambui/ })
      .first()
      .click();
    await expect(seller).toHaveURL(new RegExp(`with=${ids.buyerId}`));
    await expect(
      thread(seller).getByText("Is this still available, and could you bring it to Main Campus?"),
    ).toBeVisible();
    await expect(unreadLink).toHaveAccessibleName("Messages");
  });

  await buyer.goto(`/profile?tab=messages&with=${ids.sellerId}`);
  await test.step("the writer sees that it was read, and that the other is typing", async () => {
    await expect(thread(buyer).getByText("Read", { exact: true })).toBeVisible();
    // It shows for a few seconds only.
    await expect(async () => {
      await box(seller).pressSequentially("e");
      await expect(buyer.getByText(/is typing…$/)).toBeVisible({ timeout: 3_500 });
    }).toPass();
  });

  await test.step("an answer arrives in the open conversation, without a toast", async () => {
    await box(seller).fill("Yes it is, https://example.org/map shows the gate");
    if (project.name === "phone") {
      await box(seller).press("Enter");
      await expect(thread(seller).getByText("Yes it is")).toHaveCount(0);
      await box(seller).fill("Yes it is, https://example.org/map shows the gate");
      await seller.getByRole("button", { name: "Send" }).click();
    } else {
      await box(seller).press("Shift+Enter");
      await box(seller).press("Backspace");
      await box(seller).press("Enter");
    }
    await expect(box(seller)).toHaveValue("");
    await expect(thread(buyer).getByText("Yes it is")).toBeVisible();
    await expect(thread(seller).getByText("Read", { exact: true })).toBeVisible();
    await expect(buyer.getByText(/^New message from/)).toHaveCount(0);
  });

  await test.step("on a phone the list and the conversation are separate views, and Back switches between them", async () => {
    await buyer.goto("/profile?tab=messages");
    const row = buyer.getByRole("navigation", { name: "Conversations" }).getByRole("link").first();
    await expectAccessible(buyer);
    await row.click();
    await expect(thread(buyer)).toBeVisible();
    await (project.name === "phone" ? expect(row).toBeHidden() : expect(row).toBeVisible());
    await buyer.goBack();
    await expect(row).toBeVisible();
    await expect(thread(buyer)).toHaveCount(0);
  });
});

test(
  "messages written offline, photos and unsent text aren't lost",
  {
    tag: "@desktop",
  },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    await converse(buyer, seller);

    await test.step("messages written offline wait in order, and are sent when the connection is back", async () => {
      await buyer.context().setOffline(true);
      for (const text of ["Four o'clock?", "<b>At the library</b>"]) {
        await box(buyer).fill(text);
        await buyer.getByRole("button", { name: "Send" }).click();
        await expect(thread(buyer).getByText(text)).toBeVisible();
      }
      await expect(thread(buyer).getByText("Failed to send message").first()).toBeVisible();
      await buyer.context().setOffline(false);
      await expect(thread(seller).getByText("<b>At the library</b>")).toBeVisible();
      await expect(thread(buyer).getByText("Failed to send message")).toHaveCount(0);
      const heard = await thread(seller).getByRole("listitem").allInnerTexts();
      const at = (text: string) => heard.findIndex((said) => said.includes(text));
      expect(at("Four o'clock?")).toBeLessThan(at("<b>At the library</b>"));
    });

    await test.step("a photo is made smaller, sent, and shown to the other person", async () => {
      await buyer.getByLabel("Add photos").setInputFiles("public/apple-touch-icon.png");
      await expect(buyer.getByRole("list", { name: "Photos in this message" }).getByRole("img")).toBeVisible();
      await buyer.getByRole("button", { name: "Send" }).click();
      await expect(thread(seller).getByRole("img", { name: "Photo from Njeri Wambui" })).toBeVisible();
      await expect(buyer.getByRole("list", { name: "Photos in this message" })).toHaveCount(0);
    });

    await test.step("a reload restores everything on both sides, including unsent text", async () => {
      await box(buyer).fill("Not sent yet");
      await Promise.all([buyer.reload(), seller.reload()]);
      await expect(box(buyer)).toHaveValue("Not sent yet");
      for (const page of [buyer, seller]) {
        await expect(thread(page).getByText("Four o'clock?")).toBeVisible();
        await expect(thread(page).getByRole("listitem").filter({ hasText: "<b>At the library</b>" })).toHaveCount(1);
      }
    });
  },
);

/** Runs in the page: notes, when older messages come, whether screen readers read out what the list gets. */
function watchOlder(list: Element): void {
  const { length } = list.querySelectorAll(".bubble");
  new MutationObserver((_, observer) => {
    if (list.querySelectorAll(".bubble").length === length) return;
    observer.disconnect();
    list.setAttribute("data-as-they-came", list.getAttribute("aria-live") ?? "");
  }).observe(list, { childList: true, subtree: true });
}

test("older messages aren't read out when they load", { tag: "@phone" }, async ({ page: buyer, openWindow }) => {
  const seller = await openWindow();
  const buyerId = await converse(buyer, seller);
  const sellerId = new URL(buyer.url()).searchParams.get("with") ?? "";
  const write = async (from: Page, to: string) => {
    for (let sent = 0; sent < 20; sent += 1)
      await post(from, "/api/messages", { to, text: `Message ${sent}`, key: crypto.randomUUID() });
  };
  await Promise.all([write(buyer, sellerId), write(seller, buyerId)]);
  await gotoLive(buyer, buyer.url());
  await thread(buyer).evaluate(watchOlder);
  await buyer.getByRole("link", { name: "Show older messages" }).click();
  await expect(thread(buyer)).toHaveAttribute("data-as-they-came", "off");
  await expect(thread(buyer)).toHaveAttribute("aria-live", "polite");
});

test("Back finds further conversations, as they are now", { tag: "@phone" }, async ({ page: seller, openWindow }) => {
  await joinCampus(seller);
  const productId = await listProduct(seller, "Ruled paper");
  const buyer = await openWindow();
  for (let n = 1; n <= 21; n += 1) {
    await buyer.context().clearCookies();
    await joinCampus(buyer);
    await writeFirst(buyer, productId, `Message ${n}`);
  }
  const list = seller.getByRole("navigation", { name: "Conversations" });
  const rows = list.getByRole("listitem");
  const more = list.getByRole("link", { name: "Show more" });
  const leave = async () => {
    await seller.getByRole("link", { name: "Home" }).first().click();
    await expect(seller).toHaveURL(/\/home$/);
  };
  await seller.goto("/profile?tab=messages");
  await more.click();
  await expect(rows).toHaveCount(21);
  await expect(rows.last()).toContainText("1 unread");

  // One of the further page is read.
  await rows.last().click();
  await expect(thread(seller)).toContainText("Message 1");
  await seller.getByRole("link", { name: "All messages" }).click();
  await expect(rows.last()).toBeVisible();
  await expect(rows.last()).not.toContainText("unread");
  await leave();
  await seller.goBack();
  await expect(rows).toHaveCount(21);
  await expect(rows.last()).not.toContainText("unread");

  // What can't be loaded again waits until somebody asks for it.
  await leave();
  const further = /[?&]after=/;
  await seller.route(further, (route) => route.abort("internetdisconnected"));
  await seller.goBack();
  await expect(rows).toHaveCount(20);
  await expect(more).toBeVisible();
  await expect(list.getByRole("alert")).toHaveCount(0);
  await more.click();
  await expect(list.getByRole("alert")).toHaveText("We couldn't load more. Please check your connection.");
  await seller.unroute(further);
  await list.getByRole("link", { name: "Try Again" }).click();
  await expect(rows).toHaveCount(21);
});

test("an opener goes into the box, where the writer goes on", { tag: "@phone" }, async ({ page, openWindow }) => {
  const seller = await openWindow();
  await joinCampus(seller);
  await joinCampus(page);
  await page.goto(`/product/${await listProduct(seller, "Ruled paper")}`);
  await page.getByRole("button", { name: /^Message/ }).click();
  await page.getByRole("button", { name: "Where can we meet?" }).click();
  const message = page.getByRole("textbox", { name: "Your message" });
  await expect(message).toBeFocused();
  await page.keyboard.type(" At the gate?");
  await expect(message).toHaveValue("Where can we meet? At the gate?");
});

const PHOTOS_SCRIPT = /\/assets\/composer-photos-.*\.js/;

test.describe("while the script for photos loads", { tag: "@phone" }, () => {
  test.use({ tolerated: /ERR_FAILED|WebSocket connection to/ });

  test("if it fails, a reload is offered, and the text stays", async ({ page: buyer, openWindow }) => {
    await converse(buyer, await openWindow());
    await buyer.route(PHOTOS_SCRIPT, (route) => route.abort());
    const add = buyer.getByLabel("Add photos");
    await box(buyer).fill("Here is how it looks");
    await add.setInputFiles("public/apple-touch-icon.png");
    await expect(buyer.getByText("We couldn't add the photo", { exact: false })).toBeVisible();
    await expect(buyer.locator("label[aria-busy=true]")).toHaveCount(0);

    await buyer.unroute(PHOTOS_SCRIPT);
    await buyer.getByRole("button", { name: "Reload" }).click();
    await expect(box(buyer)).toHaveValue("Here is how it looks");
    await add.setInputFiles("public/apple-touch-icon.png");
    await expect(buyer.getByRole("list", { name: "Photos in this message" }).getByRole("img")).toHaveCount(1);
  });
});

/** Runs in the page: chooses a photo for this field, and presses Send as soon as it can be pressed. */
async function chooseAndSend(field: HTMLInputElement): Promise<void> {
  const photo = await (await fetch("/apple-touch-icon.png")).blob();
  const chosen = new DataTransfer();
  chosen.items.add(new File([photo], "icon.png", { type: "image/png" }));
  field.files = chosen.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((done) => {
    // Messages come between any two of the page's own steps.
    port1.addEventListener("message", () => {
      const send = field.form?.querySelector<HTMLButtonElement>("button[type=submit]");
      if (!send || send.disabled) return port2.postMessage(null);
      send.click();
      done();
    });
    port1.start();
    port2.postMessage(null);
  });
}

test(
  "a message that is sent as soon as it can be has its photo",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    await converse(buyer, await openWindow());
    await box(buyer).fill("Here is how it looks");
    await buyer.getByLabel("Add photos").evaluate(chooseAndSend);
    const message = thread(buyer).getByRole("listitem").filter({ hasText: "Here is how it looks" });
    await expect(message.getByRole("img", { name: /^Photo from/ })).toBeVisible();
  },
);

test(
  "three tabs share one connection; a link is warned of; a person is blocked and reported",
  {
    tag: "@desktop",
  },
  async ({ page: buyer, openWindow }) => {
    const seller = await openWindow();
    const buyerId = await converse(buyer, seller);
    const [second, third] = [await seller.context().newPage(), await seller.context().newPage()];

    await test.step("three tabs share the events of one connection", async () => {
      await second.goto(`/profile?tab=messages&with=${buyerId}`);
      await third.goto("/home");
      const sockets: string[] = [];
      third.on("websocket", (socket) => sockets.push(socket.url()));
      await box(seller).fill("Four it is, https://example.org/map shows the gate");
      await seller.getByRole("button", { name: "Send" }).click();
      for (const page of [seller, second, buyer]) await expect(thread(page).getByText("Four it is")).toBeVisible();
      await box(buyer).fill("See you there");
      await buyer.getByRole("button", { name: "Send" }).click();
      for (const page of [seller, second]) await expect(thread(page).getByText("See you there")).toBeVisible();
      await seller.close();
      await box(buyer).fill("I am here");
      await buyer.getByRole("button", { name: "Send" }).click();
      await expect(thread(second).getByText("I am here")).toBeVisible();
      expect(sockets.length).toBeLessThanOrEqual(1);
      await third.close();
    });

    await test.step("a link to another site warns first", async () => {
      await thread(buyer).getByRole("button", { name: "https://example.org/map" }).click();
      const warning = buyer.getByRole("dialog", { name: "You're leaving Chuoni" });
      await expect(warning.getByText("example.org", { exact: true })).toBeVisible();
      await expect(warning.getByRole("link", { name: "Open Link" })).toHaveAttribute("rel", /noopener/);
      await warning.getByRole("button", { name: "Stay Here" }).click();
      await expect(warning).toBeHidden();
    });

    await test.step("a blocked person is told, and can write again after being unblocked", async () => {
      await second.getByRole("button", { name: "More" }).click();
      await second.getByRole("button", { name: "Block Njeri Wambui" }).click();
      await second.getByRole("alertdialog").getByRole("button", { name: "Block" }).click();
      await expect(second.getByText("You blocked this person. Unblock them to send a message.")).toBeVisible();
      await box(buyer).fill("Hello?");
      await buyer.getByRole("button", { name: "Send" }).click();
      await expect(thread(buyer).getByText("You can't message this person.")).toBeVisible();
      await second.getByRole("button", { name: "More" }).click();
      await second.getByRole("button", { name: "Unblock Njeri Wambui" }).click();
      await expect(box(second)).toBeVisible();
      await thread(buyer).getByRole("button", { name: "Try Again" }).click();
      await expect(thread(second).getByText("Hello?")).toBeVisible();
    });

    await test.step("the person is reported with a reason, from the menu", async () => {
      await second.getByRole("button", { name: "More" }).click();
      await second.getByRole("link", { name: "Report Njeri Wambui" }).click();
      await expect(second.getByRole("heading", { level: 1, name: "Report Njeri Wambui" })).toBeVisible();
      await second.getByRole("radio", { name: /^Something else/ }).check();
      await second.getByLabel("What should our team know?").fill("Only a test");
      await expectAccessible(second);
      await second.getByRole("button", { name: "Send Report" }).click();
      await expect(second.getByText("Thank you. Our team will review it.")).toBeVisible();
      await expect(thread(second).getByText("Hello?")).toBeVisible();
    });
    await expectAccessible(second);
  },
);

test("a row of the inbox has the thing's photo with a face at its corner, and room for a thumb", async ({ page }) => {
  await signIn(page, "buyer@campus.test");
  await page.goto("/profile?tab=messages");
  const row = page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: /Kevin Mwangi/ });
  const [thing, face] = [row.locator("img").first(), row.locator("img").last()];
  for (const picture of [thing, face])
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const sizeOf = async (part: Locator) => (await part.boundingBox()) ?? { width: 0, height: 0, x: 0 };
  expect(await sizeOf(thing)).toMatchObject({ width: 56, height: 56 });
  expect((await sizeOf(face)).width).toBeLessThan(32);
  expect((await sizeOf(row)).height).toBeGreaterThanOrEqual(44);
  await row.click();
  await expect(page.getByRole("link", { name: /Study desk with two drawers/ }).first()).toBeVisible();
  await expectAccessible(page);
});
