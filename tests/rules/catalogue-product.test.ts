import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { forgetHistory, HISTORY_MAX, noteView, readHistory } from "#app/catalogue/browse/browsing-history.ts";
import { changeWords } from "#app/catalogue/change-words.ts";
import { changesIn, PROMISED_FIELDS } from "#app/catalogue/copy-changes.ts";
import type { ListingCopy } from "#app/catalogue/listing-copy.server.ts";
import { listedText } from "#app/catalogue/product/product-page-texts.ts";
import { productMeta } from "#app/catalogue/product/product-meta.ts";
import { summarizeProductPage } from "#app/catalogue/product/product-page-summary.server.ts";
import type { ProductDetail } from "#app/catalogue/product/product-page.server.ts";
import { shortIdOf } from "#app/platform/short-ids.ts";
import { shorten } from "#app/ui/sharing/share-meta.ts";
import { openBrowser } from "#tests/support/fake-browser.ts";

afterEach(() => vi.unstubAllGlobals());

const image = { key: "img/8c80", width: 800, height: 1000, widths: [320, 800], tone: "#c2c5c8", thumbhash: "x" };

const product: ProductDetail = {
  feeRule: null,
  facts: [],
  handover: "thing",
  hasSerial: false,
  id: "67448963-fc2f-4f8f-9d3c-40499efb3222",
  name: `HP "EliteBook" </script><script>alert(1)</script>`,
  description: "Works.\nWith charger.",
  about: "Works.\nWith charger.",
  listedAt: Date.UTC(2026, 10, 25, 9),
  revision: 0,
  price: 24_500,
  originalPrice: null,
  rating: null,
  takesOffers: false,
  ownOffer: null,
  image,
  images: [image],
  condition: "like_new",
  location: "Main Campus",
  category: "Electronics",
  categoryKey: "electronics",
  sellerId: "s",
  status: "active",
  stock: null,
  reservedByOthers: false,
  reservedUntil: null,
  payingOrderId: null,
  waiting: false,
  featured: false,
  wholesale: false,
  minQuantity: 1,
  steps: [],
  seller: {
    id: "s",
    name: null,
    campusLocation: null,
    shopName: null,
    offersDelivery: false,
    pictureUrl: null,
    level: "none",
    verifiedAs: null,
    awayUntil: null,
    block: null,
    answerMs: null,
  },
};

function view(id: string, price: number, at: number) {
  noteView({ id, name: "Kettle", price, image: null }, at);
}

test("a listing that got a campus since it was ordered had none before", () => {
  const copy: ListingCopy = {
    facts: { values: {}, chosen: {}, chosenType: null },
    name: "Jembe",
    description: "Of steel",
    condition: "good",
    policies: null,
    about: null,
    verified: null,
    category: null,
    campus: "Unknown",
    delivery: 0,
    price: 900,
    minQuantity: 1,
    steps: [],
    images: [],
  };
  const changes = changesIn(PROMISED_FIELDS, copy, { ...copy, campus: "Main Campus" });
  expect(changes.map(changeWords)).toEqual(['campus was "empty", is now "Main Campus"']);
});

describe("Browsing history", () => {
  test("keeps the last 50 products looked at, latest first, each once", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 200 }), (views) => {
        openBrowser("me");
        views.forEach((viewed, at) => view(`p${viewed}`, viewed, at));
        const expected = [...new Set(views.toReversed())].slice(0, HISTORY_MAX);
        expect(readHistory().map(({ price }) => price)).toEqual(expected);
      }),
    );
  });

  test("of one person is not another's, and can be forgotten", () => {
    const browser = openBrowser("me");
    noteView({ id: "p", name: "Kettle", price: 900, image }, 5);
    browser.logIn("you");
    expect(readHistory()).toEqual([]);
    browser.logIn("me");
    expect(readHistory()).toEqual([{ id: "p", name: "Kettle", price: 900, image, viewedAt: 5 }]);
    forgetHistory();
    expect(readHistory()).toEqual([]);
  });

  test("is empty where the browser keeps nothing, forbids it, or keeps something else", () => {
    openBrowser("me", { forbidden: true });
    view("p", 900, 5);
    forgetHistory();
    expect(readHistory()).toEqual([]);
    for (const kept of [
      "{",
      "null",
      "7",
      '{"id":"p"}',
      '[null,3,{"id":1},{"id":"p","name":"x","price":"9","image":null,"viewedAt":1}]',
    ]) {
      openBrowser("me").device.set("private:me:browsing-history", kept);
      expect(readHistory()).toEqual([]);
    }
  });
});

