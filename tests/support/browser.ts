/**
 * The browser tests' `test`: a page that complains about anything in the console fails its test, in every window that the test
 * opens.
 */
import { expect, test as base } from "@playwright/test";
import type { BrowserContext, Page } from "@playwright/test";
import axe from "axe-core";

/** Of every demo account (design: the sandbox). */
const PASSWORD = "campus-demo";

interface Fixtures {
  /** What the console may say in this test, for instance that a page was missing. */
  tolerated: RegExp;
  /** Whether this device has seen the sellers' terms; those who have not meet them in a window over their shop. */
  termsSeen: boolean;
  /** Opens a window of its own at the project's size, in which nobody is logged in. */
  openWindow: () => Promise<Page>;
  /** Opens a window of its own in which the given demo account is logged in. */
  openAs: (email: string) => Promise<Page>;
}

export const test = base.extend<Fixtures>({
  tolerated: [/^$/, { option: true }],
  termsSeen: [true, { option: true }],
  context: async ({ context, tolerated, termsSeen }, provide) => {
    const complaints = watch(context);
    awaitScripts(context);
    if (termsSeen) await rememberTerms(context);
    await provide(context);
    expectSilence(complaints, tolerated);
  },
  openWindow: async ({ browser, contextOptions, tolerated, termsSeen }, provide) => {
    const opened: { context: BrowserContext; complaints: string[] }[] = [];
    await provide(async () => {
      const context = await browser.newContext(contextOptions);
      opened.push({ context, complaints: watch(context) });
      awaitScripts(context);
      if (termsSeen) await rememberTerms(context);
      return context.newPage();
    });
    for (const { context, complaints } of opened) {
      await context.close();
      expectSilence(complaints, tolerated);
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

function rememberTerms(context: BrowserContext): Promise<unknown> {
  // A page that is still blank has no storage.
  return context.addInitScript(() => location.origin !== "null" && localStorage.setItem("hasSeenToS", "true"));
}

/** A page asks for its scripts once it has been painted: who goes to one finds it working, as people do, who are slower. */
function awaitScripts(context: BrowserContext): void {
  context.on("page", (page) => {
    const { goto, reload } = page;
    page.goto = async (...args) => afterScripts(page, await goto.apply(page, args));
    page.reload = async (...args) => afterScripts(page, await reload.apply(page, args));
  });
}

async function afterScripts<T>(page: Page, answer: T): Promise<T> {
  await page.waitForFunction(isTakenOver);
  return answer;
}

/** In the page: whether React has taken it over, if it is one of React's. */
function isTakenOver(): boolean {
  return (
    !("__reactRouterContext" in window) ||
    Object.keys(document.body.firstElementChild ?? {}).some((key) => key.startsWith("__reactProps"))
  );
}

/** Collects console errors and uncaught exceptions of every page of a context. */
function watch(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  return complaints;
}

function expectSilence(complaints: string[], tolerated: RegExp): void {
  expect(complaints.filter((text) => !tolerated.test(text))).toEqual([]);
}

type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;
const sessions = new Map<string, Cookies>();

/**
 * Signs a window in without going through the screens. A session is used again while it lives, so that many tests do not run
 * into the limit on sign-ins.
 */
export async function signIn(page: Page, email: string): Promise<void> {
  const context = page.context();
  const known = sessions.get(email);
  if (known) {
    await context.addCookies(known);
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
  // The greeting that signing in by hand would show.
  await context.clearCookies({ name: "flash" });
  expect(await isSignedIn(page), `signed in as ${email}`).toBe(true);
  sessions.set(email, await context.cookies());
}

/** The sign-in page sends those who are signed in elsewhere. */
async function isSignedIn(page: Page): Promise<boolean> {
  const response = await page.request.get(`${baseUrl()}/auth`, { maxRedirects: 0 });
  return response.status() === 302;
}

function baseUrl(): string {
  return test.info().project.use.baseURL ?? "http://localhost:8787";
}

/** Signs in as a person does, with the form. */
export async function signInByHand(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/auth");
}

/** Runs the scheduled jobs, as the minute's cron would: now, or as they would run `minutesAhead`. */
export async function runScheduledJobs(page: Page, minutesAhead = 0): Promise<void> {
  const time = Date.now() + minutesAhead * 60_000;
  const response = await page.request.get(`${baseUrl()}/cdn-cgi/local/scheduled?cron=*+*+*+*+*&time=${time}`);
  expect(response.ok()).toBe(true);
}

const PHONE = { width: 390, height: 844 };

/** Shows a page that is open on a desktop as a phone does, with a touch screen, while `work` goes on. */
export async function atPhoneSize(page: Page, work: () => Promise<unknown>): Promise<void> {
  const desktop = page.viewportSize();
  const browser = await page.context().newCDPSession(page);
  await page.setViewportSize(PHONE);
  await browser.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await work();
  await browser.detach();
  if (desktop) await page.setViewportSize(desktop);
}

/** Only colours differ between the themes, so that the second look needs only these rules. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** Fails where axe finds fault with the page as it stands, in the light theme or in the dark one. */
export async function expectAccessible(page: Page): Promise<void> {
  // The browser draws what is far from the screen later, and until then it keeps the colours it had before.
  await page.addStyleTag({ content: "* { content-visibility: visible !important; }" });
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(isSettledIn, colorScheme);
    const found = await page.evaluate(findFaults, colorScheme === "dark" ? COLOUR_RULES : null);
    expect(found, `${colorScheme} theme of ${page.url()}`).toEqual([]);
  }
}

/** In the page: what axe finds by these rules, or by all of them. */
async function findFaults(rules: string[] | null): Promise<string[]> {
  const { axe: auditor } = window as unknown as { axe: typeof axe };
  const { violations } = await auditor.run(document, {
    // Telling what passes is half of its work.
    resultTypes: ["violations"],
    ...(rules ? { runOnly: rules } : {}),
  });
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary ?? ""}`).join("\n")}`,
  );
}

/** In the page: whether it wears the theme, or the one that was chosen on it, and nothing is on its way to another colour. */
function isSettledIn(theme: string): boolean {
  const chosen = /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1];
  return (
    document.documentElement.classList.contains(chosen ?? theme) &&
    document.getAnimations().every(({ playState }) => playState !== "running")
  );
}
