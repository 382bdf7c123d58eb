import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  displayPhone,
  groupPhone,
  maskPhone,
  PHONE_FORMAT_ERROR,
  PHONE_REQUIRED_ERROR,
  readPhone,
} from "#app/accounts/profile/phone.ts";

describe("phones", () => {
  test.each([
    ["0712345678", "254712345678"],
    ["0112345678", "254112345678"],
    ["712345678", "254712345678"],
    ["112345678", "254112345678"],
    ["254712345678", "254712345678"],
    ["+254 712 345 678", "254712345678"],
    ["0712-345-678", "254712345678"],
    [" (0712) 345678 ", "254712345678"],
    ["(0712)345-678", "254712345678"],
    ["0 712 345 678", "254712345678"],
    ["+254 0712 345 678", "254712345678"],
    ["+254-0712-345-678", "254712345678"],
    ["+254 (0) 112 345 678", "254112345678"],
    ["00254712345678", "254712345678"],
    ["00254 0712 345 678", "254712345678"],
    ["2540712345678", "254712345678"],
    ["0712.345.678", "254712345678"],
    ["0712 – 345 678", "254712345678"],
    // As an address book copies it.
    ["\u202a+254\u00a0712\u00a0345678\u202c", "254712345678"],
  ])("%j is read as %s", (typed, phone) => {
    expect(readPhone(typed)).toEqual({ ok: true, phone });
  });

  test.each([
    "071234567",
    "07123456789",
    "0812345678",
    "0202345678",
    "254812345678",
    "255712345678",
    "hello",
    // A letter may stand for a digit that was missed.
    "254712345678x",
    "x0712345678",
    "0712 345 67b8",
    "O712345678",
    "07I2345678",
    "0712345678 Njeri",
    "0712345678#",
    "00712345678",
    "254254712345678",
    "000254712345678",
    "+00712345678",
    "+1 555 010 9999",
    "0".repeat(500),
    "٠٧١٢٣٤٥٦٧٨",
  ])("%j is refused with the format to use", (typed) => {
    expect(readPhone(typed)).toEqual({ ok: false, error: PHONE_FORMAT_ERROR });
  });

  test.each(["", "   "])("%j asks for a phone", (typed) => {
    expect(readPhone(typed)).toEqual({ ok: false, error: PHONE_REQUIRED_ERROR });
  });

  test("whatever is typed, what is accepted is a Kenyan mobile number, and reading it again changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\+?[0-9 ()-]{6,16}$/)), (typed) => {
        const reading = readPhone(typed);
        if (!reading.ok) return;
        expect(reading.phone).toMatch(/^254[17]\d{8}$/);
        expect(readPhone(reading.phone)).toEqual(reading);
        expect(readPhone(displayPhone(reading.phone))).toEqual(reading);
      }),
    );
  });

  test("a masked phone keeps neither its middle nor its length's secret digits", () => {
    expect(maskPhone("254712345678")).toBe("2547•••••678");
  });
});

test.each([
  ["", ""],
  ["07", "07"],
  ["0712", "0712"],
  ["07123", "0712 3"],
  ["0712345678", "0712 345 678"],
  ["712345678", "712 345 678"],
  ["254712345678", "254 712 345 678"],
  ["+254712", "+254 712"],
  ["0712-345 a67", "0712 345 67"],
])("%j is typed as %j", (typed, shown) => {
  expect(groupPhone(typed)).toBe(shown);
});

test("grouping changes no digit, and grouping twice changes nothing", () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const once = groupPhone(typed);
      expect(once.replace(/\D/g, "")).toBe(typed.replace(/\D/g, ""));
      expect(groupPhone(once)).toBe(once);
    }),
  );
});
