/** Firefox in a window as large as a phone, by WebDriver BiDi, which it speaks without a driver. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "@playwright/test";
import * as bidi from "selenium-webdriver/bidi/index.js";
import { z } from "zod";
import { FIREFOX_ADVICE, findFirefox } from "#scripts/firefox.ts";
import { findFreePort } from "#scripts/free-port.ts";
import { test as base, expect, isHydrated } from "#tests/support/browser.ts";
import { DONE_BEFORE, isReady, readStatus } from "#tests/support/page-state.ts";
import { originOf } from "#tests/support/requests.ts";
import type { PageWindow } from "#tests/support/screen-walk.ts";
import { DESKTOP, PHONE, type Size } from "#tests/support/sizes.ts";

/** The module itself is the class that its types export as `Index`. */
const { default: Connection } = bidi as unknown as { default: typeof bidi.Index };

/** A busy machine is slow, not wrong. */
const PATIENCE = { intervals: [40], timeout: 60_000 };
/** How long Firefox may take to close, in ms. */
const CLOSING_MS = 10_000;

/** As on a phone in Kenya: scroll bars take no room, and nothing moves. */
const PREFERENCES = {
  "ui.useOverlayScrollbars": 1,
  "ui.prefersReducedMotion": 1,
  "intl.accept_languages": "en-KE, en",
};

/** What React Router asks for ahead of its use, and a page gives up when it is left. Chromium tells a fault of it. */
const GIVEN_UP = /^Failed to fetch manifest patches /;

const Answer = z.object({ type: z.literal("success"), result: z.looseObject({}) });
const Evaluated = z.object({ type: z.literal("success"), result: z.object({ value: z.string() }) });
const LogEntry = z.object({ level: z.string(), text: z.string().nullable() });

class FirefoxWindow implements PageWindow {
  readonly #connection: bidi.Index;
  readonly #context: string;
  /** What went wrong in the scripts of the pages so far. */
  readonly errors: string[] = [];
  #path = "";

  constructor(connection: bidi.Index, context: string) {
    this.#connection = connection;
    this.#context = context;
  }

  /** Makes it the window of a phone that was here before, and notes what goes wrong from now on. */
  async prepare(): Promise<void> {
    this.#connection.on("log.entryAdded", (entry: unknown) => {
      const { level, text } = LogEntry.parse(entry);
      if (level === "error" && !GIVEN_UP.test(text ?? "")) this.errors.push(`${this.#path}: ${text}`);
    });
    await this.#ask("session.subscribe", { events: ["log.entryAdded"] });
    await this.#ask("script.addPreloadScript", {
      // A page that is still blank has no storage.
      functionDeclaration: `() => {
        try {
          for (const name of ${JSON.stringify(DONE_BEFORE)}) localStorage.setItem(name, "true");
        } catch {}
      }`,
    });
    await this.resize(PHONE);
  }

  async become(page: Page): Promise<void> {
    await this.#ask("storage.deleteCookies", {});
    for (const { name, value, domain, path, httpOnly, secure, sameSite } of await page.context().cookies(originOf()))
      await this.#ask("storage.setCookie", {
        cookie: {
          name,
          value: { type: "string", value },
          domain,
          path,
          httpOnly,
          secure,
          sameSite: sameSite.toLowerCase(),
        },
      });
  }

  async open(path: string): Promise<void> {
    this.#path = path;
    await this.#ask("browsingContext.navigate", {
      context: this.#context,
      url: originOf() + path,
      wait: "interactive",
    });
    for (const [what, isThere] of [
      ["the page", isReady],
      ["its scripts", isHydrated],
    ] as const)
      await expect(async () => expect(await this.evaluate(isThere), `${path}: ${what}`).toBe(true)).toPass(PATIENCE);
    expect(await this.evaluate(readStatus), `the status of ${path}`).toBeLessThan(500);
  }

  async evaluate<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<R> {
    const answer = await this.#ask("script.callFunction", {
      functionDeclaration: `(args) => JSON.stringify((${String(script)})(...JSON.parse(args))) ?? "null"`,
      arguments: [{ type: "string", value: JSON.stringify(args) }],
      target: { context: this.#context },
      awaitPromise: false,
    });
    const { result } = Evaluated.parse(answer);
    return JSON.parse(result.value);
  }

  async atDesktopSize<T>(work: () => Promise<T>): Promise<T> {
    await this.resize(DESKTOP);
    const result = await work();
    await this.resize(PHONE);
    return result;
  }

  async resize(viewport: Size): Promise<void> {
    await this.#ask("browsingContext.setViewport", { context: this.#context, viewport });
  }

  /** A picture of the screen. */
  async takePicture(path: string): Promise<void> {
    const { data } = await this.#ask("browsingContext.captureScreenshot", { context: this.#context });
    writeFileSync(path, z.string().parse(data), "base64");
  }

  #ask(method: string, params: Record<string, unknown>) {
    return ask(this.#connection, method, params);
  }
}

