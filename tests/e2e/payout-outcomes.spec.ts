/**
 * Outcomes of a payout as the seller sees them. The last two digits of the seller's M-Pesa number decide the outcome.
 */
import { expect, runScheduledJobs, test } from "#tests/support/browser.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { sellAndDeliver } from "#tests/support/payouts.ts";
import { post } from "#tests/support/requests.ts";

// Asking again before a new number counts is refused.
test.use({ tolerated: /status of 409/ });

test(
  "payouts that are late, refused, or held after a change of number are explained to the seller",
  {
    tag: "@phone",
  },
  async ({ page: buyer, openWindow }) => {
    await joinCampus(buyer);
    const [queued, unanswered, unregistered] = [await openWindow(), await openWindow(), await openWindow()];

    await sellAndDeliver(queued, buyer, "13");
    await expect(queued.getByText("M-Pesa hasn't told us the result yet.", { exact: false })).toBeVisible();

    await sellAndDeliver(unanswered, buyer, "15");
    await expect(unanswered.getByText("The money is in your M-Pesa.")).toBeVisible();

    await sellAndDeliver(unregistered, buyer, "14");
    await expect(unregistered.getByText("Your phone number isn't registered for M-Pesa.").first()).toBeVisible();
    await post(unregistered, "/settings", {
      intent: "details",
      fullName: "Njeri Wambui",
      campusLocation: "Main Campus",
      phone: freshPhone("64"),
      currentPassword: "campus-demo",
    });
    await unregistered.getByRole("button", { name: "Try Payout Again" }).click();
    // A thief of the account may have changed the number.
    await expect(unregistered.getByText(/^Your M-Pesa number changed\. To keep your money safe/).first()).toBeVisible();

    await expect(async () => {
      await runScheduledJobs(queued);
      await expect(queued.getByText("The money is in your M-Pesa.")).toBeVisible({ timeout: 3_000 });
    }).toPass();
  },
);
