/** A buyer and a seller arrange in two browsers where and when to meet. */
import type { Page } from "@playwright/test";
import { expect, expectAccessibleAtBothSizes, signIn, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { handoverCodeOf } from "#tests/support/requests.ts";
import { joinAsSeller, meetToday, sell } from "#tests/support/sales.ts";

// Suggestions that are refused.
test.use({ tolerated: /status of 400/ });

const card = (page: Page) => page.getByRole("region", { name: /^Meeting for ./ });

/** The number of the day's option: 0 is today. */
async function fill(page: Page, { place, day, time }: { place: string; day: number; time: string }): Promise<void> {
  const option = page.getByLabel("Place", { exact: true }).locator("option", { hasText: place });
  await page.getByLabel("Place", { exact: true }).selectOption((await option.getAttribute("value")) ?? "");
  await page.getByLabel("Day", { exact: true }).selectOption({ index: day });
  await page.getByLabel("Time", { exact: true }).fill(time);
}

test(
  "a meeting is suggested, changed, accepted, put into a calendar and cancelled",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    test.setTimeout(150_000);
    const seller = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const { orderId, itemId } = await sell(seller, buyer, "Rice cooker");

    await test.step("the seller suggests a place and time, and reads at the fields what is wrong", async () => {
      await seller.goto(`/seller/orders/${itemId}`);
      await card(seller).getByRole("link", { name: "Suggest a place and time" }).click();
      await expect(seller.getByRole("heading", { level: 1, name: "Suggest a place and time" })).toBeVisible();
      await expect(seller.getByRole("complementary", { name: "Meet safely" })).toBeVisible();
      await expectAccessibleAtBothSizes(seller);
      await fill(seller, { place: "Main library", day: 2, time: "23:30" });
      await seller.getByRole("button", { name: "Send Suggestion" }).click();
      await expect(seller.getByText("This place is open 08:00–21:00.")).toBeVisible();
      await expect(seller.getByLabel("Day", { exact: true })).toHaveJSProperty("selectedIndex", 2);
      await seller.getByLabel("Time", { exact: true }).fill("14:00");
      await seller.getByRole("button", { name: "Send Suggestion" }).click();
      await expect(seller).toHaveURL(`/seller/orders/${itemId}`);
      await expect(card(seller)).toContainText("Suggested");
    });

    await test.step("the buyer reads it in the conversation, and suggests another place in own words", async () => {
      await buyer.goto("/profile?tab=messages");
      await buyer.getByRole("navigation", { name: "Conversations" }).getByRole("link").first().click();
      await expect(card(buyer)).toContainText("Main library, front steps");
      await expect(card(buyer)).toContainText("New suggestion");
      await expectAccessibleAtBothSizes(buyer);
      await card(buyer).getByRole("link", { name: "Change" }).click();
      await expect(buyer.getByLabel("Time", { exact: true })).toHaveValue("14:00");
      await fill(buyer, { place: "Another place", day: 3, time: "10:30" });
      await buyer.getByRole("textbox", { name: "Another place" }).fill("Hall 6, reception");
      // Meanwhile the seller suggests another time.
      await seller.goto(`/meetings/${itemId}`);
      await seller.getByLabel("Time", { exact: true }).fill("15:00");
      await seller.getByRole("button", { name: "Send New Suggestion" }).click();
      await expect(card(buyer)).toContainText("15:00");
      await expect(buyer.getByLabel("Time", { exact: true })).toHaveValue("10:30");
      await expect(buyer.getByRole("textbox", { name: "Another place" })).toHaveValue("Hall 6, reception");
      await expect(buyer.getByText("There is a newer suggestion above.")).toBeVisible();
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("button", { name: "Send New Suggestion" }).click();
      await expect(buyer).toHaveURL(`/orders/${orderId}`);
      await expect(card(buyer)).toContainText("Hall 6, reception");
      await expectAccessibleAtBothSizes(buyer);
    });

    await test.step("the seller accepts, and both pages show it: ready to ship", async () => {
      await expect(card(seller)).toContainText("Hall 6, reception");
      await expectAccessibleAtBothSizes(seller);
      await card(seller).getByRole("button", { name: "Accept" }).click();
      await expect(card(seller)).toContainText("Accepted");
      await expect(seller.getByText("Do you send it instead?")).toBeVisible();
      await expect(card(buyer)).toContainText("Accepted");
    });

    await test.step("both can put it into their calendar", async () => {
      for (const page of [buyer, seller]) {
        const download = page.waitForEvent("download");
        await card(page).getByRole("link", { name: "Add to Calendar" }).click();
        expect((await download).suggestedFilename()).toBe("meeting.ics");
      }
    });

    await test.step("the tips stay away once they are dismissed", async () => {
      await buyer.getByText("Meet safely").click();
      await buyer.getByRole("button", { name: "Got It" }).click();
      await expect(buyer.getByRole("complementary", { name: "Meet safely" })).toHaveCount(0);
      await buyer.goto(`/meetings/${itemId}`);
      await expect(buyer.getByRole("heading", { name: "Suggest another place or time" })).toBeVisible();
      await expect(buyer.getByRole("complementary", { name: "Meet safely" })).toHaveCount(0);
    });

    await test.step("the buyer can't come and cancels, and the tips stay away", async () => {
      await buyer.goto(`/orders/${orderId}`);
      await card(buyer).getByRole("button", { name: "Cancel Meeting" }).click();
      await buyer.getByRole("button", { name: "Yes, Cancel It" }).click();
      await expect(buyer.getByText("on another time and place").first()).toBeVisible();
      await expect(card(buyer)).toContainText("Cancelled");
      await expect(card(seller)).toContainText("Cancelled");
      await expect(card(seller).getByRole("link", { name: "Suggest Again" })).toBeVisible();
    });
  },
);

