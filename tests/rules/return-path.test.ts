import fc from "fast-check";
import { expect, test } from "vitest";
import { safeReturnPath } from "#app/accounts/login/account-rules.ts";

const OURS = "https://chuoni.test";

/** Texts that would leave the site if a browser were sent there, combined from known tricks. */
const hostilePath = fc
  .array(
    fc.constantFrom(
      "/",
      "//",
      "\\",
      "\t",
      "\n",
      "\r",
      "\u0000",
      ".",
      "..",
      "%2f",
      "%5c",
      "@",
      ":",
      "?",
      "#",
      "javascript:",
      "data:",
      "https:",
      "evil.example",
      "cart",
      " ",
      "\u2028",
      "\ufeff",
      "／",
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

test("a login always leads to a path on this site, whatever was asked for", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostilePath,
        hostilePath.map((text) => `/${text}`),
        fc.string({ unit: "binary" }),
      ),
      (asked) => {
        const path = safeReturnPath(asked);
        if (path === null) return;
        expect(new URL(path, OURS).origin).toBe(OURS);
        expect(path).toMatch(/^\/(?![/\\])/);
      },
    ),
    { numRuns: 5_000 },
  );
});

test("no detour leads to a screen that only visitors see, or past a check of where a path begins", () => {
  for (const to of ["auth", "logout", "cart"])
    for (const detour of ["/x/../", "/./", "/settings/..//", "/x/.%2E/", "/x/%2e%2e/", "/x/y/../../"])
      expect(safeReturnPath(detour + to)).toBeNull();
  for (const path of ["/x/..", "/x/.", "/..?a", "/x/%2e#a"]) expect(safeReturnPath(path)).toBeNull();
  for (const path of ["/x/..y", "/x/y..", "/.well-known", "/x?to=/../y", "/x#/../y"])
    expect(safeReturnPath(path)).toBe(path);
});

test("paths of ours are kept, with what follows them", () => {
  for (const path of ["/cart", "/profile?tab=orders", "/product/x#photos", "/search?q=a%2Fb"])
    expect(safeReturnPath(path)).toBe(path);
});
