import { Hono } from "hono";
import { findViewer } from "#app/accounts/viewer.server.ts";
import { PHOTO_MAX_BYTES, PHOTO_TEXTS, type PhotoRefusal } from "#app/catalogue/photo-rules.ts";
import { checkPhoto, storePhoto } from "#app/catalogue/photos.server.ts";
import { readForm } from "#app/request/form-data.server.ts";
import type { HttpEnv } from "#workers/http-env.ts";
import { isOwnOrigin } from "./request-reading.ts";

/**
 * Takes one photo, in the sizes that the browser made of it: files named `variant`, and `tone` and `thumbhash` for the placeholder.
 * Answers `{ success: true, data: ProductImage }`. Only the uploader may attach the photo to a listing or message.
 */
export const photos = new Hono<HttpEnv>();

/** The largest form, in bytes: the variants and the other fields. */
const MAX_FORM = PHOTO_MAX_BYTES + 64 * 1024;

const STATUS = {
  not_image: 415,
  heic: 415,
  too_large: 413,
  too_small: 422,
  too_many_pixels: 422,
  unreadable: 422,
  busy: 503,
  too_many: 429,
  gone: 410,
} as const satisfies Record<PhotoRefusal, number>;

photos.post("/", async (c) => {
  const refuse = (code: PhotoRefusal) => c.json({ success: false, error: PHOTO_TEXTS[code] }, STATUS[code]);
  if (!isOwnOrigin(c.req.raw, c.env.APP_ORIGIN)) return c.json({ success: false, error: "Wrong origin" }, 403);
  const services = c.get("services");
  const session = await services.sessions.read(c.req.raw);
  const viewer = session && (await findViewer(services.db, session.identity));
  if (!viewer) return c.json({ success: false, error: "Please log in to continue" }, 401);
  if (!(await services.limits.write(`photo:${viewer.id}`)))
    return c.json({ success: false, error: PHOTO_TEXTS.busy }, 429);

  const sent = await readForm(c.req.raw, MAX_FORM);
  if (!sent.ok) return refuse(sent.code === "too_large" ? "too_large" : "not_image");
  const files = sent.form.getAll("variant").filter((value) => value instanceof File);
  const checked = await checkPhoto(files, { tone: sent.form.get("tone"), thumbhash: sent.form.get("thumbhash") });
  if (!checked.ok) return refuse(checked.code);
  const stored = await storePhoto(services, viewer.id, checked.photo);
  return stored.ok ? c.json({ success: true, data: stored.image }) : refuse(stored.code);
});
