/**
 * WebKit, the engine of Safari and of each browser on an iPhone, in a window as large as a phone. Playwright's own
 * WebKit is a download; this is the system's, by WebDriver.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { Builder, By, Key, type WebDriver, type WebElement } from "selenium-webdriver";
import { findFreePort } from "#scripts/free-port.ts";
import { findWebKit, WEBKIT_ADVICE } from "#scripts/webkit.ts";
import { test as base, expect, isHydrated } from "#tests/support/browser.ts";
import { findLayoutFaults } from "#tests/support/layout-faults.ts";
import { DONE_BEFORE, isReady, readStatus } from "#tests/support/page-state.ts";
import { originOf } from "#tests/support/requests.ts";
import type { PageWindow } from "#tests/support/screen-walk.ts";
import { DESKTOP, PHONE, type Size } from "#tests/support/sizes.ts";

/** A busy machine is slow, not wrong. */
const PATIENCE_MS = 60_000;
const LOOK_MS = 40;

/**
 * There is no graphics card, and a page lives for seconds: the processor paints without pretending to have one, and
 * compiles no script a second time. That takes 18 % of its time off.
 */
const CHEAPER = { WEBKIT_SKIA_ENABLE_CPU_RENDERING: "1", JSC_useDFGJIT: "0", JSC_useFTLJIT: "0" };

type Role = "button" | "link" | "field" | "heading";

/** A window with pages of the app. Whatever it looks for, it waits for. */
export class WebKitWindow implements PageWindow {
  readonly #driver: WebDriver;
  readonly #watcher: string;
  readonly #window: string;

  constructor(driver: WebDriver, { watcher, window }: { watcher: string; window: string }) {
    this.#driver = driver;
    this.#watcher = watcher;
    this.#window = window;
  }

  /** Logs in as the one who is logged in there, without the form. */
  async become(page: Page): Promise<void> {
    await this.logOut();
    for (const { name, value, path, httpOnly, sameSite, expires } of await page.context().cookies(originOf()))
      await this.#driver.manage().addCookie({
        name,
        value,
        path,
        httpOnly,
        sameSite,
        ...(expires > 0 && { expiry: Math.floor(expires) }),
      });
  }

  /** Forgets who is logged in. */
  async logOut(): Promise<void> {
    await this.#driver.manage().deleteAllCookies();
  }

  async open(path: string): Promise<void> {
    await this.evaluate(leave);
    await this.#driver.get(originOf() + path);
    await this.waitUntilReady();
    expect(await this.evaluate(readStatus), `the status of ${path}`).toBeLessThan(500);
  }

  async waitUntilReady(): Promise<void> {
    await this.waitFor(`${await this.#driver.getCurrentUrl()} is ready`, isReady);
    await this.waitFor("its scripts", isHydrated);
  }

  async path(): Promise<string> {
    const { pathname, search } = new URL(await this.#driver.getCurrentUrl());
    return pathname + search;
  }

  async waitForPath(path: RegExp): Promise<string> {
    await this.#until(`the page ${path}`, async () => path.test(await this.path()));
    await this.waitUntilReady();
    return this.path();
  }

  /** Runs a function in the page, which sees nothing but its arguments. */
  evaluate<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<R> {
    return this.#driver.executeScript(`return (${String(script)})(...arguments)`, ...args);
  }

  /** Waits until a function says yes in the page. */
  async waitFor<A extends unknown[]>(what: string, script: (...args: A) => boolean, ...args: A): Promise<void> {
    await this.#until(what, () => this.evaluate(script, ...args));
  }

  async expectText(text: string): Promise<void> {
    await this.waitFor(`the text ${text}`, showsText, text);
  }

  /** What can be used and has this role and name, within the dialog that is open. The name's beginning is enough. */
  async find(role: Role, name: string): Promise<WebElement> {
    const found: WebElement[] = [];
    await this.#until(`there is the ${role} ${name}`, async () => {
      found.push(...(await this.#driver.findElements(By.js(findNamed, role, name))));
      return found.length > 0;
    });
    return found[0] as WebElement;
  }

  /** The page's first address that begins so, or an empty text. */
  addressOfLink(start: string): Promise<string> {
    return this.evaluate(findAddress, start);
  }

  /** Taps it as soon as nothing lies over it. */
  async press(role: Role, name: string): Promise<void> {
    await this.#until(`a tap reaches the ${role} ${name}`, async () => {
      const [element] = await this.#driver.findElements(By.js(findNamed, role, name));
      if (!element) return false;
      await this.#scrollTo(element);
      await element.click();
      return true;
    });
  }

  /** Writes over what a field holds, by keys. */
  async fill(name: string, text: string): Promise<void> {
    const field = await this.find("field", name);
    const { length } = (await field.getAttribute("value")) ?? "";
    await field.sendKeys(Key.BACK_SPACE.repeat(length), text);
  }

  /** Cuts out what a field holds, and pastes it into another one, by the keys for it. */
  async cutAndPaste(from: string, to: string): Promise<void> {
    for (const [name, keys] of [
      [from, "ax"],
      [to, "v"],
    ] as const) {
      const field = await this.find("field", name);
      await this.#scrollTo(field);
      await field.click();
      await this.#driver.actions().keyDown(Key.CONTROL).sendKeys(keys).keyUp(Key.CONTROL).perform();
    }
  }

  /** Chooses an option of a list by what it says. */
  async choose(name: string, option: string): Promise<void> {
    const field = await this.find("field", name);
    await this.#scrollTo(field);
    await field.findElement(By.xpath(`.//option[normalize-space()="${option}"]`)).click();
  }

  /** Chooses a file of this machine for a field that may be hidden behind its label. */
  async attach(name: string, ...paths: string[]): Promise<void> {
    const [field] = await this.#driver.findElements(By.js(findFileField, name));
    if (!field) throw new Error(`There is no field ${name}`);
    await field.sendKeys(paths.join("\n"));
  }

  async back(): Promise<void> {
    await this.#driver.navigate().back();
  }

  /** Fails if a text of the page can't be read where it stands. */
  async expectReadable(): Promise<void> {
    expect(await this.evaluate(findLayoutFaults), await this.path()).toEqual([]);
  }

  /** The same on a phone and on a desktop. */
  async expectReadableAtBothSizes(): Promise<void> {
    await this.expectReadable();
    await this.atDesktopSize(() => this.expectReadable());
  }

  /** Shows the page as on a desktop, while `work` runs. */
  async atDesktopSize<T>(work: () => Promise<T>): Promise<T> {
    await this.resize(DESKTOP);
    const result = await work();
    await this.resize(PHONE);
    return result;
  }

  async resize(size: Size): Promise<void> {
    await this.#driver
      .manage()
      .window()
      .setRect({ x: 0, y: 0, ...size });
    await this.waitFor(`a width of ${size.width}`, (width: number) => innerWidth === width, size.width);
  }

  /** A picture of the screen. */
  async takePicture(path: string): Promise<void> {
    writeFileSync(path, await this.#driver.takeScreenshot(), "base64");
  }

  /** What went wrong in the scripts of the pages so far. */
  async errors(): Promise<string[]> {
    await this.#driver.switchTo().window(this.#watcher);
    const errors = await this.#driver.executeScript<string[]>("return window.errors");
    await this.#driver.switchTo().window(this.#window);
    return errors;
  }

  /** Away from the bars at the edges. */
  async #scrollTo(element: WebElement): Promise<void> {
    await this.#driver.executeScript("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element);
  }

  /** An error is another try, too: a page may go while a script runs in it. */
  async #until(what: string, look: () => Promise<boolean>): Promise<void> {
    const options = { intervals: [LOOK_MS], timeout: PATIENCE_MS };
    await expect(async () => expect(await look(), what).toBe(true)).toPass(options);
  }
}

