/** Screens that fail: their data doesn't come, or their forms are sent empty to a server that takes none. */
import type { Page, Route } from "@playwright/test";
import { expect, expectAccessible } from "#tests/support/browser.ts";
import { findLayoutFaults } from "#tests/support/layout-faults.ts";

const DATA = /\.data(\?|$)/;

function refuse(route: Route, method: "GET" | "POST"): Promise<void> {
  return route.request().method() === method ? route.fulfill({ status: 503, body: "busy" }) : route.fallback();
}

/** Runs in the page: the outline of its content, without its texts. Two that are alike have the same faults. */
function outlineOf(): string {
  const parts = [...document.querySelectorAll("main, main *:not(svg *), dialog[open], dialog[open] *:not(svg *)")];
  return parts.map((part) => `${part.tagName}.${part.className}.${part.getAttribute("role")}`).join();
}

const seen = new Set<string>();

/** What axe and the eye find, once for each outline. */
async function findFaults(page: Page): Promise<string[]> {
  const outline = await page.evaluate(outlineOf);
  if (seen.has(outline)) return [];
  seen.add(outline);
  const found: string[] = await page.evaluate(findLayoutFaults);
  await expectAccessible(page, ["light"]).catch((error: unknown) => found.push(String(error).slice(0, 1_500)));
  return found;
}

/** Runs in the page: goes there as Back does, without a new document. */
function goBackTo(path: string): void {
  history.pushState(null, "", path);
  history.pushState(null, "", location.href);
  history.back();
}

/** Runs in the page: what somebody who doesn't see a failed screen misses. Another path takes the focus. */
function findUnsaid(isOtherPath: boolean): string[] {
  const headings = [...document.querySelectorAll("h1")].filter((each) => each.checkVisibility());
  const isFocused = !isOtherPath || document.getElementById("content")?.contains(document.activeElement);
  return [
    ...(headings.length === 1 ? [] : [`has ${headings.length} main headings`]),
    ...(isFocused ? [] : [`has the focus at ${document.activeElement?.outerHTML.slice(0, 100)}`]),
    ...(document.title ? [] : ["has no title"]),
  ];
}

/** The screens whose data didn't come, and those whose forms were filled in. */
const [failed, filled] = [new Set<string>(), new Set<string>()];

/** Whether `kinds` has no address of its kind yet: things of one kind have one. */
function isOfNewKind(address: string, kinds: Set<string>): boolean {
  const kind = address.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "id");
  const isNew = !kinds.has(kind);
  kinds.add(kind);
  return isNew;
}

/** What is wrong with the screen at this address when its data doesn't come. */
async function findFaultsWithoutData(page: Page, path: string): Promise<string[]> {
  const isOtherPath = new URL(page.url()).pathname !== path.replace(/\?.*/, "");
  const handler = (route: Route) => refuse(route, "GET");
  await page.route(DATA, handler);
  const answered = page.waitForResponse((response) => DATA.test(response.url()) && response.status() === 503);
  await page.evaluate(goBackTo, path);
  await answered;
  await expect(page.locator(".pending-screen")).toHaveCount(0);
  await expect(page.locator("main [role=alert] :is(h1, h2)").filter({ visible: true })).toBeVisible();
  const found = [...(await page.evaluate(findUnsaid, isOtherPath)), ...(await findFaults(page))];
  await page.unroute(DATA, handler);
  return found;
}

/**
 * Runs in the page: types into each text of its forms that is kept. Returns what stands in them. The draft of a listing
 * never holds a serial number (docs/product-rules.md).
 */
