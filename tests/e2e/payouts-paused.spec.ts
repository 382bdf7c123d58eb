/**
 * What sellers see while payouts are paused. In `npm test` it has a server of its own; elsewhere it runs after all other
 * tests, because it pauses everybody's payouts and runs the job some minutes ahead, which ends payments that another test
 * may be waiting for.
 */
import { expect, runScheduledJobs, test } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { sellAndDeliver } from "#tests/support/payouts.ts";

test("a payout whose result is lost is looked up and found, also while an empty account pauses the others", async ({
  page: buyer,
  openWindow,
}) => {
  await joinCampus(buyer);
  const [lost, empty] = [await openWindow(), await openWindow()];
  await sellAndDeliver(lost, buyer, "12");
  await expect(lost.getByText("M-Pesa has accepted your payout and is sending it.")).toBeVisible();
  await expect(lost.getByText(/Transaction ID: AG_/)).toBeVisible();

  await sellAndDeliver(empty, buyer, "11");
  await expect(empty.getByText("We are topping up our M-Pesa account.").first()).toBeVisible();
  await expect(empty.getByText("Your money is safe.", { exact: false })).toBeVisible();

  await expect(lost.getByText("M-Pesa has accepted your payout and is sending it.")).toBeVisible();
  await expect(async () => {
    // A payout without a result is looked up after five minutes.
    await runScheduledJobs(lost, 6);
    await expect(lost.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 3_000 });
  }).toPass();
});
