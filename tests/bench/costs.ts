/**
 * Measures what each common action uses of everything that Cloudflare charges for, and prices a month of 1,000 to
 * 1,000,000 students with it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { type Browser as Chromium, type BrowserContext, chromium as playwright, type Page } from "@playwright/test";
import sharp from "sharp";
import { z } from "zod";
import { type Meter, newMeter } from "#app/db/meter.ts";
import { Trouble } from "#scripts/command.ts";
import { ensureChromium } from "#scripts/chromium.ts";
import { findFreePort, serveLocalBuild } from "#scripts/serve.ts";
import { type ActionName, type ActionUse, billOf, JOB, MONTH, PLAN_USD, PRICES } from "./bill.ts";
import { findWorkerd, readUsage } from "./workerd.ts";

/** How often each action is done. CPU time is read in steps of 10 ms, so that one run alone says nothing. */
const RUNS = 3;
const RUNS_OF_ONE_REQUEST = 15;
/** Runs that warm up the code and aren't counted. */
const WARM_UP_RUNS = 1;
/** All deferred work has ended when nothing was logged for so long, ms. */
const QUIET_MS = 250;
const PATIENCE_MS = 30_000;
/** By then a page has opened its live connection and asked for the routes of its links, ms. */
const SETTLED_MS = 1_500;

const PASSWORD = "campus-demo";
const BUYER = "buyer@campus.test";
const FEED = "/studentmarketplace";
const SELLER = "seller@campus.test";

const Logged = z.object({ event: z.string(), method: z.string().optional(), path: z.string().optional() });
const LoggedUse = Logged.extend({
  event: z.literal("use"),
  method: z.string(),
  path: z.string(),
  meter: z.record(z.string(), z.number()),
});

/** What the workers have logged so far. */
class Journal {
  uses: z.infer<typeof LoggedUse>[] = [];
  /** Lines that would be charged for: all but those that only the local environment logs. */
  lines = 0;
  lastAt = 0;

  note(message: string): void {
    this.lastAt = performance.now();
    const logged = readJson(message);
    const use = LoggedUse.safeParse(logged);
    if (use.success) this.uses.push(use.data);
    else if (Logged.safeParse(logged).success) this.lines += 1;
  }

  clear(): void {
    this.uses = [];
    this.lines = 0;
  }

