import fc from "fast-check";
import { expect, test } from "vitest";
import { CHART_DAYS, chartDays, chartTop, dayOf, dayStart, readDeskGroup, readOrderNumber } from "#app/orders/sales-rules.ts";
import { hourLines, readHours, refuseTimes, type WeekHours, WEEKDAYS, writeHours } from "#app/shops/hours-rules.ts";
import { readShop, readShopForm, shopValues } from "#app/shops/shop-form.ts";

test("a day begins at midnight in Nairobi", () => {
  const midnight = Date.UTC(2026, 10, 20, 21);
  expect(dayOf(midnight)).toBe(dayOf(midnight - 1) + 1);
  expect(dayStart(dayOf(midnight))).toBe(midnight);
});

test("the chart shows thirty days up to today, sold or not, and every bar fits under its top", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ day: fc.integer({ min: 20_000, max: 20_060 }), sales: fc.nat(9), revenue: fc.nat(2_000_000) }), { maxLength: 40 }), (sold) => {
      const today = 20_050;
      const days = chartDays(sold, today);
      expect(days.map(({ day }) => day)).toEqual(Array.from({ length: CHART_DAYS }, (_, at) => today - 29 + at));
      const top = chartTop(Math.max(...days.map(({ revenue }) => revenue)));
      expect(days.every(({ revenue }) => revenue <= top)).toBe(true);
    }),
  );
  expect([0, 1, 7, 199, 2_001, 50_000].map(chartTop)).toEqual([1, 1, 10, 200, 5_000, 50_000]);
});

test("an order's number is found however it is typed, and nothing else passes for one", () => {
  expect(["0a1b2c3d", " #0A1B2C3D ", "Order #0a1b2c3d", "ORD0A1B2C3D"].map(readOrderNumber)).toEqual(Array.from({ length: 4 }, () => "0a1b2c3d"));
  expect(["", "0a1", "kettle", "0a1b%", "' OR 1=1", "a".repeat(37)].map(readOrderNumber)).toEqual(Array.from({ length: 6 }, () => null));
  expect([readDeskGroup("shipped"), readDeskGroup("lost"), readDeskGroup(null)]).toEqual(["shipped", null, null]);
});

test("hours are read from ranges of days, and anything else stays the text it was", () => {
  const hours = readHours(JSON.stringify({ "Mon–Fri": "8:00–18:30", Sat: "9:00–15:00", Sun: "Closed" }));
  if (hours.kind !== "week") throw new Error("not a week");
  expect(hours.week.Fri).toEqual({ from: "08:00", to: "18:30" });
  expect(hours.week.Sun).toBeNull();
  expect(hourLines(hours.week)).toEqual([
    ["Mon–Fri", "08:00–18:30"],
    ["Sat", "09:00–15:00"],
    ["Sun", "Closed"],
  ]);
  for (const text of ["Weekends after choir", '{"Mon":"late"}', '{"Someday":"8:00–9:00"}', '{"Fri-Mon":"8:00-9:00"}', "[1]", "{"]) expect(readHours(text)).toEqual({ kind: "text", text });
  expect([readHours(null), readHours("  ")]).toEqual([{ kind: "none" }, { kind: "none" }]);
});

test("a week comes back from the store as it was set", () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 })).map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
  const day = fc.option(fc.record({ from: time, to: time }));
  const weeks = fc.record(Object.fromEntries(WEEKDAYS.map((name) => [name, day])) as Record<(typeof WEEKDAYS)[number], typeof day>);
  fc.assert(
    fc.property(weeks, (week: WeekHours) => {
      expect(readHours(writeHours({ kind: "week", week }))).toEqual({ kind: "week", week });
    }),
  );
});

test("a shop needs a name and hours that can be kept; blank texts are none", () => {
  const empty = readShopForm(new FormData());
  expect(readShop(empty)).toEqual({ ok: false, errors: { shopName: "Shop name is required" } });
  expect(readShop({ ...empty, shopName: "   " })).toMatchObject({ ok: false });

  const form = new FormData();
  for (const [name, value] of Object.entries({ shopName: " Duka ", hoursKind: "week", openMon: "on", fromMon: "08:00", toMon: "18:00", openTue: "on", fromTue: "18:00", toTue: "08:00", policies: "  " })) form.set(name, value);
  expect(readShop(readShopForm(form))).toEqual({ ok: false, errors: { fromTue: "Closing has to come after opening" } });
  form.set("toTue", "20:00");
  expect(readShop(readShopForm(form))).toEqual({
    ok: true,
    details: {
      shopName: "Duka",
      description: null,
      businessHours: '{"Mon":"08:00–18:00","Tue":"18:00–20:00","Wed–Sun":"Closed"}',
      policies: null,
      offersDelivery: false,
      preferredContact: null,
      banner: null,
    },
  });
  expect(refuseTimes({ from: "", to: "18:00" })).toBe("Please set when you open and close");
});

test("what a shop keeps comes back into its form", () => {
  const values = shopValues({ shopName: "Duka", businessHours: "After class", offersDelivery: true }, "img/1");
  expect(values).toMatchObject({ shopName: "Duka", hoursKind: "text", hoursText: "After class", offersDelivery: true, banner: "img/1", description: "" });
  expect(shopValues(null, "")).toMatchObject({ shopName: "", hoursKind: "none", banner: "" });
});
