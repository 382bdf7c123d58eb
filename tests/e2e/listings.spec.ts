/** Selling: photos, the form and its draft, and what owners do with their listings. */
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, expectAccessible, test } from "#tests/support/browser.ts";
import { holdRequests } from "#tests/support/hold-requests.ts";
import { openFields } from "#tests/support/more-fields.ts";
import { newWord } from "#tests/support/new-word.ts";
import { joinCampus } from "#tests/support/newcomer.ts";
import { listProduct } from "#tests/support/requests.ts";

// What a browser logs when a test lets the server fail, and when a trace loads a preview that only the page may read.
test.use({ tolerated: /Failed to load resource|^Connecting to 'blob:|WebSocket .* no valid credentials/ });

/** A phone's photo: rotated, and with its location. */
async function photo(name: string, colour: string, size = { width: 2400, height: 1800 }) {
  const buffer = await sharp({ create: { ...size, channels: 3, background: colour } })
    .withExif({ IFD3: { GPSLatitudeRef: "S", GPSLatitude: "1/1 17/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  return { name, mimeType: "image/jpeg", buffer };
}

/** Drops a photo onto the field, as from a folder beside the browser. */
async function drop(page: Page, file: Awaited<ReturnType<typeof photo>>): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ({ name, type, base64 }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name, { type }));
      return transfer;
    },
    { name: file.name, type: file.mimeType, base64: file.buffer.toString("base64") },
  );
  const field = page.getByRole("group", { name: "Photos" });
  await field.dispatchEvent("dragover", { dataTransfer });
  await expect(field).toHaveClass(/photo-field--over/);
  await field.dispatchEvent("drop", { dataTransfer });
  await expect(field).not.toHaveClass(/photo-field--over/);
}

/** The largest variant of the first photo, as it is served. */
async function describeServed(page: Page, source: string) {
  return page.evaluate(async (path) => {
    const response = await fetch(path);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const picture = await createImageBitmap(new Blob([bytes]));
    return {
      type: response.headers.get("Content-Type"),
      width: picture.width,
      height: picture.height,
      exif: new TextDecoder("latin1").decode(bytes).includes("EXIF"),
    };
  }, source);
}

const options = (page: Page, place: number) =>
  page.getByRole("button", { name: new RegExp(`^Photo ${place}\\b.*options$`) });
const keys = (page: Page) =>
  page.locator("input[name=photos]").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));

