import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  answeringPath,
  FRONT_PATH,
  invitationIn,
  invitationPath,
  isForSearchEngines,
  isPublicPage,
  isPublicSearch,
  isSharedSearch,
  sharedSearchPath,
  isShortPath,
  publicCampusPath,
  publicCategoryPath,
  publicProductPath,
  publicSearchPath,
  publicShopPath,
  slugOf,
} from "#app/public-links.ts";
import { friendsText } from "#app/accounts/invitations/invitation-rules.ts";
import { shortIdOf, uuidsOf } from "#app/platform/short-ids.ts";

describe("short ids", () => {
  it("finds every UUID again by ten characters", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const shortId = shortIdOf(uuid);
        expect(shortId).toMatch(/^[0-9a-z]{10}$/);
        const range = uuidsOf(shortId);
        expect(range && range.first <= uuid && uuid <= range.last).toBe(true);
      }),
    );
  });

  it("keeps apart UUIDs that differ in their first twelve digits", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        fc.pre(one.slice(0, 13) !== other.slice(0, 13));
        expect(shortIdOf(one)).not.toBe(shortIdOf(other));
      }),
    );
  });

  it.each(["", "abc", "0000000000a", "ABCDEFGHIJ", "000000000-", "zzzzzzzzzz"])("knows that %j is none", (text) => {
    expect(uuidsOf(text)).toBeNull();
  });
});

describe("slugs", () => {
  it.each([
    ["Casio fx-991, new!", "casio-fx-991-new"],
    ["  Café crème  ", "cafe-creme"],
    ["日本語", ""],
    ["", ""],
  ])("writes %j as %j", (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it("needs no escaping in an address, whatever the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        expect(slugOf(name)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
        expect(slugOf(name).length).toBeLessThanOrEqual(60);
      }),
    );
  });
});

describe("public addresses", () => {
  const id = "0b9a7c1e-52d4-4f0e-9a55-0c6d8f1b2e3a";

  it("has one for the front page, a product, a shop, a category and a campus", () => {
    const paths = [
      FRONT_PATH,
      publicProductPath({ id, name: "Rice cooker" }),
      publicProductPath({ id, name: "!!!" }),
      publicShopPath({ id, title: "Akinyi's Books" }),
      publicCategoryPath("study-materials"),
      publicCampusPath("Main Campus"),
      sharedSearchPath(id),
    ];
    expect(paths).toEqual([
      "/campus",
      "/p/04it08b7is/rice-cooker",
      "/p/04it08b7is/item",
      "/s/04it08b7is/akinyi-s-books",
      "/c/study-materials",
      "/campus/main-campus",
      "/looking-for/04it08b7is",
    ]);
    for (const path of paths) expect(isPublicPage(path)).toBe(true);
  });

  it.each(["/", "/profile", "/product/1", "/cart", "/seller/1", "/campuses", "/problems/1"])(
    "has none at %s",
    (path) => {
      expect(isPublicPage(path)).toBe(false);
    },
  );
});

describe("the search", () => {
  it("is a public page that search engines don't list, and other public pages are none", () => {
    for (const path of ["/campus/search", "/Campus/Search/"])
      expect([isPublicPage(path), isPublicSearch(path), isForSearchEngines(path)]).toEqual([true, true, false]);
    for (const path of ["/campus", "/campus/search-lane", "/campus/main-campus", "/c/search"])
      expect([isPublicPage(path), isPublicSearch(path), isForSearchEngines(path)]).toEqual([true, false, true]);
  });

  it("is no page of what somebody looks for, which search engines don't list either", () => {
    const path = sharedSearchPath(crypto.randomUUID());
    expect([isPublicSearch(path), isSharedSearch(path), isForSearchEngines(path)]).toEqual([false, true, false]);
    expect([isSharedSearch("/campus/search"), isSharedSearch("/looking-for")]).toEqual([false, false]);
  });

  it("leads back to any text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const { pathname, searchParams } = new URL(publicSearchPath(text, "0.7"), "https://chuoni.test");
        expect([isPublicSearch(pathname), searchParams.get("q"), searchParams.get("after")]).toEqual([
          true,
          text,
          "0.7",
        ]);
      }),
    );
  });
});

describe("answering path", () => {
  it.each([
    ["/p/short", "/p/-"],
    ["/S/short/x/y", "/s/-"],
    ["/p/", "/p/-"],
    ["/p/00000000zz/x", "/p/00000000zz/x"],
    ["/p/00000000ZZ/x", "/p/00000000ZZ/x"],
    ["/c/short", "/c/short"],
    ["/campus/p/short", "/campus/p/short"],
  ])("of %s is %s", (path, answering) => {
    expect(answeringPath(path)).toBe(answering);
  });
});

describe("short paths", () => {
  it.each([
    ["/p/00000000zz", true],
    ["/s/00000000zz", true],
    ["/p/00000000zz/name", false],
    ["/c/textbooks", false],
  ])("%s: %s", (path, isShort) => {
    expect(isShortPath(path)).toBe(isShort);
  });
});

describe("invitations", () => {
  it("reads whose link it is, and of other addresses nothing", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(invitationIn(invitationPath(id))).toBe(shortIdOf(id));
        expect(invitationIn(invitationPath(id).toUpperCase().replace("/JOIN/", "/join/"))).toBe(shortIdOf(id));
        for (const other of [
          `${invitationPath(id)}/x`,
          `/s/${shortIdOf(id)}`,
          `/x${invitationPath(id)}`,
          `/join/${id}`,
        ])
          expect(invitationIn(other)).toBeNull();
      }),
    );
    expect([null, "/join/", "/join/-", "/home"].map(invitationIn)).toEqual([null, null, null, null]);
  });

  it.each([
    [0, 0, "Nobody has joined by your link yet."],
    [1, 0, "1 friend has joined. Your week comes with their first deal."],
    [1, 1, "1 friend has joined, and had a first deal."],
    [3, 1, "3 friends have joined, and 1 of them had a first deal."],
    [3, 3, "3 friends have joined, and all of them had a first deal."],
  ])("says of %i who joined, of whom %i count: %s", (joined, counted, text) => {
    expect(friendsText({ joined, counted })).toBe(text);
  });
});
