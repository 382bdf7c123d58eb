/** Verified levels: what badges mean, the filter, and the list of universities that verifies students. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, signIn, test } from "#tests/support/browser.ts";
import { newWord } from "#tests/support/new-word.ts";
import { listProduct } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

// A refused form answers 400.
test.use({ tolerated: /status of 400 .*\/admin\/universities\.data/ });

test(
  "a buyer filters by verified sellers, and a badge leads to what it means",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    await signIn(page, "buyer@campus.test");
    await page.goto("/studentmarketplace");
    await page.getByRole("button", { name: /^Filters/ }).click();
    await page.getByRole("checkbox", { name: "Main Campus" }).uncheck();
    await page.getByRole("checkbox", { name: "Verified sellers" }).check();
    await page.getByRole("checkbox", { name: "Wholesale" }).check();
    await page.getByRole("button", { name: /^Show/ }).click();
    await expect(page).toHaveURL("/studentmarketplace?verified=1&wholesale=1");
    await expect(page.getByRole("link", { name: "Remove Verified sellers" })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("article").first().getByRole("link").first().click();
    // On the product's page the seller is one link; the badge in the shop leads on.
    await page.getByRole("link", { name: /Verified business.*View Shop/ }).click();
    await page.getByRole("link", { name: /^Verified business/ }).click();
    await expect(page.getByRole("heading", { name: "What verified means" })).toBeVisible();
    await expect(page.getByText("Your level: Verified student")).toBeVisible();
    await expectAccessible(page);

    await page.goto("/category/electronics?verified=1");
    // On phones the filters are in a drawer.
    const drawer = page.getByRole("button", { name: /^Filters/ });
    if (await drawer.isVisible()) await drawer.click();
    await expect(page.getByRole("checkbox", { name: "Verified sellers" }).filter({ visible: true })).toBeChecked();

    const visitor = await openWindow();
    await visitor.goto("/verified");
    await expect(visitor.getByText("Our team checked a document of their business.")).toBeVisible();
    await expectAccessible(visitor);
  },
);

test(
  "an admin adds a university, and its students and their listings become verified",
  { tag: "@desktop" },
  async ({ page: admin, openWindow, openAs }) => {
    test.setTimeout(120_000);
    const domain = `chuo-${crypto.randomUUID().slice(0, 8)}.test`;
    const name = `Mbira ${newWord()}`;
    const seller = await openWindow();
    await joinAsSeller(seller, { domain: `students.${domain}` });
    await listProduct(seller, name);
    const buyer = await openAs("buyer@campus.test");
    const find = async (page: Page) => {
      await page.goto(`/search?q=${encodeURIComponent(name)}&verified=1`);
      return page.getByRole("link", { name, exact: true });
    };
    const onlyWithout = buyer.getByText("Nothing fits your filters. These are the results without them.");

    await test.step("the student isn't verified yet, and learns how", async () => {
      await find(buyer);
      await expect(onlyWithout).toBeVisible();
      await seller.goto("/profile?tab=settings&section=documents");
      await expect(seller.getByText("Your level: Email confirmed.")).toBeVisible();
      await expect(seller.getByText("Upload your student ID to become a verified student.")).toBeVisible();
      await expectAccessible(seller);
    });

    await test.step("the admin adds the domain", async () => {
      await signIn(admin, "admin@campus.test");
      await admin.goto("/admin/universities");
      await admin.getByLabel("Name", { exact: true }).fill("Chuo Kipya University");
      await admin.getByLabel("Email domain").fill("gmail.com");
      await admin.getByRole("button", { name: "Add University" }).click();
      await expect(admin.getByText("Anybody can get an address at this domain")).toBeVisible();
      await expect(admin.getByLabel("Name", { exact: true })).toHaveValue("Chuo Kipya University");
      await expectAccessible(admin);
      // A search on the way leaves the form as it is. The list doesn't show what is added then.
      await admin.getByRole("searchbox", { name: "Name or domain" }).fill("zzz");
      await admin.getByRole("button", { name: "Search" }).click();
      await expect(admin.getByText("No universities found")).toBeVisible();
      await expect(admin.getByLabel("Name", { exact: true })).toHaveValue("Chuo Kipya University");
      await admin.getByLabel("Email domain").fill(`@${domain}`);
      await admin.getByRole("button", { name: "Add University" }).click();
      await expect(admin.getByText("University added.").first()).toBeVisible();
      await expect(admin.getByLabel("Email domain")).toHaveValue("");
    });

    await test.step("the student and the listing are verified", async () => {
      await seller.goto("/profile");
      await seller.getByRole("link", { name: "Verified student" }).click();
      await expect(seller.getByText("This is the highest level for your account.")).toBeVisible();
      const link = await find(buyer);
      await expect(onlyWithout).toHaveCount(0);
      await link.click();
      await expect(
        buyer.getByRole("region", { name: "Seller" }).getByRole("link", { name: /Verified student .*View Shop/ }),
      ).toBeVisible();
      await expectAccessible(buyer);
    });

    await test.step("the admin removes it again", async () => {
      await admin.getByRole("searchbox", { name: "Name or domain" }).fill(domain);
      await admin.getByRole("button", { name: "Search" }).click();
      const row = admin.getByRole("listitem").filter({ hasText: domain });
      await row.getByText("Remove", { exact: true }).click();
      await row.getByRole("button", { name: "Remove University" }).click();
      await expect(admin.getByText("University removed.").first()).toBeVisible();
      await find(buyer);
      await expect(onlyWithout).toBeVisible();
    });
  },
);
