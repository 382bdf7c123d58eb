import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { Document } from "#app/document/document.tsx";
import { plainScript, wantsPlainPages } from "#app/document/plain-pages.ts";
import { secureHeaders } from "#workers/secure-headers.ts";

/** A page as the server renders it. */
function renderPage(props: { publicPage?: boolean; plain?: boolean } = {}): string {
  const Page = createRoutesStub([
    {
      id: "root",
      path: "/",
      Component: () => (
        <Document theme="light" nonce={props.publicPage ? undefined : "n1"} {...props}>
          <p>Hello</p>
        </Document>
      ),
    },
  ]);
  return renderToString(<Page />);
}

test("what runs before the first paint stands in the head, with the page's nonce", () => {
  const [head] = renderPage().split("</head>");
  expect(head).toMatch(/<script nonce="n1">[^<]*prefers-color-scheme/);
});

test("the server writes the icons and the manifest into the head", () => {
  const [head] = renderPage().split("</head>");
  for (const rel of ["icon", "apple-touch-icon", "manifest"]) expect(head).toContain(`<link rel="${rel}"`);
});

test("the page says the order of the layers, as the style sheet does", () => {
  const [order = "no order"] = /^@layer [^;]+;/m.exec(readFileSync("app/ui/styles/app.css", "utf8")) ?? [];
  expect(renderPage()).toContain(`<style>${order}</style>`);
});

test("a public page has one script, for the theme, and its policy allows that script by its hash alone", () => {
  const page = renderPage({ publicPage: true });
  const scripts = [...page.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)].map(([, attributes, text]) => [
    attributes,
    text,
  ]);
  expect(scripts).toEqual([["", expect.stringContaining("prefers-color-scheme")]]);
  expect(page).not.toMatch(/nonce|modulepreload/);
  const hash = createHash("sha256")
    .update(scripts[0]?.[1] ?? "")
    .digest("base64");
  const policy = new Map(secureHeaders(null, { dev: false, secure: true })).get("Content-Security-Policy");
  expect(policy).toContain(`; script-src 'sha256-${hash}'; `);
});

test("a page for a browser that is too old has no scripts of the app, and the way back", () => {
  const page = renderPage({ plain: true });
  expect(page).not.toMatch(/modulepreload|type="module"/);
  expect(page).toContain("CompressionStream");
  expect(renderPage()).toMatch(/modulepreload|type="module"/);
});

test("Opera Mini, and a browser that the page has found too old, get plain pages", () => {
  const wants = (headers: Record<string, string>) => wantsPlainPages(new Request("https://chuoni.test/", { headers }));
  expect(wants({ "User-Agent": "Opera/9.80 (Android; Opera Mini/66.2.2254/191.303; U; en) Presto/2.12.423" })).toBe(
    true,
  );
  expect(wants({ Cookie: "theme=dark; plain=1" })).toBe(true);
  expect(wants({ Cookie: "plain=10; explain=1" })).toBe(false);
  expect(wants({ "User-Agent": "Mozilla/5.0 (Linux; Android 10; K) Chrome/111.0.0.0 Mobile Safari/537.36" })).toBe(
    false,
  );
});

/** A browser in which the script of the head runs, as it stands in the page. */
function browse({ isOld, cookie = "", keeps = true }: { isOld: boolean; cookie?: string; keeps?: boolean }) {
  const seen = { reloads: 0, marked: false, cookie };
  const document = {
    documentElement: { setAttribute: () => (seen.marked = true) },
    get cookie() {
      return seen.cookie;
    },
    set cookie(text: string) {
      if (keeps) seen.cookie = /max-age=0/.test(text) ? "" : (text.split(";")[0] ?? "");
    },
  };
  const CSS = { supports: () => !isOld };
  const window = { CSS, CompressionStream: 1 };
  new Function("document", "window", "CSS", "location", plainScript)(document, window, CSS, {
    reload: () => (seen.reloads += 1),
  });
  return seen;
}

test("an older browser asks again once for a plain page, and comes back after its update", () => {
  expect(browse({ isOld: false })).toEqual({ reloads: 0, marked: true, cookie: "" });
  expect(browse({ isOld: true })).toEqual({ reloads: 1, marked: false, cookie: "plain=1" });
  expect(browse({ isOld: true, cookie: "plain=1" })).toEqual({ reloads: 0, marked: false, cookie: "plain=1" });
  expect(browse({ isOld: false, cookie: "plain=1" })).toEqual({ reloads: 1, marked: true, cookie: "" });
  // It would ask for ever.
  expect(browse({ isOld: true, keeps: false })).toEqual({ reloads: 0, marked: false, cookie: "" });
});

test("the script of the head can be read by any browser", () => {
  expect(plainScript).not.toMatch(/=>|\b(let|const)\b|`|\?\.|\?\?/);
});
