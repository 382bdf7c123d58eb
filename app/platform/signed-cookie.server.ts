import { createCookie } from "react-router";
import type { z } from "zod";

/** What all cookies of this site share. `secrets`: the newest first. Cookies signed with older ones are still read. */
export interface CookieOptions {
  secrets: string[];
  /** Whether the site has HTTPS. */
  secure: boolean;
}

/** A value that a browser carries for a while. Only we can set it, and scripts can't read it. */
export interface SignedCookie<Value> {
  /** Null where there is none, and for one that is too old, forged or of another shape. */
  read(request: Request): Promise<Value | null>;
  /** The Set-Cookie header. */
  write(value: Value): Promise<string>;
  /** The Set-Cookie header that deletes it. */
  clear(): Promise<string>;
}

/** `lifeS`: how long browsers keep it, in seconds. */
export function createSignedCookie<Value>(
  name: string,
  schema: z.ZodType<Value>,
  lifeS: number,
  { secrets, secure }: CookieOptions,
): SignedCookie<Value> {
  const cookie = createCookie(name, { secrets, httpOnly: true, sameSite: "lax", secure, path: "/", maxAge: lifeS });
  return {
    async read(request) {
      const parsed = schema.safeParse(await cookie.parse(request.headers.get("Cookie")));
      return parsed.success ? parsed.data : null;
    },
    write: (value) => cookie.serialize(value),
    clear: () => cookie.serialize("", { maxAge: 0 }),
  };
}
