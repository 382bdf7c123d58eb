import { createHash } from "node:crypto";
import { runInNewContext } from "node:vm";
import type { ComponentProps } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub, createStaticHandler, type MetaDescriptor, ServerRouter } from "react-router";
import { parseAst } from "vite";
import { expect, test } from "vitest";
import { brand } from "#app/ui/brand.ts";
import { Document } from "#app/document/document.tsx";
import { secureHeaders } from "#workers/secure-headers.ts";

/** A page as the server renders it. */
function renderPage(props: { publicPage?: boolean } = {}, tags: MetaDescriptor[] = []): string {
  const Page = createRoutesStub([
    {
      id: "root",
      path: "/",
      meta: () => tags,
      Component: () => (
        <Document theme="light" nonce={props.publicPage ? undefined : "n1"} {...props}>
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
  expect(page.match(/requestAnimationFrame\(/g)).toHaveLength(1);
});

test("React Router's start script knows its routes, without what the browser doesn't read of them", async () => {
  const route = { hasErrorBoundary: true, module: "/assets/root-1.js", css: [] };
  const unread = { hasAction: false, imports: ["/assets/a b.js", "/assets/c.js"] };
  const manifest = {
    entry: { module: "/assets/entry-1.js" },
    routes: {
      root: { ...route, id: "root", path: "" },
      "routes/feed": { ...route, id: "routes/feed", parentId: "root", path: "feed/:page?" },
    },
    url: "/assets/manifest-1.js",
    version: "1",
  };
  const handler = createStaticHandler([
    { id: "root", path: "", children: [{ id: "routes/feed", path: "feed/:page?" }] },
  ]);
  const Root = () => <Document theme="light">{null}</Document>;
  const page = renderToString(
    <ServerRouter
      url="http://campus.test/feed"
      context={
        {
          manifest: {
            ...manifest,
            entry: { ...manifest.entry, imports: [] },
            routes: Object.fromEntries(
              Object.entries(manifest.routes).map(([id, each]) => [id, { ...each, ...unread }]),
            ),
          },
          routeModules: { root: { default: Root }, "routes/feed": { default: () => null } },
          staticHandlerContext: await handler.query(new Request("http://campus.test/feed")),
          future: {},
          ssr: true,
          isSpaMode: false,
          routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
        } as unknown as ComponentProps<typeof ServerRouter>["context"]
      }
    />,
  );
  const start = runInNewContext(/textContent:('(?:[^'\\]|\\.)*')\}/.exec(page)?.[1] ?? "") as string;
  expect(start).not.toMatch(/": /);
  const statements = parseAst(start).body.filter(({ type }) => type !== "EmptyStatement");
  expect(statements.filter(({ type }) => type === "ImportDeclaration")).toHaveLength(2);
  // What follows the imports, up to the import that starts the page.
  const settings = statements.slice(2, -1).map(({ start: from, end }) => start.slice(from, end));
  const window: Record<string, unknown> = {};
  runInNewContext(settings.join(";"), { window, route0: 0, route1: 1 });
  expect(window.__reactRouterManifest).toEqual(manifest);
  expect(window.__reactRouterRouteModules).toEqual({ root: 0, "routes/feed": 1 });
});

test("what runs before the first paint stands in the head, with the page's nonce", () => {
  const [head] = renderPage().split("</head>");
  expect(head).toMatch(/<script nonce="n1">[^<]*prefers-color-scheme/);
});

test("the server writes the icons and the manifest into the head", () => {
  const [head] = renderPage().split("</head>");
  for (const rel of ["icon", "apple-touch-icon", "manifest"]) expect(head).toContain(`<link rel="${rel}"`);
});

test("every page has one description: the screen's own, or the product's", () => {
  const descriptionsOf = (tags: MetaDescriptor[]) =>
    [...renderPage({}, tags).matchAll(/<meta name="description" content="([^"]*)"/g)].map(([, text]) => text);
  expect(descriptionsOf([{ title: "Cart" }])).toEqual([brand.description]);
  expect(descriptionsOf([{ title: "Shop" }, { name: "description", content: "Our own" }])).toEqual(["Our own"]);
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
