import { createCookie } from "react-router";
import { z } from "zod";

/** As long as the link to confirm the address, seconds. */
const LIFE_S = 24 * 60 * 60;

const pendingSchema = z.object({
  userId: z.string().max(64),
  email: z.string().max(254),
  warnings: z.array(z.enum(["incomplete", "document", "mail"])),
});

/** Who was asked to confirm an address, and what the screen that says so must tell besides. */
export type Pending = z.infer<typeof pendingSchema>;

/**
 * Carries an address from sign-up to "Check Your Email" in a signed cookie: addresses do not belong into paths and logs. It also
 * tells that whoever opens the link of this sign-up here is who signed up, and knows its password.
 */
export interface PendingEmail {
  read(request: Request): Promise<Pending | null>;
  /** The Set-Cookie. */
  write(pending: Pending): Promise<string>;
  clear(): Promise<string>;
}

/** `secrets`: newest first; older ones still verify. */
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
