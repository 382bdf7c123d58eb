import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readOrderGroup,
  readOrderPlace,
  readOrderNumber,
  todoList,
  writeOrderPlace,
} from "#app/screens/my-shop/sales-rules.ts";
import {
  hoursInWords,
  noHours,
  readHours,
  refuseTimes,
  type WeekHours,
  WEEKDAYS,
  writeHours,
} from "#app/shops/hours-rules.ts";
import { readShop } from "#app/shops/shop-check-rules.ts";
import { readShopForm, SHOP_MAX, shopValues } from "#app/shops/shop-form-rules.ts";

test("what waits for a seller is listed by urgency, and leads to the one thing or to the list", () => {
  const none = { count: 0, one: null };
  const waiting = { answer: none, meeting: none, contact: none, hand_over: none, offer: none, confirm: none };
  expect(todoList(waiting)).toEqual([]);
  const one = todoList({ ...waiting, offer: { count: 1, one: "buyer" }, answer: { count: 1, one: "item" } });
  expect(one.map(({ text, to }) => [text, to])).toEqual([
    ["Answer 1 problem or cancellation", "/seller/orders/item"],
    ["Answer 1 offer", "/profile?tab=messages&with=buyer"],
  ]);
  const many = todoList({
    answer: { count: 2, one: "a" },
    meeting: { count: 6, one: "f" },
    contact: { count: 3, one: "b" },
    hand_over: { count: 1_001, one: "c" },
    offer: { count: 4, one: "d" },
    confirm: { count: 5, one: null },
  });
  expect(many.map(({ text, to }) => [text, to])).toEqual([
    ["Answer 2 problems or cancellations", "/myshop?tab=orders&show=processing#shop-lists"],
    ["Answer 6 meetings", "/myshop?tab=orders#shop-lists"],
    ["Message 3 buyers", "/myshop?tab=orders&show=new#shop-lists"],
    ["Hand over 1,000+ orders", "/myshop?tab=orders&show=processing#shop-lists"],
    ["Answer 4 offers", "/profile?tab=messages"],
    ["Still selling 5 listings?", "/myshop/still-available"],
  ]);
});

test("an order's number is found however it is typed, and nothing else passes for one", () => {
  expect(["0a1b2c3d", " #0A1B2C3D ", "Order #0a1b2c3d", "ORD0A1B2C3D"].map(readOrderNumber)).toEqual(
    Array.from({ length: 4 }, () => "0a1b2c3d"),
  );
  expect(["", "0a1", "kettle", "0a1b%", "' OR 1=1", "a".repeat(37)].map(readOrderNumber)).toEqual(
    Array.from({ length: 6 }, () => null),
  );
  expect([readOrderGroup("shipped"), readOrderGroup("lost"), readOrderGroup(null)]).toEqual(["shipped", null, null]);
});