function typeInForms(): string[] {
  const OTHERS =
    "[type=hidden], [type=file], [type=checkbox], [type=radio], [type=password], .stepper *, .listing-form [name=serial]";
  const fields = [...document.querySelectorAll<HTMLInputElement>("main form[method=post] :is(input, textarea)")].filter(
    (field) =>
      field.checkVisibility() &&
      !field.readOnly &&
      !field.matches(`:disabled, ${OTHERS}, [autocomplete*=password], [autocomplete=one-time-code]`),
  );
  for (const field of fields) {
    const value = { email: "a@b.test", date: "2026-12-02", month: "2026-10", number: "7" }[field.type] ?? "7";
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  return fields.map(({ name, value }) => `${name}: ${value}`);
}

/** Runs in the page: what stands in the texts of its forms. */
function typedInForms(): string[] {
  return [...document.querySelectorAll<HTMLInputElement>("main form[method=post] :is(input, textarea)")].map(
    ({ name, value }) => `${name}: ${value}`,
  );
}

/** Runs in the page: empties and sends each form in which people type. Returns how many could be sent. */
async function sendEmptyForms(): Promise<number> {
  const TYPED = "input:not([type=hidden], [type=file], [type=checkbox], [type=radio], .stepper *), textarea";
  const forms = [...document.querySelectorAll<HTMLFormElement>("main form[method=post]")].filter((form) =>
    [...form.querySelectorAll(TYPED)].some((field) => field.checkVisibility()),
  );
  let sent = 0;
  for (const form of forms) {
    for (const field of form.querySelectorAll<HTMLInputElement>(TYPED)) {
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, "");
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    form.noValidate = true;
    const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
    if (!button || button.disabled) continue;
    form.requestSubmit(button);
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return sent;
}

/** Runs in the page: what somebody who doesn't see a refused form misses. Null while nothing has been said. */
function findUntold(): string[] | null {
  const isShown = (element: Element | null) => element?.checkVisibility() && element.textContent.trim() !== "";
  const wrong = [...document.querySelectorAll("[aria-invalid=true]")];
  const said = [...document.querySelectorAll(".toast, main [role=alert], dialog[open]")].filter(isShown);
  if (wrong.length + said.length === 0) return null;
  const untold = wrong.filter(
    (field) =>
      !(field.getAttribute("aria-describedby") ?? "").split(" ").some((id) => isShown(document.getElementById(id))),
  );
  const errors = [...document.querySelectorAll(".field__error[id]")].filter(isShown);
  const loose = errors.filter((error) => !document.querySelector(`[aria-describedby~="${CSS.escape(error.id)}"]`));
  const isFocused = wrong.length === 0 || said.length > 0 || document.activeElement?.matches("[aria-invalid=true]");
  return [
    ...untold.map((field) => `nothing describes the error of ${field.outerHTML.slice(0, 200)}`),
    ...loose.map((error) => `no field has the error ${error.textContent}`),
    ...(isFocused ? [] : [`has the focus at ${document.activeElement?.outerHTML.slice(0, 100)}`]),
  ];
}

/** What is wrong with the screen once its forms have been refused. */
async function findFaultsOfRefusal(page: Page): Promise<string[]> {
  const handler = (route: Route) => refuse(route, "POST");
  await page.route(DATA, handler);
  let faults: string[] | null = [];
  if ((await page.evaluate(sendEmptyForms)) > 0) {
    // The focus follows what is said.
    await expect
      .poll(async () => (faults = await page.evaluate(findUntold)))
      .toEqual([])
      .catch(() => (faults ??= ["says nothing"]));
    faults.push(...(await findFaults(page)));
  }
  await page.unroute(DATA, handler);
  return faults.map((fault) => `refused: ${fault}`);
}

/**
 * What is wrong when somebody types on the screen, leaves it for one whose data doesn't come, goes back, loads it anew
 * and sends its forms empty. `next`: null for those who have no other screen than pages without scripts.
 */
export async function findFaultsOfFailing(page: Page, next: string | null): Promise<string[]> {
  const found: string[] = [];
  const { pathname, search } = new URL(page.url());
  const typed = isOfNewKind(pathname + search, filled) ? await page.evaluate(typeInForms) : [];
  const expectKept = (where: string) =>
    expect
      .poll(() => page.evaluate(typedInForms))
      .toEqual(expect.arrayContaining(typed))
      .catch(() => found.push(`loses ${typed.join(", ")} ${where}`));
  // Tabs fail alike.
  if (next !== null && (isOfNewKind(next.replace(/\?.*/, ""), failed) || typed.length > 0))
    found.push(...(await findFaultsWithoutData(page, next)).map((fault) => `${next} without its data: ${fault}`));
  if (typed.length === 0) return found;
  if (next === null) await page.goto("/terms");
  await page.goBack();
  await expectKept("after Back");
  await page.reload();
  await expectKept("after a reload");
  return [...found, ...(await findFaultsOfRefusal(page))];
}