/** Runs in the page. */
function findAddress(start: string): string {
  return document.querySelector(`main a[href^="${start}"]`)?.getAttribute("href") ?? "";
}

/** Runs in the page: what it still loads is given up now, and no fault. */
function leave(): void {
  Object.assign(window, { isLeft: true });
}

/** Runs in the page. */
function showsText(text: string): boolean {
  return document.body.innerText.includes(text);
}

/** Runs in the page: what can be used, with this role and a name that begins so; first, what has just this name. */
function findNamed(role: Role, wanted: string): Element[] {
  const SELECTORS = {
    button: "button, [role=button], [role=menuitem], [role=tab], summary",
    link: "a[href]",
    field: "input:not([type=hidden], [type=file]), select, textarea",
    heading: "h1, h2, h3",
  };
  const nameOf = (element: Element) => {
    const labels = "labels" in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : [];
    const name = element.getAttribute("aria-label") ?? (labels.map((label) => label.textContent).join(" ") || null);
    return (name ?? element.textContent).replaceAll(/\s+/g, " ").trim();
  };
  const dialog = [...document.querySelectorAll("dialog:modal, .pswp")].at(-1);
  const found = [...(dialog ?? document).querySelectorAll(SELECTORS[role])].filter(
    (element) =>
      nameOf(element).startsWith(wanted) &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches(":disabled, [aria-disabled=true]"),
  );
  return found.toSorted((a, b) => Number(nameOf(b) === wanted) - Number(nameOf(a) === wanted));
}

/** Runs in the page. */
function findFileField(name: string): Element[] {
  return [...document.querySelectorAll<HTMLInputElement>("input[type=file]")].filter((field) =>
    [field.getAttribute("aria-label"), ...[...(field.labels ?? [])].map((label) => label.textContent)].some((each) =>
      each?.includes(name),
    ),
  );
}