describe("Business hours", () => {
  const office = {
    Mon: { from: "08:00", to: "18:30" },
    Tue: { from: "08:00", to: "18:30" },
    Wed: { from: "08:00", to: "18:30" },
    Thu: { from: "08:00", to: "18:30" },
    Fri: { from: "08:00", to: "18:30" },
    Sat: null,
    Sun: null,
  };
  test.each([
    ['{"Mon–Fri":"8:00–18:30","sun":"Closed"}', office, "Mon–Fri: 08:00–18:30\nSat–Sun: Closed"],
    [
      '{"monday - friday":" 08:00 - 18:30 ","Saturday":{"closed":true},"sunday":null}',
      office,
      "Mon–Fri: 08:00–18:30\nSat–Sun: Closed",
    ],
    [
      '{"sat":{"open":"9:00","close":"13:00"},"Sun":""}',
      { ...noHours(), Sat: { from: "09:00", to: "13:00" } },
      "Mon–Fri: Closed\nSat: 09:00–13:00\nSun: Closed",
    ],
  ])("reads %s as a week", (stored, week, words) => {
    expect(readHours(stored)).toEqual({ kind: "week", week });
    expect(hoursInWords(readHours(stored))).toBe(words);
  });

  test.each([
    ["Weekends, after choir", "Weekends, after choir"],
    ['{"Mon":"late","exam weeks":null}', "Mon: late\nExam weeks: Closed"],
    ['{"Someday":"8:00–9:00"}', "Someday: 8:00–9:00"],
    ['{"Fri-Mon":"8:00-9:00"}', "Fri-Mon: 8:00-9:00"],
    ['{"M":"8:00-25:00"}', "M: 8:00-25:00"],
    ['{"monday":[1,2]}', '{"monday":[1,2]}'],
    ["[1]", "[1]"],
    ["24", "24"],
    ["{", "{"],
  ])("reads %s as text", (stored, text) => {
    expect(readHours(stored)).toEqual({ kind: "text", text });
    expect(hoursInWords(readHours(stored))).toBe(text);
  });

  test.each([null, "", "  ", "{}"])("reads %j as nothing said", (stored) => {
    expect(readHours(stored)).toEqual({ kind: "none" });
    expect(hoursInWords(readHours(stored))).toBeNull();
  });

  test("read the same after they were opened in the editor and saved untouched, whatever was stored", () => {
    const spoken = fc
      .dictionary(
        fc.constantFrom("Mon", "tuesday", "Wed–Fri", "exams"),
        fc.constantFrom("8:00–9:30", "late", "closed", null, { open: "7:00", close: "8:00" }),
      )
      .map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), spoken), (stored) => {
        const before = readHours(stored);
        const saved = readShop(shopValues({ shopName: "Duka", businessHours: stored }));
        if (!saved.ok) throw new Error("untouched settings were refused");
        expect(hoursInWords(readHours(saved.details.businessHours))).toBe(hoursInWords(before));
      }),
    );
  });
});

test("a week comes back from the store as it was set", () => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);
  const day = fc.option(fc.record({ from: time, to: time }));
  const weeks = fc.record(
    Object.fromEntries(WEEKDAYS.map((name) => [name, day])) as Record<(typeof WEEKDAYS)[number], typeof day>,
  );
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
  for (const [name, value] of Object.entries({
    shopName: " Duka ",
    hoursKind: "week",
    openMon: "on",
    fromMon: "08:00",
    toMon: "18:00",
    openTue: "on",
    fromTue: "18:00",
    toTue: "18:00",
    policies: "  ",
  }))
    form.set(name, value);
  expect(readShop(readShopForm(form))).toEqual({
    ok: false,
    errors: { fromTue: "Opening and closing times are the same" },
  });
  form.set("toTue", "02:00");
  expect(readShop(readShopForm(form))).toEqual({
    ok: true,
    details: {
      shopName: "Duka",
      description: null,
      businessHours: '{"Mon":"08:00–18:00","Tue":"18:00–02:00","Wed–Sun":"Closed"}',
      policies: null,
      offersDelivery: false,
      preferredContact: null,
      banner: null,
      logo: null,
    },
  });
  expect(refuseTimes({ from: "", to: "18:00" })).toBe("Please set opening and closing times");
});

test("a text with line breaks may be as long as its field allows, although browsers send two characters for each", () => {
  const typed = "No returns\n".repeat(200).slice(0, SHOP_MAX.policies);
  const form = new FormData();
  form.set("policies", typed.replaceAll("\n", "\r\n"));
  expect(readShopForm(form).policies).toBe(typed);
});

test("what a shop keeps comes back into its form", () => {
  const values = shopValues(
    { shopName: "Duka", businessHours: "After class", offersDelivery: true },
    { banner: "img/1", logo: "img/2" },
  );
  expect(values).toMatchObject({
    shopName: "Duka",
    hoursKind: "text",
    hoursText: "After class",
    offersDelivery: true,
    banner: "img/1",
    logo: "img/2",
    description: "",
  });
  expect(shopValues(null)).toMatchObject({ shopName: "", hoursKind: "none", banner: "" });
});

test("a place in the list of open items is read as it was written, and nothing else passes for one", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 6 }),
      fc.integer({ min: 0, max: 4_000_000_000_000 }),
      fc.uuid(),
      (rank, at, id) => {
        expect(readOrderPlace(writeOrderPlace({ rank, at, id }))).toEqual({ rank, at, id });
      },
    ),
  );
  const id = "0a1b2c3d-0000-4000-8000-000000000000";
  for (const text of [null, "", `1.${id}`, `7.1.${id}`, `1.-1.${id}`, `1.1.${id}x`, "1.1.x"])
    expect(readOrderPlace(text)).toBeNull();
});
