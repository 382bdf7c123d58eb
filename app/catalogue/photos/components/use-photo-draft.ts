import { useEffect, useRef } from "react";
import { keepPhotos, readKeptPhotos } from "#app/catalogue/photos/kept-photos.ts";
import { readFormDraft, writeFormDraft } from "#app/ui/forms/form-drafts.ts";
import { useDraftAddress } from "#app/ui/forms/use-form-draft.ts";
import type { Photos } from "./use-photos.ts";

/** Beside a form's fields in its draft. The form has them as hidden fields, which a draft doesn't fill in. */
const PHOTOS = "photos";

/**
 * Keeps a form's uploaded photos in its draft, and gives them back. Call it beside `useFormDraft`, with the same
 * `name`. null: the form keeps no draft.
 */
export function usePhotoDraft(photos: Photos | null, name?: string): void {
  const address = useDraftAddress(name);
  const { images = [], fill } = photos ?? {};
  const restore = useRef(fill);
  const keys = images.map(({ key }) => key).join(" ");
  const keptKeys = useRef(keys);

  useEffect(() => {
    const kept = readPhotos(address);
    // A form that came with photos, such as those of a refused answer, keeps these.
    if (kept.length > 0 && keptKeys.current === "") restore.current?.(kept.map(({ image }) => image));
  }, [address]);
  useEffect(() => {
    if (!photos || keptKeys.current === keys) return;
    keptKeys.current = keys;
    const kept = keepPhotos(images, readPhotos(address), Date.now());
    writeFormDraft(address, { ...readFormDraft(address), [PHOTOS]: [JSON.stringify(kept)] });
  });
}

function readPhotos(address: string) {
  const [kept = "null"] = readFormDraft(address)?.[PHOTOS] ?? [];
  return readKeptPhotos(JSON.parse(kept), Date.now());
}
