import { expect, test } from "vitest";
import { formatKes, formatPrice, formatTotal } from "#app/ui/money.ts";

test("prices carry thousand separators", () => {
  expect([0, 7, 999, 1500, 34500, 1234567].map(formatKes)).toEqual([
    "KES 0",
    "KES 7",
    "KES 999",
    "KES 1,500",
    "KES 34,500",
    "KES 1,234,567",
  ]);
});

test("totals carry two decimals, and a giveaway reads Free", () => {
  expect(formatTotal(34500)).toBe("KES 34,500.00");
  expect(formatTotal(0)).toBe("KES 0.00");
  expect(formatPrice(0)).toBe("Free");
  expect(formatPrice(1)).toBe("KES 1");
});