  /** Resolves when all work, deferred work included, seems to have ended. */
  async quiet(): Promise<void> {
    const since = performance.now();
    while (performance.now() - Math.max(since, this.lastAt) < QUIET_MS) await pause(20);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A person's browser: it keeps cookies and sends forms from our own pages. */
class Browser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  get cookie(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<{ text: string; response: Response }> {
    const response = await this.#ask(path, { headers });
    if (response.status >= 400) throw new Trouble(`${path} answered ${response.status}.`);
    return { response, text: await response.text() };
  }

  /** Returns where the answer leads, or its text. */
  async post(path: string, form: Record<string, string> | FormData): Promise<string> {
    const body = form instanceof FormData ? form : new URLSearchParams(form);
    const response = await this.#ask(path, { method: "POST", body });
    const text = await response.text();
    if (response.status >= 400) throw new Trouble(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return response.headers.get("location") ?? text;
  }

  /** Opens the live connection. */
  connect(onText: (text: string) => void): Promise<WebSocket> {
    return new Promise((done, fail) => {
      const socket = new WebSocket(`${this.#origin.replace("http", "ws")}/live`, {
        headers: { cookie: this.cookie, origin: this.#origin },
      } as unknown as string[]); // An option of Node that the DOM's type doesn't have.
      socket.addEventListener("open", () => done(socket));
      socket.addEventListener("error", () => fail(new Trouble("The live connection could not be opened.")));
      socket.addEventListener("message", ({ data }) => onText(String(data)));
    });
  }

  async #ask(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const headers = { accept: "text/html", "user-agent": "Mozilla/5.0 (bench)", ...init.headers };
    const response = await again(() =>
      fetch(this.#origin + path, {
        redirect: "manual",
        ...init,
        headers: { ...headers, cookie: this.cookie, origin: this.#origin },
      }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name === undefined || value === undefined) continue;
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

/** Asks once more where the kept-alive connection was closed just then. */
async function again(ask: () => Promise<Response>): Promise<Response> {
  return ask().catch(ask);
}

async function logIn(origin: string, email: string): Promise<Browser> {
  const browser = new Browser(origin);
  await browser.post("/auth", { email, password: PASSWORD });
  if (!browser.cookie.includes("session=")) throw new Trouble(`${email} couldn't log in.`);
  return browser;
}

let people = 0;

/** A number that pays in the sandbox. */
function newPhone(): string {
  people += 1;
  return `07${String(10_000_000 + Math.floor(Math.random() * 80_000_000) + people).slice(0, 6)}20`;
}

/** Signs up and confirms the email address. */
async function signUp(origin: string): Promise<Browser> {
  const browser = new Browser(origin);
  const email = `bench-${crypto.randomUUID()}@campus.test`;
  const form = new FormData();
  for (const [name, value] of Object.entries({
    accountType: "student",
    fullName: "Njeri Wambui",
    email,
    password: PASSWORD,
    phone: newPhone(),
    campusLocation: "Main Campus",
  }))
    form.set(name, value);
  await browser.get("/auth/signup");
  await browser.post("/auth/signup", form);
  await browser.get("/auth/check-email");
  const token = await until(async () => {
    const mailbox = await again(() => fetch(`${origin}/sandbox/mailbox.json?to=${encodeURIComponent(email)}`));
    const mails = (await mailbox.json()) as { links: string[] }[];
    const link = mails.flatMap(({ links }) => links).find((address) => address.includes("/auth/callback"));
    return link === undefined ? null : new URL(link).searchParams.get("token");
  });
  await browser.get(`/auth/callback?token=${token}`);
  await browser.post("/auth/callback", { token });
  await browser.get("/home");
  return browser;
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (const start = performance.now(); performance.now() - start < PATIENCE_MS; await pause(100)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new Trouble("Something that the benchmark waits for didn't happen.");
}

/** The live connection of one person, as their open page has it. */
class Live {
  readonly #waiting = new Map<string[], () => void>();

  static async open(browser: Browser): Promise<Live> {
    const live = new Live();
    const socket = await browser.connect((text) => live.#note(text));
    socket.addEventListener("close", () => live.#waiting.clear());
    return live;
  }

  /** Resolves when an event arrives that holds all these texts. */
  hears(...texts: string[]): Promise<void> {
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Trouble("An event that was waited for didn't arrive.")), PATIENCE_MS);
      this.#waiting.set(texts, () => {
        clearTimeout(timer);
        done();
      });
    });
  }

  #note(text: string): void {
    for (const [texts, done] of this.#waiting) {
      if (!texts.every((part) => text.includes(part))) continue;
      this.#waiting.delete(texts);
      done();
    }
  }
}

/** Somebody with an open page. */
interface Person {
  browser: Browser;
  live: Live;
}

/** The people and things that the actions are about. */
interface Stage {
  origin: string;
  journal: Journal;
  buyer: Person;
  seller: Person;
  sellerId: string;
  /** A listing of the seller, without a limit. */
  productId: string;
}

const PRICE = "1500";

async function listProduct(seller: Browser, photo: File[]): Promise<string> {
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
  if (!answer.startsWith("/")) throw new Trouble(`The listing was refused: ${answer.slice(0, 300)}`);
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
  if (itemId === undefined) throw new Trouble("The order's page names no item.");
  return { person, orderId, itemId };
}

/** From the seller's first message to the hand-over code, and the run of the job that pays the seller out. */
async function handOver({ seller, origin, journal }: Stage, { person, orderId, itemId }: PaidSale): Promise<void> {
  const buyer = person.browser;
  const message = { about: `item:${itemId}`, text: "I can meet you at the library gate", key: crypto.randomUUID() };
  await seller.browser.post("/api/messages", message);
  await buyer.post(`/orders/${orderId}`, { intent: "agree", itemId });
  await seller.browser.post(`/seller/orders/${itemId}`, { intent: "ship", itemId });
  const { text } = await buyer.get(`/orders/${orderId}`);
  const [, start, end] = /handover__code">(\d{3})\D+(\d{3})/.exec(text) ?? [];
  await seller.browser.post(`/seller/orders/${itemId}`, { intent: "code", itemId, code: `${start}${end}` });
  await journal.quiet();
  await runJob(origin);
}

async function runJob(origin: string): Promise<void> {
  const response = await again(() => fetch(`${origin}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`));
  if (!response.ok) throw new Trouble(`The scheduled job failed: ${response.status}`);
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
async function takePhoto(): Promise<File[]> {
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

/** One request, or something to do after what comes before it was made ready, uncounted. */
type Action<Ready = unknown> =
  | { ask: () => Promise<unknown> }
  | { prepare: () => Promise<Ready>; run: (ready: Ready) => Promise<unknown> };

/** A browser on a phone, in which somebody is logged in. Pictures are actions of their own, so it loads none. */
class Phone {
  readonly #context: BrowserContext;
  readonly #origin: string;
  #page: Page | null = null;

  private constructor(context: BrowserContext, origin: string) {
    this.#context = context;
    this.#origin = origin;
  }

  static async start(browser: Chromium, origin: string, cookie: string): Promise<Phone> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await context.route("**/files/**", (route) => route.abort());
    await context.addInitScript(() => localStorage.setItem("chuoni_tutorial_completed", "true"));
    const pairs = cookie.split("; ").map((pair) => /^([^=]+)=(.*)$/.exec(pair));
    await context.addCookies(pairs.map((pair) => ({ url: origin, name: pair?.[1] ?? "", value: pair?.[2] ?? "" })));
    return new Phone(context, origin);
  }

  /** Opens a document in a new tab and closes the old one. */
  async open(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    await this.#page?.close();
    this.#page = page;
    await page.goto(this.#origin + path);
    await page.waitForTimeout(SETTLED_MS);
    return page;
  }

  /** Follows a link to `path` on the screen at `from`. */
  follow(path: string, from = FEED): Action {
    return steps(
      () => this.open(from),
      async (page) => {
        // What a click on a link does.
        await page.evaluate((to) => {
          const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
          return router.navigate(to);
        }, path);
        await page.waitForTimeout(SETTLED_MS);
      },
    );
  }
}

interface Router {
  navigate(path: string): Promise<void>;
}

/** Everything that the actions do. */
async function listActions(stage: Stage, phone: Phone, sellerPhone: Phone): Promise<Record<ActionName, Action>> {
  const { origin, buyer, seller, productId } = stage;
  const member = buyer.browser;
  const visitor = new Browser(origin);
  const feed = await member.get(FEED);
  const product = [...feed.text.matchAll(/"(\/product\/[0-9a-f-]{36})"/g)].at(-1)?.[1];
  const sitemap = await visitor.get("/sitemaps/products-1.xml");
  const publicPath = /<loc>[^<]+?(\/p\/[^<]+)/.exec(sitemap.text)?.[1];
  const picture = /"(\/files\/[^" ]+)/.exec(feed.text)?.[1];
  if (!product || !publicPath || !picture) throw new Trouble("The feed shows too little to be measured.");
  const orderId = await buy(buyer, productId);
  let seconds = 0;
  /** A clock so far ahead that no kept copy is young enough. */
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
    home: phone.follow("/home"),
    search: phone.follow("/search?q=lamp"),
    "open a product": phone.follow(product),
    messages: phone.follow("/profile?tab=messages"),
    "open an order": phone.follow(`/orders/${orderId}`),
    "My Shop": sellerPhone.follow("/myshop"),
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
      () => newPerson(origin),
      (person) => buy(person, productId),
    ),
    "hand over": steps(
      async () => sell(stage, await newPerson(origin)),
      (sale) => handOver(stage, sale),
    ),
    "send a message": { ask: () => sendMessage(stage) },
    "list a product, one photo": steps(takePhoto, (photo) => listProduct(seller.browser, photo)),
    "log in": steps(
      async () => {},
      async () => (await logIn(origin, BUYER)).get("/home"),
    ),
    "sign up": steps(
      async () => {},
      () => signUp(origin),
    ),
    "public page, not kept": { ask: () => visitor.get(publicPath, later()) },
    "public page, kept": { ask: () => visitor.get(publicPath) },
    "picture, not kept": { ask: () => visitor.get(picture, { ...pictures, ...later() }) },
    "picture, kept": { ask: () => visitor.get(picture, pictures) },
    [JOB]: { ask: () => runJob(origin) },
  };
}

