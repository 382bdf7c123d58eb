/** What chats and search engines read about a seller's full page. */
import { expect, test } from "vitest";
import { sellerMeta } from "#app/shops/seller-meta.ts";
import type { SellerPage } from "#app/shops/shops.server.ts";

test.each(["jpg", undefined] as const)("a shop without a banner shows its newest product's photo (%s)", (format) => {
  const image = { key: "img/8c80", width: 800, height: 600, widths: [320, 640, 800], tone: "#ccc", format };
  const seller = { id: "0192f0c1-7a3b-4c5d-8e9f-001122334455", title: "Books", publicTitle: "Books", bannerUrl: null };
  const page = { seller: { ...seller, campusLocation: null, description: null }, products: [{ image }] };
  const tags = sellerMeta(page as unknown as SellerPage, "https://chuoni.test");
  const url = `https://chuoni.test/files/img/8c80/800.${format ?? "webp"}`;
  expect(tags).toContainEqual({ property: "og:image", content: url });
});
