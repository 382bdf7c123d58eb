import { z } from "zod";
import { type CookieOptions, createSignedCookie, type SignedCookie } from "#app/platform/signed-cookie.server.ts";

/** Seconds; as long as the confirmation link works. */
const LIFE_S = 24 * 60 * 60;

const pendingSchema = z.object({
  userId: z.string().max(64),
  email: z.string().max(254),
  warnings: z.array(z.enum(["incomplete", "document", "mail"])),
  /** The screen that they asked for before they signed up. */
  to: z.string().max(500).nullable().default(null),
});

/** Who was asked to confirm their email, and what "Check Your Email" must warn about. */
export type Pending = z.infer<typeof pendingSchema>;

/**
 * Carries the email from sign-up to "Check Your Email" in a signed cookie, because emails do not belong in paths and
 * logs. The cookie also proves that the confirmation link is opened in the browser that signed up, so nobody has to
 * enter the password again.
 */
export type PendingEmail = SignedCookie<Pending>;

export function createPendingEmail(options: CookieOptions): PendingEmail {
  const name = options.secure ? "__Host-pending-email" : "pending-email";
  return createSignedCookie(name, pendingSchema, LIFE_S, options);
}
