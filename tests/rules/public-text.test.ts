import { expect, test } from "vitest";
import { withoutContacts } from "#app/platform/public-text.ts";

test.each([
  "0711223344",
  "0711 223 344",
  "+254 711-223-344",
  "254711223344",
  "0110.123.456",
  "grace.w+books@students.uonbi.ac.ke",
])("a public page doesn't say %j", (contact) => {
  expect(withoutContacts(`Ask ${contact}, any time`)).toBe("Ask (log in to see this), any time");
});

test.each(["Casio fx-991ES", "KES 1,900", "ISBN 9780711223344", "12 x 300 pieces", "@ the library", "2020-2024"])(
  "a public page says %j",
  (text) => {
    expect(withoutContacts(text)).toBe(text);
  },
);