describe("A product's page says", () => {
  const NOW = Date.UTC(2026, 10, 26, 9);
  const NOTHING = {
    badge: null,
    listed: "Listed yesterday",
    handover: "Pickup at Main Campus",
    promise: "We hold your money until you have it",
    buyerFeeText: null,
    sellerFeeText: null,
    closed: null,
    answers: null,
    verified: null,
    offer: null,
    warning: null,
  };
  const until = Date.UTC(2026, 11, 5, 21);

  test.each([
    [{}, {}],
    [{ stockLabel: "Only 2 left" }, { badge: { text: "Only 2 left", tone: "orange" } }],
    [{ status: "sold" }, { badge: { text: "Sold", tone: "red" }, handover: null }],
    [{ status: "out_of_stock" }, { badge: { text: "Out of Stock", tone: "orange" }, handover: null }],
    [
      { status: "sold", stockLabel: "Sold out" },
      { badge: { text: "Sold out", tone: "orange" }, handover: null },
    ],
    [{ stock: 1, condition: "new" }, { listed: "Listed yesterday · The seller has one" }],
    [{ stock: 1, condition: "good" }, {}],
    [
      { status: "sold", stock: 1 },
      { badge: { text: "Sold", tone: "red" }, handover: null },
    ],
    [
      { ownOffer: { id: "o", state: "open", amount: 900 } },
      { offer: { title: "You made an offer", isAccepted: false } },
    ],
    [
      { ownOffer: { id: "o", state: "countered", amount: 900 } },
      { offer: { title: "The seller named another price", isAccepted: false } },
    ],
    [
      { ownOffer: { id: "o", state: "accepted", amount: 900 } },
      { offer: { title: "Your price: KES 900", isAccepted: true } },
    ],
  ] as const)("of %j: %j", (change, said) => {
    expect(summarizeProductPage({ ...product, ...change }, NOW)).toEqual({ ...NOTHING, ...said });
  });

  test.each([
    [{ level: "email" }, {}],
    [{ level: "student" }, { verified: "student" }],
    [{ offersDelivery: true }, { handover: "Pickup at Main Campus, or the seller delivers" }],
    [{ answerMs: 60_000 }, { answers: "Usually answers within an hour" }],
    [
      { awayUntil: until, name: "Wanjiru" },
      { handover: null, closed: "Wanjiru is on holiday until 5 December. You can save this to your wishlist." },
    ],
    [
      { awayUntil: until, shopName: "Pens" },
      { handover: null, closed: "Pens is on holiday until 5 December. You can save this to your wishlist." },
    ],
    [
      { awayUntil: until },
      { handover: null, closed: "The seller is on holiday until 5 December. You can save this to your wishlist." },
    ],
    [
      { block: "theirs", awayUntil: until, name: "Wanjiru" },
      { handover: null, closed: "You can't buy from this seller. Others may have something like it." },
    ],
    [
      { block: "mine", name: "Wanjiru" },
      { handover: null, closed: "You blocked Wanjiru. Unblock them in your messages to buy this." },
    ],
  ] as const)("of its seller %j: %j", (change, said) => {
    expect(summarizeProductPage({ ...product, seller: { ...product.seller, ...change } }, NOW)).toEqual({
      ...NOTHING,
      ...said,
    });
  });
});

describe("The age of a listing", () => {
  const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour);

  test.each([
    [at(26, 9), "Listed today"],
    // In Kenya it is midnight at 21:00 UTC.
    [at(25, 21), "Listed today"],
    [at(25, 20), "Listed yesterday"],
    [at(24, 20), "Listed 2 days ago"],
    [at(-4, 22), "Listed 29 days ago"],
    [at(-4, 20), "Listed 27 Oct 2026"],
    // The clock of another machine may be ahead.
    [at(27, 9), "Listed today"],
  ])("of %d: %s", (listedAt, said) => {
    expect(listedText(listedAt, at(26, 9))).toBe(said);
  });
});

describe("A product's head", () => {
  test("has one canonical address and a picture: the cover, or ours where there is none", () => {
    const tags = productMeta({ ...product, name: "Kettle", preview: null }, "https://chuoni.test");
    expect(tags).toContainEqual({
      tagName: "link",
      rel: "canonical",
      href: `https://chuoni.test/p/${shortIdOf(product.id)}/kettle`,
    });
    expect(tags).toContainEqual({
      name: "description",
      content: "KES 24,500 · Used - Like New · Main Campus. Works. With charger.",
    });
    expect(tags).toContainEqual({ property: "og:image", content: "https://chuoni.test/files/img/8c80/800.webp" });
    const bare = productMeta({ ...product, images: [], preview: null }, "https://chuoni.test");
    expect(bare).toContainEqual({ property: "og:image", content: "https://chuoni.test/art/share.jpg" });
  });

  test("shortens any text to one line of at most 160 characters", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (text) => {
        const short = shorten(text);
        expect(short.length).toBeLessThanOrEqual(160);
        expect(short).not.toMatch(/[\n\r\t]/);
      }),
    );
    expect(shorten(`${"word ".repeat(60)}`)).toMatch(/word…$/);
  });
});
