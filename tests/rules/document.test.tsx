import { renderToString } from "react-dom/server";
import { createRoutesStub } from "react-router";
import { expect, test } from "vitest";
import { Document } from "#app/document/document.tsx";

/** A page as the server renders it. */
function renderPage(): string {
  const Page = createRoutesStub([
    {
      id: "root",
      path: "/",
      Component: () => (
        <Document theme="light" nonce="n1">
          <p>Hello</p>
        </Document>
      ),
    },
  ]);
  return renderToString(<Page />);
}

test("a page asks for its scripts by one inline script only, which waits for the first paint", () => {
  const page = renderPage();
  expect(page).not.toMatch(/<link[^>]*modulepreload/);
  expect(page).not.toMatch(/<script[^>]*type="module"/);
  expect(page.match(/requestAnimationFrame\(function/g)).toHaveLength(1);
});

test("what runs before the first paint stands in the head, with the page's nonce", () => {
  const [head] = renderPage().split("</head>");
  expect(head).toMatch(/<script nonce="n1">[^<]*prefers-color-scheme/);
  for (const event of ["popstate", "unhandledrejection"]) expect(head).toContain(`addEventListener("${event}"`);
});

test("the server writes the icons and the manifest into the head", () => {
  const [head] = renderPage().split("</head>");
  for (const rel of ["icon", "apple-touch-icon", "manifest"]) expect(head).toContain(`<link rel="${rel}"`);
});
