/**
 * What the clock does with a deal when nobody acts. In `npm test` it has a server of its own; elsewhere it runs after all
 * other tests, because the job of a later day ends everybody's deals.
 */
import { expect, gotoLive, runScheduledJobs, test } from "#tests/support/browser.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { handoverCodeOf, post } from "#tests/support/requests.ts";
import { agree, joinAsSeller, type Sale, sell } from "#tests/support/sales.ts";

const DAY_MINUTES = 24 * 60;

test("both sides are reminded an hour before they meet", async ({ page: buyer, openWindow }) => {
  const seller = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const { orderId, itemId } = await sell(seller, buyer, "Rice cooker");
  const tomorrow = Date.now() + DAY_MINUTES * 60_000;
  const day = new Date(tomorrow + 3 * 60 * 60_000).toISOString().slice(0, 10);
  const meeting = { point: "other", otherPlace: "Hall 6, reception", day, time: "12:00" };
  await post(seller, `/meetings/${itemId}`, { intent: "suggested", round: "0", ...meeting });
  await post(buyer, `/meetings/${itemId}`, { intent: "accepted", round: "1" });
  await gotoLive(buyer, `/orders/${orderId}`);
  await gotoLive(seller, `/seller/orders/${itemId}`);
  await expect(buyer.getByRole("region", { name: "Meeting" })).toContainText("Accepted");

  const begins = Date.parse(`${day}T09:00:00Z`);
  const minutesAhead = Math.floor((begins - Date.now()) / 60_000);
  // Before the reminder is due, the job catches up with the other tests' deals and payments.
  await runScheduledJobs(seller, minutesAhead - 62);
  // The toasts are gone before the job has ended. It sends other people's payouts first.
  const reminders = [buyer, seller].map((page) =>
    expect(page.getByText("Your meeting for Rice cooker is at 12:00").first()).toBeVisible({ timeout: 90_000 }),
  );
  await runScheduledJobs(seller, minutesAhead - 58);
  await Promise.all(reminders);
});

test("an email that an item was shipped goes to a buyer whose open page showed it by itself, and not to one who went there", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinAsSeller(seller);
  const { email } = await joinCampus(buyer);
  const leftOpen = await sell(seller, buyer, "Bed net");
  const opened = await sell(seller, buyer, "Door mat");
  const followed = await sell(seller, buyer, "Wall hook");
  const ship = async (sale: Sale) => {
    await agree(seller, buyer, sale);
    await post(seller, `/seller/orders/${sale.itemId}`, { intent: "ship", itemId: sale.itemId });
  };
  await gotoLive(buyer, `/orders/${leftOpen.orderId}`);
  await ship(leftOpen);
  const shipped = buyer.getByText(/has sent it to you/).first();
  await expect(shipped).toBeVisible();
  await ship(opened);
  await buyer.goto(`/orders/${opened.orderId}`);
  await expect(shipped).toBeVisible();
  await ship(followed);
  await gotoLive(buyer, "/profile?tab=orders");
  const data = buyer.waitForResponse((response) => response.url().includes(`/orders/${followed.orderId}.data`));
  await buyer.locator(`a[href="/orders/${followed.orderId}"]`).first().click();
  await data;
  await expect(shipped).toBeVisible();

  await runScheduledJobs(seller, 11);
  const told = async () =>
    (await mailsTo(seller, email)).map(({ subject }) => subject).filter((subject) => subject.startsWith("On its way"));
  await expect.poll(told).toEqual(["On its way: Bed net"]);
});

test("a review that comes out while the other side writes theirs takes no words away", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const { orderId, itemId } = await sell(seller, buyer, "Table fan");
  const code = await handoverCodeOf(buyer, orderId);
  await post(seller, `/seller/orders/${itemId}`, { intent: "code", itemId, code });
  await post(buyer, `/reviews/${itemId}`, { intent: "write", rating: "2", text: "It is loud." });
  await gotoLive(seller, `/reviews/${itemId}`);
  const words = seller.getByRole("textbox", { name: "Your review" });
  await words.fill("The buyer was on time.");
  await runScheduledJobs(buyer, 7 * DAY_MINUTES + 5);
  await expect(seller.getByText("It is loud.")).toBeVisible();
  await expect(seller.getByRole("alert").filter({ hasText: "so you can't send it any more" })).toBeVisible();
  await expect(words).toHaveValue("The buyer was on time.");
  await expect(seller.getByRole("button", { name: "Send Review" })).toHaveCount(0);
});

