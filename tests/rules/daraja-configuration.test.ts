import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCallbackToken } from "#app/payments/payment-services.ts";
import {
  callbackKindOf,
  callbackUrl,
  findCallbackOriginFaults,
  findCallbackUrlFaults,
  isCallbackToken,
} from "#workers/daraja/callback-urls.ts";
import { requireDarajaConfig, type DarajaConfig } from "#workers/daraja/config.ts";

const production: DarajaConfig = {
  mode: "production",
  baseUrl: "https://api.safaricom.co.ke",
  shortcode: "4100001",
  kind: "paybill",
  till: "",
  payoutShortcode: "3000001",
  initiator: "chuoni",
  consumerKey: "key",
  consumerSecret: "secret",
  passkey: "passkey",
  securityCredential: "credential",
  callbackOrigin: "https://chuoni.ac.ke",
  timeoutMs: 30_000,
};

describe("callback addresses", () => {
  test.each([
    ["push", "https://chuoni.ac.ke/hooks/pay/s/ab-12"],
    ["payout", "https://chuoni.ac.ke/hooks/pay/o/ab-12"],
    ["payout_timeout", "https://chuoni.ac.ke/hooks/pay/q/ab-12"],
    ["lookup", "https://chuoni.ac.ke/hooks/pay/l/ab-12"],
    ["lookup_timeout", "https://chuoni.ac.ke/hooks/pay/t/ab-12"],
  ] as const)("%s results come back to %s", (kind, url) => {
    expect(callbackUrl("https://chuoni.ac.ke", kind, "ab-12")).toBe(url);
    expect(findCallbackUrlFaults(url)).toEqual([]);
    expect(callbackKindOf(url.split("/").at(-2) ?? "")).toBe(kind);
  });

  test.each([
    "mpesa",
    "M-PESA",
    "m_pesa",
    "Safaricom",
    "exe",
    "EXEC",
    "cmd",
    "sql",
    "Query",
    "ngrok",
    "mockbin",
    "requestbin",
  ])("the word %s is found in the host and in the path, in either case", (word) => {
    for (const cased of [word, word.toLowerCase(), word.toUpperCase()]) {
      expect(findCallbackUrlFaults(`https://my${cased}.co.ke/hooks/pay/s/1`).join()).toMatch(
        /a word Safaricom refuses|not an address/,
      );
      expect(findCallbackUrlFaults(`https://chuoni.ac.ke/x${cased}y/1`).join()).toContain("a word Safaricom refuses");
    }
  });

  test.each([
    ["http://chuoni.ac.ke", "not https"],
    ["https://localhost:8787", "not reachable"],
    ["https://127.0.0.1", "not reachable"],
    ["https://chuoni.ac.ke/", "not just a scheme and a host"],
    ["https://chuoni.ac.ke/campus", "not just a scheme and a host"],
    ["https://Chuoni.ac.ke", "upper-case"],
    ["https://user@chuoni.ac.ke", "not just a scheme and a host"],
    ["", "not just a scheme and a host"],
    ["chuoni", "not just a scheme and a host"],
  ])("the origin %j is not fit for production: %s", (origin, fault) => {
    expect(findCallbackOriginFaults(origin).join()).toContain(fault);
  });

  test("no token that is accepted can spell a refused word, and every token we make is accepted", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f-]{16,64}$/), (token) => {
        expect(isCallbackToken(token)).toBe(true);
        expect(findCallbackUrlFaults(callbackUrl("https://chuoni.ac.ke", "push", token))).toEqual([]);
      }),
    );
    for (let made = 0; made < 100; made += 1) expect(isCallbackToken(newCallbackToken())).toBe(true);
    expect(isCallbackToken(crypto.randomUUID())).toBe(true);
  });

  test.each([
    "",
    "short",
    "../../admin/0123456789abcdef",
    "0123456789ABCDEF",
    "exe0123456789abcdef",
    "0123456789abcdef\n",
    "a".repeat(65),
  ])("%j is not taken as a token", (token) => {
    expect(isCallbackToken(token)).toBe(false);
  });
});

describe("the configuration", () => {
  test("a whole production configuration passes, as a paybill and as a till", () => {
    expect(() => requireDarajaConfig(production)).not.toThrow();
    expect(() => requireDarajaConfig({ ...production, kind: "till", till: "5100001" })).not.toThrow();
  });

  test.each([
    [{ callbackOrigin: "https://mpesa.chuoni.ac.ke" }, /callbackOrigin.*"mpesa"/],
    [{ baseUrl: "http://api.safaricom.co.ke" }, /baseUrl/],
    [{ shortcode: "" }, /shortcode/],
    [{ payoutShortcode: "abc" }, /payoutShortcode/],
    [{ kind: "till" as const }, /till/],
    [{ passkey: "" }, /passkey is empty/],
    [{ securityCredential: "" }, /securityCredential is empty/],
  ])("production refuses %j and names the setting", (change, message) => {
    expect(() => requireDarajaConfig({ ...production, ...change })).toThrow(message);
  });

  test("the message never holds a secret", () => {
    const broken = {
      ...production,
      consumerKey: "KEY-1",
      consumerSecret: "SECRET-2",
      passkey: "PASS-3",
      securityCredential: "CRED-4",
      shortcode: "",
    };
    expect(() => requireDarajaConfig(broken)).toThrow(/^(?!.*(KEY-1|SECRET-2|PASS-3|CRED-4)).*shortcode/);
  });

  test("the sandbox takes localhost", () => {
    expect(() =>
      requireDarajaConfig({ ...production, mode: "sandbox", callbackOrigin: "http://localhost:8787", shortcode: "" }),
    ).not.toThrow();
  });
});
