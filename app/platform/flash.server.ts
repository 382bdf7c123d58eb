import { redirect } from "react-router";
import { z } from "zod";
import { type CookieOptions, createSignedCookie, type SignedCookie } from "./signed-cookie.server.ts";

const flashSchema = z.object({
  kind: z.enum(["success", "info", "warning", "error"]),
  text: z.string().max(500),
  /** Milliseconds. Default: the usual time of its kind. */
  duration: z.number().int().positive().optional(),
  /** The user has just logged in. The page then sets the flags that control the tour. */
  arrival: z.enum(["incomplete", "complete", "profile_completed"]).optional(),
  /** They are on the way to another screen than Home, so the tour waits until they open Home. */
  tourWaits: z.boolean().optional(),
  /** Somebody has logged out: the browser forgets what it keeps for them (private-storage.ts). */
  isGoodbye: z.literal(true).optional(),
  /** Makes a repeated text a new message. */
  id: z.string(),
});

export type FlashMessage = z.infer<typeof flashSchema>;

/** A message that the next page shows once. It travels in a signed cookie. */
export interface Flash extends Omit<SignedCookie<FlashMessage>, "write"> {
  /** The Set-Cookie header that carries a message with a redirect. */
  write(message: Omit<FlashMessage, "id">): Promise<string>;
}

export function createFlash(options: CookieOptions): Flash {
  const cookie = createSignedCookie("flash", flashSchema, 60, options);
  return { ...cookie, write: (message) => cookie.write({ ...message, id: crypto.randomUUID() }) };
}

/** Redirects with a message that the next page shows once. `headers` are what else the answer sends along. */
export async function redirectWithFlash(
  services: { flash: Flash },
  to: string,
  message: Omit<FlashMessage, "id">,
  headers = new Headers(),
): Promise<Response> {
  headers.append("Set-Cookie", await services.flash.write(message));
  return redirect(to, { headers });
}
