import { expect, test } from "vitest";
import { newcomerUntil } from "#app/accounts/trust/newcomer-rules.ts";
import { newcomerListingText, newcomerMessageText } from "#app/accounts/trust/newcomer-texts.ts";

const HOUR = 60 * 60_000;
/** 21 November 2026, 14:05 in East Africa. */
const SIGNED_UP = Date.UTC(2026, 10, 21, 11, 5);

test("an account is new until it is a day old and its email is confirmed, unless it is verified", () => {
  const account = { verifiedLevel: "email", emailConfirmedAt: SIGNED_UP, createdAt: SIGNED_UP } as const;
  expect(newcomerUntil(account, SIGNED_UP)).toBe(SIGNED_UP + 24 * HOUR);
  expect(newcomerUntil(account, SIGNED_UP + 24 * HOUR)).toBeNull();
  expect(newcomerUntil({ ...account, emailConfirmedAt: null }, SIGNED_UP + 48 * HOUR)).toBe("confirmed");
  expect(newcomerUntil({ ...account, verifiedLevel: "student" }, SIGNED_UP)).toBeNull();
  expect(newcomerUntil({ ...account, verifiedLevel: "business", emailConfirmedAt: null }, SIGNED_UP)).toBeNull();
});

test("the refusal says when it ends, in the time of East Africa", () => {
  const until = SIGNED_UP + 24 * HOUR;
  expect(newcomerListingText(until, SIGNED_UP + HOUR)).toBe(
    "You can post 5 listings on your first day. You can post more from tomorrow at 14:05, or right away once you're verified.",
  );
  expect(newcomerListingText(until, until - HOUR)).toContain("from today at 14:05");
  expect(newcomerListingText("confirmed", SIGNED_UP)).toContain("confirmed your email");
  expect(newcomerMessageText(until, SIGNED_UP + HOUR)).toBe(
    "You can message 5 new people on your first day. You can message more from tomorrow at 14:05, or right away once you're verified.",
  );
});
