/** Verified levels: what badges mean, the filter, and the universities that verify students, also by their login. */
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

test("a university's students log in with its account, are verified at once, and can come another way when it is off", async ({
  page,
  openWindow,
  openAs,
}) => {
  const word = newWord();
  const domain = `chuo-${word.toLowerCase()}.test`;
  const name = `Chuo ${word}`;
  const button = page.getByRole("link", { name: `Continue with ${name}` });
  const admin = await openAs("admin@campus.test");
  const row = admin.getByRole("listitem").filter({ hasText: domain });

  await test.step("an owner adds the university and its login", async () => {
    await admin.goto(`/admin/universities?q=${domain}`);
    await admin.getByLabel("Name", { exact: true }).fill(name);
    await admin.getByLabel("Email domain").fill(domain);
    await admin.getByRole("button", { name: "Add University" }).click();
    await row.getByText("Add its login").click();
    await row.getByLabel("Issuer").fill("https://10.0.0.1");
    await row.getByLabel("Client id").fill("chuoni");
    await row.getByLabel("Campus of its students").selectOption("Main Campus");
    await row.getByRole("button", { name: "Add Login" }).click();
    await expect(row.getByText("Please enter the issuer's address")).toBeVisible();
    await expectAccessible(admin);
    // The redirect address is long, and breaks.
    expect(await admin.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await row.getByLabel("Issuer").fill("https://university.sandbox.internal");
    await row.getByRole("button", { name: "Add Login" }).click();
    await expect(admin.getByText("Login added.").first()).toBeVisible();
    await expect(row.getByText(`/auth/${domain}/callback`)).toBeVisible();
    await expectAccessible(admin);
  });

  await test.step("somebody who changes their mind there comes back to the login", async () => {
    await page.goto("/auth/signup?to=/wishlist");
    await expectAccessible(page);
    await button.click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByText(`${name} login was cancelled.`)).toBeVisible();
  });

  await test.step("an address of another domain opens nothing, one of its own is a verified student's", async () => {
    await button.click();
    await page.getByLabel("Email").fill("somebody@gmail.com");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByText(`That login has no email address at ${domain}.`)).toBeVisible();
    await page.goto("/auth?to=/wishlist");
    await button.click();
    await page.getByLabel("Email").fill(`achieng@students.${domain}`);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByLabel("Full name").fill("Achieng Odhiambo");
    await expect(page.getByLabel("Campus location")).toHaveValue("Main Campus");
    await page.getByRole("button", { name: "Complete Profile" }).click();
    await page.goto("/profile");
    await expect(page.getByRole("link", { name: "Verified student" })).toBeVisible();
    await page.goto("/profile?tab=settings&section=documents");
    await expect(page.getByText(/^Your level: Verified student until October 20\d\d\./)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("the owner turns it off, and removes it", async () => {
    await row.getByRole("button", { name: "Turn Login Off" }).click();
    await expect(admin.getByText("Login turned off.").first()).toBeVisible();
    const visitor = await openWindow();
    await visitor.goto(`/auth/${domain}/start`);
    await expect(visitor.getByText("That login is turned off.")).toBeVisible();
    await expect(visitor.getByRole("link", { name: `Continue with ${name}` })).toHaveCount(0);
    await row.getByText("Remove login", { exact: true }).click();
    await row.getByRole("button", { name: "Remove Login" }).click();
    await expect(admin.getByText("Login removed.").first()).toBeVisible();
  });
});
