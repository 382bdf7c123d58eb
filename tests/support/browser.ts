/** The `test` of the browser tests. Any console error fails the test, in every window that it opens. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import type { BrowserContext, Page } from "@playwright/test";
import type axe from "axe-core";
import { root } from "#scripts/folders.ts";
import { makeOldest } from "#tests/support/oldest-browser.ts";
import { DESKTOP, PHONE } from "#tests/support/sizes.ts";

/** The password of every demo account. */
const PASSWORD = "campus-demo";

interface Fixtures {
  /** Console messages that this test allows, for example about a missing page. */
  tolerated: RegExp;
  /** Whether this device has shown the seller terms. Otherwise they open over the shop. */
  termsSeen: boolean;
  /** Whether the guided tour is over on this device. Otherwise it opens for somebody new. */
  tourDone: boolean;
  /**
   * Whether its browsers have nothing newer than our oldest. Null: on the phone they don't, so that every journey there
   * is proved for them.
   */
  isOldest: boolean | null;
  /** Opens a window at the project's size, logged out. */
  openWindow: () => Promise<Page>;
  /** Opens a window that is logged in with the given demo account. */
  openAs: (email: string) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  tolerated: [/^$/, { option: true }],
  termsSeen: [true, { option: true }],
  tourDone: [true, { option: true }],
  isOldest: [null, { option: true }],
  context: async ({ context, tolerated, termsSeen, tourDone, isOldest }, provide) => {
    const errors = await prepare(context, { termsSeen, tourDone, isOldest });
    await provide(context);
    expectNoErrors(errors, tolerated);
  },
  openWindow: async ({ browser, contextOptions, tolerated, termsSeen, tourDone, isOldest }, provide) => {
    const opened: { context: BrowserContext; errors: string[] }[] = [];
    await provide(async () => {
      const context = await browser.newContext(contextOptions);
      opened.push({ context, errors: await prepare(context, { termsSeen, tourDone, isOldest }) });
      return context.newPage();
    });
    for (const { context, errors } of opened) {
      await context.close();
      expectNoErrors(errors, tolerated);
    }
  },
  openAs: async ({ openWindow }, provide) => {
    await provide(async (email) => {
      const page = await openWindow();
      await signIn(page, email);
      return page;
    });
  },
});

export { expect };

type Device = Pick<Fixtures, "termsSeen" | "tourDone" | "isOldest">;

/** Prepares a browser for a test. Returns the console errors of its pages, also those to come. */
async function prepare(context: BrowserContext, { termsSeen, tourDone, isOldest }: Device): Promise<string[]> {
  if (isOldest ?? test.info().project.name === "phone") await makeOldest(context);
  awaitScripts(context);
  retryRequests(context);
  const flags = [...(termsSeen ? ["hasSeenToS"] : []), ...(tourDone ? ["chuoni_tutorial_completed"] : [])];
  await context.addInitScript((names) => {
    // A page that is still blank has no storage.
    if (location.origin !== "null") for (const name of names) localStorage.setItem(name, "true");
  }, flags);
  return collectErrors(context);
}

/** Tests wait until it works, because people are slower, too. */
function awaitScripts(context: BrowserContext): void {
  context.on("page", (page) => {
    const { goto, reload } = page;
    page.goto = async (...args) => afterScripts(page, await goto.apply(page, args));
    page.reload = async (...args) => afterScripts(page, await reload.apply(page, args));
  });
}

async function afterScripts<T>(page: Page, answer: T): Promise<T> {
  await page.waitForFunction(isHydrated, undefined, LOOKING);
  return answer;
}

/** By default it looks at each frame, and so makes the page draw more of them. In ms. */
const LOOKING = { polling: 50 };

/**
 * Runs in the page: whether React has hydrated it, if React renders it, with the parts whose scripts come after the
 * screen's.
 */
export function isHydrated(): boolean {
  return (
    !("__reactRouterContext" in window) ||
    [...document.querySelectorAll("body > .document, main :is(form, button, input, a)")].every((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps")),
    )
  );
}

/** The server closes connections that have been idle, perhaps just when a request of `page.request` is sent on one. */
function retryRequests({ request }: BrowserContext): void {
  const fetch = request.fetch.bind(request);
  request.fetch = (address, options) => fetch(address, { maxRetries: 2, ...options });
}

/** Collects console errors and uncaught exceptions of every page of a context. */
function collectErrors(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => errors.push(String(error.error())));
  return errors;
}