function steps<Ready>(prepare: () => Promise<Ready>, run: (ready: Ready) => Promise<unknown>): Action {
  return { prepare, run } as Action;
}

async function newPerson(origin: string): Promise<Person> {
  return openPage(await signUp(origin));
}

/** Does each action several times in a data folder that must be seeded, and says what one of them uses. */
export async function measureCosts(): Promise<Record<ActionName, ActionUse>> {
  const journal = new Journal();
  const onLog = ({ message }: { message: string }) => journal.note(message);
  const server = await serveLocalBuild({ port: await findFreePort(), onLog });
  const chromium = await launchChromium();
  try {
    const { origin } = server;
    const workerd = await findWorkerd();
    const buyer = await openPage(await logIn(origin, BUYER));
    const seller = await openPage(await logIn(origin, SELLER));
    const productId = await listProduct(seller.browser, await takePhoto());
    const { text } = await buyer.browser.get(`/product/${productId}`);
    const sellerId = /\/seller\/([0-9a-f-]{36})/.exec(text)?.[1];
    if (!sellerId) throw new Trouble("The seller's product names no seller.");
    // The first runs of the job make the previews and AVIFs of the new listings.
    for (let run = 0; run < WARM_UP_RUNS; run += 1) await runJob(origin);
    const stage = { origin, journal, buyer, seller, sellerId, productId };
    const phone = await Phone.start(chromium, origin, buyer.browser.cookie);
    const sellerPhone = await Phone.start(chromium, origin, seller.browser.cookie);
    const actions = await listActions(stage, phone, sellerPhone);
    await journal.quiet();
    const idle = await idleShare(workerd);
    const measured: Partial<Record<ActionName, ActionUse>> = {};
    for (const [name, action] of Object.entries(actions) as [ActionName, Action][]) {
      console.log(`Measuring: ${name}`);
      measured[name] = await measureAction(action, { journal, workerd, idle });
    }
    return measured as Record<ActionName, ActionUse>;
  } finally {
    await chromium.close();
    await server.stop();
  }
}

