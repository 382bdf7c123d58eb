/**
 * The screens at which somebody looks (tests/support/screens.ts), where scripts don't run: nothing looks as if it could
 * be pressed, and is dead.
 */
import { expect, test } from "#tests/support/browser.ts";
import { addressOf, PEOPLE, type Person, signInAs, type Way, waysOf } from "#tests/support/screens.ts";

test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ tolerated: /status of (400|404|503)/ });

/** What the table of screens leaves out: an open conversation. */
const ALSO: { [person in Person]?: Way[] } = {
  buyer: [
    ["/profile?tab=messages", String.raw`/profile\?tab=messages&amp;with=`, (path) => path.replace("&amp;", "&")],
  ],
};

/**
 * Runs in the page: the buttons in sight that neither send a form nor open what the browser opens by itself. What is
 * folded is unfolded first. The style sheet hides the button for the theme, but not here: this browser still says that
 * it runs scripts.
 */
function findDeadButtons(): string[] {
  for (const part of document.querySelectorAll("details")) part.open = true;
  return [
    ...document.querySelectorAll<HTMLButtonElement>("button:not(:disabled, [popovertarget], [data-theme-toggle])"),
  ]
    .filter((button) => button.checkVisibility() && (button.type !== "submit" || button.form === null))
    .map((button) => button.outerHTML.slice(0, 200));
}

for (const person of Object.keys(PEOPLE) as Person[])
  test(
    `no button is dead without scripts for: ${person}`,
    { tag: "@desktop" },
    async ({ page, browser, contextOptions }) => {
      await signInAs(page, person);
      const context = await browser.newContext({ ...contextOptions, javaScriptEnabled: false });
      await context.addCookies(await page.context().cookies());
      const plain = await context.newPage();
      const found: string[] = [];
      for (const way of [...waysOf(person), ...(ALSO[person] ?? [])]) {
        const address = await addressOf(page, way);
        await plain.goto(address);
        if (person !== "visitor") expect(new URL(plain.url()).pathname, address).not.toBe("/auth");
        found.push(...(await plain.evaluate(findDeadButtons)).map((button) => `${address}: ${button}`));
      }
      await context.close();
      expect(found).toEqual([]);
    },
  );
