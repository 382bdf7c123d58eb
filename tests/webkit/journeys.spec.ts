/**
 * What most people do, in WebKit at the size of a phone: a seller lists, a buyer finds, asks and pays, and the thing is
 * handed over. Nothing is mocked.
 */
import { Key } from "selenium-webdriver";
import { freshPhone } from "#tests/support/fresh-phone.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinAsSeller } from "#tests/support/sales.ts";
import { takePhoto } from "#tests/support/take-photo.ts";
import { test } from "#tests/support/webkit.ts";

/** Runs in the page: whether a picture that has loaded is in the middle of the screen. */
function isPictureInMiddle(): boolean {
  return document
    .elementsFromPoint(innerWidth / 2, innerHeight / 2)
    .some((each) => each instanceof HTMLImageElement && each.complete && each.naturalWidth > 0);
}

/** Runs in the page. */
function readCode(): string {
  return document.querySelector(".handover__code")?.textContent ?? "";
}

test("a seller lists, a buyer finds, asks, pays and meets", async ({ page: seller, openWindow, webkit }, info) => {
  const buyer = await openWindow();
  await joinAsSeller(seller);
  const { email } = await joinCampus(buyer);
  const name = `Bookshelf ${newWord()}`;

  await test.step("a listing with photos", async () => {
    await webkit.become(seller);
    await webkit.open("/add-product");
    const photos = [
      await takePhoto(info.outputPath("one.jpg"), "teal"),
      await takePhoto(info.outputPath("two.jpg"), "tomato"),
    ];
    await webkit.attach("Add photos", ...photos);
    await webkit.find("button", "Photo 2");
    await webkit.fill("Product name", name);
    await webkit.fill("Price", "1500");
    await webkit.fill("Description", "Three shelves of pine.");
    await webkit.choose("Category", "Furniture");
    await webkit.expectReadable();
    await webkit.press("button", "Add Product");
    await webkit.find("heading", name);
    await webkit.expectReadable();
  });

  await test.step("login with the form, and the feed", async () => {
    await webkit.logOut();
    await webkit.open("/auth");
    await webkit.fill("Email", email);
    await webkit.fill("Password", "campus-demo");
    await webkit.press("button", "Login");
    await webkit.waitForPath(/^\/home/);
    await webkit.press("link", "Shop");
    await webkit.waitForPath(/^\/studentmarketplace/);
    await webkit.find("heading", "Welcome");
  });

  await test.step("filters", async () => {
    await webkit.open("/search?q=calculator");
    await webkit.press("button", "Filters");
    await webkit.fill("To", "1500");
    await webkit.press("field", "Used - Good");
    await webkit.expectReadable();
    await webkit.press("button", "Show ");
    await webkit.waitForPath(/max=1500&condition=good/);
    await webkit.press("link", "Remove Used - Good");
    await webkit.waitForPath(/max=1500$/);
    await webkit.expectReadable();
  });

  await test.step("search", async () => {
    await webkit.fill("Search", name + Key.ENTER);
    await webkit.waitForPath(/^\/search\?q=Bookshelf/);
    await webkit.press("link", name);
    await webkit.waitForPath(/^\/product\//);
    await webkit.find("heading", name);
  });

  await test.step("the photo viewer", async () => {
    await webkit.press("link", "Enlarge photo 1 of 2");
    await webkit.expectText("1 / 2");
    await webkit.waitFor("the photo", isPictureInMiddle);
    await webkit.expectReadable();
    await webkit.back();
    await webkit.find("heading", name);
  });

  await test.step("sharing", async () => {
    await webkit.press("button", `Share ${name}`);
    await webkit.find("field", "Link");
    await webkit.expectReadable();
    await webkit.press("button", "Copy link");
    await webkit.expectText("Link copied to clipboard!");
    await webkit.back();
  });

  await test.step("a message with a photo", async () => {
    await webkit.press("button", "Message");
    await webkit.fill("Your message", "Is it as wide as this one?");
    await webkit.attach("Add photos", await takePhoto(info.outputPath("three.jpg"), "gold"));
    await webkit.waitFor("the photo", () => document.querySelector("dialog:modal img") !== null);
    await webkit.expectReadable();
    await webkit.press("button", "Send");
    await webkit.waitFor("the end of the dialog", () => document.querySelector("dialog:modal") === null);
    const product = await webkit.path();
    await webkit.open("/profile?tab=messages");
    await webkit.open(await webkit.addressOfLink("/profile?tab=messages&with="));
    await webkit.waitFor("the photo", () => document.querySelector("main img[alt^='Photo from']") !== null);
    await webkit.expectReadable();
    await webkit.open(product);
  });

  const order = await test.step("cart and payment", async () => {
    await webkit.press("button", "Add to Cart");
    await webkit.press("link", "Cart, 1");
    await webkit.waitForPath(/^\/cart/);
    await webkit.expectReadable();
    await webkit.press("button", "Proceed to Checkout");
    await webkit.waitForPath(/^\/checkout\//);
    await webkit.fill("M-Pesa phone number", freshPhone());
    await webkit.expectReadable();
    await webkit.press("button", "Pay KES");
    const confirmation = await webkit.waitForPath(/^\/order-confirmation\//);
    await webkit.find("heading", "Order Confirmed!");
    await webkit.expectReadable();
    return confirmation.replace("order-confirmation", "orders");
  });

  const sale = await test.step("the seller writes, and the buyer agrees", async () => {
    await webkit.become(seller);
    await webkit.open("/myshop?tab=orders");
    const path = await webkit.addressOfLink("/seller/orders/");
    await webkit.open(path);
    await webkit.press("button", "Contact Buyer");
    await webkit.fill("Message", "Hello! I can bring it to the library gate at four.");
    await webkit.press("button", "Send");
    await webkit.expectText("Waiting for buyer...");
    await webkit.become(buyer);
    await webkit.open(order);
    await webkit.press("button", "Agree");
    await webkit.waitFor("the code", () => document.querySelector(".handover__code") !== null);
    await webkit.expectReadable();
    return path;
  });

  await test.step("the handover", async () => {
    const code = await webkit.evaluate(readCode);
    await webkit.become(seller);
    await webkit.open(sale);
    await webkit.evaluate(() => document.querySelectorAll("details").forEach((part) => part.setAttribute("open", "")));
    await webkit.press("button", "Mark as Shipped");
    // Now the field for the code is in another place.
    await webkit.expectText("No code?");
    await webkit.fill("The buyer's code", code);
    await webkit.expectReadable();
    await webkit.press("button", "Confirm Handover");
    await webkit.expectText("Right code. You're paid.");
    await webkit.become(buyer);
    await webkit.open(order);
    await webkit.expectText("entered your handover code.");
    await webkit.expectReadable();
  });
});