test(
  "a buyer doesn't come: the seller says so, and the buyer answers",
  { tag: "@phone" },
  async ({ page: seller, openWindow }) => {
    test.setTimeout(90_000);
    const buyer = await openWindow();
    await signIn(seller, "esther.akinyi@students.campus.test");
    await signIn(buyer, "nduku.kioko@campus.test");

    await test.step("the seller says it once, and can cancel without a mark", async () => {
      await seller.goto("/myshop?tab=orders");
      await seller
        .getByRole("link", { name: /Birthday cakes/ })
        .first()
        .click();
      await expect(seller.getByRole("heading", { name: /You were to meet Nduku/ })).toBeVisible();
      await expectAccessibleAtBothSizes(seller);
      await seller.getByText(/^Did .* not come\?$/).click();
      await seller.getByRole("button", { name: "They Didn't Come" }).click();
      await seller.getByRole("button", { name: "Yes, They Didn't Come" }).click();
      await expect(seller.getByText("it doesn't count against you").first()).toBeVisible();
      await expect(seller.getByRole("button", { name: "They Didn't Come" })).toHaveCount(0);
      await expectAccessibleAtBothSizes(seller);
    });

    await test.step("the buyer reads it, and was there: it counts for neither", async () => {
      await buyer.goto("/profile?tab=orders");
      await buyer
        .getByRole("link", { name: /Birthday cakes/ })
        .first()
        .click();
      await expect(buyer.getByText("says that you didn't come")).toBeVisible();
      await expectAccessibleAtBothSizes(buyer);
      await buyer.getByRole("button", { name: "I Was There" }).click();
      await expect(buyer.getByText("it counts for neither").first()).toBeVisible();
      await expect(seller.getByText("it counts for neither").first()).toBeVisible();
    });
  },
);

test(
  "somebody whom the seller asked hands it over by a link",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    test.setTimeout(120_000);
    const seller = await openWindow();
    const helper = await openWindow();
    await joinAsSeller(seller);
    await joinCampus(buyer);
    const { orderId, itemId } = await sell(seller, buyer, "Rice cooker");
    await meetToday(seller, buyer, { itemId });
    const code = await handoverCodeOf(buyer, orderId);
    let link = "";

    await test.step("the seller makes a link", async () => {
      await seller.goto(`/seller/orders/${itemId}`);
      await seller.getByText("Does somebody else hand it over?").click();
      await seller.getByRole("button", { name: "Make a Link" }).click();
      const open = seller.getByRole("link", { name: "Open the link" });
      await expect(open).toBeVisible();
      link = (await open.getAttribute("href")) ?? "";
      await expectAccessibleAtBothSizes(seller);
    });

    await test.step("whoever has it sees the thing, the place and the time, and a wrong code counts", async () => {
      await helper.goto(link);
      await expect(helper.getByRole("heading", { level: 1, name: "Hand over Rice cooker" })).toBeVisible();
      await expect(helper.getByText("Hall 6, reception")).toBeVisible();
      await expectAccessibleAtBothSizes(helper);
      await helper.getByLabel("The buyer's code").fill(code === "123456" ? "123457" : "123456");
      await helper.getByRole("button", { name: "Confirm Handover" }).click();
      await expect(helper.getByText("You can try 4 more times")).toBeVisible();
    });

    await test.step("the right code ends the sale, and both read who entered it", async () => {
      await helper.getByLabel("The buyer's code").fill(code);
      await helper.getByRole("button", { name: "Confirm Handover" }).click();
      await expect(helper.getByRole("heading", { level: 1, name: "The code is right" })).toBeVisible();
      await expectAccessibleAtBothSizes(helper);
      await expect(seller.getByText("Somebody whom you asked").first()).toBeVisible();
      await buyer.goto(`/orders/${orderId}`);
      await expect(buyer.getByText("Somebody whom").first()).toBeVisible();
      await helper.reload();
      await expect(helper.getByRole("heading", { level: 1, name: "It's handed over" })).toBeVisible();
    });
  },
);
