/** Firefox in a window as large as a phone, by WebDriver BiDi, which it speaks without a driver. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import * as bidi from "selenium-webdriver/bidi/index.js";
import { z } from "zod";
import { findFirefox } from "#scripts/firefox.ts";
import { findFreePort } from "#scripts/free-port.ts";
import { test as base, expect, isHydrated } from "#tests/support/browser.ts";
import { isReady, readStatus } from "#tests/support/page-state.ts";
import { originOf } from "#tests/support/requests.ts";
import { DESKTOP_SIZE, type PageWindow, PHONE_SIZE } from "#tests/support/screen-walk.ts";

/** The module is this class, though its types say that it exports it by name. */
const { default: Connection } = bidi as unknown as { default: typeof bidi.Index };

/** A busy machine is slow, not wrong. */
const PATIENCE = { intervals: [40], timeout: 60_000 };

/** As on a phone, scroll bars take no room; and nothing moves. */
const PREFERENCES = { "ui.useOverlayScrollbars": 1, "ui.prefersReducedMotion": 1 };

/** What a page still asked for when it was left, which is no fault. */
const GIVEN_UP = /^Failed to fetch manifest patches /;

const Answer = z.object({ type: z.literal("success"), result: z.looseObject({}) });
const Evaluated = z.object({ type: z.literal("success"), result: z.object({ value: z.string() }) });
const LogEntry = z.object({ level: z.string(), text: z.string() });

class FirefoxWindow implements PageWindow {
  readonly #connection: bidi.Index;
  readonly #context: string;
  /** What went wrong in the scripts of the pages so far. */
  readonly errors: string[] = [];

  constructor(connection: bidi.Index, context: string) {
    this.#connection = connection;
    this.#context = context;
  }

  /** Notes what goes wrong from now on. */
  async watch(): Promise<void> {
    this.#connection.on("log.entryAdded", (entry: unknown) => {
      const { level, text } = LogEntry.parse(entry);
      if (level === "error" && !GIVEN_UP.test(text)) this.errors.push(text);
    });
    await ask(this.#connection, "session.subscribe", { events: ["log.entryAdded"] });
  }

  async become(page: Page): Promise<void> {
    for (const { name, value, domain, path, httpOnly, secure, sameSite } of await page.context().cookies(originOf()))
      await ask(this.#connection, "storage.setCookie", {
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
    await ask(this.#connection, "browsingContext.navigate", {
      context: this.#context,
      url: originOf() + path,
      wait: "complete",
    });
    for (const isSo of [isReady, isHydrated])
      await expect(async () => expect(await this.evaluate(isSo), `${path} is ready`).toBe(true)).toPass(PATIENCE);
    expect(await this.evaluate(readStatus), `the status of ${path}`).toBeLessThan(500);
  }

  async evaluate<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<R> {
    const answer = await ask(this.#connection, "script.callFunction", {
      functionDeclaration: `(args) => JSON.stringify((${String(script)})(...JSON.parse(args))) ?? "null"`,
      arguments: [{ type: "string", value: JSON.stringify(args) }],
      target: { context: this.#context },
      awaitPromise: false,
    });
    const { result } = Evaluated.parse(answer);
    return JSON.parse(result.value);
  }

  async atDesktopSize<T>(work: () => Promise<T>): Promise<T> {
    await this.resize(DESKTOP_SIZE);
    const result = await work();
    await this.resize(PHONE_SIZE);
    return result;
  }

  async resize(viewport: typeof PHONE_SIZE): Promise<void> {
    await ask(this.#connection, "browsingContext.setViewport", { context: this.#context, viewport });
  }
}

/** Sends a command of WebDriver BiDi, and reads its result. */
async function ask(connection: bidi.Index, method: string, params: Record<string, unknown>) {
  const answer = await connection.send({ method, params });
  const read = Answer.safeParse(answer);
  if (!read.success) throw new Error(`${method}: ${JSON.stringify(answer)}`);
  return read.data.result;
}

async function connect(port: number): Promise<bidi.Index> {
  const connection = new Connection(`ws://127.0.0.1:${port}/session`);
  await connection.waitForConnection();
  return connection;
}

/** Starts Firefox with a profile of its own. */
async function startFirefox(program: string, profile: string) {
  mkdirSync(profile, { recursive: true });
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${value});`);
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const port = await findFreePort();
  const browser = spawn(program, ["--headless", "--profile", profile, `--remote-debugging-port=${port}`], {
    stdio: "ignore",
  });
  let connection: bidi.Index | undefined;
  await expect(async () => void (connection = await connect(port))).toPass(PATIENCE);
  if (!connection) throw new Error("Firefox takes no connection.");
  return { browser, connection };
}

interface Fixtures {
  /** A new window, logged out. Any error of a script fails the test. */
  firefox: FirefoxWindow;
}

/** In these tests Playwright's own page prepares by requests, and shows nothing. */
export const test = base.extend<Fixtures>({
  firefox: async ({ tolerated }, provide, info) => {
    const program = findFirefox();
    if (program === null) throw new Error("Install Firefox.");
    const { browser, connection } = await startFirefox(program, info.outputPath("profile"));
    try {
      await ask(connection, "session.new", { capabilities: {} });
      const { context } = await ask(connection, "browsingContext.create", { type: "tab" });
      const window = new FirefoxWindow(connection, z.string().parse(context));
      await window.watch();
      await window.resize(PHONE_SIZE);
      await provide(window);
      if (!info.error) expect(window.errors.filter((text) => !tolerated.test(text))).toEqual([]);
      await ask(connection, "browser.close", {});
      await once(browser, "exit");
    } finally {
      browser.kill();
    }
  },
});

export { expect };
