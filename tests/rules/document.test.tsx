import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { Document } from "#app/document/document.tsx";
import { secureHeaders } from "#workers/secure-headers.ts";

/** A page as the server renders it. */
function renderPage(props: { publicPage?: boolean } = {}): string {
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
