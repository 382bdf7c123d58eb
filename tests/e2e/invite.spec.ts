/** Bring a friend: from one person's link over the other's sign-up and first deal to the week that both get. */
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { linkMailedTo } from "#tests/support/mailbox.ts";
import { deliverOrder, listProduct } from "#tests/support/requests.ts";
import { joinAsSeller, sell } from "#tests/support/sales.ts";

test("a friend signs up by a link, and their first deal features both shops", async ({ page: inviter, openWindow }) => {
  await joinAsSeller(inviter);
  await listProduct(inviter, "Kettle");
  await inviter.goto("/profile?tab=settings");
  await inviter.getByRole("link", { name: "Bring a friend" }).click();
  await expect(inviter.getByText("Nobody has joined by your link yet.")).toBeVisible();
  await expectAccessible(inviter);
  const link = await inviter.getByRole("textbox", { name: "Your link" }).inputValue();
  await inviter.getByRole("button", { name: "Share your link" }).click();
  const menu = inviter.getByRole("dialog", { name: "Bring a friend" });
  const chat = new URL((await menu.getByRole("link", { name: "WhatsApp" }).getAttribute("href")) ?? "");
  expect(chat.searchParams.get("text")).toContain(link);

  const friend = await openWindow();
  await friend.goto(link);
  await expect(friend.getByText("Njeri invites you.", { exact: false })).toBeVisible();
  const email = `friend-${crypto.randomUUID()}@campus.test`;
  await friend.getByLabel("Full name").fill("Asha Kiprono");
  await friend.getByLabel("Email").fill(email);
  await friend.getByLabel("Password", { exact: true }).fill("kilimani-7");
  await friend.getByLabel("Campus location").fill("Main Campus");
  await friend.getByRole("button", { name: "Create Account" }).click();
  await expect(friend.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  await friend.goto(await linkMailedTo(friend, email));
  // What the link promises is the first that they see.
  await expect(friend.getByText("Njeri invited you")).toBeVisible();
  await expectAccessible(friend);

  const seller = await openWindow();
  await joinAsSeller(seller);
  const { orderId } = await sell(seller, friend, "Desk lamp");
  await deliverOrder(seller, friend, orderId);
  await inviter.goto("/notifications");
  await inviter.getByRole("link", { name: /A week of Featured for you/ }).click();
  await expect(inviter.getByText("1 friend has joined, and had a first deal.")).toBeVisible();
  await expect(inviter.getByText(/^Your shop is featured until/)).toBeVisible();
  // The friend sells nothing yet.
  await friend.goto("/invite");
  await expect(friend.getByText("A week waits for you")).toBeVisible();
});
