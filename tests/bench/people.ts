/** The people who act in a benchmark, and what they act with. */
import { setTimeout as pause } from "node:timers/promises";
import type { Browser as Chromium, BrowserContext, Page } from "@playwright/test";
import { loggedPath } from "#app/platform/logged-path.ts";
import { CommandError } from "#scripts/command.ts";

const WAIT_LIMIT_MS = 30_000;
export const WITHOUT_PICTURES = "--blink-settings=imagesEnabled=false";
/** By then a page has opened its live connection and asked for the routes of its links, ms. */
export const SETTLED_MS = 1_500;

const PASSWORD = "campus-demo";
export const BUYER = "buyer@campus.test";
export const SELLER = "seller@campus.test";
export const FEED = "/studentmarketplace";

/** The site that people visit. */
export interface Site {
  origin: string;
  /** Called with each request that has its own line in the log. */
  onRequest?: (method: string, path: string) => void;
}

/** A person's browser: it keeps cookies and sends forms from our own pages. */
export class Browser {
  readonly #site: Site;
  readonly #cookies = new Map<string, string>();

  constructor(site: Site) {
    this.#site = site;
  }

  get cookie(): string {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<{ text: string; response: Response }> {
    const response = await this.#ask(path, { headers });
    if (response.status >= 400) throw new CommandError(`${path} answered ${response.status}.`);
    return { response, text: await response.text() };
  }

  /** Returns where the answer leads, or its text. */
  async post(path: string, form: Record<string, string> | FormData): Promise<string> {
    const body = form instanceof FormData ? form : new URLSearchParams(form);
    const response = await this.#ask(path, { method: "POST", body });
    const text = await response.text();
    if (response.status >= 400) throw new CommandError(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
    return response.headers.get("location") ?? text;
  }

  /** Opens the live connection. */
  connect(onText: (text: string) => void): Promise<WebSocket> {
    const { origin, onRequest } = this.#site;
    onRequest?.("GET", "/live");
    return new Promise((done, fail) => {
      const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, {
        headers: { cookie: this.cookie, origin },
      } as unknown as string[]); // An option of Node that the DOM's type doesn't have.
      socket.addEventListener("open", () => done(socket));
      socket.addEventListener("error", () => fail(new CommandError("The live connection could not be opened.")));
      socket.addEventListener("message", ({ data }) => onText(String(data)));
    });
  }

  async #ask(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const { origin, onRequest } = this.#site;
    const headers = { accept: "text/html", "user-agent": "Mozilla/5.0 (bench)", ...init.headers };
    onRequest?.(init.method ?? "GET", loggedPath(new URL(path, origin).pathname));
    const response = await again(() =>
      fetch(origin + path, { redirect: "manual", ...init, headers: { ...headers, cookie: this.cookie, origin } }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      // A notice is for one page. Benchmarks send the same cookie with every request, so all pages would have it.
      if (name === undefined || value === undefined || name === "flash") continue;
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

/** Asks once more where the kept-alive connection was closed just then. */
export async function again(ask: () => Promise<Response>): Promise<Response> {
  return ask().catch(ask);
}

export async function logIn(site: Site, email: string): Promise<Browser> {
  const browser = new Browser(site);
  await browser.post("/auth", { email, password: PASSWORD });
  if (!browser.cookie.includes("session=")) throw new CommandError(`${email} couldn't log in.`);
  return browser;
}

let people = 0;

/** A number that pays in the sandbox. */
export function newPhone(): string {
  people += 1;
  return `07${String(10_000_000 + Math.floor(Math.random() * 80_000_000) + people).slice(0, 6)}20`;
}

/** Signs up and confirms the email address. */
export async function signUp(site: Site): Promise<Browser> {
  const browser = new Browser(site);
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
    const mailbox = await again(() => fetch(`${site.origin}/sandbox/mailbox.json?to=${encodeURIComponent(email)}`));
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
  for (const start = performance.now(); performance.now() - start < WAIT_LIMIT_MS; await pause(100)) {
    const found = await look();
    if (found !== null) return found;
  }
  throw new CommandError("Something that the benchmark waits for didn't happen.");
}

/** The live connection of one person, as their open page has it. */
export class Live {
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
      const timer = setTimeout(
        () => fail(new CommandError("An event that was waited for didn't arrive.")),
        WAIT_LIMIT_MS,
      );
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
export interface Person {
  browser: Browser;
  live: Live;
}

export async function openPage(browser: Browser): Promise<Person> {
  return { browser, live: await Live.open(browser) };
}

export async function newPerson(site: Site): Promise<Person> {
  return openPage(await signUp(site));
}

/**
 * A browser on a phone, in which somebody is logged in. Chromium must have been started with `WITHOUT_PICTURES`, because
 * pictures are actions of their own. A route that refused them would switch off the browser's cache.
 */
export class Phone {
  readonly #context: BrowserContext;
  readonly #site: Site;
  #page: Page | null = null;

  private constructor(context: BrowserContext, site: Site) {
    this.#context = context;
    this.#site = site;
  }

  static async start(browser: Chromium, site: Site, cookie: string): Promise<Phone> {
    const { origin } = site;
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
    await context.addInitScript(() => localStorage.setItem("chuoni_tutorial_completed", "true"));
    const pairs = cookie.split("; ").map((pair) => /^([^=]+)=(.*)$/.exec(pair));
    await context.addCookies(pairs.map((pair) => ({ url: origin, name: pair?.[1] ?? "", value: pair?.[2] ?? "" })));
    return new Phone(context, site);
  }

  /** Opens a document in a new tab and closes the old one. */
  async open(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    await this.#page?.close();
    this.#page = page;
    page.on("response", (response) => {
      // Other requests may be answered by files or from the browser's cache. They have ended when the page has settled.
      const { pathname } = new URL(response.url());
      const request = response.request();
      if (request.isNavigationRequest() || pathname.endsWith(".data"))
        this.#site.onRequest?.(request.method(), loggedPath(pathname));
    });
    await page.goto(this.#site.origin + path);
    await page.waitForTimeout(SETTLED_MS);
    return page;
  }

  /** Does what a click on a link does. */
  async follow(path: string, page: Page): Promise<void> {
    await page.evaluate((to) => {
      const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
      return router.navigate(to);
    }, path);
    await page.waitForTimeout(SETTLED_MS);
  }
}

interface Router {
  navigate(path: string): Promise<void>;
}
