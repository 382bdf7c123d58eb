import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeAt, otpAddress, periodAt, periodOf, toBase32 } from "#app/accounts/two-step/totp.server.ts";
import { decryptFor, encryptFor, hashRecoveryCode, newRecoveryCodes } from "#app/accounts/two-step/secrets.server.ts";
import { RECOVERY_CODES, readStepCode, showRecoveryCode } from "#app/accounts/two-step/two-step-rules.ts";

/** The secret of the test vectors. */
const SECRET = new TextEncoder().encode("12345678901234567890");

describe("codes of an authenticator app", () => {
  // RFC 6238, appendix B, the rows of SHA-1.
  test.each([
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ])("at %i s the code is %s", (seconds, code) => {
    expect(codeAt(SECRET, periodAt(seconds * 1000), 8)).toBe(code);
    expect(codeAt(SECRET, periodAt(seconds * 1000))).toBe(code.slice(2));
  });

  // RFC 4226, appendix D.
  test("the first ten codes of a counter", () => {
    const codes = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ");
    expect(codes.map((_, counter) => codeAt(SECRET, counter))).toEqual(codes);
  });

  test("count in their own period and in those beside it, and in no other", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 10, max: 100_000_000 }),
        fc.integer({ min: -5, max: 5 }),
        (secret, period, off) => {
          const found = periodOf(secret, codeAt(secret, period + off), period * 30_000 + 7);
          // Two periods may have the same code by chance.
          if (Math.abs(off) <= 1) expect(found).not.toBeNull();
          else if (found !== null) expect(codeAt(secret, found)).toBe(codeAt(secret, period + off));
        },
      ),
    );
  });

  test("the address of the QR code holds the secret in Base32", () => {
    expect(toBase32(SECRET)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    expect(otpAddress(SECRET, { issuer: "Chuoni", account: "amina@campus.test" })).toBe(
      "otpauth://totp/Chuoni:amina%40campus.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Chuoni",
    );
  });
});

describe("what the database keeps", () => {
  test("a secret opens for its own account and with its own pepper only", async () => {
    const sealed = await encryptFor("amina", new Uint8Array(SECRET), "pepper");
    expect(Buffer.from(sealed, "base64url").includes(SECRET)).toBe(false);
    expect(await decryptFor("amina", sealed, "pepper")).toEqual(new Uint8Array(SECRET));
    expect(await decryptFor("brian", sealed, "pepper")).toBeNull();
    expect(await decryptFor("amina", sealed, "another")).toBeNull();
  });

  test("recovery codes differ, are read however they are typed, and are kept as keyed hashes", () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(RECOVERY_CODES);
    for (const code of codes) {
      for (const typed of [code, showRecoveryCode(code), ` ${showRecoveryCode(code).toUpperCase()} `])
        expect(readStepCode(typed)).toEqual({ kind: "recovery", code });
      expect(hashRecoveryCode("amina", code, "pepper")).not.toBe(hashRecoveryCode("brian", code, "pepper"));
    }
  });
});

test("six digits are a code of the app, and anything else is none", () => {
  expect(readStepCode("123 456")).toEqual({ kind: "app", code: "123456" });
  for (const typed of ["", "12345", "1234567", "abc", "abcde-fghj!", "o".repeat(10)])
    expect(readStepCode(typed)).toBeNull();
});
