import { Hono } from "hono";
import { z } from "zod";
import { livePhotoSchema } from "#app/live/live-events.ts";
import {
  PHOTO_MAX_BYTES,
  PHOTO_TEXTS,
  type PhotoRefusal,
  PREVIEW_MAX_BYTES,
} from "#app/catalogue/photos/photo-rules.ts";
import { type PhotoBucket, storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { checkPhoto } from "#app/catalogue/photos/check-photo.server.ts";
import { TOO_MANY_REQUESTS } from "#app/platform/rate-limit-rules.ts";
import { readForm } from "#app/request/form-data.server.ts";
import { endpoint } from "./endpoint.ts";
import { LOGGED_OUT, OTHER_SITE, refuse } from "./refuse.ts";
import { requireViewer, type ViewerEnv } from "./require-viewer.ts";

/**
 * Takes one photo, in the sizes that the browser made of it: files named `variant`, a `preview` for public pages, and
 * `tone` and `thumbhash` for the placeholder. Answers `{ success: true, data: ProductImage }`. Only the uploader may
 * attach the photo: a public one to a listing, message, profile or shop, a private one to a reported problem.
 */
export const photos = new Hono<ViewerEnv>();

/** The largest form, in bytes: the variants, the preview and the other fields. */
const MAX_FORM = PHOTO_MAX_BYTES + PREVIEW_MAX_BYTES + 64 * 1024;

const STATUS = {
  not_image: 415,
  heic: 415,
  too_large: 413,
  too_small: 422,
  too_many_pixels: 422,
  unreadable: 422,
  busy: 503,
  too_many: 429,
  removed: 403,
  gone: 410,
} as const satisfies Record<PhotoRefusal, number>;

takePhotos("/", "media", {
  id: "uploadPhoto",
  summary: "Upload one photo in several sizes, for a listing or a message",
});
takePhotos("/private", "documents", {
  id: "uploadPrivatePhoto",
  summary: "Upload one photo in several sizes, for a reported problem",
});

function takePhotos(path: string, bucket: PhotoBucket, { id, summary }: { id: string; summary: string }): void {
  photos.post(
    path,
    requireViewer(),
    endpoint({
      id,
      tag: "Files",
      summary,
      body: {
        type: "multipart/form-data",
        schema: z.object({
          variant: z.array(z.file()).meta({ description: "The same photo in each size: WebP, JPEG or PNG." }),
          preview: z.file().optional().meta({
            description:
              "What chats show for a public page: a JPEG of 1200 × 630 and at most 300 KB. Private photos have none.",
          }),
          portrait: z.string().optional().meta({
            description: "`yes`: the sizes are squares of 96 and 320 px, for a person's photo or a shop's logo.",
          }),
          tone: z.string().optional().meta({ description: "The average colour, `#rrggbb`." }),
          thumbhash: z.string().optional().meta({ description: "Base64." }),
        }),
      },
      answers: { 200: z.object({ success: z.literal(true), data: livePhotoSchema }) },
      refusals: {
        401: LOGGED_OUT,
        403: OTHER_SITE,
        410: PHOTO_TEXTS.gone,
        413: PHOTO_TEXTS.too_large,
        415: PHOTO_TEXTS.not_image,
        422: "The photo is too small or has too many pixels, or the sizes do not show the same photo.",
        429: TOO_MANY_REQUESTS,
        503: PHOTO_TEXTS.busy,
      },
    }),
    async (c) => {
      const refusePhoto = (code: PhotoRefusal) => refuse(c, STATUS[code], PHOTO_TEXTS[code]);
      const services = c.get("services");
      const viewer = c.get("viewer");
      if (!(await services.limits.write(`photo:${viewer.id}`))) return refuse(c, 429, TOO_MANY_REQUESTS);

      const sent = await readForm(c.req.raw, MAX_FORM);
      if (!sent.ok) return refusePhoto(sent.code === "too_large" ? "too_large" : "not_image");
      const files = sent.form.getAll("variant").filter((value) => value instanceof File);
      const preview = bucket === "media" ? sent.form.get("preview") : null;
      const checked = await checkPhoto(files, {
        ...(preview instanceof File && { preview }),
        isPortrait: sent.form.get("portrait") === "yes",
        tone: sent.form.get("tone"),
        thumbhash: sent.form.get("thumbhash"),
      });
      if (!checked.ok) return refusePhoto(checked.code);
      const stored = await storePhoto(services, viewer.id, checked.photo, bucket);
      return stored.ok ? c.json({ success: true, data: stored.image }) : refusePhoto(stored.code);
    },
  );
}
