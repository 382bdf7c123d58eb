import { readFileSync } from "node:fs";
import type { ComponentProps, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub, Link as RouterLink } from "react-router";
import { describe, expect, test } from "vitest";
import { Link } from "#app/ui/link.tsx";

/** As the server renders it, two routes deep and on a page with a query. */
function render(node: ReactNode): string {
  const Page = createRoutesStub([
    { path: "/shops/:shop", children: [{ path: "items", Component: () => <nav>{node}</nav> }] },
  ]);
  return renderToString(<Page initialEntries={["/shops/7/items?tab=orders#top"]} />);
}

const PATHS = [
  "/product/abc-1",
  "/product/abc-1/",
  "/",
  "",
  ".",
  "..",
  "../sale",
  "./sale",
  "sale",
  "?tab=orders",
  "#reviews",
  "/search?q=a+b&c=%C3%A9",
  '/search?q=é "quoted" & <b>\'',
  "/search?",
  "/search?q=1#",
  "/search#a?b#c",
  "/cart#items",
  "/a//b",
  "/a/./b",
  "/a/../b",
  "/a/.b",
  "/caf%C3%A9",
  "/café",
  "/a b",
  "/x:y/@z",
  "//example.com/x",
  "/\\example.com",
  "\\\\example.com",
  "https://example.com/x?y#z",
  "mailto:hello@chuoni.test",
];

const PROPS: Partial<ComponentProps<typeof RouterLink>>[] = [
  { className: "text-link", id: "a", "aria-current": "page", title: "x" },
  { viewTransition: true, preventScrollReset: true, replace: true, state: { from: 1 } },
  { reloadDocument: true, target: "_blank", rel: "noopener" },
  { discover: "none" },
  { prefetch: "intent" },
  { prefetch: "render" },
  { relative: "path" },
  { mask: "/masked" },
  { defaultShouldRevalidate: false, download: "x.csv", style: { color: "red" }, onClick: () => {} },
];

describe("a link that the server renders is React Router's", () => {
  test.each(PATHS)("to %j", (to) => {
    expect(render(<Link to={to}>Go</Link>)).toBe(render(<RouterLink to={to}>Go</RouterLink>));
  });

  test.each([{ pathname: "/cart" }, { search: "?a=1" }, { pathname: "../sale", hash: "#x" }])("to %j", (to) => {
    expect(render(<Link to={to}>Go</Link>)).toBe(render(<RouterLink to={to}>Go</RouterLink>));
  });

  test.each(PROPS)("with %j", (props) => {
    for (const to of ["/product/abc-1?x=1", "../sale"]) {
      const ours = (
        <Link to={to} {...props}>
          <b>Go</b> on
        </Link>
      );
      const theirs = (
        <RouterLink to={to} {...props}>
          <b>Go</b> on
        </RouterLink>
      );
      expect(render(ours)).toBe(render(theirs));
    }
  });

  test("and takes no hooks of React Router's for a simple path, so it renders outside a router", () => {
    expect(renderToString(<Link to="/cart">Cart</Link>)).toBe('<a href="/cart" data-discover="true">Cart</a>');
    expect(() => renderToString(<Link to="cart">Cart</Link>)).toThrow("basename");
  });
});

test("the app has no basename, which a link would have to start with", () => {
  expect(readFileSync("react-router.config.ts", "utf8")).not.toContain("basename");
});
