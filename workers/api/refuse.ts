import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** Every refusal of the API. `error` is a sentence for people. */
export function refuse(c: Context, status: ContentfulStatusCode, error: string) {
  return c.json({ success: false, error }, status);
}
