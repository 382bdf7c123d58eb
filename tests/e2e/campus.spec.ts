/** What a university asks for: guarded places to meet, and the figures for its dean. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, expectAccessibleAtBothSizes, signIn, test } from "#tests/support/browser.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct, orderProduct, post } from "#tests/support/requests.ts";
import { joinAsSeller } from "#tests/support/sales.ts";

// Asking for meeting points where there is none yet.
test.use({ tolerated: /status of 409/ });

const ofCampus = (admin: Page, campus: string) => admin.getByRole("region", { name: campus });

// A campus of its own, because everybody there meets by its rule.
test("a campus marks its guarded gate, and its sellers hand over at its meeting points alone", async ({
  page: admin,
  openWindow,
}) => {
  const campus = `${newWord()} Campus`;
  const [seller, buyer] = [await openWindow(), await openWindow()];

  await test.step("an admin adds a campus with a library and a guarded gate", async () => {
    await signIn(admin, "admin@campus.test");
    await post(admin, "/admin/campuses", { subject: "add-campus:new", intent: "add-campus", name: campus });
    await admin.goto("/admin/campuses");
    await ofCampus(admin, campus).getByText("Ask to meet only at meeting points").click();
    await ofCampus(admin, campus).getByRole("button", { name: "Ask Sellers Here" }).click();
    await expect(ofCampus(admin, campus).getByText("Add a meeting point first")).toBeVisible();
    for (const [name, isGuarded] of [
      ["Library steps", false],
      ["Main gate", true],
    ] as const) {
      const adding = ofCampus(admin, campus).locator("details", { hasText: `Add a meeting point to ${campus}` });
      if (!(await adding.getByLabel("Name").isVisible())) await adding.locator("summary").click();
      await adding.getByLabel("Name").fill(name);
      await adding.getByLabel("Guarded: a guard or a camera is there").setChecked(isGuarded);
      await adding.getByRole("button", { name: "Add Meeting Point" }).click();
      await expect(ofCampus(admin, campus).getByRole("heading", { name })).toBeVisible();
    }
    await expect(ofCampus(admin, campus).getByRole("heading", { name: "Main gate Guarded" })).toBeVisible();
    await ofCampus(admin, campus).getByRole("button", { name: "Ask Sellers Here" }).click();
    await expect(ofCampus(admin, campus).getByText("Handed over only at meeting points since")).toBeVisible();
    await expectAccessible(admin);
  });

  await test.step("a buyer there reads why, and chooses the gate first", async () => {
    await joinAsSeller(seller, { campus });
    await post(seller, "/myshop/settings", { shopName: `Corner ${newWord()}`, offersDelivery: "on" });
    await joinCampus(buyer);
    const orderId = await orderProduct(buyer, await listProduct(seller, `Rice cooker ${newWord()}`));
    await buyer.goto(`/checkout/${orderId}`);
    await expect(buyer.getByRole("radio", { name: /^Delivery/ })).toBeDisabled();
    await expect(buyer.getByText(`${campus} asks that you meet at one of its meeting points`)).toBeVisible();
    await buyer.getByText("Suggest a place and time (optional)").click();
    await expect(buyer.getByText(`${campus} asks that you hand over at one of its meeting points`)).toBeVisible();
    const places = buyer.getByLabel("Place", { exact: true }).locator(`optgroup[label="${campus}"] option`);
    await expect(places).toHaveText([/^Main gate \(Guarded, 08:00–18:00\)$/, /^Library steps \(08:00–18:00\)$/]);
    await expect(buyer.locator("#point option", { hasText: "Another place" })).toHaveCount(0);
    await expectAccessibleAtBothSizes(buyer);
  });

  await test.step("the seller reads why nobody is offered delivery", async () => {
    await seller.goto("/myshop/settings");
    await expect(seller.getByText(`${campus} asks that its sellers hand over at its meeting points`)).toBeVisible();
  });
});

test("a campus's month is chosen, downloaded, and printed without anything around it", async ({ page: admin }) => {
  await signIn(admin, "admin@campus.test");
  await admin.goto("/admin");
  await admin.getByRole("link", { name: "A Campus's Month" }).click();
  await admin.getByLabel("Campus", { exact: true }).selectOption("Main Campus");
  await admin.getByLabel("Month", { exact: true }).selectOption({ index: 1 });
  await admin.getByRole("button", { name: "Show" }).click();
  const sheet = admin.getByRole("region", { name: "Main Campus" });
  await expect(sheet.getByRole("region", { name: "Deals" })).toContainText("Money protected");
  await expectAccessible(admin);
  const download = admin.waitForEvent("download");
  await admin.getByRole("link", { name: "Download CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^campus-1-20\d\d-\d\d\.csv$/);
  await admin.emulateMedia({ media: "print" });
  await expect(sheet).toBeVisible();
  for (const name of ["Show", "Print"]) await expect(admin.getByRole("button", { name })).toBeHidden();
  await expect(admin.getByRole("heading", { level: 1 })).toBeHidden();
});
