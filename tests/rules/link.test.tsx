import { readFileSync } from "node:fs";
import type { ComponentProps, ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createRoutesStub, Link as RouterLink, NavLink as RouterNavLink } from "react-router";
import { describe, expect, test } from "vitest";
import { Link, NavLink } from "#app/ui/link.tsx";

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

const NAV_PROPS: Partial<ComponentProps<typeof RouterNavLink>>[] = [
  {},
  { className: "chip", "data-tour": "categories" } as object,
  { className: "chip", end: true },
  { caseSensitive: true },
  { "aria-current": "step", style: { color: "red" }, target: "_blank" },
  { className: ({ isActive }) => (isActive ? "on" : "off") },
  { style: ({ isActive }) => ({ color: isActive ? "red" : "blue" }) },
  { viewTransition: true, discover: "none", prefetch: "intent" },
];

describe("a link that marks its screen is React Router's, on the server", () => {
  const paths = ["/shops/7/items", "/shops/7", "/SHOPS/7", "/shops/7/", "/shops/70", "/shops", "/", ".", "..", "items"];
  test.each([...paths, "/shops/7?tab=1#x", "/shops/7/items/2", "/cart", "//shops/7"])("to %j", (to) => {
    for (const props of NAV_PROPS)
      expect(
        render(
          <NavLink to={to} {...props}>
            Go
          </NavLink>,
        ),
      ).toBe(
        render(
          <RouterNavLink to={to} {...props}>
            Go
          </RouterNavLink>,
        ),
      );
    expect(render(<NavLink to={to}>{({ isActive }) => String(isActive)}</NavLink>)).toBe(
      render(<RouterNavLink to={to}>{({ isActive }) => String(isActive)}</RouterNavLink>),
    );
  });
});

test("the app has no basename, which a link would have to start with", () => {
  expect(readFileSync("react-router.config.ts", "utf8")).not.toContain("basename");
});
