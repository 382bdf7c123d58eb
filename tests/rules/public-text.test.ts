import fc from "fast-check";
import { expect, test } from "vitest";
import { publicSellerName, publicShopTitle } from "#app/accounts/profile/public-names.ts";
import { nameError } from "#app/accounts/trust/name-rules.ts";
import { contactWarning } from "#app/safety/contact-warning-rules.ts";
import { foldText } from "#app/platform/folded-text.ts";
import { publicName, withoutContacts } from "#app/safety/public-text-rules.ts";
import { readShop } from "#app/shops/shop-check-rules.ts";
import { readShopForm } from "#app/shops/shop-form-rules.ts";

function warns(text: string): boolean {
  return contactWarning(text, "https://chuoni.test") !== null;
}

function shopNameError(shopName: string): string | undefined {
  const form = new FormData();
  form.set("shopName", shopName);
  const read = readShop(readShopForm(form));
  return read.ok ? undefined : read.errors.shopName;
}

test.each([
  "0711223344",
  "0711 223 344",
  "0711 - 223 - 344",
  "+254 711-223-344",
  "254711223344",
  "00254711223344",
  "0110.123.456",
  "(0712) 345 678",
  "+254 (0)712 345678",
  "07\u200B12\u2060345678",
  "0712–345–678",
  "0712—345‑678",
  "０７１２３４５６７８",
  "٠٧١٢ ٣٤٥ ٦٧٨",
  "०७१२३४५६७८",
  "⓿❼❶❷❸❹❺❻❼❽",
  "⓪➆➀➁ ➂➃➄ ➅➆➇",
  "0712/345/678",
  "0712*345*678",
  "0_7_1_2_3_4_5_6_7_8",
  "o712 345 678",
  "grace.w+books@students.uonbi.ac.ke",
  "grace＠gmail.com",
])("public pages, names and messages recognize %j", (contact) => {
  expect(withoutContacts(`Ask ${contact}, any time`)).toBe("Ask (log in to see this), any time");
  expect(publicName(`Ask ${contact}`)).toBe("Ask …");
  expect(warns(`Ask ${contact}, any time`)).toBe(true);
  expect(nameError(`Kettle, ask ${contact}`, "listing")).toMatch(/phone and till numbers, emails/);
  expect(shopNameError(`Grace ${contact}`)).toMatch(/phone and till numbers, emails/);
});

test.each(["Call0712345678", "tel-0712345678", "#0712345678", "0712345678or SMS", "see wa.me/254712345678"])(
  "a number that touches a word is recognized: %j",
  (text) => {
    expect(withoutContacts(text)).toContain("(log in to see this)");
    expect(withoutContacts(text)).not.toMatch(/\d/);
    expect(warns(text)).toBe(true);
    expect(nameError(text, "listing")).not.toBeNull();
  },
);

test.each([
  "Casio fx-991ES",
  "KES 1,900",
  "KES 712,345,678",
  "Ksh 1,071,234,567",
  "ISBN 9780711223344",
  "ISBN 978 0 7123 4567 8",
  "ISBN 0198534531",
  "ISBN-10: 0-7123-4567-1",
  "12 x 300 pieces",
  "@ the library",
  "3 pieces @1.500",
  "2020-2024",
  "Free from 01.12.2026 10:30",
  "Part 1a2b3c4d-0712-4567-8901-123456789012",
  "Scale 10.0712345678",
  "Café “Mwangaza” – open late",
])("nobody hides %j", (text) => {
  expect(withoutContacts(text)).toBe(text);
  expect(publicName(text)).toBe(text);
  expect(warns(text)).toBe(false);
  expect(nameError(text, "listing")).toBeNull();
  // The names of things alone have long numbers.
  if (!/\d{5}/.test(text)) expect(shopNameError(text)).toBeUndefined();
});

test("a name that was nothing but a contact gives way to another", () => {
  expect(publicSellerName({ shopName: "0712 345 678", fullName: "Grace Wambui" })).toBe("Grace");
  expect(publicShopTitle({ shopName: "grace@gmail.com", fullName: "Grace Wambui" })).toBe("Grace's shop");
  expect(publicShopTitle({ shopName: "Gadgets (0712) 345 678", fullName: null })).toBe("Gadgets …");
});

// A pattern that backtracks would take many minutes for one of them, far beyond a test's time.
test("hostile texts are cleaned in time in proportion to their length", () => {
  for (const piece of [
    "0 ",
    "0",
    "07",
    "0(",
    "(0",
    "a.",
    "x@",
    "a.b@",
    "+254 ",
    "2 5 4 0 ",
    "call",
    "o ",
    "97 8",
    "\u200B ",
  ]) {
    expect(withoutContacts(piece.repeat(50_000 / piece.length)).length).toBeLessThanOrEqual(50_000);
  }
});

test("a text is folded to at most four times its length, whatever it is made of", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 0x10ffff })), (codes) => {
      const text = String.fromCodePoint(...codes);
      expect(foldText(text).plain.length).toBeLessThanOrEqual(4 * text.length);
    }),
  );
  expect(foldText("\ufdfa".repeat(2_000)).plain).toHaveLength(2_000);
});
