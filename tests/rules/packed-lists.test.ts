/** Products on their way to the browser arrive as they were. */
import { expect, test } from "vitest";
import type { ListedProduct } from "#app/catalogue/browse.server.ts";
import { packProducts, unpackProducts } from "#app/catalogue/packed-lists.ts";

const LAMP: ListedProduct = {
  id: "a",
  name: "Lamp",
  price: 900,
  originalPrice: null,
  image: { key: "img/a", width: 800, height: 600, widths: [320, 800], tone: "#ccc" },
  about: "Bright",
  condition: "new",
  location: "Main Campus",
  category: "Furniture",
  categoryKey: "furniture",
  sellerId: "s",
  rating: null,
  status: "active",
  stock: null,
  reserved: 0,
  stockLabel: null,
  featured: false,
  wholesale: false,
};
const DESK: ListedProduct = {
  ...LAMP,
  id: "b",
  name: 'A "desk" | 2 m',
  price: 4000,
  originalPrice: 5000,
  image: null,
  about: "Two\nlines",
  rating: { average: 4.5, count: 12 },
  stock: 2,
  stockLabel: "Only 2 left",
  featured: true,
};

test.each([
  [[]],
  [[LAMP]],
  [[DESK]],
  [[LAMP, DESK]],
  [[{ ...LAMP, image: null }, DESK]],
  [
    Array.from({ length: 40 }, (_, at) => ({
      ...(at % 3 ? LAMP : DESK),
      id: `${at}`,
      location: at % 2 ? "null" : "Main Campus",
    })),
  ],
  [[LAMP, { ...DESK, image: { key: "img/b", width: 900, height: 900, widths: [320], tone: "#ddd" } }]],
])("a list of products arrives as it was (%#)", (products) => {
  expect(unpackProducts(packProducts(products))).toEqual(products);
});

test("a product that a search found by its description keeps the part around the match", () => {
  const [lamp, desk] = unpackProducts(packProducts([LAMP, { ...DESK, excerpt: "… for a desk …" }]));
  expect([lamp?.excerpt ?? null, desk?.excerpt]).toEqual([null, "… for a desk …"]);
});

test("24 products take a third of their JSON", () => {
  const many = Array.from({ length: 24 }, (_, at) => ({ ...LAMP, id: `${at}`, name: `Lamp ${at}`, price: 900 + at }));
  expect(packProducts(many).length).toBeLessThan(JSON.stringify(many).length / 3);
});
