import { createHmac } from "node:crypto";
import { createCookie } from "react-router";
import { z } from "zod";
import { normalizeEmail } from "./account-rules.ts";

const YEAR_S = 365 * 24 * 60 * 60;
/** How many accounts one device remembers. The oldest is forgotten first. */
const MAX_ACCOUNTS = 8;

const markSchema = z.object({ id: z.uuid(), accounts: z.array(z.string().max(64)).max(MAX_ACCOUNTS) });

/** A device on which somebody has logged in before. */
export type DeviceMark = z.infer<typeof markSchema>;

/**
 * Remembers in a signed cookie which accounts have logged in on this device. So wrong passwords from elsewhere never
 * lock owners out of their own phone (OWASP: "Slow down online guessing attacks with device cookies").
 */
export interface Devices {
  read(request: Request): Promise<DeviceMark | null>;
  /** The Set-Cookie header for a device that now also knows this account. */
  remember(request: Request, email: string): Promise<string>;
}

/** `secrets`: the newest first. The older ones still verify. */
export function createDevices(options: { secrets: string[]; secure: boolean; pepper: string }): Devices {
  const cookie = createCookie(options.secure ? "__Host-device" : "device", {
    secrets: options.secrets,
    httpOnly: true,
    sameSite: "lax",
    secure: options.secure,
    path: "/",
    maxAge: YEAR_S,
  });
  async function read(request: Request): Promise<DeviceMark | null> {
    const parsed = markSchema.safeParse(await cookie.parse(request.headers.get("Cookie")));
    return parsed.success ? parsed.data : null;
  }
  return {
    read,
    async remember(request, email) {
      const mark = (await read(request)) ?? { id: crypto.randomUUID(), accounts: [] };
      const key = accountKey(email, options.pepper);
      const accounts = [key, ...mark.accounts.filter((known) => known !== key)].slice(0, MAX_ACCOUNTS);
      return cookie.serialize({ id: mark.id, accounts } satisfies DeviceMark);
    },
  };
}

/** Whether somebody has logged in to the account on this device before. */
export function knowsAccount(
  { passwordPepper }: { passwordPepper: string },
  device: DeviceMark | null,
  email: string,
): device is DeviceMark {
  return device !== null && device.accounts.includes(accountKey(email, passwordPepper));
}

/**
 * Whether a request comes from a phone, which usually has one owner. The browser says so in a client hint or in its
 * User-Agent.
 */
export function isPhone(headers: Headers): boolean {
  const hint = headers.get("Sec-CH-UA-Mobile");
  return hint === null ? /Mobi|Android|Opera Mini/i.test(headers.get("User-Agent") ?? "") : hint === "?1";
}

/** Names an account in counters and cookies without revealing its email. Works for unregistered emails, too. */
export function accountKey(email: string, pepper: string): string {
  return createHmac("sha256", pepper)
    .update(`account:${normalizeEmail(email)}`)
    .digest("base64url")
    .slice(0, 22);
}
