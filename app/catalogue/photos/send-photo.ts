/** Uploads a prepared photo. It doesn't use `fetch`, which reports no progress. */
import type { ProductImage } from "#app/db/product-image.ts";
import { type PreparedPhoto, PhotoError } from "./prepare-photo.ts";

const LOST = "The connection was lost. Please try again";

interface Sending {
  /** Stores it privately, for a reported problem. */
  isPrivate: boolean;
  /** It was prepared as a portrait. */
  isPortrait: boolean;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** @throws PhotoError with the server's error, or when the server can't be reached. Safe to repeat. */
export function sendPhoto(
  { variants, preview, tone, thumbhash }: PreparedPhoto,
  { isPrivate, isPortrait, onProgress, signal }: Sending,
): Promise<ProductImage> {
  const form = new FormData();
  for (const variant of variants) form.append("variant", variant, `photo.${variant.type.split("/")[1] ?? "webp"}`);
  if (preview) form.append("preview", preview, "preview.jpg");
  if (isPortrait) form.append("portrait", "yes");
  form.append("tone", tone);
  form.append("thumbhash", thumbhash);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", isPrivate ? "/api/photos/private" : "/api/photos");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
    request.addEventListener("load", () => {
      const answer = request.response as Answer | null;
      if (answer?.success) resolve(answer.data);
      else reject(new PhotoError(answer?.error ?? LOST));
    });
    request.addEventListener("error", () => reject(new PhotoError(LOST)));
    request.addEventListener("abort", () => reject(new PhotoError(LOST)));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

/** The answer of POST /api/photos. */
type Answer = { success: true; data: ProductImage } | { success: false; error: string };
