import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isImei, readSerial, SERIAL_ERRORS, SERIAL_LENGTH, serialEnding } from "#app/catalogue/serials/serial-rules.ts";
import { hasSerial } from "#app/catalogue/serials/serial-types.ts";
import { KEPT_TABLE } from "#app/catalogue/types/type-table.ts";

const digits = (length: number) => fc.stringMatching(new RegExp(String.raw`^\d{${length}}$`));
/** An IMEI: fourteen digits, not all the same, and their check digit. */
const imei = digits(14)
  .filter((text) => new Set(text).size > 1)
  .map((text) => `${text}${"0123456789".split("").find((check) => isImei(text + check))}`);

describe("a serial number", () => {
  test.each([
    ["49-015420-323751-8", "490154203237518"],
    ["IMEI: 490154203237518", "490154203237518"],
    ["４９０１５４２０３２３７５１８", "490154203237518"],
    ["s/n 5cd1234xyz", "5CD1234XYZ"],
    ["5CD 1234 XYZ", "5CD1234XYZ"],
    ["SNAKE12345", "SNAKE12345"],
  ])("%s is %s", (typed, serial) => {
    expect(readSerial(typed)).toEqual({ ok: true, serial });
  });

  test.each([
    ["", SERIAL_ERRORS.length],
    ["12345", SERIAL_ERRORS.length],
    ["A1".repeat(13), SERIAL_ERRORS.length],
    ["SNAKESNAKE", SERIAL_ERRORS.length],
    ["nambari ya simu", SERIAL_ERRORS.length],
    ["UNKNOWN", SERIAL_ERRORS.length],
    ["ABCDEF1", SERIAL_ERRORS.length],
    ["5CD123", SERIAL_ERRORS.length],
    ["iPhone 13", SERIAL_ERRORS.made_up],
    ["Galaxy A14 5G", SERIAL_ERRORS.made_up],
    ["0000000", SERIAL_ERRORS.made_up],
    ["1234567", SERIAL_ERRORS.made_up],
    ["7654321", SERIAL_ERRORS.made_up],
    ["1234567890", SERIAL_ERRORS.made_up],
    ["490154203237519", SERIAL_ERRORS.imei],
    ["49015420323751", SERIAL_ERRORS.imei],
    ["000000000000000", SERIAL_ERRORS.imei],
    ["серийный", SERIAL_ERRORS.length],
  ])("%s is none", (typed, error) => {
    expect(readSerial(typed)).toEqual({ ok: false, error });
  });

  test("is the same however it is spaced and dashed, and one wrong digit of an IMEI is found", () => {
    const gap = fc.constantFrom("", " ", "-", "/", ".", "\u{200B}");
    fc.assert(
      fc.property(
        imei,
        fc.array(gap, { minLength: 15, maxLength: 15 }),
        fc.nat(14),
        fc.integer({ min: 1, max: 9 }),
        (code, gaps, at, more) => {
          const spaced = [...code].map((digit, n) => digit + gaps[n]).join("");
          expect(readSerial(spaced)).toEqual({ ok: true, serial: code });
          const wrong = [...code].with(at, String((Number(code[at]) + more) % 10)).join("");
          expect(isImei(wrong)).toBe(false);
        },
      ),
    );
  });

  test("is none where its digits count up or down, or are all the same, and is one with one digit changed", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.constantFrom(0, 1, 9), fc.integer({ min: 7, max: 13 }), (from, step, length) => {
        const made = Array.from({ length }, (_, at) => (from + at * step) % 10);
        expect(readSerial(made.join(""))).toEqual({ ok: false, error: SERIAL_ERRORS.made_up });
        const changed = made.with(3, ((made[3] ?? 0) + 5) % 10).join("");
        expect(readSerial(changed)).toEqual({ ok: true, serial: changed });
      }),
    );
  });

  test("has two digits, wherever they are", () => {
    const letters = fc.stringMatching(/^[A-Z]{0,8}$/);
    fc.assert(
      fc.property(letters, fc.nat(9), letters, fc.nat(9), letters, (a, first, b, second, c) => {
        const two = readSerial(`Z${a}${first}${b}${second}${c}`);
        const length = 3 + a.length + b.length + c.length;
        expect(two.ok).toBe(length >= SERIAL_LENGTH.min && length <= SERIAL_LENGTH.max);
        expect(readSerial(`Z${a}${first}${b}${c}`)).toEqual({ ok: false, error: SERIAL_ERRORS.length });
      }),
    );
  });

  test("is letters and digits of ours, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (typed) => {
        const reading = readSerial(typed);
        if (!reading.ok) return;
        expect(reading.serial).toMatch(/^(?:[A-Z]*\d){2}[A-Z0-9]*$/);
        expect(reading.serial.length).toBeGreaterThanOrEqual(SERIAL_LENGTH.min);
        expect(readSerial(reading.serial)).toEqual(reading);
        expect(serialEnding(reading.serial)).toHaveLength(4);
      }),
    );
  });
});

test("phones, laptops and tablets have one, and nothing that is for them", () => {
  const has = (type: string | null) => hasSerial(type, KEPT_TABLE);
  expect(["phone", "laptop", "tablet"].map(has)).toEqual([true, true, true]);
  expect(["laptop-battery", "charger", "textbook", "no-such-type", null].map(has)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
