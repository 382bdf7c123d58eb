/** What a seller gives us besides a form, in WebKit: a post, what somebody looks for, and a serial number. */
import { signIn } from "#tests/support/browser.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { newImei } from "#tests/support/new-imei.ts";
import { newWord } from "#tests/support/new-word.ts";
import { post } from "#tests/support/requests.ts";
import { takePhoto } from "#tests/support/take-photo.ts";
import { expect, test, type WebKitWindow } from "#tests/support/webkit.ts";

/** As students write in their groups. */
const POST = "Selling my hp laptop core i5 8gb, good condition. KSh. 22,500/= slightly negotiable. Call 0712 345 678";

async function expectValue(webkit: WebKitWindow, name: string, value: string): Promise<void> {
  const field = await webkit.find("field", name);
  await expect.poll(() => field.getAttribute("value")).toBe(value);
}

test("a search that somebody shares, and a post that is pasted, fill in the form", async ({
  page: buyer,
  openWindow,
  webkit,
}) => {
  const seller = await openWindow();
  await joinCampus(buyer);
  await joinCampus(seller);
  const thing = `zither${newWord()}`;
  await post(buyer, "/saved-searches/save", { search: `/search?q=${thing}+under+2000` });
  const sentence = `Somebody on Main Campus is looking for “${thing}”, KES 2,000 or less.`;

  const link = await test.step("a buyer asks who has one, without a name", async () => {
    await webkit.become(buyer);
    await webkit.open("/saved-searches");
    await webkit.press("button", `Ask Who Has One “${thing}”`);
    await webkit.expectText(`Shared: ${sentence}`);
    await webkit.expectReadableAtBothSizes();
    await webkit.press("button", `Share “${thing}”`);
    const field = await webkit.find("field", "Link");
    return (await field.getAttribute("value")) ?? "";
  });

  await test.step("whoever has the link reads it, and whoever has an account lists theirs", async () => {
    await webkit.logOut();
    await webkit.open(new URL(link).pathname);
    await webkit.find("heading", `“${thing}”`);
    await webkit.expectText("KES 2,000 or less");
    await webkit.expectReadableAtBothSizes();
    await webkit.become(seller);
    await webkit.press("link", "Sell It");
    await webkit.waitForPath(/^\/add-product\?for=/);
    await webkit.expectText(sentence);
    await expectValue(webkit, "Product name", thing.replace("z", "Z"));
    await expectValue(webkit, "Price", "2000");
    await webkit.expectReadableAtBothSizes();
  });

  await test.step("a post shows what was read, and is used only when the seller says so", async () => {
    await webkit.open("/add-product");
    await webkit.fill("Description", POST);
    await webkit.cutAndPaste("Description", "Product name");
    await webkit.expectText("We read this from your post");
    await webkit.expectText("Without your number: buyers message you here.");
    await webkit.expectReadableAtBothSizes();
    await webkit.press("button", "Use It");
    await expectValue(webkit, "Product name", "Hp laptop core i5 8gb");
    await expectValue(webkit, "Price", "22500");
    await webkit.expectReadable();
  });
});

test("a serial number is listed, asked about and reported, and its listing is held", async ({
  page: seller,
  openWindow,
  webkit,
}, info) => {
  const imei = newImei();
  const student = await openWindow();
  await joinCampus(seller);
  await signIn(student, "buyer@campus.test");
  const name = `Samsung phone ${newWord()}`;

  const path = await test.step("its seller adds it, and reads what is wrong with it", async () => {
    await webkit.become(seller);
    await webkit.open("/add-product");
    await webkit.fill("Product name", name);
    await webkit.fill("Price", "7000");
    await webkit.fill("Description", "Works well");
    await webkit.choose("Category", "Electronics");
    await webkit.press("button", "What it is");
    await webkit.fill("IMEI or serial number", imei.slice(0, 14));
    await webkit.press("button", "Add Product");
    await webkit.expectText("An IMEI has 15 digits, and one of these is wrong.");
    await webkit.expectReadableAtBothSizes();
    await webkit.fill("IMEI or serial number", imei);
    await webkit.press("button", "Add Product");
    const [product = ""] = (await webkit.waitForPath(/^\/product\/[0-9a-f-]{36}/)).split("?");
    return product;
  });

  await test.step("nobody has reported it, until a verified student does", async () => {
    await webkit.become(student);
    await webkit.open(path);
    await webkit.expectReadableAtBothSizes();
    await webkit.press("link", "Was it stolen?");
    await webkit.waitForPath(/^\/serials/);
    await webkit.fill("IMEI or serial number", `IMEI: ${imei}`);
    await webkit.press("button", "Ask");
    await webkit.expectText("Nobody has reported it here.");
    await webkit.fill("Its IMEI or serial number", imei);
    await webkit.fill("When and where was it taken?", "In the library, on Monday. OB 12/2026");
    await webkit.attach("Add photos", await takePhoto(info.outputPath("box.jpg"), "teal"));
    await webkit.find("button", "Photo 1");
    await webkit.expectReadableAtBothSizes();
    await webkit.press("button", "Report It as Stolen");
    await webkit.expectText("Thank you. What is for sale with this serial number");
    await webkit.expectText(`Ends in ${imei.slice(-4)}`);
    await webkit.fill("IMEI or serial number", imei);
    await webkit.press("button", "Ask");
    await webkit.expectText("Somebody reported it as stolen.");
    await webkit.expectReadableAtBothSizes();
  });

  await test.step("the seller reads why nobody sees the listing", async () => {
    await webkit.become(seller);
    await webkit.open(path);
    await webkit.expectText("because somebody reported its serial number as stolen");
    await webkit.expectReadableAtBothSizes();
  });
});
