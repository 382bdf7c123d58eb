/** What both sides press and read once something is paid, in WebKit: by its kind, and where the meeting goes wrong. */
import { signIn } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { newWord } from "#tests/support/new-word.ts";
import { handoverCodeOf, listProduct, orderProduct, payOrder, post, salesOf } from "#tests/support/requests.ts";
import { agree, joinAsSeller, meetToday, sell } from "#tests/support/sales.ts";
import { expect, test } from "#tests/support/webkit.ts";

/** A scam that every student knows. */
const CON = "Send 200 for transport first, then I come with the key.";

test("the deal of a room speaks of its key, warns of cons, and says where the money is", async ({
  page: seller,
  openWindow,
  webkit,
}) => {
  const buyer = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const roomId = await listProduct(seller, `Bedsitter ${newWord()}`, { category: "rooms" });
  const orderId = await orderProduct(buyer, roomId);

  await test.step("its page and its checkout speak of a deposit", async () => {
    await webkit.become(buyer);
    await webkit.open(`/product/${roomId}`);
    await webkit.expectText("We hold your deposit until you hold the key");
    await webkit.expectReadableAtBothSizes();
    await webkit.open(`/checkout/${orderId}`);
    await webkit.press("button", "Order summary");
    await webkit.expectText("A deposit: it goes to the seller once you hold the key.");
    await webkit.expectReadableAtBothSizes();
  });

  await payOrder(buyer, orderId);
  await expect.poll(() => salesOf(seller)).toHaveLength(1);
  const [sale = ""] = await salesOf(seller);
  const itemId = sale.split("/").at(-1) ?? "";
  await agree(seller, buyer, { orderId, itemId });
  await post(seller, "/api/messages", { about: `item:${itemId}`, text: CON, key: crypto.randomUUID() });

  await test.step("the buyer reads when to give the code, and a warning below the message", async () => {
    await webkit.open(`/orders/${orderId}`);
    await webkit.expectText("you hold the key");
    await webkit.expectReadableAtBothSizes();
    await webkit.open("/profile?tab=messages");
    await webkit.open(await webkit.addressOfLink("/profile?tab=messages&with="));
    await webkit.expectText("Careful:");
    await webkit.expectReadableAtBothSizes();
  });

  await test.step("the seller reads beside the field what is no payment, and enters the code", async () => {
    const code = await handoverCodeOf(buyer, orderId);
    await webkit.become(seller);
    await webkit.open(sale);
    await webkit.expectText("A message or a screenshot is no payment");
    await webkit.expectReadableAtBothSizes();
    await webkit.fill("The buyer's code", code);
    await webkit.press("button", "Confirm the Key");
    await webkit.expectText("Right code. You're paid.");
    await webkit.expectText("The money is in your M-Pesa.");
  });

  await test.step("each reads where the money is", async () => {
    await webkit.open(sale);
    await webkit.press("link", "Where is my money?");
    await webkit.expectText("KES 1,500 is in your M-Pesa");
    await webkit.expectReadableAtBothSizes();
    await webkit.become(buyer);
    await webkit.open(`/orders/${orderId}`);
    await webkit.press("link", "Where is my money?");
    await webkit.expectText("The seller has KES 1,500");
    await webkit.expectReadableAtBothSizes();
  });
});

test("a ticket's code is for inside the gate, and a thing's can be taken by whoever has the seller's link", async ({
  page: seller,
  openWindow,
  webkit,
}) => {
  const buyer = await openWindow();
  await joinAsSeller(seller);
  await joinCampus(buyer);
  const ticket = await sell(seller, buyer, `Concert ticket ${newWord()}`);
  await agree(seller, buyer, ticket);
  const name = `Rice cooker ${newWord()}`;
  const { orderId, itemId } = await sell(seller, buyer, name);
  await meetToday(seller, buyer, { itemId });
  const code = await handoverCodeOf(buyer, orderId);

  await test.step("the buyer of a ticket gives the code inside the gate", async () => {
    await webkit.become(buyer);
    await webkit.open(`/orders/${ticket.orderId}`);
    await webkit.expectText("you're inside the gate");
    await webkit.expectReadableAtBothSizes();
    await webkit.become(seller);
    await webkit.open(`/seller/orders/${ticket.itemId}`);
    await webkit.find("button", "Confirm Entry");
    await webkit.expectReadableAtBothSizes();
  });

  const link = await test.step("the seller, on a desktop, makes a link", async () => {
    await webkit.open(`/seller/orders/${itemId}`);
    return webkit.atDesktopSize(async () => {
      await webkit.press("button", "Does somebody else hand it over?");
      await webkit.press("button", "Make a Link");
      const open = await webkit.find("link", "Open the link");
      await webkit.expectReadable();
      return (await open.getAttribute("href")) ?? "";
    });
  });

  await test.step("whoever has it needs no account, and a wrong code counts", async () => {
    await webkit.logOut();
    await webkit.open(new URL(link).pathname);
    await webkit.find("heading", `Hand over ${name}`);
    await webkit.expectText("Hall 6, reception");
    await webkit.expectReadableAtBothSizes();
    await webkit.fill("The buyer's code", code === "123456" ? "123457" : "123456");
    await webkit.press("button", "Confirm Handover");
    await webkit.expectText("You can try 4 more times");
    await webkit.fill("The buyer's code", code);
    await webkit.press("button", "Confirm Handover");
    await webkit.find("heading", "The code is right");
    await webkit.expectReadableAtBothSizes();
  });

  await test.step("the buyer reads who entered it", async () => {
    await webkit.become(buyer);
    await webkit.open(`/orders/${orderId}`);
    await webkit.expectText("Somebody whom");
  });
});

test("a buyer didn't come, says the seller; the buyer was there", async ({ page: seller, openWindow, webkit }) => {
  const buyer = await openWindow();
  // The demo campus has a meeting that was yesterday.
  await signIn(seller, "esther.akinyi@students.campus.test");
  await signIn(buyer, "nduku.kioko@campus.test");

  await test.step("the seller says it once", async () => {
    await webkit.become(seller);
    await webkit.open("/myshop?tab=orders");
    await webkit.press("link", "Birthday cakes");
    await webkit.find("heading", "You were to meet Nduku");
    await webkit.expectReadableAtBothSizes();
    await webkit.press("button", "Did Nduku");
    await webkit.press("button", "They Didn't Come");
    await webkit.press("button", "Yes, They Didn't Come");
    await webkit.expectText("it doesn't count against you");
    await webkit.expectReadable();
  });

  await test.step("the buyer, on a desktop, was there: it counts for neither", async () => {
    await webkit.become(buyer);
    await webkit.open("/profile?tab=orders");
    await webkit.press("link", "Birthday cakes");
    await webkit.expectText("says that you didn't come");
    await webkit.expectReadable();
    await webkit.atDesktopSize(async () => {
      await webkit.expectReadable();
      await webkit.press("button", "I Was There");
      await webkit.expectText("it counts for neither");
    });
  });
});
