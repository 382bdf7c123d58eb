/** How public pages are served: plain documents, kept in the data centre's cache for less than a minute. */
import { expect, test } from "vitest";
import { ORIGIN } from "#tests/support/accounts.ts";
import { servicesAt } from "#tests/support/fixtures.ts";
import { visit } from "#tests/support/visit.ts";

/** A page of the app, rendered as a public page. */
async function renderPublic(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const { pages } = await import("#tests/support/pages.ts");
  const info = { id: "test", nonce: "n1", address: null, publicPage: true };
  return pages(new Request(`${ORIGIN}${path}`, { headers }), servicesAt(), info);
}

test("a public page has no script but the theme's, and shows nothing that a cookie says", async () => {
  const cookie = (await servicesAt().flash.write({ kind: "info", text: "Welcome back" })).split(";")[0];
  const [plain, withCookies] = [
    await renderPublic("/terms"),
    await renderPublic("/terms", { Cookie: `theme=dark; styles=y; ${cookie}` }),
  ];
  const html = await plain.text();
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/nonce|modulepreload/);
  expect(html).toMatch(/<html[^>]*class="light"[^]*<\/html>$/);
  expect(await withCookies.text()).toBe(html);
  for (const answer of [plain, withCookies]) expect(answer.headers.get("Set-Cookie")).toBeNull();
});

test("a public page that doesn't exist is not found, and never a login form", async () => {
  const answer = await visit("/campus/main/nothing-here");
  expect(answer.status).toBe(404);
  expect(answer.headers.get("Content-Security-Policy")).toMatch(/; script-src 'sha256-[^' ]+'; /);
  expect(answer.headers.get("Set-Cookie")).toBeNull();
});
