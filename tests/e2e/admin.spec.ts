/** The admin pages: the decisions there, and what the people concerned see. */
import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { CODE_TEXTS } from "#app/admin/people/code-rules.ts";
import { expect, expectAccessible, runScheduledJobs, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { deliverOrder, listProduct, orderProduct, originOf, payOrder, post } from "#tests/support/requests.ts";

// What a browser logs for a missing page, for a cut connection, and when the live connection of a suspended user
// closes.
test.use({ tolerated: /status of (400|401|404)|ERR_FAILED|WebSocket/ });

async function expectMail(page: Page, to: string, words: string): Promise<void> {
  await expect.poll(async () => (await mailsTo(page, to)).map(({ text }) => text).join("\n")).toContain(words);
}

async function handIn(page: Page, name: string): Promise<void> {
  const buffer = await sharp({ create: { width: 640, height: 400, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const multipart = {
    intent: "document",
    documentType: "student_id",
    document: { name, mimeType: "image/png", buffer },
  };
  const answer = await page.request.post(`${originOf()}/settings`, {
    multipart,
    headers: { origin: originOf() },
    maxRedirects: 0,
  });
  expect(answer.status()).toBeLessThan(400);
}

/** A seller's sale of a lamp: paid, delivered and then reported by its buyer. */
async function sellBrokenLamp(seller: Page, buyer: Page): Promise<{ productId: string; orderId: string }> {
  await post(seller, "/become-seller", { phone: freshPhone("14"), promise: "on" });
  const productId = await listProduct(seller, `Lamp ${newWord()}`, { condition: "good" });
  const orderId = await orderProduct(buyer, productId);
  await payOrder(buyer, orderId);
  const itemId = (await deliverOrder(seller, buyer, orderId)).split("/").at(-1) ?? "";
  const description = `The lamp of order ${orderId} does not shine`;
  await post(buyer, `/orders/${orderId}`, { intent: "report", itemId, description });
  return { productId, orderId };
}

const rowOf = (page: Page, words: string | RegExp) => page.getByRole("listitem").filter({ hasText: words }).first();

/** Opens the form of a rare action and submits it, by keyboard only. */
async function decideByKeyboard(page: Page, within: Locator, opener: string, words: string): Promise<void> {
  await within.locator("summary", { hasText: opener }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.type(words);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
}

/**
 * From now on, answers all of the page's requests with this form's answer, before the page shows that the form was
 * sent.
 */
async function answerAtOnce(page: Page, path: string, form: Record<string, string>): Promise<void> {
  await page.evaluate(
    async ([address, fields]) => {
      const answer = await fetch(address, { method: "POST", body: new URLSearchParams(fields) });
      const body = await answer.arrayBuffer();
      globalThis.fetch = async () => new Response(body, answer);
    },
    [path, form] as const,
  );
}

function expectText(page: Page, text: string): Promise<void> {
  return expect(page.getByText(text, { exact: true }).first()).toBeVisible();
}

test("a fee is suggested with its words, and nothing is taken before a second owner confirms it", async ({
  openAs,
}) => {
  const page = await openAs("admin@campus.test");
  // The test also runs on the other screen at the same time.
  const largest = test.info().project.name === "phone" ? "200" : "300";
  await page.goto("/admin/income");
  await page.getByText("Suggest a fee").click();
  const most = page.getByLabel("At most, KES");
  await page.getByLabel("Share of the price, percent").fill("2.5");
  await page.getByLabel("At least, KES").fill("50");
  await most.fill("20");
  await page.getByRole("button", { name: "Suggest" }).click();
  await expect(most).toHaveAccessibleDescription(/must be at least as much as the least/);
  await most.fill(largest);
  await page.getByRole("button", { name: "Suggest" }).click();
  const row = rowOf(page, `2.5%, at least KES 50 and at most KES ${largest}, paid by the seller`);
  await expect(row).toContainText("Suggested by you");
  await expect(row.getByRole("button", { name: "Confirm" })).toHaveCount(0);
  await expectAccessible(page);
  await row.getByRole("button", { name: "Take Back" }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByText("No fee is taken")).toBeVisible();
});

test("access codes are made by keyboard, copied, saved and listed", { tag: "@desktop" }, async ({ openAs }) => {
  const admin = await openAs("admin@campus.test");
  await admin.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await admin.goto("/admin/codes");
  const count = admin.getByLabel("Number of codes");
  await expect(count).toHaveValue("1");
  await count.focus();
  await admin.keyboard.press("Control+A");
  await admin.keyboard.type("3");
  await admin.keyboard.press("Enter");
  await expectText(admin, "Generated 3 new access code(s)");
  const fresh = admin.getByRole("region", { name: "New codes" });
  const codes = await fresh.getByRole("listitem").allInnerTexts();
  expect(codes).toHaveLength(3);
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
  await fresh.getByRole("button", { name: /Copy/ }).click();
  await expect.poll(() => admin.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"));
  const [saved] = await Promise.all([
    admin.waitForEvent("download"),
    fresh.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe("wholesaler-codes.csv");
  expect(readFileSync(await saved.path(), "utf8").split("\r\n")).toEqual(["Code", ...codes]);
  for (const code of codes) await expect(admin.getByRole("cell", { name: code, exact: true })).toBeVisible();
  await expectAccessible(admin);

  // The form stays for others. They are made once, although an answer is lost.
  await admin.route("**/admin/codes.data*", (route) => route.fetch().then(() => route.abort()), { times: 1 });
  for (const said of [CODE_TEXTS.failed, "Generated 1 new access code(s)"]) {
    await count.fill("1");
    await admin.getByRole("button", { name: "Generate Codes" }).click();
    await expectText(admin, said);
  }
  await expect(fresh.getByRole("listitem")).toHaveCount(1);
  const next = await fresh.getByRole("listitem").innerText();
  expect(codes).not.toContain(next);
  const newest = admin.getByRole("cell").filter({ has: admin.locator("code") });
  await expect(newest.first()).toHaveText(next);
  expect(codes).toContain(await newest.nth(1).innerText());

  await admin.getByRole("link", { name: "Used", exact: true }).click();
  await expect(admin.getByRole("cell", { name: codes[0], exact: true })).toHaveCount(0);
});

test(
  "only admins and the owner see a document; it is rejected with a reason, uploaded again and approved",
  {
    tag: "@desktop",
  },
  async ({ page: seller, openAs }) => {
    const { email: sellerEmail } = await joinCampus(seller);
    await handIn(seller, "blurred.png");
    const admin = await openAs("admin@campus.test");
    await seller.goto("/profile?tab=settings&section=documents");
    await admin.goto("/admin/verifications");
    const row = rowOf(admin, sellerEmail);
    const picture = row.getByRole("img", { name: /Student ID of/ });
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(640);
    const source = (await picture.getAttribute("src")) ?? "";
    expect((await seller.request.get(originOf() + source)).status()).toBe(200);
    const stranger = await openAs("buyer@campus.test");
    expect((await stranger.request.get(originOf() + source)).status()).toBe(404);
    await answerAtOnce(admin, "/admin/verifications.data", { intent: "reject" });
    await decideByKeyboard(admin, row, "Reject", " ");
    await expect(row.getByText("Please enter a reason")).toBeVisible();
    await expect(row.getByLabel("Reason")).toBeFocused();
    await expectAccessible(admin);
    // What was typed is kept, so its form is open.
    await admin.reload();
    await row.getByLabel("Reason").fill("The name cannot be read");
    await admin.route("**/admin/verifications.data", (route) => route.abort());
    await row.getByRole("button", { name: "Reject", exact: true }).click();
    await expect(
      row.getByText("We couldn't reach the server. Please check your connection and try again."),
    ).toBeVisible();
    await admin.unroute("**/admin/verifications.data");
    await row.getByRole("button", { name: "Reject", exact: true }).click();
    await expectText(admin, "Rejected. We've emailed them the reason.");
    await expect(seller.getByText("We couldn't accept your document. The reason is in your settings.")).toBeVisible();
    await expectMail(admin, sellerEmail, "The name cannot be read");
    await seller.reload();
    await expect(seller.getByText("The name cannot be read")).toBeVisible();

    await handIn(seller, "sharp.png");
    await admin.goto("/admin/verifications");
    await rowOf(admin, sellerEmail).getByRole("button", { name: "Approve" }).click();
    await expectText(admin, "Approved. We've emailed them.");
    await expect(seller.getByText("Your document was approved. You're verified.")).toBeVisible();
    await seller.goto("/profile");
    await expect(seller.getByRole("link", { name: "Verified student" })).toBeVisible();
  },
);

test(
  "the money page searches by order, receipt and phone; a payout is retried, a discrepancy resolved and a refund recorded",
  {
    tag: "@desktop",
  },
  async ({ page: seller, openAs, openWindow }) => {
    const buyer = await openWindow();
    await joinCampus(seller);
    await joinCampus(buyer);
    const lamp = await sellBrokenLamp(seller, buyer);
    const wrong = { orderId: await orderProduct(buyer, await listProduct(seller, "Ruler")) };
    await payOrder(buyer, wrong.orderId, freshPhone("08"));
    const admin = await openAs("admin@campus.test");
    await admin.goto("/admin/money");
    await admin
      .getByRole("searchbox", { name: "Receipt, phone number or order number" })
      .fill(`Order #${lamp.orderId.slice(0, 8)}`);
    await admin.keyboard.press("Enter");
    const payments = admin.getByRole("link", { name: "Payments", exact: true });
    await expect(payments).toHaveAttribute("href", /[?&]q=/);
    await payments.click();
    const payment = rowOf(admin, "KES 1,500 by Njeri Wambui");
    await expect(payment).toContainText("Paid");
    await expect(payment).toContainText(/2547•••••\d{3}/);
    const receipt =
      /[A-Z0-9]{10}/.exec(
        await payment
          .locator("dd")
          .allInnerTexts()
          .then((texts) => texts.filter((text) => /^[A-Z0-9]{10}$/.test(text)).join()),
      )?.[0] ?? "";
    await admin.getByRole("searchbox", { name: "Receipt, phone number or order number" }).fill(receipt);
    await admin.getByRole("button", { name: "Search" }).click();
    await expect(admin.getByText(`All results for “${receipt}”, open and closed.`)).toBeVisible();
    await expect(rowOf(admin, receipt)).toContainText(lamp.orderId.slice(0, 8));

    await expect(async () => {
      await runScheduledJobs(admin);
      await admin.goto(`/admin/money?show=payouts&q=${lamp.orderId}`);
      await expect(rowOf(admin, "KES 1,500 to Njeri Wambui")).toContainText("Stopped", { timeout: 1_000 });
    }).toPass();
    await expectAccessible(admin);
    await rowOf(admin, "KES 1,500 to Njeri Wambui").getByRole("button", { name: "Try Again" }).click();
    await expectText(
      admin,
      "This payout is due again. We send it within a minute, unless its row says what it waits for.",
    );

    await expect(async () => {
      await runScheduledJobs(admin);
      await admin.goto(`/admin/money?q=${wrong.orderId}`);
      await expect(rowOf(admin, "A payment doesn't match its order")).toContainText("Open", { timeout: 1_000 });
    }).toPass();
    await decideByKeyboard(
      admin,
      rowOf(admin, "A payment doesn't match its order"),
      "Resolve",
      "Agreed with the buyer by phone",
    );
    await expectText(admin, "Resolved");
    await expect(rowOf(admin, "A payment doesn't match its order")).toContainText("Agreed with the buyer by phone");

    // The demo campus has one parked refund. A retry of this test finds it done.
    await admin.goto("/admin/money?show=refunds&only=all");
    const opener = admin.locator("summary", { hasText: "Send it by hand" });
    const receiptOfRefund = admin.getByLabel("M-Pesa receipt of the refund");
    if ((await opener.count()) > 0) {
      await opener.first().click();
      await admin.getByRole("button", { name: "I'm Sending It by Hand" }).click();
      await expectText(admin, "Nothing else sends this now. Once it's in the M-Pesa portal, enter its receipt here.");
      await expect(receiptOfRefund).toBeVisible();
      await expect(admin.getByText("It won't be sent by hand")).toBeVisible();
      await expect(admin.getByText("Only if it isn't in the M-Pesa portal")).toBeHidden();
    }
    if ((await receiptOfRefund.count()) > 0) {
      await receiptOfRefund.fill("nonsense");
      await admin.getByRole("button", { name: "Mark as Refunded" }).click();
      await expect(admin.getByText("An M-Pesa receipt has 10 letters and digits")).toBeVisible();
      await expectAccessible(admin);
      const refundReceipt = await sendByHand(admin, receiptOfRefund);
      await receiptOfRefund.fill(refundReceipt);
      await admin.getByRole("button", { name: "Mark as Refunded" }).click();
      await expectText(
        admin,
        "We asked M-Pesa about this receipt. The refund counts, and the buyer is told, once M-Pesa confirms it.",
      );
      // Other tests may have refunds under way, so the row is found by its receipt.
      await expect(async () => {
        await admin.reload();
        await expect(rowOf(admin, refundReceipt)).toContainText("Done", { timeout: 1_000 });
      }).toPass();
    } else {
      await expect(rowOf(admin, /KES [\d,]+ to /)).toContainText("Done");
    }
    await admin.getByRole("link", { name: "Ledger" }).click();
    await expect(
      admin.getByText("The books balance and match the orders, payments, payouts and refunds."),
    ).toBeVisible();
    await expectAccessible(admin);
  },
);

/** Sends the refund of this form to its buyer in M-Pesa's portal. Returns the receipt. */
async function sendByHand(admin: Page, form: Locator): Promise<string> {
  const row = form.locator("xpath=ancestor::li");
  const words = await row.innerText();
  const amount = Number(/KES ([\d,]+) to/.exec(words)?.[1]?.replaceAll(",", ""));
  const [, phone] = /goes to (254\d{9})/.exec(words) ?? [];
  const sent = await admin.request.post(`${originOf()}/sandbox/transfers`, { data: { phone, amount } });
  const { receipt } = (await sent.json()) as { receipt: string };
  return receipt;
}

test(
  "a report shows its order, takes a note and is closed; the listing is taken down, the account suspended and restored",
  {
    tag: "@desktop",
  },
  async ({ page: seller, openAs, openWindow }) => {
    const buyer = await openWindow();
    const { email: sellerEmail } = await joinCampus(seller);
    const { email: buyerEmail } = await joinCampus(buyer);
    const lamp = await sellBrokenLamp(seller, buyer);
    const admin = await openAs("admin@campus.test");
    await seller.goto("/myshop");
    await admin.goto("/admin/problems?show=reports");
    await admin.getByRole("link", { name: `The lamp of order ${lamp.orderId} does not shine` }).click();
    await expect(admin.getByRole("heading", { level: 1, name: "Issue report" })).toBeVisible();
    await expect(admin.getByRole("region", { name: "Conversation" })).toContainText(
      "I can meet you at the library gate",
    );
    await expect(admin.getByRole("list", { name: "Payments" })).toContainText("payment of KES 1,500, succeeded");
    await decideByKeyboard(admin, admin.getByRole("region", { name: "Report" }), "Add a note", "Called the seller");
    await expectText(admin, "Note added");
    await expect(admin.getByText(/added a note: Called the seller/).first()).toBeVisible();

    for (const summary of await admin.locator("summary").all()) await summary.click();
    await expectAccessible(admin);
    await admin
      .getByRole("button", { name: "Take This Listing Down" })
      .locator("xpath=ancestor::form")
      .getByLabel("Reason")
      .fill("It is broken");
    await admin.getByRole("button", { name: "Take This Listing Down" }).click();
    await expectText(admin, "Listing taken down");
    expect((await buyer.request.get(`${originOf()}/product/${lamp.productId}`)).status()).toBe(404);

    const about = admin.locator("section").filter({ has: admin.getByRole("heading", { name: /^Seller: / }) });
    if (!(await about.getByLabel("Reason").isVisible())) await about.locator("summary").click();
    await about.getByLabel("Reason").fill("Sells what is broken");
    await about.getByRole("button", { name: "Suspend This Account" }).click();
    await expectText(admin, "Account suspended and logged out everywhere");
    await expect(seller).toHaveURL(/\/auth/);
    await expectMail(admin, sellerEmail, "Sells what is broken");

    const reported = admin.getByRole("region", { name: "Report" });
    await reported.getByLabel("Outcome").fill("You get your money back");
    await reported.getByRole("button", { name: "Close Report" }).click();
    await expectText(admin, "Report closed. We've emailed the person who sent it.");
    await expectMail(admin, buyerEmail, "You get your money back");

    const signIn = () =>
      seller.request.post(`${originOf()}/auth`, {
        form: { email: sellerEmail, password: "campus-demo" },
        headers: { origin: originOf() },
        maxRedirects: 0,
      });
    expect(await (await signIn()).text()).toContain("This account is suspended. Please contact support.");
    await admin.getByRole("link", { name: "People" }).click();
    await expect(rowOf(admin, sellerEmail)).toContainText("Sells what is broken");
    await admin.getByRole("searchbox", { name: "Email, name or phone number" }).fill(sellerEmail.slice(0, 20));
    await admin.keyboard.press("Enter");
    await expect(admin.getByRole("heading", { level: 2, name: /^Results for/ })).toBeVisible();
    await expectAccessible(admin);
    await rowOf(admin, sellerEmail).getByRole("button", { name: "Restore This Account" }).click();
    await expectText(admin, "Account restored");
    expect((await signIn()).status()).toBe(302);
  },
);

test(
  "each desk of the admins marks its tab, and its forms are accessible when they are open",
  { tag: "@phone" },
  async ({ openAs }) => {
    const admin = await openAs("admin@campus.test");
    for (const desk of [
      "/admin/codes",
      "/admin/people?q=campus",
      "/admin/moderation",
      "/admin/problems?show=reports",
    ]) {
      await admin.goto(desk);
      const tabs = admin.getByRole("navigation", { name: "Admin pages" });
      await expect(tabs.locator("[aria-current=page]")).toBeInViewport({ ratio: 1 });
      for (const summary of await admin.locator("main summary").all()) await summary.click();
      expect(await admin.evaluate(() => document.documentElement.scrollWidth), desk).toBe(390);
      await expectAccessible(admin);
    }
  },
);