async function launchChromium(): Promise<Chromium> {
  return playwright.launch({
    executablePath: await ensureChromium(),
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"],
  });
}

async function openPage(browser: Browser): Promise<Person> {
  return { browser, live: await Live.open(browser) };
}

interface Bench {
  journal: Journal;
  /** Process id. */
  workerd: number;
  /** CPU time that workerd takes by itself, ms a ms. */
  idle: number;
}

async function idleShare(workerd: number): Promise<number> {
  const [cpu, at] = [readUsage(workerd).cpuMs, performance.now()];
  await pause(3_000);
  return (readUsage(workerd).cpuMs - cpu) / (performance.now() - at);
}

async function measureAction(action: Action, { journal, workerd, idle }: Bench): Promise<ActionUse> {
  const count = "ask" in action ? RUNS_OF_ONE_REQUEST : RUNS;
  let cpuMs = 0;
  let lines = 0;
  const uses: Journal["uses"] = [];
  for (let n = -WARM_UP_RUNS; n < count; n += 1) {
    const ready = "ask" in action ? null : await action.prepare();
    await journal.quiet();
    journal.clear();
    const [cpu, at] = [readUsage(workerd).cpuMs, performance.now()];
    await ("ask" in action ? action.ask() : action.run(ready));
    await journal.quiet();
    if (n < 0) continue;
    cpuMs += readUsage(workerd).cpuMs - cpu - idle * (performance.now() - at);
    uses.push(...journal.uses);
    lines += journal.lines;
  }
  const sum = (counter: keyof Meter) => uses.reduce((total, { meter }) => total + (meter[counter] ?? 0), 0);
  const counters = Object.keys(newMeter()) as (keyof Meter)[];
  return {
    ...(Object.fromEntries(counters.map((counter) => [counter, sum(counter) / count])) as unknown as Meter),
    requests: uses.length / count,
    logLines: lines / count,
    cpuMs: Math.max(0, cpuMs / count),
  };
}

const COLUMNS = [
  ["requests", "requests"],
  ["rows read", "rowsRead"],
  ["rows written", "rowsWritten"],
  ["D1 trips", "trips"],
  ["KV reads", "kvReads"],
  ["KV writes", "kvWrites"],
  ["R2 B", "r2Reads"],
  ["R2 A", "r2Writes"],
  ["DO", "hubRequests"],
  ["emails", "emails"],
  ["log lines", "logLines"],
  ["CPU ms", "cpuMs"],
] as const satisfies [string, keyof ActionUse][];

/** Prints both tables, as Markdown. */
export function printCosts(uses: Readonly<Record<ActionName, ActionUse>>): void {
  const number = (value: number) => value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 1 : 0 });
  printTable(
    ["action", "a month", ...COLUMNS.map(([title]) => title)],
    (Object.keys(uses) as ActionName[]).map((name) => [
      name,
      name === JOB ? "each minute" : number(MONTH[name]),
      ...COLUMNS.map(([, item]) => number(uses[name][item])),
    ]),
  );
  const bills = [1_000, 100_000, 1_000_000].map((students) => billOf(students, uses));
  const [largest] = bills.slice(-1);
  const usd = (value: number) => `$${value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 })}`;
  printTable(
    [
      "a month, US dollars",
      ...bills.map(({ students }) => `${students.toLocaleString("en")} students`),
      "pieces, at 1,000,000",
    ],
    [
      ...(largest?.lines ?? []).map(({ item, amount }) => [
        PRICES[item].name,
        ...bills.map(({ lines }) => usd(lines.find((line) => line.item === item)?.usd ?? 0)),
        number(amount),
      ]),
      ["Plan", ...bills.map(() => usd(PLAN_USD)), ""],
      ["**Total**", ...bills.map((bill) => usd(bill.usd)), ""],
      ["a student", ...bills.map((bill) => `$${(bill.usd / bill.students).toFixed(4)}`), ""],
    ],
  );
}

function printTable(titles: string[], rows: string[][]): void {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  console.log(
    [line(titles), line(titles.map((_, at) => (at === 0 ? "---" : "--:"))), ...rows.map(line), ""].join("\n"),
  );
}