function expectNoErrors(errors: string[], tolerated: RegExp): void {
  expect(errors.filter((text) => !tolerated.test(text))).toEqual([]);
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
const sessions = new Map<string, { cookies: Cookies; since: number }>();
/** After ten minutes the money pages ask who it is, ms. No test takes two of them. */
const REUSED_FOR_MS = 8 * 60_000;

/**
 * Logs a window in without the screens. A session is reused while it lives, so that many tests don't reach the login
 * limit.
 */
export async function signIn(page: Page, email: string): Promise<void> {
  const context = page.context();
  const known = sessions.get(email);
  if (known && Date.now() < known.since + REUSED_FOR_MS) {
    await context.addCookies(known.cookies);
    if (await isSignedIn(page)) return;
    await context.clearCookies();
  }
  const origin = new URL(baseUrl()).origin;
  const response = await page.request.post(`${origin}/auth`, {
    form: { email, password: PASSWORD },
    headers: { origin },
    maxRedirects: 0,
  });
  expect(response.status(), `signing in as ${email}`).toBe(302);
  // The greeting after a login with the form.
  await context.clearCookies({ name: "flash" });
  expect(await isSignedIn(page), `signed in as ${email}`).toBe(true);
  sessions.set(email, { cookies: await context.cookies(), since: Date.now() });
}

/** The login page redirects people who are logged in. */
async function isSignedIn(page: Page): Promise<boolean> {
  const response = await page.request.get(`${baseUrl()}/auth`, { maxRedirects: 0 });
  return response.status() === 302;
}

function baseUrl(): string {
  return test.info().project.use.baseURL ?? "http://localhost:8787";
}

/** Opens a page and waits for its live connection. */
export async function gotoLive(page: Page, path: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Network.enable");
  // Playwright tells that a WebSocket was made, not that it has opened. What the page does then depends on its speed.
  const opened = new Promise((resolve) => browser.once("Network.webSocketHandshakeResponseReceived", resolve));
  await Promise.all([opened, page.goto(path)]);
  await browser.detach();
}

/** Logs in with the form. */
export async function signInByHand(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/auth");
}

/** Runs the scheduled jobs like the cron trigger, as of a later time. */
export async function runScheduledJobs(page: Page, minutesAhead = 0): Promise<void> {
  const time = Date.now() + minutesAhead * 60_000;
  const response = await page.request.get(`${baseUrl()}/cdn-cgi/local/scheduled?cron=*+*+*+*+*&time=${time}`);
  expect(response.ok()).toBe(true);
}

/** Shows a desktop page as on a phone with a touch screen, while `work` runs. */
export async function atPhoneSize(page: Page, work: () => Promise<unknown>): Promise<void> {
  const desktop = page.viewportSize();
  const browser = await page.context().newCDPSession(page);
  await page.setViewportSize(PHONE);
  await browser.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await work();
  await browser.detach();
  if (desktop) await page.setViewportSize(desktop);
}

/** Shows a page of a phone as on a desktop, while `work` runs. */
async function atDesktopSize(page: Page, work: () => Promise<unknown>): Promise<void> {
  const phone = page.viewportSize();
  await page.setViewportSize(DESKTOP);
  await work();
  if (phone) await page.setViewportSize(phone);
}

/** Only colours differ between the themes, so a second check needs only these rules. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** axe itself, without the comments and long names that each page would read. */
const AXE = readFileSync(join(root, "node_modules/axe-core/axe.min.js"), "utf8");

export type Theme = "light" | "dark";

/** Colours hardly depend on the size, so a test that runs at both checks one theme at each. */
function themesHere(): Theme[] {
  const { project, tags } = test.info();
  if (tags.includes(`@${project.name}`)) return ["light", "dark"];
  return project.name === "desktop" ? ["light"] : ["dark"];
}

/** Fails if axe finds anything on the current page, in the themes given; by default those of `themesHere`. */
export async function expectAccessible(page: Page, themes = themesHere()): Promise<void> {
  for (const theme of themes) await expectNoFaults(page, theme, theme === themes[0] ? null : COLOUR_RULES);
}

/** Of a page that was accessible in the other theme: fails if a colour is not. */
export function expectReadableColours(page: Page, theme: Theme): Promise<void> {
  return expectNoFaults(page, theme, COLOUR_RULES);
}

async function expectNoFaults(page: Page, colorScheme: Theme, rules: string[] | null): Promise<void> {
  // The browser draws distant parts of the page later. Until then they keep the old colours.
  await page.addStyleTag({ content: "* { content-visibility: visible !important; }" });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  await showTheme(page, colorScheme);
  expect(await page.evaluate(findFaults, rules), `${colorScheme} theme of ${page.url()}`).toEqual([]);
}

/** Shows the page in a theme, and waits until its colours have changed. */
export async function showTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction(isSettledIn, colorScheme, LOOKING);
}

/** The same for a page of a test that runs on the phone only, also as it looks on a desktop: one theme at each size. */
export async function expectAccessibleAtBothSizes(page: Page): Promise<void> {
  await expectAccessible(page, ["dark"]);
  await atDesktopSize(page, () => expectAccessible(page, ["light"]));
}

/** Runs in the page: what axe finds with these rules, or with all. Of a list of cards it looks at the first six. */
async function findFaults(rules: string[] | null): Promise<string[]> {
  const { axe: auditor } = window as unknown as { axe: typeof axe };
  const { violations } = await auditor.run(
    { exclude: ["article:nth-of-type(n + 7)"] },
    {
      // Reporting what passes is half of its work.
      resultTypes: ["violations"],
      ...(rules ? { runOnly: rules } : {}),
    },
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary ?? ""}`).join("\n")}`,
  );
}

/** Runs in the page: whether it shows the theme, with no colour transition running. What turns for ever isn't one. */
function isSettledIn(theme: string): boolean {
  const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  return (
    document.documentElement.classList.contains(chosen ?? theme) &&
    document.querySelector(".progress") === null &&
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity)
  );
}
