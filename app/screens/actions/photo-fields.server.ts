import { PHOTO_MAX_BYTES, PHOTO_TEXTS } from "#app/catalogue/photos/photo-rules.ts";
import { type PhotoBucket, storePhoto } from "#app/catalogue/photos/photos.server.ts";
import { checkOriginal } from "#app/catalogue/photos/check-photo.server.ts";
import { readFileForm } from "#app/request/form-data.server.ts";
import type { Services } from "#app/request/services.ts";

/** Bytes: the fields and a few original photos, which browsers without scripts send as they are. */
const MAX_FORM = 2 * PHOTO_MAX_BYTES + 1024 * 1024;

/**
 * Reads a form with photos. `text` gives its fields. One that can't be read has a status and an error; `failed` says
 * it. One that is cut (`isCut`) can only go back.
 */
export async function readPhotoForm(request: Request, failed: string) {
  const sent = await readFileForm(request, MAX_FORM);
  if (!sent.ok)
    return sent.code === "too_large"
      ? { ok: false as const, status: 413, errors: { photos: PHOTO_TEXTS.too_large } }
      : { ok: false as const, status: 400, errors: { form: failed } };
  const { form, isCut } = sent;
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : undefined;
  };
  return { ok: true as const, form, text, isCut };
}

/**
 * The distinct photo keys that a form names in `photos`, in order and at most `max`. Originals in `photoFile`, which
 * browsers without scripts send, are stored first.
 */
export async function takePhotos(
  services: Services,
  ownerId: string,
  form: FormData,
  { max, bucket }: { max: number; bucket: PhotoBucket },
): Promise<{ keys: string[]; error: string | null }> {
  const keys = new Set(form.getAll("photos").filter((key) => typeof key === "string"));
  for (const file of form.getAll("photoFile")) {
    if (!(file instanceof File) || file.size === 0) continue;
    const checked = await checkOriginal(file);
    const stored = checked.ok ? await storePhoto(services, ownerId, checked.photo, bucket) : checked;
    if (!stored.ok) return { keys: [...keys], error: PHOTO_TEXTS[stored.code] };
    keys.add(stored.image.key);
  }
  return { keys: [...keys].slice(0, max), error: keys.size > max ? `You can add up to ${max} photos` : null };
}

/**
 * The key of the one photo that a form names, empty for none. An original in its `file`, which browsers without scripts
 * send, is stored and takes its place.
 */
export async function takePhoto(
  services: Services,
  ownerId: string,
  form: FormData,
  names: { key: string; file: string },
  leastSide?: number,
): Promise<{ ok: true; key: string } | { ok: false; error: string }> {
  const [key, file] = [form.get(names.key), form.get(names.file)];
  if (!(file instanceof File) || file.size === 0) return { ok: true, key: typeof key === "string" ? key : "" };
  const checked = await checkOriginal(file, leastSide);
  const stored = checked.ok ? await storePhoto(services, ownerId, checked.photo) : checked;
  return stored.ok ? { ok: true, key: stored.image.key } : { ok: false, error: PHOTO_TEXTS[stored.code] };
}
