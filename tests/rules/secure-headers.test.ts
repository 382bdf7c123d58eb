import { expect, test } from "vitest";
import { secureHeaders } from "#workers/secure-headers.ts";

test("scripts run only with the answer's own nonce", () => {
  const policy = new Map(secureHeaders("n0nce", { dev: false, secure: true })).get("Content-Security-Policy") ?? "";
  const scripts = policy.split("; ").find((part) => part.startsWith("script-src"));
  expect(scripts).toBe("script-src 'self' 'nonce-n0nce'");
  expect(policy).toContain("frame-ancestors 'none'");
});

test("browsers are told to insist on HTTPS only where we are served over it", () => {
  const names = (secure: boolean) => secureHeaders("n", { dev: false, secure }).map(([name]) => name);
  expect(names(true)).toContain("Strict-Transport-Security");
  expect(names(false)).not.toContain("Strict-Transport-Security");
});
