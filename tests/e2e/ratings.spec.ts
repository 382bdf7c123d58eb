/** Ratings on every card, shops in their order, and a seller's holiday from both sides. */
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { dayIn } from "#tests/support/day-in.ts";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, post } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

// Orders and days that are refused.
test.use({ tolerated: /status of 4(00|09)/ });

test(
  "while a seller is on holiday nobody can buy, and one press ends it",
  { tag: "@phone" },
  async ({ page: buyer, openWindow }) => {
    test.setTimeout(90_000);
    const seller = await openWindow();
    await joinAsSeller(seller);
    await post(seller, "/myshop/settings", { shopName: `Corner ${newWord()}` });
    const productId = await listProduct(seller, "Desk lamp");
    await joinCampus(buyer);
    const earlierOrder = await orderProduct(buyer, productId);
    await buyer.goto(`/product/${productId}`);

    await test.step("the settings name a day that is over, and take a later one", async () => {
      await seller.goto("/myshop/settings");
      const description = seller.getByLabel(/^Description/);
      await description.fill("Typed, and not saved yet");
      await seller.getByLabel("On holiday until").fill(dayIn(-3));
      await seller.getByRole("button", { name: "Go on Holiday" }).click();
      await expect(seller.getByText("That day is over. Choose today or a later day.")).toBeVisible();
      await expect(seller.getByLabel("On holiday until")).toBeFocused();
      await expectAccessible(seller);
      await seller.getByLabel("On holiday until").fill(dayIn(10));
      await seller.getByRole("button", { name: "Go on Holiday" }).click();
      const notice = seller.getByText(/You are on holiday until \d+ \w+\./);
      await expect(notice).toBeVisible();
      await expect(description).toHaveValue("Typed, and not saved yet");
      const first = await notice.innerText();
      await seller.getByLabel("On holiday until").fill(dayIn(11));
      await seller.getByRole("button", { name: "Change the Date" }).click();
      await expect(notice).not.toHaveText(first);
      await expectAccessible(seller);
    });

    await test.step("a page that was open before is refused, and then has no buttons to buy", async () => {
      await buyer.getByRole("button", { name: "Buy Now" }).click();
      await expect(
        buyer.getByText(/is on holiday until \d+ \w+\. You can save this to your wishlist\./).first(),
      ).toBeVisible();
      await buyer.reload();
      await expect(buyer.getByText(/You can save this to your wishlist/)).toBeVisible();
      await expect(buyer.getByRole("button", { name: "Buy Now" })).toBeHidden();
      await expect(buyer.getByRole("button", { name: "Add to Cart", exact: true })).toBeHidden();
      await expectAccessible(buyer);
    });

    await test.step("an order that was placed before can't be paid, and says why", async () => {
      await buyer.goto(`/checkout/${earlierOrder}`);
      await buyer
        .getByLabel(/phone|number/i)
        .first()
        .fill(freshPhone());
      await buyer.getByRole("button", { name: /^Pay/ }).click();
      await expect(buyer.getByText(/so you can't buy Desk lamp now/).first()).toBeVisible();
    });

    await test.step("back from holiday, the seller sells again", async () => {
      await seller.getByRole("button", { name: "I'm back" }).click();
      // The button has another label while the answer is awaited.
      await expect(seller.getByText(/You are on holiday until/)).toBeHidden();
      await buyer.goto(`/product/${productId}`);
      await expect(buyer.getByRole("button", { name: "Buy Now" })).toBeVisible();
    });
  },
);

test(
  "before the semester ends, a campus offers what is leaving, and a seller goes on holiday by one press",
  { tag: "@phone" },
  async ({ page: admin, openWindow }) => {
    // Of its own, because everybody there reads of it.
    const campus = `${newWord()} Campus`;
    const ofCampus = admin.getByRole("region", { name: campus });
    const seller = await openWindow();

    await test.step("an admin sets the semester's days", async () => {
      await signIn(admin, "admin@campus.test");
      await admin.goto("/admin/campuses");
      await admin.getByLabel("Name", { exact: true }).first().fill(campus);
      await admin.getByRole("button", { name: "Add Campus" }).click();
      await ofCampus.getByText("Set the semester's days").click();
      await ofCampus.getByLabel("Last day of the semester").fill(dayIn(6));
      await ofCampus.getByLabel("First day of the next").fill(dayIn(2));
      await ofCampus.getByRole("button", { name: "Save" }).click();
      await expect(ofCampus.getByText("The next semester begins after this one ends")).toBeVisible();
      await expectAccessible(admin);
      await ofCampus.getByLabel("First day of the next").fill(dayIn(40));
      await ofCampus.getByRole("button", { name: "Save" }).click();
      await expect(ofCampus.getByText(/^Semester ends .* next begins/)).toBeVisible();
    });

    await test.step("Home offers what is leaving", async () => {
      await joinAsSeller(seller, { campus });
      await post(seller, "/myshop/settings", { shopName: `Corner ${newWord()}` });
      await listProduct(seller, "Desk lamp");
      await seller.goto("/home");
      await expect(seller.getByText(`The semester at ${campus} ends on`)).toBeVisible();
      await expectAccessible(seller);
      await seller.getByRole("link", { name: "See What's Leaving" }).click();
      await expect(seller.getByRole("article")).toHaveCount(1);
      await expect(seller.getByRole("article").getByText("Desk lamp").first()).toBeVisible();
    });

    await test.step("My Shop sets everything away until the next one", async () => {
      await seller.goto("/myshop");
      await expectAccessible(seller);
      await seller.getByRole("button", { name: /^Holiday until/ }).click();
      await expect(seller.getByText(/You are on holiday until \d+ \w+\./)).toBeVisible();
      await expect(seller.getByText(`The semester at ${campus}`)).toBeHidden();
    });
  },
);