/** Drags a photo onto another one, with a finger or with a mouse. */
async function dragPhoto(page: Page, from: number, to: number, finger: boolean | undefined): Promise<void> {
  const centre = async (place: number) => {
    const box = await options(page, place).boundingBox();
    if (!box) throw new Error(`Photo ${place} is not on the screen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  await options(page, from).scrollIntoViewIfNeeded();
  const [start, end] = [await centre(from), await centre(to)];
  const steps = [0.25, 0.5, 0.75, 1].map((share) => ({
    x: start.x + (end.x - start.x) * share,
    y: start.y + (end.y - start.y) * share,
  }));
  if (finger) {
    const touch = await page.context().newCDPSession(page);
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [start] });
    await expect(page.locator(".photo-tile--dragged")).toHaveCount(1);
    for (const point of steps)
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  } else {
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    for (const point of steps) await page.mouse.move(point.x, point.y);
    await page.mouse.up();
  }
  await expect(page.locator(".photo-tile--dragged")).toHaveCount(0);
}

test("photos are retried after a failure, taken or dropped, sorted, and kept with the draft", async ({
  page,
  isMobile,
}) => {
  await joinCampus(page);

  // Missing values show errors at their fields. A file that isn't a picture is refused.
  await page.goto("/add-product");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("Product name is required")).toBeVisible();
  await expect(page.getByLabel("Product name")).toBeFocused();
  const picker = page.getByLabel("Add photos");
  await picker.setInputFiles({ name: "notes.jpg", mimeType: "image/jpeg", buffer: Buffer.from("no picture at all") });
  await expect(page.getByText("notes.jpg: Please upload an image file", { exact: true }).first()).toBeVisible();
  // It isn't among the photos, so it stops nobody.
  await expect(page.getByRole("button", { name: "Remove Photo 1" })).toBeHidden();

  // The first upload fails and is retried. The second photo comes from the phone's camera, or is dropped from a folder.
  await page.route("**/api/photos", (route) => route.abort(), { times: 1 });
  await picker.setInputFiles(await photo("one.jpg", "teal"));
  await page.getByRole("button", { name: "Try Photo 1 again" }).click();
  await expect(options(page, 1)).toBeVisible();
  const camera = page.getByLabel("Take a photo");
  await expect(camera).toBeVisible({ visible: isMobile });
  if (isMobile) {
    await expect(camera).toHaveAttribute("capture", "environment");
    await camera.setInputFiles(await photo("two.jpg", "tomato"));
  } else await drop(page, await photo("two.jpg", "tomato"));
  await expect(options(page, 2)).toBeVisible();
  const [first = "", second = ""] = await keys(page);
  await options(page, 2).click();
  await page.getByRole("button", { name: "Make cover" }).click();
  expect(await keys(page)).toEqual([second, first]);
  await options(page, 1).focus();
  await page.keyboard.press("ArrowRight");
  expect(await keys(page)).toEqual([first, second]);
  await dragPhoto(page, 2, 1, isMobile);
  await expect.poll(() => keys(page)).toEqual([second, first]);
  await expect(page.getByText("Photo moved to position 1 of 2")).toBeAttached();
  await expect(page.getByRole("button", { name: "Remove photo" })).toBeHidden();
  await dragPhoto(page, 1, 2, isMobile);
  await expect.poll(() => keys(page)).toEqual([first, second]);
  expect(await describeServed(page, `/files/${first}/1600.webp`)).toEqual({
    type: "image/webp",
    width: 1600,
    height: 2133,
    exif: false,
  });

  // Closing the page loses nothing.
  await page.getByLabel("Product name").fill("Kettle");
  await page.getByLabel("Price", { exact: true }).fill("1,200");
  await page.getByLabel("Description").fill("Boils in three minutes.");
  await page.goto("/home");
  await page.goto("/add-product");
  await expect(page.getByText("We restored your draft.")).toBeVisible();
  await expect(page.getByLabel("Product name")).toHaveValue("Kettle");
  expect(await keys(page)).toEqual([first, second]);
  await expectAccessible(page);

  await options(page, 2).click();
  await page.getByRole("button", { name: "Remove photo" }).click();
  await page.getByLabel("Category").selectOption("stationery");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByRole("heading", { name: "Kettle", level: 1 })).toBeVisible();
  await expect(page.locator(`main img[src*="${first}"]`).first()).toBeVisible();
});

test(
  "the public page names the preview that the browser made of the cover",
  { tag: "@phone" },
  async ({ page, openWindow }) => {
    await joinCampus(page);
    await page.goto("/add-product");
    // Noise is what a JPEG is largest for: the first quality doesn't fit. A red bar says which part is shown.
    const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const bar = await sharp({ create: { width: 1300, height: 200, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const buffer = await sharp({ create: { width: 1300, height: 1000, channels: 3, background: "#888", noise } })
      .composite([{ input: bar, gravity: "centre" }])
      .jpeg()
      .toBuffer();
    await page.getByLabel("Add photos").setInputFiles({ name: "noise.jpg", mimeType: "image/jpeg", buffer });
    await expect(options(page, 1)).toBeVisible();
    await page.getByLabel("Product name").fill("Kettle");
    await page.getByLabel("Price", { exact: true }).fill("1,200");
    await page.getByLabel("Description").fill("Boils in three minutes.");
    await page.getByLabel("Category").selectOption("stationery");
    const [key = ""] = await keys(page);
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByRole("heading", { name: "Kettle", level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "Share Kettle" }).click();
    const link = await page.getByRole("textbox", { name: "Link" }).inputValue();

    const visitor = await openWindow();
    await visitor.goto(link);
    const picture = (await visitor.locator('meta[property="og:image"]').getAttribute("content")) ?? "";
    expect(new URL(picture).pathname).toBe(`/files/${key}/preview.jpg`);
    const bytes = await (await visitor.request.get(picture)).body();
    expect(bytes.length).toBeLessThanOrEqual(300_000);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
    const middle = await sharp(bytes).extract({ left: 100, top: 265, width: 1000, height: 100 }).toBuffer();
    const { dominant } = await sharp(middle).stats();
    expect(dominant.r - Math.max(dominant.g, dominant.b)).toBeGreaterThan(150);
  },
);

test(
  "an owner edits a product, marks it as sold and deletes it, each after a failed attempt",
  {
    tag: "@desktop",
  },
  async ({ page, openAs }) => {
    await joinCampus(page);
    const other = await openAs("buyer@campus.test");
    const name = `Kettle ${newWord()}`;
    const productPath = `/product/${await listProduct(page, name)}`;
    await page.goto(productPath);

    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Edit Product" })).toBeVisible();
    await page.getByLabel("Price", { exact: true }).fill("950");
    await page.getByLabel("Add photos").setInputFiles(await photo("one.jpg", "teal"));
    await expect(options(page, 1)).toBeVisible();
    await expectAccessible(page);
    await page.route("**/edit.data*", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Failed to update product")).toBeVisible();
    await expect(page.getByLabel("Price", { exact: true })).toHaveValue(/950/);
    await page.getByRole("button", { name: "Save Changes" }).click();
    await expect(page.getByText("Changes saved")).toBeVisible();
    await expect(page.getByText("KES 950").first()).toBeVisible();

    // Its status, changed in the shop, shows at once, and is undone if the server fails.
    await page.goto("/myshop");
    const card = page.getByRole("article").filter({ has: page.getByRole("heading", { name }) });
    const manage = card.getByRole("button", { name: `Manage ${name}` });
    const active = page.locator(".shop-figure", { hasText: "Active Listings" }).locator("strong");
    const before = Number(await active.innerText());
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route(
      "**/manage",
      async (route) => {
        await answered;
        await route.fulfill({ status: 500, contentType: "text/html", body: "<h1>500</h1>" });
      },
      { times: 1 },
    );
    await manage.click();
    await expect(page.getByRole("button", { name: "Active" })).toBeDisabled();
    await page.getByRole("button", { name: "Mark as Sold" }).click();
    await expect(active).toHaveText(String(before - 1));
    answer();
    await expect(page.getByText("Failed to update product status")).toBeVisible();
    await expect(card.getByText("Active", { exact: true }).first()).toBeVisible();
    await expect(active).toHaveText(String(before));
    await manage.click();
    await page.getByRole("button", { name: "Mark as Sold" }).click();
    await expect(page.getByText("Marked as sold: nobody can buy it now")).toBeVisible();
    await expect(active).toHaveText(String(before - 1));
    await other.goto(productPath);
    await expect(other.getByRole("button", { name: "Tell me when it's back" })).toBeVisible();
    await expect(other.getByRole("button", { name: "Buy Now" })).toHaveCount(0);

    // Deleting asks first. It fails once and says so. Then the listing is gone for everybody.
    await page.route("**/manage", (route) => route.abort(), { times: 1 });
    for (const outcome of ["Failed to delete product", "Listing deleted"]) {
      await manage.click();
      await page.getByRole("link", { name: "Delete Listing" }).click();
      const dialog = page.getByRole("alertdialog");
      await expect(dialog).toContainText("Are you sure you want to delete this product? This action cannot be undone.");
      await dialog.getByRole("button", { name: "Delete Listing" }).click();
      await expect(page.getByText(outcome)).toBeVisible();
      await expect(card).toHaveCount(outcome.startsWith("Failed") ? 1 : 0);
    }
    await expect(page.getByText("You haven't posted any listings yet")).toBeVisible();
    await other.goto(productPath);
    await expect(other.getByRole("heading", { name: "Product Not Found" })).toBeVisible();
  },
);

test("a post that is pasted into the name fills in the form, once its seller says so", async ({ page }) => {
  await joinCampus(page);
  await page.goto("/add-product");
  const name = page.getByLabel("Product name");
  await page.getByLabel("Price", { exact: true }).fill("9000");
  const post = "Selling my hp laptop core i5 8gb, good condition\nKSh. 22,500/= slightly negotiable\nCall 0712 345 678";
  const paste = (pasted: string) =>
    name.evaluate((input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, pasted);

  await paste(`${post} `.repeat(2_000));
  const tooLong = page.getByRole("alert").filter({ hasText: "This is too long for us to read" });
  await tooLong.getByRole("button", { name: "Keep as It Is" }).click();
  await expect(tooLong).toBeHidden();

  await paste(`\n${post}\n`);
  const panel = page.getByRole("alert").filter({ hasText: "We read this from your post" });
  await expect(panel.getByText("Price: KES 22,500, instead of 9000")).toBeVisible();
  await expect(panel.getByText("Without your number: buyers message you here.")).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Keep as It Is" }).click();
  await expect(panel).toBeHidden();
  await expect(page.getByLabel("Price", { exact: true })).toHaveValue("9000");

  await name.fill(`${post}, 2 pieces`);
  await name.blur();
  await panel.getByRole("button", { name: "Use It" }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("Hp laptop core i5 8gb");
  await expect(page.getByLabel("Price", { exact: true })).toHaveValue("22500");
  await expect(page.getByRole("radio", { name: "Used - Good" })).toBeChecked();
  await expect(page.getByLabel("Description")).toHaveValue(/^Selling my hp laptop core i5 8gb, good condition/);
  await expect(page.getByLabel("Description")).not.toHaveValue(/0712/);
  await expect(page.getByText(/· takes offers/)).toBeVisible();
});

test("what is typed and chosen before the page's scripts have come stays", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  const { send } = await holdRequests(page, /\/assets\/.*\.js/);
  const opened = page.goto("/add-product");
  await page.getByLabel("Product name").fill("Kettle");
  await page.getByLabel("Category").selectOption("electronics");
  await page.getByRole("radio", { name: "Used - Good" }).check();
  await page.getByLabel("Add photos").setInputFiles(await photo("one.jpg", "teal", { width: 600, height: 400 }));
  send();
  await opened;
  await expect(options(page, 1)).toBeVisible();
  await page.getByLabel("Description").fill("Boils in three minutes.");
  await expect(page.getByLabel("Product name")).toHaveValue("Kettle");
  await expect(page.getByLabel("Category")).toHaveValue("electronics");
  await expect(page.getByRole("radio", { name: "Used - Good" })).toBeChecked();
});

test(
  "without the scripts that load on use, the server checks the form, and nothing typed or chosen is lost",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    await page.route(/\/assets\/(listing-rules|new-category)-/, (route) => route.abort());
    await page.goto("/add-product");
    await page.getByLabel("Add photos").setInputFiles(await photo("one.jpg", "teal", { width: 600, height: 400 }));
    await expect(options(page, 1)).toBeVisible();
    await page.getByLabel("Product name").fill("Kettle");
    await page.getByRole("button", { name: "New category" }).click();
    await expect(page.getByText("Failed to add category")).toBeVisible();
    await page.getByLabel("Category").selectOption({ label: "Electronics" });
    await page.getByLabel("Description").fill("Boils in three minutes.");
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("Price is required")).toBeVisible();
    await expect(page.getByLabel("Price", { exact: true })).toBeFocused();
    expect(await keys(page)).toHaveLength(1);
    await page.getByLabel("Price", { exact: true }).fill("1,200");
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByRole("heading", { name: "Kettle", level: 1 })).toBeVisible();

    // Deleted below the form that edits it, after a failed attempt.
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByText("Delete Listing", { exact: true }).first().click();
    await page.route("**/manage", (route) => route.abort(), { times: 1 });
    await page.getByRole("button", { name: "Delete Listing: Kettle" }).click();
    await expect(page.getByText("Failed to delete product")).toBeVisible();
    await page.getByRole("button", { name: "Delete Listing: Kettle" }).click();
    await expect(page).toHaveURL(/\/myshop$/);
    await expect(page.getByText("Listing deleted")).toBeVisible();
    await expect(page.getByText("You haven't posted any listings yet")).toBeVisible();
  },
);

test("an error in a closed part of the form opens it", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  await fillListing(page, "Kettle");
  const price = page.getByLabel("Original price");
  await expect(price).toBeHidden();
  await openFields(page, "Stock and selling");
  await price.fill("900");
  await page.getByRole("checkbox", { name: "Let buyers make offers" }).check();
  await page.getByText("Stock and selling").click();
  await expect(page.getByText("1 piece · was KES 900 · takes offers")).toBeVisible();
  await expect(price).toBeHidden();
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("The original price must be higher than the price")).toBeVisible();
  await expect(price).toBeFocused();
  await price.fill("1,500");
  await expect(price).toBeFocused();
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByRole("heading", { name: "Kettle", level: 1 })).toBeVisible();
});

test("a listing deleted below its form is gone from the list that Back shows", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  for (const name of ["Kettle", "Toaster", "Iron"]) await listProduct(page, name);
  let requests = 0;
  await page.route("**/manage", (route) => {
    requests += 1;
    return route.continue();
  });
  await page.goto("/myshop");
  const card = (name: string) => page.getByRole("article").filter({ has: page.getByRole("heading", { name }) });
  await card("Kettle").getByRole("heading", { name: "Kettle" }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByText("Delete Listing", { exact: true }).first().click();
  await page.getByRole("button", { name: "Delete Listing: Kettle" }).dblclick();
  await expect(page.getByText("Listing deleted")).toBeVisible();
  await expect(page).toHaveURL(/\/myshop$/);
  expect(requests).toBe(1);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Product Not Found" })).toBeVisible();
  await page.goBack();
  await expect(card("Toaster")).toBeVisible();
  await expect(card("Kettle")).toHaveCount(0);

  const choose = async (name: string, role: "button" | "link", choice: string) => {
    await page.getByRole("button", { name: `Manage ${name}` }).click();
    await page.getByRole(role, { name: choice }).click();
  };
  const confirm = () => page.getByRole("alertdialog").getByRole("button", { name: "Delete Listing" }).click();
  // A deletion waits for the change that is under way.
  const change = await holdRequests(page, "**/manage");
  await choose("Iron", "button", "Mark as Sold");
  await choose("Iron", "link", "Delete Listing");
  await confirm();
  const deleted = page.waitForResponse((response) => response.request().postData() === "intent=delete");
  change.send();
  expect((await deleted).ok()).toBe(true);
  await expect(card("Iron")).toHaveCount(0);

  // A late answer leaves people on the screen that they have opened meanwhile.
  await card("Toaster").getByRole("heading", { name: "Toaster" }).click();
  const deletion = await holdRequests(page, "**/manage");
  await choose("Toaster", "link", "Delete Listing");
  await confirm();
  await expect.poll(() => deletion.asked).toHaveLength(1);
  await page.getByRole("link", { name: "Wishlist", exact: true }).first().click();
  await expect(page).toHaveURL("/wishlist");
  const shopAsked: string[] = [];
  page.on("request", (request) => request.url().includes("/myshop.data") && shopAsked.push(request.url()));
  const answered = page.waitForResponse("**/manage");
  deletion.send();
  await (await answered).finished();
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(page).toHaveURL("/home");
  expect(shopAsked).toEqual([]);
});

test("a seller reads what their listing is and why, and corrects it for good", { tag: "@phone" }, async ({ page }) => {
  await joinCampus(page);
  await page.goto("/add-product");
  await page.getByLabel("Product name").fill("HP EliteBook 840 stickers");
  await openFields(page, "What it is");
  await expect(page.getByText("Accessory or part, because of “stickers”.")).toBeVisible();
  // The category follows the name, until somebody chooses one.
  await page.getByLabel("Product name").fill("Electric kettle");
  await expect(page.getByLabel("Category")).toHaveValue("kitchen");
  await page.getByLabel("Product name").fill("HP EliteBook 840, neat");
  await expect(page.getByText("Laptop, because of “EliteBook”.")).toBeVisible();
  await expect(page.getByLabel("Category")).toHaveValue("computers");
  await page.getByText("Not right? Change").click();
  const choice = page.getByLabel("What is it?");
  await expect(choice.locator("optgroup[label=Kitchen]")).toBeAttached();
  await choice.selectOption("Laptop part");
  await expect(page.getByText("Laptop part, as you chose.")).toBeVisible();
  // Another category chosen meanwhile stays when the answer to a new one comes.
  const { asked, send } = await holdRequests(page, "**/categories");
  await page.getByRole("button", { name: "New category" }).click();
  await page.getByLabel("Name of the new category").fill("Electronics");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect.poll(() => asked).toHaveLength(1);
  await page.getByLabel("Category").selectOption("computers");
  send();
  await expect(page.getByText(/: Electronics$/)).toBeVisible();
  await expect(page.getByLabel("Category")).toHaveValue("computers");
  await page.getByLabel("Price", { exact: true }).fill("400");
  await page.getByLabel("Description").fill("The lid and the hinges");
  // The draft keeps it, too.
  await page.reload();
  await openFields(page, "What it is");
  await expect(page.getByText("Laptop part, as you chose.")).toBeVisible();
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("It's live: buyers can see it now")).toBeVisible();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Product name").fill("Tecno phone");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await openFields(page, "What it is");
  await expect(page.getByText("Laptop part, as you chose.")).toBeVisible();
});

test.describe("without scripts", { tag: "@desktop" }, () => {
  test.use({ javaScriptEnabled: false });

  test("a product is listed with its photo, which survives an error, marked as sold and deleted", async ({ page }) => {
    await joinCampus(page);
    await page.goto("/add-product");
    await page
      .getByLabel("Product name")
      .fill(`Selling a lab coat, 600 bob, bei inaongea, call 0712 345 678. ${"Hardly used. ".repeat(6)}`);
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("We read this from the post in your name field.")).toBeVisible();
    await expect(page.getByLabel("Product name")).toHaveValue("Lab coat");
    await expect(page.getByLabel("Price", { exact: true })).toHaveValue("600");
    await page.getByLabel("Price", { exact: true }).fill("");
    await page.getByLabel("Add photos").setInputFiles(await photo("coat.jpg", "plum", { width: 600, height: 400 }));
    await page.getByLabel("Category").selectOption("fashion");
    await page.getByLabel("Description").fill("Worn twice");
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("Price is required")).toBeVisible();
    await expect(page.getByLabel("Product name")).toHaveValue("Lab coat");
    expect(await keys(page)).toHaveLength(1);
    await page.getByLabel("Price", { exact: true }).fill("400");
    await openFields(page, "Stock and selling");
    await page.getByLabel("Original price").fill("300");
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("The original price must be higher than the price")).toBeVisible();
    await page.getByLabel("Original price").fill("");
    await page.getByRole("button", { name: "Add Product" }).click();
    await expect(page.getByText("This is your listing.")).toBeVisible();
    await expect(page.locator('img[src$=".jpg"]').first()).toHaveAttribute(
      "src",
      /^\/files\/img\/[0-9a-f]+\/400\.jpg$/,
    );

    await page.getByRole("button", { name: "Manage Lab coat" }).click();
    await page.getByRole("button", { name: "Mark as Sold" }).click();
    await expect(page.getByText("Sold", { exact: true }).first()).toBeVisible();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByText("Delete Listing", { exact: true }).first().click();
    await page.getByRole("button", { name: "Delete Listing: Lab coat" }).click();
    await expect(page).toHaveURL(/\/myshop$/);
    await expect(page.getByText("You haven't posted any listings yet")).toBeVisible();
  });
});

async function fillListing(page: Page, name: string): Promise<void> {
  await page.goto("/add-product");
  await page.getByLabel("Product name").fill(name);
  await page.getByLabel("Price", { exact: true }).fill("1,200");
  await page.getByLabel("Category").selectOption({ label: "Electronics" });
  await page.getByLabel("Description").fill("Boils in three minutes.");
}

const keptKeys = (page: Page) =>
  page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((key) => key.startsWith("private:")),
  );

test(
  "a saved listing leaves no draft, even if the seller leaves on a slow network",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    await fillListing(page, `Slow kettle ${newWord()}`);
    await expect.poll(() => keptKeys(page)).toHaveLength(1);
    // The listing is saved, but the screen's data never arrives.
    await page.route("**/*.data*", (route) => route.request().method() === "POST" && route.continue());
    const answered = page.waitForResponse((response) => response.request().method() === "POST" && response.ok());
    await page.getByRole("button", { name: "Add Product" }).click();
    await answered;
    await expect.poll(() => keptKeys(page)).toEqual([]);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goto("/add-product");
    await expect(page.getByLabel("Product name")).toHaveValue("");
    await expect(page.getByText("We restored your draft.")).toBeHidden();
  },
);

test(
  "after logging out a browser holds nothing of the user, also where another tab was open",
  { tag: "@phone" },
  async ({ page }) => {
    await joinCampus(page);
    await page.goto("/studentmarketplace");
    await page.getByRole("main").getByRole("article").getByRole("link").first().click();
    await expect(page.getByRole("button", { name: /^Share / })).toBeVisible();
    await page.goto("/search?q=kettle");
    const tab = await page.context().newPage();
    await fillListing(tab, "Kettle");
    await expect.poll(async () => (await keptKeys(page)).length).toBe(3);

    await page.goto("/settings");
    await page.getByRole("main").getByRole("button", { name: "Log out" }).first().click();
    await expect(page).toHaveURL(/\/auth/);
    await expect(tab).toHaveURL(/\/auth/);
    for (const one of [page, tab]) await expect.poll(() => keptKeys(one)).toEqual([]);
  },
);
