import { createCookie } from "react-router";
import { z } from "zod";

const flashSchema = z.object({
  kind: z.enum(["success", "info", "warning", "error"]),
  text: z.string().max(500),
  /** Milliseconds. Default: the usual time of its kind. */
  duration: z.number().int().positive().optional(),
  /** The user has just logged in. The page then sets the flags that control the tour. */
  arrival: z.enum(["incomplete", "complete", "profile_completed"]).optional(),
  /** Makes a repeated text a new message. */
  id: z.string(),
});

export type FlashMessage = z.infer<typeof flashSchema>;

/** A message that the next page shows once. It travels in a signed cookie. */
export interface Flash {
  read(request: Request): Promise<FlashMessage | null>;
  /** The Set-Cookie header that carries a message with a redirect. */
  write(message: Omit<FlashMessage, "id">): Promise<string>;
  /** The Set-Cookie header that deletes it. */
  clear(): Promise<string>;
}

export function createFlash(options: { secrets: string[]; secure: boolean }): Flash {
  const cookie = createCookie("flash", {
    secrets: options.secrets,
    httpOnly: true,
    sameSite: "lax",
    secure: options.secure,
    path: "/",
    maxAge: 60,
  });
  return {
    async read(request) {
      const parsed = flashSchema.safeParse(await cookie.parse(request.headers.get("Cookie")));
      return parsed.success ? parsed.data : null;
    },
    write: (message) => cookie.serialize({ ...message, id: crypto.randomUUID() }),
    clear: () => cookie.serialize("", { maxAge: 0 }),
  };
}
