import sharp from "sharp";
import { z } from "zod";
import { CommandError } from "#scripts/command.ts";
import { type ActionName, JOB } from "./bill.ts";
import type { Journal } from "./journal.ts";
import {
  again,
  Browser,
  BUYER,
  FEED,
  logIn,
  newPerson,
  newPhone,
  type Person,
  type Phone,
  SETTLED_MS,
  signUp,
  type Site,
} from "./people.ts";

/** The people and things that the actions are about. */
export interface Stage {
  site: Site;
  journal: Journal;
  buyer: Person;
  seller: Person;
  sellerId: string;
  /** A listing of the seller, without a limit. */
  productId: string;
}

const PRICE = "1500";

export async function listProduct(seller: Browser, photo: File[]): Promise<string> {
  const upload = new FormData();
  for (const file of photo) upload.append("variant", file);
  const { data } = Uploaded.parse(JSON.parse(await seller.post("/api/photos", upload)));
  const productId = crypto.randomUUID();
  const form = new FormData();
  for (const [name, value] of Object.entries({
    productId,
    name: `Desk lamp ${productId.slice(0, 4)}`,
    price: PRICE,
    description: "Works well. Used for one semester.",
    category: "stationery",
    condition: "new",
    madeToOrder: "on",
    photos: data.key,
  }))
    form.set(name, value);
  const answer = await seller.post("/add-product", form);
  if (!answer.startsWith("/")) throw new CommandError(`The listing was refused: ${answer.slice(0, 300)}`);
  return productId;
}

const Uploaded = z.object({ data: z.object({ key: z.string() }) });

/** Orders one piece, pays for it, and waits until the payment is settled. */
async function buy({ browser, live }: Person, productId: string): Promise<string> {
  const form = { intent: "buy-now", quantity: "1", orderKey: crypto.randomUUID(), price: PRICE };
  const orderId = (await browser.post(`/product/${productId}`, form)).split("/").at(-1) ?? "";
  await browser.get(`/checkout/${orderId}.data`);
  // Only the last of a payment's events has a notice.
  const paid = live.hears(orderId, '"notice"');
  const paying = { intent: "pay", phone: newPhone(), option: "pickup", pickupConfirmed: "on" };
  await browser.post(`/checkout/${orderId}`, paying);
  await browser.get(`/checkout/${orderId}.data`);
  await paid;
  await browser.get(`/order-confirmation/${orderId}.data`);
  return orderId;
}

interface PaidSale {
  person: Person;
  orderId: string;
  itemId: string;
}

async function sell({ productId }: Stage, person: Person): Promise<PaidSale> {
  const orderId = await buy(person, productId);
  const { text } = await person.browser.get(`/orders/${orderId}`);
  const itemId = /name="itemId" value="([0-9a-f-]{36})"/.exec(text)?.[1];
  if (itemId === undefined) throw new CommandError("The order's page names no item.");
  return { person, orderId, itemId };
}

/**
 * From the seller's first message to the hand-over code, and the run of the job that pays the seller out. The buyer reads
 * soon that the item is shipped, and so gets no email about it: the bill adds those of buyers who don't.
 */
async function handOver(stage: Stage, { person, orderId, itemId }: PaidSale): Promise<void> {
  const { seller, journal } = stage;
  const buyer = person.browser;
  const message = { about: `item:${itemId}`, text: "I can meet you at the library gate", key: crypto.randomUUID() };
  await seller.browser.post("/api/messages", message);
  await buyer.post(`/orders/${orderId}`, { intent: "agree", itemId });
  await seller.browser.post(`/seller/orders/${itemId}`, { intent: "ship", itemId });
  const { text } = await buyer.get(`/orders/${orderId}`, { "sec-fetch-mode": "navigate" });
  const [, start, end] = /handover__code">(\d{3})\D+(\d{3})/.exec(text) ?? [];
  await seller.browser.post(`/seller/orders/${itemId}`, { intent: "code", itemId, code: `${start}${end}` });
  await journal.quiet();
  await runJob(stage);
}

/** Only cron runs the job, so it is asked of the local server itself. */
export async function runJob({ site, journal }: Pick<Stage, "site" | "journal">): Promise<void> {
  const cron = "* * * * *";
  journal.sent("CRON", cron);
  const query = new URLSearchParams({ cron });
  const response = await again(() => fetch(`${site.origin}/cdn-cgi/local/scheduled?${query}`));
  if (!response.ok) throw new CommandError(`The scheduled job failed: ${response.status}`);
  await response.arrayBuffer();
}

