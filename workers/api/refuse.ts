import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** Reasons of refusals, as the OpenAPI document gives them. */
export const LOGGED_OUT = "Nobody is logged in.";
export const OTHER_SITE = "Sent by a page of another site, or the profile isn't complete.";
export const UNREADABLE = "The input cannot be read, or a field is missing or wrong.";

/** Every refusal of the API. `error` is a sentence for people. */
export function refuse(c: Context, status: ContentfulStatusCode, error: string) {
  return c.json({ success: false, error }, status);
}
