import fc from "fast-check";
import { expect, test } from "vitest";
import { countOf, readShopPlace, rotationTurn, sellerTitle, writeShopPlace } from "#app/shops/shop-rules.ts";

test("a seller is called by the shop, then by the person, then Seller", () => {
  expect(sellerTitle({ shopName: "Otieno Tech Corner", fullName: "Brian Otieno" })).toBe("Otieno Tech Corner");
  expect(sellerTitle({ shopName: " ", fullName: "Brian Otieno" })).toBe("Brian Otieno");
  expect(sellerTitle({ shopName: null, fullName: "" })).toBe("Seller");
});

test("counts are exact up to 1,000", () => {
  expect([0, 1, 2, 1_000, 1_001].map((count) => countOf(count, "follower", "followers"))).toEqual([
    "0 followers",
    "1 follower",
    "2 followers",
    "1,000 followers",
    "1,000+ followers",
  ]);
});

test("over as many hours as there are featured shops, each begins and follows equally often", () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 100 }), fc.integer({ min: 0, max: 4e12 }), (total, since) => {
      const shown = new Map<number, number>();
      for (let hour = 0; hour < total; hour += 1) {
        const turn = rotationTurn(since + hour * 3_600_000);
        for (let place = 0; place < 6; place += 1)
          shown.set((turn + place) % total, (shown.get((turn + place) % total) ?? 0) + 1);
      }
      expect([...shown.values()]).toEqual(Array.from({ length: total }, () => 6));
    }),
  );
});

test("a place in the list of shops is read in the order that it was written for, and in no other", () => {
  const place = { score: 4_166, createdAt: 1_700_000_000_000, id: "0f3c8a52-1d8e-4c5a-9d43-2f6a7f1b9c10" };
  expect(readShopPlace(writeShopPlace(place, "rated"), "rated")).toEqual(place);
  expect(readShopPlace(writeShopPlace(place, "newest"), "newest")).toEqual({ ...place, score: 0 });
  expect(readShopPlace(writeShopPlace(place, "newest"), "rated")).toBeNull();
  expect(readShopPlace(writeShopPlace(place, "rated"), "newest")).toBeNull();
  for (const text of [null, "", "1", "1.2", "-1.2.x", `1.${place.id}.2`])
    expect(readShopPlace(text, "rated")).toBeNull();
});