/** The reader has a page open, but not the conversation. */
async function sendMessage({ buyer, seller, sellerId, productId }: Stage): Promise<void> {
  const key = crypto.randomUUID();
  const arrived = seller.live.hears(key);
  const message = { to: sellerId, about: `product:${productId}`, text: "Is it still there?", key };
  await buyer.browser.post("/api/messages", message);
  await arrived;
}

/** A photo as a phone sends it: in three widths. */
export async function takePhoto(): Promise<File[]> {
  const noise = { type: "gaussian", mean: 128, sigma: 20 } as const;
  const photo = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: "#888", noise } })
    .blur(2)
    .png()
    .toBuffer();
  return Promise.all(
    [320, 800, 1600].map(async (width) => {
      const bytes = await sharp(photo).resize(width).webp({ quality: 78 }).toBuffer();
      return new File([new Uint8Array(bytes)], `${width}.webp`, { type: "image/webp" });
    }),
  );
}

/** What is measured: one request, or a run. `prepare` makes what the run needs, and isn't measured. */
export type Action<Ready = unknown> =
  | { ask: () => Promise<unknown> }
  | { prepare: () => Promise<Ready>; run: (ready: Ready) => Promise<unknown> };

/** Everything that the actions do. */
export async function listActions(stage: Stage, phone: Phone, sellerPhone: Phone): Promise<Record<ActionName, Action>> {
  const { site, buyer, seller, productId } = stage;
  const member = buyer.browser;
  const visitor = new Browser(site);
  const feed = await member.get(FEED);
  const product = [...feed.text.matchAll(/"(\/product\/[0-9a-f-]{36})"/g)].at(-1)?.[1];
  const sitemap = await visitor.get("/sitemaps/products-1.xml");
  const publicPath = /<loc>[^<]+?(\/p\/[^<]+)/.exec(sitemap.text)?.[1];
  const picture = /"(\/files\/[^" ]+)/.exec(feed.text)?.[1];
  if (!product || !publicPath || !picture) throw new CommandError("The feed shows too little to be measured.");
  const orderId = await buy(buyer, productId);
  let seconds = 0;
  /** A clock so far ahead that no cached copy is young enough. */
  const later = () => ({ "x-days-ahead": String((seconds += 3601) / (24 * 60 * 60)) });
  const pictures = { accept: "image/avif,image/webp,*/*" };
  return {
    "open the feed": steps(
      async () => {},
      () => phone.open(FEED),
    ),
    "next page of the feed": steps(
      () => phone.open(FEED),
      async (page) => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await page.waitForTimeout(SETTLED_MS);
      },
    ),
    home: follow(phone, "/home"),
    search: follow(phone, "/search?q=lamp"),
    "open a product": follow(phone, product),
    messages: follow(phone, "/profile?tab=messages"),
    "open an order": follow(phone, `/orders/${orderId}`),
    "My Shop": follow(sellerPhone, "/myshop"),
    "add to cart": steps(
      async () => {
        await member.post("/?index", { intent: "remove-from-cart", productId });
        return phone.open(`/product/${productId}`);
      },
      async (page) => {
        await page.getByRole("button", { name: "Add to Cart" }).first().click();
        await page.waitForTimeout(SETTLED_MS);
      },
    ),
    "buy and pay": steps(
      () => newPerson(site),
      (person) => buy(person, productId),
    ),
    "hand over": steps(
      async () => sell(stage, await newPerson(site)),
      (sale) => handOver(stage, sale),
    ),
    "send a message": { ask: () => sendMessage(stage) },
    "list a product, one photo": steps(takePhoto, (photo) => listProduct(seller.browser, photo)),
    "log in": steps(
      async () => {},
      async () => (await logIn(site, BUYER)).get("/home"),
    ),
    "sign up": steps(
      async () => {},
      () => signUp(site),
    ),
    "public page, uncached": { ask: () => visitor.get(publicPath, later()) },
    "public page, cached": { ask: () => visitor.get(publicPath) },
    "picture, uncached": { ask: () => visitor.get(picture, { ...pictures, ...later() }) },
    "picture, cached": { ask: () => visitor.get(picture, pictures) },
    [JOB]: { ask: () => runJob(stage) },
  };
}

function steps<Ready>(prepare: () => Promise<Ready>, run: (ready: Ready) => Promise<unknown>): Action {
  return { prepare, run } as Action;
}

/** Follows a link on the feed. */
function follow(phone: Phone, path: string): Action {
  return steps(
    () => phone.open(FEED),
    (page) => phone.follow(path, page),
  );
}
