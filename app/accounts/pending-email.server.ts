import { createCookie } from "react-router";
import { z } from "zod";

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
 * Carries the email from sign-up to "Check Your Email" in a signed cookie, because emails do not belong in paths and logs. The cookie
 * also proves that the confirmation link is opened in the browser that signed up, so nobody has to enter the password again.
 */
export interface PendingEmail {
  read(request: Request): Promise<Pending | null>;
  /** The Set-Cookie header. */
  write(pending: Pending): Promise<string>;
  clear(): Promise<string>;
}

/** `secrets`: the newest first. Cookies signed with older ones are still read. */
export function createPendingEmail(options: { secrets: string[]; secure: boolean }): PendingEmail {
  const cookie = createCookie(options.secure ? "__Host-pending-email" : "pending-email", {
    secrets: options.secrets,
    httpOnly: true,
    sameSite: "lax",
    secure: options.secure,
    path: "/",
    maxAge: LIFE_S,
  });
  return {
    async read(request) {
      const parsed = pendingSchema.safeParse(await cookie.parse(request.headers.get("Cookie")));
      return parsed.success ? parsed.data : null;
    },
    write: (pending) => cookie.serialize(pending),
    clear: () => cookie.serialize("", { maxAge: 0 }),
  };
}