test("a deal that nobody acts on ends by itself, or with our team, and both sides read why", async ({
  page: buyer,
  openWindow,
}) => {
  const seller = await openWindow();
  // Verified by the address, so that six listings can be posted on the first day.
  await joinAsSeller(seller, "students.campus.test");
  await joinCampus(buyer);

  const untouched = await sell(seller, buyer, "Geometry set");
  const unanswered = await sell(seller, buyer, "Wall clock");
  const onItsWay = await sell(seller, buyer, "Rain jacket");
  const checked = await sell(seller, buyer, "Desk organiser");
  const reported = await sell(seller, buyer, "Water bottle");
  const offered = await sell(seller, buyer, "Yoga mat");
  for (const sale of [unanswered, onItsWay, checked, reported, offered]) await agree(seller, buyer, sale);
  for (const { itemId } of [onItsWay, checked, reported, offered])
    await post(seller, `/seller/orders/${itemId}`, { intent: "ship", itemId });
  for (const { itemId } of [checked, reported, offered])
    await post(seller, `/seller/orders/${itemId}`, { intent: "deliver", itemId });
  await post(buyer, `/orders/${unanswered.orderId}`, { intent: "ask-to-cancel", itemId: unanswered.itemId });
  for (const { itemId } of [reported, offered])
    await post(buyer, `/problems/${itemId}`, { intent: "report", kind: "damaged", description: "It has a crack." });
  await post(seller, `/problems/${offered.itemId}`, { intent: "offer", amount: "500" });

  const read = async (sale: Sale, forBuyer: RegExp, forSeller: RegExp) => {
    await buyer.goto(`/orders/${sale.orderId}`);
    await expect(buyer.getByText(forBuyer).first()).toBeVisible({ timeout: 3_000 });
    await seller.goto(`/seller/orders/${sale.itemId}`);
    await expect(seller.getByText(forSeller).first()).toBeVisible({ timeout: 3_000 });
  };
  /** Runs the job `days` from now until both sides read this. One run handles 50 deals, and other tests left many. */
  const readAfter = (days: number, ...expected: Parameters<typeof read>) =>
    expect(async () => {
      await runScheduledJobs(seller, days * DAY_MINUTES + 5);
      await read(...expected);
    }).toPass();

  await test.step("after two days our team has what the seller did not answer", async () => {
    await readAfter(2, reported, /Our team decides/, /Our team decides/);
    await read(offered, /KES 500/, /KES 500/);
  });
  await test.step("after three days the unanswered request to cancel counts as a yes", () =>
    readAfter(3, unanswered, /didn't answer the request to cancel/, /didn't answer the request to cancel/));
  await test.step("after four days the time to report a problem is over", async () => {
    await read(checked, /report/i, /until/);
    await readAfter(4, checked, /The time to report a problem is over/, /The time to report a problem is over/);
  });
  await test.step("after five days our team has what both did not agree on", () =>
    readAfter(5, offered, /Our team decides/, /Our team decides/));
  await test.step("after a week what was not shipped is cancelled, and its money goes back", async () => {
    await readAfter(7, untouched, /wasn't handed over or shipped within/, /wasn't handed over or shipped within/);
    await expect(async () => {
      // The refund leaves with the job's next run.
      await runScheduledJobs(seller, 7 * DAY_MINUTES + 6);
      await buyer.goto(`/orders/${untouched.orderId}`);
      await expect(buyer.getByText(/We sent KES 1,500 back/).first()).toBeVisible({ timeout: 3_000 });
    }).toPass();
  });
  await test.step("after two weeks our team looks at what is still on its way", () =>
    readAfter(14, onItsWay, /Our team decides/, /Our team decides/));
});