/**
 * Sends a command of WebDriver BiDi, and reads its result.
 *
 * @throws with the command's name, where Firefox refuses it or doesn't answer within 30 s.
 */
async function ask(connection: bidi.Index, method: string, params: Record<string, unknown>) {
  const answer = await connection.send({ method, params }).catch((error: unknown) => ({ error: String(error) }));
  const read = Answer.safeParse(answer);
  if (!read.success) throw new Error(`${method} ${JSON.stringify(params).slice(0, 200)}: ${JSON.stringify(answer)}`);
  return read.data.result;
}

/** A Firefox that runs, and what it says on its way. */
interface Started {
  browser: ChildProcess;
  gone: Promise<unknown>;
  port: number;
  said: () => string;
}

/** Starts Firefox with a profile of its own. */
async function startFirefox(program: string, profile: string): Promise<Started> {
  mkdirSync(profile, { recursive: true });
  const lines = Object.entries(PREFERENCES).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const port = await findFreePort();
  const browser = spawn(program, ["--headless", "--profile", profile, `--remote-debugging-port=${port}`], {
    env: { ...process.env, TZ: "Africa/Nairobi" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  browser.stderr?.on("data", (text: Buffer) => (said = (said + String(text)).slice(-1_000)));
  return { browser, gone: once(browser, "exit").catch(() => {}), port, said: () => said };
}

/** @throws with what Firefox said, where it ends instead, or takes no connection. */
async function connect({ browser, port, said }: Started): Promise<bidi.Index> {
  let connection: bidi.Index | undefined;
  await expect(async () => {
    if (browser.exitCode !== null) return;
    const tried = new Connection(`ws://127.0.0.1:${port}/session`);
    await tried.waitForConnection();
    connection = tried;
  })
    .toPass(PATIENCE)
    .catch(() => {});
  if (!connection) throw new Error(`Firefox takes no connection. It said: ${said()}`);
  return connection;
}

interface Fixtures {
  /** A new window, logged out. Any error of a script fails the test. */
  firefox: FirefoxWindow;
}

/** In these tests Playwright's own page prepares by requests, and shows nothing. */
export const test = base.extend<Fixtures>({
  firefox: async ({ tolerated }, provide, info) => {
    const program = findFirefox();
    if (program === null) throw new Error(FIREFOX_ADVICE);
    const profile = info.outputPath("profile");
    const started = await startFirefox(program, profile);
    try {
      const connection = await connect(started);
      await ask(connection, "session.new", { capabilities: {} });
      const { context } = await ask(connection, "browsingContext.create", { type: "tab" });
      const window = new FirefoxWindow(connection, z.string().parse(context));
      await window.prepare();
      await provide(window);
      if (info.error) await window.takePicture(info.outputPath("firefox.png"));
      expect(window.errors.filter((text) => !tolerated.test(text))).toEqual([]);
      await Promise.all([ask(connection, "browser.close", {}), Promise.race([started.gone, wait(CLOSING_MS)])]);
    } finally {
      started.browser.kill("SIGKILL");
      await started.gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  },
});

export { expect };