/**
 * Runs in a page that stays: opens a window of a phone's size, which has no bars, and notes what goes wrong in its
 * pages. WebDriver tells nothing of that. A new page is noticed before its scripts have come.
 */
function openWatched(flags: string[]): void {
  const opened = open("/robots.txt", "phone", "width=390,height=844");
  if (!opened) throw new Error("The browser opens no window.");
  const errors: string[] = [];
  Object.assign(window, { errors });
  const isWatched = new WeakSet<Document>();
  const watch = () => {
    const page = opened as unknown as Window & typeof globalThis;
    if (isWatched.has(page.document)) return;
    isWatched.add(page.document);
    for (const flag of flags) localStorage.setItem(flag, "true");
    const note = (text: string) => {
      const isGivenUp = "isLeft" in page && /could not load|preload CSS|manifest patches/.test(text);
      if (!isGivenUp) errors.push(`${page.location.pathname}: ${text}`);
    };
    const noteFault = ({ message, target }: ErrorEvent) => {
      if (!(target instanceof page.Element)) note(message);
      // What was to be loaded ahead of its use is given up when somebody leaves.
      else if (!target.matches("link")) note(`could not load ${target.outerHTML}`);
    };
    page.addEventListener("error", noteFault, true);
    page.addEventListener("unhandledrejection", (event) =>
      setTimeout(() => event.defaultPrevented || note(String(event.reason))),
    );
    const { error } = page.console;
    page.console.error = (...said: unknown[]) => {
      note(said.map(String).join(" "));
      error.apply(page.console, said);
    };
  };
  setInterval(watch, 1);
}

/** What the desktop would say to the browser: that nothing may move. */
function makeSettings(folder: string): string {
  mkdirSync(join(folder, "gtk-3.0"), { recursive: true });
  writeFileSync(join(folder, "gtk-3.0", "settings.ini"), "[Settings]\ngtk-enable-animations=0\n");
  return folder;
}

/** Starts a screen in memory, and waits for its name. */
async function startScreen(program: string): Promise<{ screen: ChildProcess; display: string }> {
  const screen = spawn(program, ["-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await new Promise<string>((done, fail) => {
    screen.once("error", fail);
    screen.stdio[3]?.once("data", (name) => done(`:${String(name).trim()}`));
  });
  return { screen, display };
}

function startDriver(program: string, at: { port: number; display: string; settings: string }): ChildProcess {
  return spawn(program, [`--port=${at.port}`], {
    env: { ...process.env, ...CHEAPER, DISPLAY: at.display, XDG_CONFIG_HOME: at.settings, NO_AT_BRIDGE: "1" },
    stdio: "ignore",
  });
}

async function openWindow(driver: WebDriver): Promise<WebKitWindow> {
  const watcher = await driver.getWindowHandle();
  await driver.get(`${originOf()}/robots.txt`);
  await driver.executeScript(`(${String(openWatched)})(...arguments)`, DONE_BEFORE);
  const others = async () => (await driver.getAllWindowHandles()).filter((each) => each !== watcher);
  await expect.poll(others, { intervals: [LOOK_MS] }).toHaveLength(1);
  const [window = ""] = await others();
  await driver.switchTo().window(window);
  const opened = new WebKitWindow(driver, { watcher, window });
  await opened.resize(PHONE);
  return opened;
}

interface Fixtures {
  /** A new window, logged out. Any error of a script fails the test. */
  webkit: WebKitWindow;
}

/** In these tests Playwright's own page prepares by requests, and shows nothing. */
export const test = base.extend<Fixtures>({
  webkit: async ({ tolerated }, provide, info) => {
    const programs = findWebKit();
    if (!programs) throw new Error(WEBKIT_ADVICE);
    const { screen, display } = await startScreen(programs.screen);
    let driver: ChildProcess | undefined;
    try {
      const settings = makeSettings(info.outputPath("settings"));
      const port = await findFreePort();
      driver = startDriver(programs.driver, { port, display, settings });
      const address = `http://127.0.0.1:${port}`;
      await expect(async () => expect((await fetch(`${address}/status`)).ok).toBe(true)).toPass({
        intervals: [LOOK_MS],
      });
      const session = await new Builder()
        .usingServer(address)
        .withCapabilities({
          browserName: "MiniBrowser",
          "webkitgtk:browserOptions": {
            binary: programs.browser,
            args: ["--automation", "--time-zone=Africa/Nairobi", "--javascript-can-open-windows-automatically=true"],
          },
        })
        .build();
      const window = await openWindow(session);
      await provide(window);
      if (info.error) await window.takePicture(info.outputPath("webkit.png"));
      else expect((await window.errors()).filter((text) => !tolerated.test(text))).toEqual([]);
      await session.quit();
    } finally {
      driver?.kill();
      screen.kill();
    }
  },
});

export { expect };
